// Data of each vertex that the frontier sweep computes before it starts: slots, neighbours, vertices that may
// run out of edges.
//
// A frontier vertex has the same *slot* from its first eliminated neighbour to its own elimination, so that a
// transition changes the codes of at most four slots and no slot is renumbered.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/graph.hpp"
#include "ktsolve/quotient/voltage.hpp"

namespace ktsolve::frontier {

// One later neighbour of the vertex being eliminated.
struct Neighbour {
    int slot;
    int edge;          // number of the edge to it
    bool required;     // the edge must be taken
    bool chord;        // the edge may not be left out between two vertices of the cycle
    Parallel parallel; // the parallel edges that the edge stands for
};

// A vertex that the step changes, and what is left of it after the step.
struct Touched {
    int slot;
    int future;          // its edges that are still to be decided
    int future_required; // required edges among those
};

// A frontier vertex whose remaining neighbours may run out: degree + outside + (inside not full) >= 2 or
// dead.
struct Scarce {
    int slot;
    int outside;             // future neighbours not yet in the frontier: always free
    std::vector<int> inside; // slots of future neighbours in the frontier
};

struct Step {
    int slot = 0; // of the vertex eliminated
    std::vector<Neighbour> later;
    std::vector<Touched> touched;
    std::vector<Scarce> scarce;
    std::vector<int> occupied;               // slots in use after the step
    std::vector<int> optional;               // those of them whose vertices may be left out
    std::vector<std::pair<int, int>> chords; // slots in use whose vertices such an edge joins
    bool may_close = false;                  // a cycle closed here could be complete
    bool may_skip = false;                   // the vertex eliminated may be left out
    int marked = -1; // a slot that is full in every state where vertices may be left out, or -1
};

struct Plan {
    std::vector<Step> steps;
    int slots = 0;  // slots used in all
    int widest = 0; // largest frontier after a step
};

// Vertices are eliminated in the order 0, 1, 2, ... Where `parallel` is empty each edge stands for itself.
// Throws std::invalid_argument for a malformed graph.
Plan make_plan(const Graph& graph, const std::vector<Parallel>& parallel = {});

} // namespace ktsolve::frontier
