// Lists the steps of a half: the vertex to eliminate or the edges to add, with slots for each.
#include "join/half_steps.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ktsolve::join {

namespace {

constexpr int kNever = 1 << 30;

struct Life {
    int enter = kNever, leave = kNever; // first and last step at which the vertex is in the frontier
};

std::vector<Life> lives_of(const HalfTask& task) {
    std::vector<Life> lives(static_cast<std::size_t>(task.graph.vertices));
    std::vector<int> step(lives.size(), kNever);
    for (std::size_t i = 0; i < task.eliminate.size(); ++i) {
        step[static_cast<std::size_t>(task.eliminate[i])] = static_cast<int>(i);
        lives[static_cast<std::size_t>(task.eliminate[i])] = {static_cast<int>(i), static_cast<int>(i)};
    }
    for (const auto& [u, v] : task.graph.edges)
        for (const auto& [a, b] : {std::pair{u, v}, std::pair{v, u}}) {
            Life& life = lives[static_cast<std::size_t>(a)];
            life.enter = std::min(life.enter, step[static_cast<std::size_t>(b)]);
        }
    return lives;
}

std::size_t at(int vertex) {
    return static_cast<std::size_t>(vertex);
}

// For each vertex the number of eliminations after which no other joins an edge to it.
std::vector<std::size_t> last_touched(const HalfTask& task) {
    std::vector<std::size_t> gone(at(task.graph.vertices)), last(gone.size());
    for (std::size_t i = 0; i < task.eliminate.size(); ++i) gone[at(task.eliminate[i])] = i + 1;
    for (const auto& [u, v] : task.graph.edges) {
        last[at(u)] = std::max(last[at(u)], gone[at(v)]);
        last[at(v)] = std::max(last[at(v)], gone[at(u)]);
    }
    return last;
}

// Whether each edge is one of the half: of a vertex that is eliminated, or added.
std::vector<char> edges_of_half(const HalfTask& task) {
    std::vector<char> inside(at(task.graph.vertices)), found(task.graph.edges.size());
    for (const int v : task.eliminate) inside[at(v)] = 1;
    for (std::size_t e = 0; e < found.size(); ++e)
        found[e] = inside[at(task.graph.edges[e].first)] | inside[at(task.graph.edges[e].second)];
    for (const auto& edges : task.preapplied)
        for (const int e : edges) found[at(e)] = 1;
    return found;
}

// The steps in order: eliminations by their number, and then the sets of edges. With a group each set comes
// as soon as no elimination touches its vertices any more, so that degrees are final early.
std::vector<std::size_t> order_of_steps(const HalfTask& task) {
    const std::size_t eliminations = task.eliminate.size();
    const std::vector<std::size_t> last = last_touched(task);
    std::vector<std::vector<std::size_t>> after(eliminations + 1);
    for (std::size_t i = 0; i < task.preapplied.size(); ++i) {
        std::size_t when = task.symmetries == nullptr ? eliminations : 0;
        for (const int e : task.preapplied[i])
            for (const int v : {task.graph.edges[at(e)].first, task.graph.edges[at(e)].second})
                when = std::max(when, last[at(v)] == 0 ? eliminations : last[at(v)]);
        after[when].push_back(eliminations + i);
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i <= eliminations; ++i) {
        order.insert(order.end(), after[i].begin(), after[i].end());
        if (i < eliminations) order.push_back(i);
    }
    return order;
}

} // namespace

HalfTask plain_task(const Graph& graph, const JoinPlan& plan, bool upper) {
    static const std::vector<int> none;
    static const std::vector<std::vector<int>> no_sets;
    HalfTask task{graph,
                  upper ? plan.top : plan.bottom,
                  plan.separator,
                  upper ? plan.top_preapplied : plan.bottom_preapplied,
                  none,
                  plan.colour,
                  plan.split,
                  false,
                  no_sets,
                  none,
                  ""};
    if (!plan.group.empty()) task.symmetries = &plan.group;
    return task;
}

HalfTask HalfTask::stage(std::size_t block) const {
    const JoinStage& last = stages.back();
    HalfTask task{graph,
                  eliminate,
                  separator,
                  preapplied,
                  mirror,
                  colour,
                  split,
                  mirror_swaps,
                  last.cells,
                  last.sums[block],
                  files.empty() ? "" : files + "-" + std::to_string(last.steps),
                  tallied,
                  stages.first(stages.size() - 1),
                  static_cast<std::size_t>(last.steps)};
    task.turned = turned;
    task.upper = upper;
    return task;
}

HalfTask HalfTask::in_order(const std::vector<int>& order) const {
    HalfTask task{graph, order,        separator,   preapplied, mirror, colour,
                  split, mirror_swaps, block_cells, block_sums, ""};
    task.symmetries = symmetries;
    return task;
}

