// Smaller graphs with the same Hamiltonian cycles: forced edges, contracted chains, separators of two
// vertices.
//
// Every step keeps the set of Hamiltonian cycles that use all required edges:
//
//   - a vertex with two edges left: both are required; with fewer, there is no cycle;
//   - a vertex with two required edges: its other edges are deleted;
//   - a vertex between two required edges is contracted into one required edge between its neighbours, and an
//     edge that joined these already would close a cycle too early and is deleted;
//   - a graph that is not connected, has a bridge or a cut vertex has no cycle;
//   - two vertices whose removal leaves two components: the cycle is a path between the two through each, so
//     each side becomes a *part* of its own, in which one required edge stands for the other side. Numbers of
//     cycles multiply. With three components, or two and a required edge, there is no cycle;
//   - three edges whose removal cuts off a few vertices, or many that a narrow sweep passes: a cycle uses two
//     of them. For each pair the paths through these vertices are counted. An edge without which no path is
//     left is required; and where all numbers other than 0 are equal, the vertices are contracted into one.
//     The paths through them are a
//     *bundle*, from which one is taken when the two edges are known, and their number is a factor. To find a
//     cycle, not count all, the numbers need not be equal.
//
// In what is left, some vertices may need more edges, two each, than their neighbours can take, two each and
// each edge once. A flow finds such vertices; then there is no cycle. This is the case with too few colours,
// and with more independent vertices than others.
//
// Every required edge of the given graph is in every cycle, and what is not required in a part is an edge of
// the given graph. So the edges of a cycle are the *fixed* ones and, for each part and bundle, the chosen
// free ones.
//
// Separators are found by low points: in a depth-first tree, the subtree below a child r of b whose edges
// lead only to b and to one ancestor a of b is cut off by {a, b} (type 1 of Hopcroft & Tarjan 1973). With a
// as the root every pair with a is of this type. So trees from all vertices find all pairs, and one tree
// finds most of them in linear time. Trees from all vertices are quadratic: beyond a budget only a few are
// made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct ReducedPart {
    std::vector<int> vertices; // as numbered in the given graph
    Graph graph;
    std::vector<int> original; // number of each edge in the given graph; -1 for one that stands for a path
};

// Paths through contracted vertices: the cycles of a part that use the same edges of the cut as the rest
// does.
struct Bundle {
    ReducedPart part;     // the contracted vertices, in an order for a sweep; the last one is for the rest
    std::vector<int> cut; // the free edges of the cut, as numbered in the given graph: one is not used
    std::uint64_t paths;  // for each possible choice, if they are equally many; else 0
};

struct ReductionReport {
    Status status = Status::done;
    std::string refuted;       // name of the argument that there is no cycle; empty if none was found
    std::vector<int> evidence; // its vertices, as numbered in the given graph
    std::vector<ReducedPart> parts;
    std::vector<Bundle> bundles;              // the cut of each is in a part or in a later bundle
    std::vector<std::uint8_t> fixed, deleted; // flags of the given edges: in every cycle, in none

    // What was done.
    std::int64_t forced = 0;     // edges required at vertices of degree 2
    std::int64_t surplus = 0;    // edges deleted at vertices with two required edges
    std::int64_t closing = 0;    // edges deleted that close a required path too early
    std::int64_t contracted = 0; // vertices contracted
    std::int64_t separators = 0; // pairs of vertices at which the graph was split
    std::int64_t needed = 0;     // edges required, as no path avoids them, at a cut of three edges
    std::int64_t unused = 0;     // edges deleted, as no path uses them, there
    std::int64_t bundled = 0;    // vertices contracted into one at a cut of three edges
    std::int64_t between = 0;    // edges deleted between the two vertices of a separator
};

// `work`: budget of edges visited in the search for separators. `counting`: bundles have equal numbers of
// paths.
ReductionReport reduce_graph(const Graph& graph, std::uint64_t work, bool counting, const Limits& limits = {},
                             Monitor* monitor = nullptr);

} // namespace ktsolve
