// Data of each vertex that the frontier sweep computes before it starts: slots, neighbours, vertices that may
// run out of edges.
//
// A frontier vertex has the same *slot* from its first eliminated neighbour to its own elimination, so that a
// transition changes the codes of at most four slots and no slot is renumbered.
//
// Two vertices joined by a required edge that is the only one of both are a *pair*, in graphs where half of
// the vertices are: they share a slot, and every state has the edge between them. Each takes one edge more. A
// vertex of a directed graph is a pair, of its entry and its exit (ktsolve/problem/cycle_graph.py), so that
// it has one slot and a state says which of the two is still open.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/graph.hpp"
#include "ktsolve/quotient/voltage.hpp"

namespace ktsolve::frontier {

// The place of a vertex: its slot, and which of a pair it is.
struct Port {
    int slot;
    unsigned side = 0; // 0 for a vertex by itself, and for the lower one of a pair
    bool paired = false;

    // The side that stays open when an untouched vertex takes an edge: the other one of a pair.
    unsigned open_side() const { return paired ? 1 - side : 0; }
};

// One later neighbour of the vertex being eliminated.
struct Neighbour : Port {
    int edge;          // number of the edge to it
    bool required;     // the edge must be taken
    bool chord;        // the edge may not be left out between two vertices of the cycle
    Parallel parallel; // the parallel edges that the edge stands for
};

// A vertex that the step changes, and what is left of it after the step.
struct Touched : Port {
    int future;          // its edges that are still to be decided
    int future_required; // required edges among those
};

// A frontier vertex whose remaining neighbours may run out: the edges that it lacks <= outside + (inside that
// lack an edge) or dead.
struct Scarce : Port {
    int outside = 0;          // future neighbours not yet in the frontier: always free
    std::vector<Port> inside; // future neighbours in the frontier
};

struct Step {
    Port here{};          // of the vertex eliminated
    bool releases = true; // the slot: not while the other one of a pair is left
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
    int widest = 0; // largest frontier after a step, in slots
    // Numbers of the edges between pairs. Every cycle has them; no choice names them.
    std::vector<int> pairs;
};

// For each vertex the other one of its pair, or -1. Where vertices may be left out there are no pairs.
std::vector<int> find_pairs(const Graph& graph);

// Vertices are eliminated in the order 0, 1, 2, ... Where `parallel` is empty each edge stands for itself;
// else, and unless `paired`, no vertices are pairs.
// Throws std::invalid_argument for a malformed graph.
Plan make_plan(const Graph& graph, const std::vector<Parallel>& parallel = {}, bool paired = true);

} // namespace ktsolve::frontier