HalfSteps::HalfSteps(const HalfTask& task)
    : task_(task), order_(order_of_steps(task)), slots_(assign_slots(task)), around_(at(task.graph.vertices)),
      gone_(around_.size()), live_(around_.size()) {
    for (std::size_t e = 0; e < task.graph.edges.size(); ++e) {
        const auto [u, v] = task.graph.edges[e];
        const bool required = task.graph.required[e] != 0;
        around_[at(u)].push_back({v, required, tallied(e)});
        around_[at(v)].push_back({u, required, tallied(e)});
    }
    if (task.group != nullptr) {
        final_ = final_steps(task);
        std::sort(final_.begin(), final_.end());
    }
}

std::size_t HalfSteps::known(std::size_t steps) const {
    return static_cast<std::size_t>(std::upper_bound(final_.begin(), final_.end(), steps) - final_.begin());
}

Port HalfSteps::port(int vertex, int other) const {
    const bool second = vertex == task_.split && task_.colour[at(other)] == 1;
    return {slots_[at(vertex)], second ? u64{2} : u64{1}};
}

int HalfSteps::split_slot() const {
    return task_.split < 0 ? -1 : slots_[at(task_.split)];
}

HalfStep HalfSteps::next() {
    HalfStep step;
    std::vector<PortEdge> edges;
    const std::size_t number = order_[done_++];
    if (number < task_.eliminate.size()) {
        const int v = step.vertex = task_.eliminate[number];
        for (const auto& [u, required, uses] : around_[at(v)])
            if (gone_[at(u)] == 0) {
                edges.push_back({port(u, v), port(v, u), required, uses});
                step.edges.emplace_back(u, v);
                live_[at(u)] = 1;
            }
        gone_[at(v)] = 1;
        live_[at(v)] = 0;
        step.choices = elimination_choices(slots_[at(v)], edges, split_slot());
        return step;
    }
    for (const int e : task_.preapplied[number - task_.eliminate.size()]) {
        const auto [u, v] = task_.graph.edges[at(e)];
        applied_.insert(std::minmax({u, v}));
        edges.push_back({port(u, v), port(v, u), task_.graph.required[at(e)] != 0, tallied(at(e))});
        step.edges.emplace_back(u, v);
        live_[at(u)] = live_[at(v)] = 1;
    }
    step.choices = subset_choices(edges, split_slot());
    if (task_.turned >= 0 && task_.upper && number + 1 == task_.all_steps())
        step.choices = turned_choices(step.choices, slots_[at(task_.turned)], split_slot());
    for (const EdgeChoice& choice : step.choices)
        if (choice.runs.size() > 1) throw std::invalid_argument("pre-applied edges must share one vertex");
    return step;
}

bool HalfSteps::mirror_now(FieldPermutation& mirror) const {
    std::array<int, 32> to;
    if (task_.mirror.empty() || !moves(task_.mirror, to)) return false;
    mirror = FieldPermutation(to, task_.mirror_swaps ? split_slot() : -1);
    return true;
}

bool HalfSteps::moves(const std::vector<int>& images, std::array<int, 32>& to) const {
    for (std::size_t v = 0; v < gone_.size(); ++v)
        if (gone_[v] != gone_[at(images[v])]) return false;
    for (const auto& [u, v] : applied_)
        if (!applied_.contains(std::minmax({images[at(u)], images[at(v)]}))) return false;
    for (int s = 0; s < 32; ++s) to[at(s)] = s;
    for (std::size_t v = 0; v < live_.size(); ++v)
        if (live_[v] != 0) to[at(slots_[v])] = slots_[at(images[v])];
    return true;
}

Restriction HalfSteps::restriction(std::size_t sets) const {
    Restriction restriction;
    for (std::size_t c = 0; c < sets; ++c) {
        std::vector<int> cells;
        int to_come = 0;
        for (const int v : task_.block_cells[c]) {
            // Before it enters the frontier, its slot may hold another vertex.
            if (live_[at(v)] != 0) cells.push_back(slots_[at(v)]);
            to_come += std::min(edges_to_come(v), 2);
        }
        restriction.require(cells, task_.block_sums[c] - to_come, task_.block_sums[c]);
    }
    if (task_.turned >= 0 && !task_.upper && live_[at(task_.turned)] != 0) {
        // One end at most; of a split vertex, where fields 1 and 2 are ends of either colour.
        const int slot = slots_[at(task_.turned)];
        restriction.require({slot}, 0, slot == split_slot() ? 2 : 1);
    }
    if (task_.group == nullptr) return restriction;
    std::vector<int> slots;
    for (const int v : task_.separator)
        if (live_[at(v)] != 0 || done_ == task_.all_steps()) slots.push_back(slots_[at(v)]);
    if (task_.leading != nullptr) {
        LeadingPatterns::AllProgress progress;
        for (std::size_t i = 0; i < task_.separator.size(); ++i) {
            const int v = task_.separator[task_.group->order()[i]];
            const bool is_here = live_[at(v)] != 0 || done_ == task_.all_steps();
            progress[i] = {is_here ? 2 * slots_[at(v)] : -1, edges_to_come(v)};
        }
        restriction.come_to(*task_.leading, progress);
    } else if (known(done_) > 0) {
        restriction.lead(*task_.group, known(done_), slots);
    }
    int to_come = 0;
    for (const int v : task_.separator) {
        const DegreeRange range = degree_range(task_, v);
        if (live_[at(v)] != 0 && (range.least > 0 || range.most < 2) && v != task_.split)
            restriction.require({slots_[at(v)]}, range.least - edges_to_come(v), range.most);
        to_come += std::min(edges_to_come(v), 2);
    }
    if (task_.sum >= 0) restriction.require(slots, task_.sum - to_come, task_.sum);
    if (task_.most_ends >= 0 && done_ == task_.all_steps()) restriction.end(slots, task_.most_ends);
    return restriction;
}

