// Sweeps a half for one pattern of the separator, with states folded by the elements that keep the pattern.
#include "join/single_pattern.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace ktsolve::join {

namespace {

using Images = std::vector<int>; // of the vertices

std::size_t at(int vertex) {
    return static_cast<std::size_t>(vertex);
}

// All elements of a group.
std::set<Images> elements_of(const std::vector<Images>& generators, int vertices) {
    Images identity(at(vertices));
    std::iota(identity.begin(), identity.end(), 0);
    std::set<Images> all{identity};
    std::vector<Images> open{identity};
    while (!open.empty()) {
        const Images element = std::move(open.back());
        open.pop_back();
        for (const Images& generator : generators) {
            Images product;
            for (const int v : element) product.push_back(generator[at(v)]);
            if (all.insert(product).second) open.push_back(std::move(product));
        }
    }
    return all;
}

// Generators of the elements that keep the degrees in the separator.
std::vector<Images> keepers(const HalfTask& task) {
    std::vector<int> degree(at(task.graph.vertices), -1);
    for (std::size_t c = 0; c < task.block_sums.size(); ++c)
        degree[at(task.block_cells[c].front())] = task.block_sums[c];
    std::vector<Images> generators;
    std::set<Images> generated = elements_of({}, task.graph.vertices);
    for (const Images& element : elements_of(*task.symmetries, task.graph.vertices)) {
        const auto kept = [&](int v) { return degree[at(element[at(v)])] == degree[at(v)]; };
        if (generated.count(element) != 0 || !std::all_of(task.separator.begin(), task.separator.end(), kept))
            continue;
        generators.push_back(element);
        generated = elements_of(generators, task.graph.vertices);
    }
    return generators;
}

// The half's vertices from those farthest from the separator to the nearest; of equal distance, those with
// the fewest images first. Distances are from vertices that the group moves: one that it fixes, such as that
// of the ends of paths, may have its neighbours far from all others.
std::vector<int> by_distance(const HalfTask& task, const std::vector<Images>& generators) {
    const std::size_t vertices = at(task.graph.vertices);
    std::vector<int> distance(vertices, -1), orbit(vertices, -1), size(vertices);
    std::vector<std::vector<int>> around(vertices);
    for (const int v : task.eliminate) distance[at(v)] = task.graph.vertices;
    for (const auto& [u, v] : task.graph.edges) {
        around[at(u)].push_back(v);
        around[at(v)].push_back(u);
    }
    std::vector<int> queue;
    for (const int v : task.separator) {
        distance[at(v)] = 0;
        const auto moves = [&](const Images& generator) { return generator[at(v)] != v; };
        if (std::any_of(task.symmetries->begin(), task.symmetries->end(), moves)) queue.push_back(v);
    }
    for (std::size_t n = 0; n < queue.size(); ++n)
        for (const int u : around[at(queue[n])])
            if (distance[at(u)] == task.graph.vertices) {
                distance[at(u)] = distance[at(queue[n])] + 1;
                queue.push_back(u);
            }
    for (const int v : task.eliminate) {
        std::vector<int> open{v};
        if (orbit[at(v)] >= 0) continue;
        orbit[at(v)] = v;
        for (std::size_t n = 0; n < open.size(); ++n)
            for (const Images& generator : generators)
                if (const int u = generator[at(open[n])]; orbit[at(u)] < 0) {
                    orbit[at(u)] = v;
                    open.push_back(u);
                }
        size[at(v)] = static_cast<int>(open.size());
    }
    std::vector<int> order(task.eliminate);
    std::stable_sort(order.begin(), order.end(), [&](int u, int v) {
        const int a = orbit[at(u)], b = orbit[at(v)];
        return std::tuple(-distance[at(u)], size[at(a)], a) < std::tuple(-distance[at(v)], size[at(b)], b);
    });
    return order;
}

// A group of states and the leading image of its pattern.
struct Moved {
    PatternGroup::Leading image;
    const Group* group;
    const u8* entries;
    u64 ends;
};

// Moves all states to the leading images of their patterns.
Layer gather(const Layer& old, const PatternGroup& group, Context& context) {
    const Reservation reserved(context.pool, old.groups() * sizeof(Moved));
    std::vector<Moved> moved;
    moved.reserve(old.groups());
    for (const Segment& segment : old.segments()) {
        context.workers.poll();
        for (const Group& g : segment)
            moved.push_back({group.leading(g.pattern), &g, segment.entries(g), context.ends(g.pattern)});
    }
    std::stable_sort(moved.begin(), moved.end(),
                     [](const Moved& a, const Moved& b) { return a.image.pattern < b.image.pattern; });
    std::vector<std::size_t> cuts{0}; // of tasks, where the image changes
    u64 states = 0;
    for (std::size_t n = 0; n < moved.size(); ++n) {
        if (states > task_size(400'000) && moved[n].image.pattern != moved[n - 1].image.pattern) {
            cuts.push_back(n);
            states = 0;
        }
        states += moved[n].group->count();
    }
    cuts.push_back(moved.size());
    std::vector<PermutationCache> caches(static_cast<std::size_t>(context.workers.threads()));
    return context.build_layer(cuts.size() - 1, [&](int worker, u64 task, Writer& writer) {
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        std::array<u8, kMostEnds> to{};
        for (std::size_t n = cuts[task]; n < cuts[task + 1];) {
            const u64 image = moved[n].image.pattern, ends = context.ends(image);
            std::size_t next = n;
            u64 bound = 0, entries = 0;
            for (; next < cuts[task + 1] && moved[next].image.pattern == image; ++next) {
                add_bound(bound, *moved[next].group, context);
                entries += moved[next].group->count();
            }
            const int pairs = pairs_of(ends);
            sums.begin(pairs, bound, entries);
            for (; n < next; ++n) {
                const Moved& from = moved[n];
                std::size_t i = 0;
                for (u64 rest = from.ends; rest != 0; rest &= rest - 1)
                    to[i++] = static_cast<u8>(
                        place_of(ends, from.image.to[static_cast<std::size_t>(std::countr_zero(rest) / 2)]));
                sums.add(from.entries, from.group->count(), from.group->width(), pairs,
                         caches[static_cast<std::size_t>(worker)].map(context.transitions, pairs, to,
                                                                      from.group->count()));
                context.workers.tick(worker);
            }
            sums.finish(image, context.modulus, writer);
        }
    });
}

// The group on the slots of the frontier, if it maps what has been eliminated to itself.
std::optional<PatternGroup> on_frontier(const HalfSteps& steps, const std::vector<Images>& generators) {
    std::vector<std::vector<u8>> on_slots;
    for (const Images& generator : generators) {
        std::array<int, 32> to;
        if (!steps.moves(generator, to)) return std::nullopt;
        on_slots.emplace_back(to.begin(), to.begin() + kMostSlots);
    }
    std::vector<u8> order(kMostSlots);
    std::iota(order.begin(), order.end(), u8{0});
    return PatternGroup(on_slots, order);
}

} // namespace

SinglePattern::SinglePattern(const HalfTask& task)
    : keepers_(keepers(task)), order_(by_distance(task, keepers_)), task_(task.in_order(order_)) {}

Layer SinglePattern::fold(Layer&& layer, const HalfSteps& steps, Context& context) const {
    if (keepers_.empty()) return std::move(layer);
    const auto frontier = on_frontier(steps, keepers_);
    return frontier ? gather(layer, *frontier, context) : std::move(layer);
}

} // namespace ktsolve::join
