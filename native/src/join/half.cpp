// See join/half.hpp.
#include "join/half.hpp"

#include <algorithm>
#include <stdexcept>

#include "join/spill.hpp"

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

// The sweep of one half. First each step eliminates a vertex, then each step applies a set of edges.
class Sweep {
  public:
    Sweep(const HalfTask& task, Context& context, std::vector<LayerReport>& log)
        : task_(task), context_(context), log_(log), slots_(assign_slots(task)),
          steps_(task.eliminate.size()), around_(static_cast<std::size_t>(task.graph.vertices)),
          gone_(around_.size()), live_(around_.size()) {
        for (std::size_t e = 0; e < task.graph.edges.size(); ++e) {
            const auto [u, v] = task.graph.edges[e];
            const bool required = task.graph.required[e] != 0;
            around_[at(u)].push_back({v, required});
            around_[at(v)].push_back({u, required});
        }
        name_files();
    }

    Half make() {
        Half half{Layer(context_.pool), false, {}};
        const std::size_t all = steps_ + task_.preapplied.size();
        const std::size_t first = load(half);
        for (std::size_t step = 0; step < first; ++step) (void)pass(step);
        if (first == all) {
            if (half.folded) (void)mirror_now(half.mirror);
            const u64 states = half.layer.states();
            log_.push_back({-1, states, states, half.layer.groups(), half.layer.bytes()});
            return half;
        }
        if (first == 0) {
            Writer writer(context_.pool);
            store_entry(writer.append(0, 1, 1, 1), 1, 0, 0, 1);
            half.layer.append(writer.finish());
        }
        for (std::size_t step = first; step < all; ++step) {
            if (step == shared_ && step > first && !shared_file_.empty())
                save_layer(shared_file_, half.layer, false, context_.workers);
            const std::vector<EdgeChoice> choices = pass(step);
            half.layer = take_step(half.layer, choices, restriction_after(step + 1), context_);
            const u64 unfolded = half.layer.states();
            FieldPermutation mirror;
            const bool last = step + 1 == all;
            if (mirror_now(mirror)) {
                half.layer = fold(half.layer, mirror, last, context_);
                if (last) {
                    half.folded = true;
                    half.mirror = mirror;
                }
            }
            Progress& progress = context_.workers.progress();
            ++progress.step;
            progress.states = half.layer.states();
            log_.push_back({step < steps_ ? task_.eliminate[step] : -1, unfolded, half.layer.states(),
                            half.layer.groups(), half.layer.bytes()});
            context_.workers.poll();
        }
        if (!own_file_.empty()) save_layer(own_file_, half.layer, half.folded, context_.workers);
        return half;
    }

  private:
    static std::size_t at(int vertex) { return static_cast<std::size_t>(vertex); }

    // Names of the files of the half and of the layer that all blocks share: the one before the first step
    // that touches a vertex of the block sets.
    void name_files() {
        if (!task_.block_sums.empty()) {
            std::vector<char> tells(around_.size());
            for (const auto& cells : task_.block_cells)
                for (const int v : cells) tells[at(v)] = 1;
            const auto touches = [&](int v) {
                return std::any_of(around_[at(v)].begin(), around_[at(v)].end(),
                                   [&](const auto& edge) { return tells[at(edge.first)] != 0; });
            };
            while (shared_ < steps_ && !touches(task_.eliminate[shared_])) ++shared_;
        }
        if (task_.files.empty()) return;
        if (shared_ > 0) shared_file_ = task_.files + "-first-" + std::to_string(shared_) + ".layer";
        own_file_ = task_.files;
        for (const int sum : task_.block_sums) own_file_.append("-").append(std::to_string(sum));
        own_file_ += ".layer";
    }

    // Loads the latest layer that is on disk; returns the number of steps that lead to it.
    std::size_t load(Half& half) {
        if (!own_file_.empty() && load_layer(own_file_, half.layer, half.folded, context_.workers))
            return steps_ + task_.preapplied.size();
        bool folded = false;
        if (!shared_file_.empty() && load_layer(shared_file_, half.layer, folded, context_.workers))
            return shared_;
        return 0;
    }

    Port port(int vertex, int other) const {
        const bool second = vertex == task_.split && task_.colour[at(other)] == 1;
        return {slots_[at(vertex)], second ? u64{2} : u64{1}};
    }
    int split_slot() const { return task_.split < 0 ? -1 : slots_[at(task_.split)]; }