int HalfSteps::edges_to_come(int v) const {
    const std::size_t eliminations = task_.eliminate.size();
    int edges = 0;
    for (std::size_t i = done_; i < count(); ++i) {
        if (order_[i] < eliminations) {
            for (const Incident& incident : around_[at(v)])
                edges += task_.eliminate[order_[i]] == incident.other;
            continue;
        }
        for (const int e : task_.preapplied[order_[i] - eliminations]) {
            const auto [a, b] = task_.graph.edges[at(e)];
            edges += a == v || b == v;
        }
    }
    return edges;
}

std::size_t HalfSteps::untouched(std::span<const std::vector<int>> cells) const {
    std::vector<char> tells(around_.size());
    for (const auto& set : cells)
        for (const int v : set) tells[at(v)] = 1;
    const auto touches = [&](std::size_t number) {
        if (number < task_.eliminate.size())
            return std::any_of(around_[at(task_.eliminate[number])].begin(),
                               around_[at(task_.eliminate[number])].end(),
                               [&](const Incident& edge) { return tells[at(edge.other)] != 0; });
        const std::vector<int>& edges = task_.preapplied[number - task_.eliminate.size()];
        return std::any_of(edges.begin(), edges.end(), [&](int e) {
            const auto [u, v] = task_.graph.edges[at(e)];
            return tells[at(u)] != 0 || tells[at(v)] != 0;
        });
    };
    std::size_t steps = 0;
    while (steps < order_.size() && !touches(order_[steps])) ++steps;
    return steps;
}

std::vector<std::size_t> final_steps(const HalfTask& task) {
    std::vector<std::size_t> last(at(task.graph.vertices)), place(task.all_steps());
    const std::vector<std::size_t> order = order_of_steps(task), touched = last_touched(task);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i + 1;
    for (std::size_t v = 0; v < last.size(); ++v)
        if (touched[v] != 0) last[v] = place[touched[v] - 1];
    for (std::size_t i = 0; i < task.preapplied.size(); ++i)
        for (const int e : task.preapplied[i])
            for (const int v : {task.graph.edges[at(e)].first, task.graph.edges[at(e)].second})
                last[at(v)] = std::max(last[at(v)], place[task.eliminate.size() + i]);
    std::vector<std::size_t> steps;
    for (const int v : task.separator)
        steps.push_back(last[at(v)] == 0 || v == task.split ? task.all_steps() : last[at(v)]);
    return steps;
}

std::vector<u8> completion_order(const HalfTask& task) {
    const std::vector<std::size_t> steps = final_steps(task);
    std::vector<u8> order(steps.size());
    std::iota(order.begin(), order.end(), u8{0});
    std::stable_sort(order.begin(), order.end(), [&](u8 a, u8 b) { return steps[a] < steps[b]; });
    return order;
}

DegreeRange degree_range(const HalfTask& task, int vertex) {
    const std::vector<char> of_half = edges_of_half(task);
    int own = 0, others = 0, required_here = 0, required_elsewhere = 0;
    for (std::size_t e = 0; e < of_half.size(); ++e) {
        const auto [u, v] = task.graph.edges[e];
        if (u != vertex && v != vertex) continue;
        const bool here = of_half[e] != 0;
        (here ? own : others) += 1;
        if (task.graph.required[e] != 0) (here ? required_here : required_elsewhere) += 1;
    }
    return {std::max(required_here, 2 - others), std::min({2, own, 2 - required_elsewhere})};
}

