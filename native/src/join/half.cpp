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

} // namespace

std::vector<int> assign_slots(const HalfTask& task) {
    const std::vector<Life> lives = lives_of(task);
    std::vector<int> slots(lives.size(), -1);
    std::array<int, kMostSlots> free_from{}; // the step from which a slot can be entered
    std::array<int, kMostSlots> middle_enters;
    middle_enters.fill(kNever);
    for (std::size_t i = 0; i < task.middle.size(); ++i) {
        const auto v = static_cast<std::size_t>(task.middle[i]);
        if (i >= kMostSlots) throw std::length_error("too many middle cells for the join");
        slots[v] = static_cast<int>(i);
        // The split slot reads differently from all others, so it is never lent.
        middle_enters[i] = task.middle[i] == task.split ? -1 : lives[v].enter;
    }
    std::vector<int> by_entry = task.eliminate;
    std::stable_sort(by_entry.begin(), by_entry.end(), [&](int a, int b) {
        return lives[static_cast<std::size_t>(a)].enter < lives[static_cast<std::size_t>(b)].enter;
    });
    for (const int v : by_entry) {
        const Life& life = lives[static_cast<std::size_t>(v)];
        int slot = 0;
        while (slot < kMostSlots && (free_from[static_cast<std::size_t>(slot)] > life.enter ||
                                     middle_enters[static_cast<std::size_t>(slot)] <= life.leave))
            ++slot;
        if (slot == kMostSlots) throw std::length_error("the frontier is too wide for the join");
        slots[static_cast<std::size_t>(v)] = slot;
        free_from[static_cast<std::size_t>(slot)] = life.leave + 1;
    }
    return slots;
}

