// Hamiltonian cycles one by one: exhaustive backtracking over edges, every cycle visited exactly once.
//
// After Rubin (1974) and Knuth's SSHAM: each edge is undecided, in or out. Deciding one *forces* others
//
//   - a vertex with two edges in: its other edges are out;
//   - a vertex with only two edges left: both are in;
//   - two ends of one path: the edge between them is out, until the path covers everything;
//
// At each node of the search tree the edges that are not out must leave the graph connected and without a cut
// vertex, since no cycle passes twice through one. The branch is on an edge of the most constrained vertex,
// in first, then out, so that the two subtrees share no cycle.
//
// Done differently here: edges can be *linked* (all in or all out, for cycles invariant under a symmetry),
// and vertices can be *anchored* to steps of the cycle (clues), which is checked on every path that joins two
// anchors.
//
// The search can be paused after any number of cycles and resumed.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

struct SearchProblem {
    Graph graph;
    // Sets of edges (by index) that are in or out together.
    std::vector<std::vector<int>> links;
    // (vertex, step): the cycle, numbered 0, 1, ... in one of its directions from some vertex, must have the
    // vertex at that step. Steps are taken modulo the number of vertices.
    std::vector<std::pair<int, int>> anchors;
    // Seed for the order in which edges are tried; 0 keeps the order given.
    std::uint64_t seed = 0;
};

// What random dives into the search tree show about its size (Knuth, Estimating the efficiency of backtrack
// programs, 1975): the mean of both numbers over all random choices is right.
struct TreeEstimate {
    double nodes = 0;        // of the whole tree
    double cycles = 0;       // in it
    std::uint64_t dives = 0; // 0 if the initial propagation refutes
};

class Search {
  public:
    // Throws std::invalid_argument for a malformed problem.
    explicit Search(SearchProblem problem);
    ~Search();
    Search(Search&&) noexcept;
    Search& operator=(Search&&) noexcept;

    // Continues until `most` further cycles or `most_nodes` further nodes were visited, the tree is exhausted
    // or a limit is reached. With `keep`, each cycle is appended to `cycles` as `vertices` numbers, from
    // vertex 0 in either direction. The number of nodes is a limit on work that does not depend on the
    // machine.
    Status run(std::uint64_t most, bool keep, std::vector<std::int32_t>& cycles, const Limits& limits,
               Monitor* monitor = nullptr, std::uint64_t most_nodes = UINT64_MAX);

    // Random dives from the root until they have visited `most_nodes` nodes. The same seed gives the same
    // estimate. Throws std::logic_error once run() was called.
    TreeEstimate dive(std::uint64_t most_nodes, std::uint64_t seed);

    bool exhausted() const;      // the whole tree has been visited
    std::uint64_t found() const; // cycles visited so far
    std::uint64_t nodes() const; // nodes of the search tree so far
    std::uint64_t bytes() const; // memory held

  private:
    class Tree;
    std::unique_ptr<Tree> tree_;
};

} // namespace ktsolve