SumOfDegrees sum_by_colours(const HalfTask& task) {
    // With q vertices of the other colour and p of the separator's, 2 q = e + s and 2 p = e, where e edges
    // join the two and s lead to the separator. Two of the half's edges may lead to the split vertex instead.
    // A vertex of the separator with all its edges here is one of the half, too, and has a degree of 2. An
    // edge that joins vertices of one colour must be required: it takes 2 from the sum or adds 2.
    const std::vector<char> here = edges_of_half(task);
    std::vector<std::vector<std::pair<int, bool>>> around(at(task.graph.vertices));
    std::vector<char> shared(around.size());
    for (std::size_t e = 0; e < here.size(); ++e) {
        const auto [u, v] = task.graph.edges[e];
        if (here[e] == 0) shared[at(u)] = shared[at(v)] = 1;
        if (here[e] == 0 || u == task.split || v == task.split) continue;
        around[at(u)].emplace_back(v, task.graph.required[e] != 0);
        around[at(v)].emplace_back(u, task.graph.required[e] != 0);
    }
    std::vector<int> colour(around.size(), -1), open;
    SumOfDegrees sum{task.split < 0 ? 0 : -2, true};
    for (const int v : task.separator)
        if (shared[at(v)] == 0 && v != task.split) {
            sum.least += 2;
        } else {
            colour[at(v)] = 0;
            open.push_back(v);
        }
    std::vector<char> between(around.size()); // of the separator, and with edges in both halves
    for (const int v : open) between[at(v)] = 1;
    int twice = 0; // what edges of one colour change, seen from both ends
    while (!open.empty()) {
        const int v = open.back();
        open.pop_back();
        for (const auto& [u, required] : around[at(v)]) {
            if (between[at(u)] != 0 && between[at(v)] != 0) {
                sum.exact = false; // a pre-applied edge adds 2 if it is used
            } else if (colour[at(u)] == colour[at(v)]) {
                if (!required) return {0, false};
                twice += colour[at(u)] == 0 ? 2 : -2;
            } else if (colour[at(u)] < 0) {
                colour[at(u)] = 1 - colour[at(v)];
                sum.least += colour[at(u)] == 1 ? 2 : -2;
                open.push_back(u);
            }
        }
    }
    sum.least += twice / 2;
    return sum;
}

int sum_of_degrees(const Graph& graph, const JoinPlan& plan, bool upper) {
    if (plan.split >= 0 || !plan.top_deferred.empty() || !plan.bottom_deferred.empty()) return -1;
    const SumOfDegrees own = sum_by_colours(plain_task(graph, plan, upper));
    if (own.exact && own.least > 0) return own.least;
    const SumOfDegrees other = sum_by_colours(plain_task(graph, plan, !upper));
    return other.exact && other.least > 0 ? 2 * static_cast<int>(plan.separator.size()) - other.least : -1;
}

PatternGroup pattern_group(const JoinPlan& plan, const HalfTask& task) {
    std::vector<std::vector<u8>> generators;
    for (const std::vector<int>& images : plan.group) {
        std::vector<u8> to;
        for (const int v : plan.separator) {
            const auto image = std::find(plan.separator.begin(), plan.separator.end(), images[at(v)]);
            to.push_back(static_cast<u8>(image - plan.separator.begin()));
        }
        generators.push_back(std::move(to));
    }
    return PatternGroup(generators, completion_order(task));
}

std::vector<int> assign_slots(const HalfTask& task) {
    const std::vector<Life> lives = lives_of(task);
    std::vector<int> slots(lives.size(), -1);
    std::array<int, kMostSlots> free_from{}; // the step from which a slot can be entered
    std::array<int, kMostSlots> separator_enters;
    separator_enters.fill(kNever);
    for (std::size_t i = 0; i < task.separator.size(); ++i) {
        const auto v = static_cast<std::size_t>(task.separator[i]);
        if (i >= kMostSlots) throw std::length_error("the separator has too many vertices for the join");
        slots[v] = static_cast<int>(i);
        // The split slot has fields of another meaning, so no other vertex uses it.
        separator_enters[i] = task.separator[i] == task.split ? -1 : lives[v].enter;
    }
    std::vector<int> by_entry = task.eliminate;
    const int most = task.tallied != nullptr ? kMostTalliedSlots : kMostSlots;
    std::stable_sort(by_entry.begin(), by_entry.end(), [&](int a, int b) {
        return lives[static_cast<std::size_t>(a)].enter < lives[static_cast<std::size_t>(b)].enter;
    });
    for (const int v : by_entry) {
        const Life& life = lives[static_cast<std::size_t>(v)];
        int slot = 0;
        while (slot < most && (free_from[static_cast<std::size_t>(slot)] > life.enter ||
                               separator_enters[static_cast<std::size_t>(slot)] <= life.leave))
            ++slot;
        if (slot == most) throw std::length_error("the frontier is too wide for the join");
        slots[static_cast<std::size_t>(v)] = slot;
        free_from[static_cast<std::size_t>(slot)] = life.leave + 1;
    }
    return slots;
}

} // namespace ktsolve::join