Half make_half(const HalfTask& task, Workshop& shop, std::vector<LayerReport>& log) {
    const Graph& graph = task.graph;
    const std::vector<int> slots = assign_slots(task);
    const auto n = static_cast<std::size_t>(graph.vertices);
    std::vector<std::vector<std::pair<int, bool>>> around(n);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        around[static_cast<std::size_t>(u)].push_back({v, graph.required[e] != 0});
        around[static_cast<std::size_t>(v)].push_back({u, graph.required[e] != 0});
    }
    const int split_slot = task.split < 0 ? -1 : slots[static_cast<std::size_t>(task.split)];
    const auto port = [&](int vertex, int other) {
        const bool second = vertex == task.split && task.colour[static_cast<std::size_t>(other)] == 1;
        return Port{slots[static_cast<std::size_t>(vertex)], second ? u64{2} : u64{1}};
    };

    std::vector<char> gone(n, 0), live(n, 0);
    // The mirror acts on the frontier when it maps what is gone to itself.
    const auto mirror_now = [&](FieldPermutation& mirror) {
        if (task.mirror.empty()) return false;
        for (std::size_t v = 0; v < n; ++v)
            if (gone[v] != gone[static_cast<std::size_t>(task.mirror[v])]) return false;
        std::array<int, 32> to;
        for (int s = 0; s < 32; ++s) to[static_cast<std::size_t>(s)] = s;
        for (std::size_t v = 0; v < n; ++v)
            if (live[v])
                to[static_cast<std::size_t>(slots[v])] = slots[static_cast<std::size_t>(task.mirror[v])];
        mirror = FieldPermutation(to, task.mirror_swaps ? split_slot : -1);
        return true;
    };

    // What the classes ask for after each step: sums so far may lack what is still to come.
    const auto restriction_after = [&](std::size_t done) {
        Restriction restriction;
        for (std::size_t c = 0; c < task.class_sums.size(); ++c) {
            std::vector<int> cells;
            int to_come = 0;
            for (const int v : task.class_cells[c]) {
                // Before it enters, its slot may be lent to another.
                if (live[static_cast<std::size_t>(v)]) cells.push_back(slots[static_cast<std::size_t>(v)]);
                int edges = 0;
                for (const auto& [u, required] : around[static_cast<std::size_t>(v)])
                    for (std::size_t i = done; i < task.eliminate.size(); ++i)
                        edges += task.eliminate[i] == u;
                for (std::size_t i = std::max(done, task.eliminate.size()) - task.eliminate.size();
                     i < task.absorb.size(); ++i)
                    for (const int e : task.absorb[i]) {
                        const auto [a, b] = graph.edges[static_cast<std::size_t>(e)];
                        edges += a == v || b == v;
                    }
                to_come += std::min(edges, 2);
            }
            const int sum = task.class_sums[c];
            restriction.require(cells, sum - to_come, sum);
        }
        return restriction;
    };
    // The step before which no class has begun: all classes share the layer there.
    std::size_t shared = 0;
    if (!task.class_sums.empty()) {
        std::vector<char> of_class(n, 0);
        for (const auto& cells : task.class_cells)
            for (const int v : cells) of_class[static_cast<std::size_t>(v)] = 1;
        const auto touches = [&](int v) {
            for (const auto& [u, required] : around[static_cast<std::size_t>(v)])
                if (of_class[static_cast<std::size_t>(u)]) return true;
            return false;
        };
        while (shared < task.eliminate.size() && !touches(task.eliminate[shared])) ++shared;
    }
    std::string own_file = task.files, shared_file;
    if (!task.files.empty()) {
        if (shared > 0) shared_file = task.files + "-first-" + std::to_string(shared) + ".layer";
        for (const int sum : task.class_sums) own_file += "-" + std::to_string(sum);
        own_file += ".layer";
    }

    Half half{Layer(shop.pool), false, {}};
    const std::size_t steps = task.eliminate.size() + task.absorb.size();
    bool folded = false; // the state of what was loaded
    std::size_t first = 0;
    if (!own_file.empty() && load_layer(own_file, half.layer, folded, shop.workers))
        first = steps;
    else if (!shared_file.empty() && load_layer(shared_file, half.layer, folded, shop.workers))
        first = shared;
    for (std::size_t step = 0; step < first; ++step) {
        // What the loaded layer has behind it.
        if (step >= task.eliminate.size()) {
            for (const int e : task.absorb[step - task.eliminate.size()])
                for (const int v : {graph.edges[static_cast<std::size_t>(e)].first,
                                    graph.edges[static_cast<std::size_t>(e)].second})
                    live[static_cast<std::size_t>(v)] = 1;
            continue;
        }
        const auto v = static_cast<std::size_t>(task.eliminate[step]);
        gone[v] = 1;
        live[v] = 0;
        for (const auto& [u, required] : around[v])
            if (!gone[static_cast<std::size_t>(u)]) live[static_cast<std::size_t>(u)] = 1;
    }
    if (first == steps) {
        half.folded = folded;
        if (folded) (void)mirror_now(half.mirror);
        log.push_back(
            {-1, half.layer.states(), half.layer.states(), half.layer.groups(), half.layer.bytes()});
        return half;
    }
    if (first == 0) {
        Writer writer(shop.pool);
        store_entry(writer.append(0, 1, 1, 1), 1, 0, 0, 1);
        half.layer.append(writer.finish());
    }
    for (std::size_t step = first; step < steps; ++step) {
        if (step == shared && step > first && !shared_file.empty())
            save_layer(shared_file, half.layer, false, shop.workers);
        std::vector<Way> ways;
        if (step < task.eliminate.size()) {
            const int v = task.eliminate[step];
            std::vector<PortEdge> edges;
            for (const auto& [u, required] : around[static_cast<std::size_t>(v)])
                if (!gone[static_cast<std::size_t>(u)]) {
                    edges.push_back({port(u, v), port(v, u), required});
                    live[static_cast<std::size_t>(u)] = 1;
                }
            ways = elimination_ways(slots[static_cast<std::size_t>(v)], edges, split_slot);
            gone[static_cast<std::size_t>(v)] = 1;
            live[static_cast<std::size_t>(v)] = 0;
        } else {
            std::vector<PortEdge> edges;
            for (const int e : task.absorb[step - task.eliminate.size()]) {
                const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
                edges.push_back({port(u, v), port(v, u), graph.required[static_cast<std::size_t>(e)] != 0});
                live[static_cast<std::size_t>(u)] = live[static_cast<std::size_t>(v)] = 1;
            }
            ways = subset_ways(edges, split_slot);
            for (const Way& way : ways)
                if (way.runs.size() > 1) throw std::invalid_argument("absorbed edges must share one vertex");
        }
        half.layer = take_step(half.layer, ways, restriction_after(step + 1), shop);
        const u64 unfolded = half.layer.states();
        FieldPermutation mirror;
        const bool last = step + 1 == steps;
        if (mirror_now(mirror)) {
            half.layer = fold(half.layer, mirror, last, shop);
            if (last) {
                half.folded = true;
                half.mirror = mirror;
            }
        }
        Progress& progress = shop.workers.progress();
        ++progress.step;
        progress.states = half.layer.states();
        LayerReport report;
        report.vertex = step < task.eliminate.size() ? task.eliminate[step] : -1;
        report.states = unfolded;
        report.kept = half.layer.states();
        report.groups = half.layer.groups();
        report.bytes = half.layer.bytes();
        log.push_back(report);
        shop.workers.poll();
    }
    if (!own_file.empty()) save_layer(own_file, half.layer, half.folded, shop.workers);
    return half;
}

} // namespace ktsolve::join
