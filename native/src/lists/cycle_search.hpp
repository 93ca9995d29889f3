// Search for Hamiltonian cycles of small graphs: edges are taken or dropped, and what follows is done first.
//
// A vertex with two edges left takes both; one with two edges taken drops the others; an edge between the
// ends of a path that is not the whole cycle is dropped. The search branches at the end of a path with the
// fewest edges left, where an edge is taken, then dropped. On request, a branch ends whose graph has a cut
// vertex.
#pragma once

#include "lists/small_graph.hpp"

namespace ktsolve {

class CycleSearch {
  public:
    // Counts the cycles of an undirected graph of 3 vertices or more, up to `most`. False if it has visited
    // this number of nodes before the end.
    bool run(const SmallGraph& graph, u64 most, u64 nodes, bool prune);

    u64 found() const { return found_; }
    const std::array<u8, kMostVertices>& first() const { return first_; } // the first cycle that was found

  private:
    struct State {
        std::array<u64, kMostVertices> open;  // undecided edges
        std::array<u64, kMostVertices> taken; // edges of the cycle, two or fewer
        std::array<u8, kMostVertices> used;   // their number
        std::array<u8, kMostVertices> end;    // of the end of a path, its other end
        u64 pending;                          // vertices with two edges left, to be taken
        u64 ends;                             // vertices with one edge taken
        int joined;                           // edges taken
    };

    void solve(int depth);
    void copy(const State& from, State& to) const;
    bool touch(State& s, int v) const;
    bool drop(State& s, int u, int v) const;
    bool take_edge(State& s, int u, int v) const;
    bool propagate(State& s) const;
    bool fill(State& s, int v) const;
    bool biconnected(const State& s) const;
    void keep(const State& s);

    int n_ = 0;
    bool prune_ = false, stopped_ = false;
    u64 most_ = 0, nodes_ = 0, found_ = 0;
    std::array<u8, kMostVertices> first_{};
    std::array<State, kMostVertices + 1> states_;
};

} // namespace ktsolve
