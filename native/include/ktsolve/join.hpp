// Exact number of Hamiltonian cycles by a grouped two-sided frontier join.
//
// The graph is cut by a set of *middle* vertices into two halves without an edge between them. Each half is
// swept, vertex by vertex, towards the middle, which gives a table of states: degrees of the middle vertices
// (the pattern), and which of those of degree 1 are the two ends of one path (the matching). The edges among
// middle vertices are shared out between the halves. A cycle is then a pair of states with complementary
// patterns whose matchings together form one cycle; the weighted number of such pairs is the answer.
//
// One-sided counting (ktsolve/frontier.hpp) meets some 2.5e8 states on the 8x8 board; three rows from each
// side are 1.9e7. States are not stored singly but by pattern (groups.hpp), edges are table look-ups
// (transitions.hpp), a vertex is a merge (step.hpp), mirror images are folded (fold.cpp), middle edges are
// added on demand (extension.hpp), and pairs are never tried one by one (contraction.hpp).
//
// The join has no idea of boards: the caller gives the graph and the plan.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ktsolve/control.hpp"
#include "ktsolve/graph.hpp"

namespace ktsolve {

struct JoinPlan {
    // Vertices to eliminate from the two sides, in order, and those that stay. No edge of the graph joins
    // top and bottom. The order of the middle is that of the fields of a pattern.
    std::vector<int> top, bottom, middle;
    // Edges (by index) between middle vertices: each belongs to one side, either *absorbed* into its table
    // (a set of edges at one vertex at a time) or *pulled* while joining.
    std::vector<std::vector<int>> top_absorbed, bottom_absorbed;
    std::vector<int> top_pulled, bottom_pulled;
    // Symmetries as images of vertices, involutions, or empty. A mirror maps its half, the middle and the
    // edges of the half (those at its vertices, and absorbed ones) to themselves; the half is folded under
    // it. `mirror_joins` says that both mirrors are the same one and keep the sides of pulled edges too, so
    // that patterns are joined up to it. The flip is an automorphism of the graph that exchanges top and
    // bottom with all that belongs to them, so that one table serves both.
    std::vector<int> top_mirror, bottom_mirror, flip;
    bool mirror_joins = false;
    // A vertex that stands for the two ends of an open tour, one of either colour: the last of the middle,
    // or -1. `colour` is 0 or 1 for every vertex (that of the split vertex itself means nothing).
    int split = -1;
    std::vector<int> colour;
    // Sets of middle vertices whose degrees tell the classes of states that are dealt with one at a time,
    // when all of them would not fit into memory: see JoinSettings. Mirrors must keep each set. With a
    // flip they are sets of the top's point of view.
    std::vector<std::vector<int>> classes;

    // Throws std::invalid_argument when it does not fit the graph.
    void validate(const Graph& graph) const;
};

struct LayerReport {
    int vertex = -1;          // eliminated, or -1 for absorbed edges
    std::uint64_t states = 0; // before folding
    std::uint64_t kept = 0;   // after
    std::uint64_t groups = 0;
    std::uint64_t bytes = 0;
};

struct JoinReport {
    Status status = Status::done;
    bool overflow = false;            // counts did not fit: give a modulus
    std::vector<std::uint64_t> count; // limbs of the number of cycles times `divisor`, or of its residue
    std::uint64_t divisor = 1;        // what folding multiplied the number by: 1, 2 or 4
    std::uint64_t modulus = 0;        // 0: exact
    std::vector<LayerReport> top, bottom;
    std::uint64_t transitions = 0; // entries passed through tables while making the halves
    std::uint64_t patterns = 0;    // patterns joined, one per orbit
    std::uint64_t extended = 0;    // entries passed through tables while joining
    std::uint64_t tables = 0, table_bytes = 0;
    std::uint64_t peak_bytes = 0;
    double seconds_top = 0, seconds_bottom = 0, seconds_join = 0;
};

struct JoinSettings {
    int threads = 1;
    std::uint64_t modulus = 0;         // count modulo this (below 2^31), or 0
    std::uint64_t part = 0, parts = 1; // only patterns of this part; the sum over all parts is the number
    // Only states of one class a side: for each set of plan.classes the sum of the degrees that the half
    // gives to its vertices. Empty: all. The number is the sum over all pairs of classes; with a flip the
    // pairs (a, b) and (b, a) give the same.
    std::vector<int> top_class, bottom_class;
    // Where half tables are kept on disk from one call to the next, as files named by `key`, which must tell
    // graph, plan and modulus; empty: nowhere.
    std::string spill, key;
};

// A half table could not be written to disk or read back; says which and why.
struct SpillFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Most middle vertices that a plan may have.
inline constexpr int kMostMiddle = 19;

// Throws std::invalid_argument for a plan that does not fit, std::length_error for a frontier too wide,
// SpillFailed.
JoinReport count_cycles_by_join(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                                const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