    // The edge choices of a step. Notes which vertices are gone and which are in the frontier after it.
    std::vector<EdgeChoice> pass(std::size_t step) {
        std::vector<PortEdge> edges;
        if (step < steps_) {
            const int v = task_.eliminate[step];
            for (const auto& [u, required] : around_[at(v)])
                if (gone_[at(u)] == 0) {
                    edges.push_back({port(u, v), port(v, u), required});
                    live_[at(u)] = 1;
                }
            gone_[at(v)] = 1;
            live_[at(v)] = 0;
            return elimination_choices(slots_[at(v)], edges, split_slot());
        }
        for (const int e : task_.preapplied[step - steps_]) {
            const auto [u, v] = task_.graph.edges[at(e)];
            edges.push_back({port(u, v), port(v, u), task_.graph.required[at(e)] != 0});
            live_[at(u)] = live_[at(v)] = 1;
        }
        std::vector<EdgeChoice> choices = subset_choices(edges, split_slot());
        for (const EdgeChoice& choice : choices)
            if (choice.runs.size() > 1)
                throw std::invalid_argument("pre-applied edges must share one vertex");
        return choices;
    }

    // Whether the eliminated vertices are their own mirror image, and if so how the mirror acts on the slots.
    bool mirror_now(FieldPermutation& mirror) const {
        if (task_.mirror.empty()) return false;
        for (std::size_t v = 0; v < gone_.size(); ++v)
            if (gone_[v] != gone_[at(task_.mirror[v])]) return false;
        std::array<int, 32> to;
        for (int s = 0; s < 32; ++s) to[at(s)] = s;
        for (std::size_t v = 0; v < live_.size(); ++v)
            if (live_[v] != 0) to[at(slots_[v])] = slots_[at(task_.mirror[v])];
        mirror = FieldPermutation(to, task_.mirror_swaps ? split_slot() : -1);
        return true;
    }

    // The bounds of the block after `done` steps: sums may lack the edges that are still to come.
    Restriction restriction_after(std::size_t done) const {
        Restriction restriction;
        for (std::size_t c = 0; c < task_.block_sums.size(); ++c) {
            std::vector<int> cells;
            int to_come = 0;
            for (const int v : task_.block_cells[c]) {
                // Before it enters the frontier, its slot may hold another vertex.
                if (live_[at(v)] != 0) cells.push_back(slots_[at(v)]);
                to_come += std::min(edges_to_come(v, done), 2);
            }
            restriction.require(cells, task_.block_sums[c] - to_come, task_.block_sums[c]);
        }
        return restriction;
    }

    int edges_to_come(int v, std::size_t done) const {
        int edges = 0;
        for (const auto& [u, required] : around_[at(v)])
            for (std::size_t i = done; i < steps_; ++i) edges += task_.eliminate[i] == u;
        for (std::size_t i = std::max(done, steps_) - steps_; i < task_.preapplied.size(); ++i)
            for (const int e : task_.preapplied[i]) {
                const auto [a, b] = task_.graph.edges[at(e)];
                edges += a == v || b == v;
            }
        return edges;
    }

    const HalfTask& task_;
    Context& context_;
    std::vector<LayerReport>& log_;
    std::vector<int> slots_;
    std::size_t steps_; // eliminations
    std::vector<std::vector<std::pair<int, bool>>> around_;
    std::vector<char> gone_, live_;
    std::size_t shared_ = 0;
    std::string own_file_, shared_file_;
};

} // namespace

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
    std::stable_sort(by_entry.begin(), by_entry.end(), [&](int a, int b) {
        return lives[static_cast<std::size_t>(a)].enter < lives[static_cast<std::size_t>(b)].enter;
    });
    for (const int v : by_entry) {
        const Life& life = lives[static_cast<std::size_t>(v)];
        int slot = 0;
        while (slot < kMostSlots && (free_from[static_cast<std::size_t>(slot)] > life.enter ||
                                     separator_enters[static_cast<std::size_t>(slot)] <= life.leave))
            ++slot;
        if (slot == kMostSlots) throw std::length_error("the frontier is too wide for the join");
        slots[static_cast<std::size_t>(v)] = slot;
        free_from[static_cast<std::size_t>(slot)] = life.leave + 1;
    }
    return slots;
}

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log) {
    return Sweep(task, context, log).make();
}

} // namespace ktsolve::join
