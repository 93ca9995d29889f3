// Colours, degrees and connectivity of small graphs.
#include "lists/why_none.hpp"

#include <algorithm>

namespace ktsolve {

namespace {

// The vertices that are connected with vertex 0.
u64 connected(const SmallGraph& graph) {
    u64 seen = 1;
    for (u64 left = seen; left != 0;) {
        const u64 fresh = graph.next[take(left)] & ~seen;
        seen |= fresh;
        left |= fresh;
    }
    return seen;
}

} // namespace

std::optional<std::pair<int, int>> sides_of(const SmallGraph& graph) {
    u64 sides[2] = {0, 0}, left = all_of(graph.vertices);
    while (left != 0) {
        u64 layer = left & (~left + 1);
        for (int side = 0; layer != 0; side ^= 1) {
            sides[side] |= layer;
            left &= ~layer;
            u64 next = 0;
            for (u64 from = layer; from != 0;) next |= graph.next[take(from)];
            if ((next & sides[side]) != 0) return std::nullopt; // an odd cycle
            layer = next & left;
        }
    }
    return std::pair{std::popcount(sides[0]), std::popcount(sides[1])};
}

WhyNone why_none(const SmallGraph& graph, bool closed, std::int32_t* evidence) {
    const u64 together = connected(graph), all = all_of(graph.vertices);
    if (together == all)
        if (const auto sides = sides_of(graph)) {
            const auto [fewer, more] = std::minmax(sides->first, sides->second);
            if (more - fewer > (closed ? 0 : 1)) {
                evidence[0] = more;
                evidence[1] = fewer;
                return WhyNone::colours;
            }
        }
    int singles = 0;
    for (int v = 0; v < graph.vertices; ++v) {
        const int degree = std::popcount(graph.next[v]);
        if (degree > 1) continue;
        if (degree == 0 || closed) {
            evidence[0] = v;
            return degree == 0 ? WhyNone::lonely : WhyNone::single;
        }
        if (++singles < kEvidence) evidence[singles] = v;
    }
    if (singles > 2) {
        evidence[0] = singles;
        return WhyNone::singles;
    }
    if (together == all) return WhyNone::unknown;
    evidence[0] = std::countr_zero(all & ~together);
    return WhyNone::apart;
}

} // namespace ktsolve
