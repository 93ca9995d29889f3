// Exact number of Hamiltonian cycles by a grouped two-sided frontier join.
//
// A set of vertices, the *separator*, divides the graph into two halves, top and bottom, without an edge
// between them. Each half is swept, vertex by vertex, towards the separator. The result is a table of states:
// the degrees of the separator's vertices (the pattern), and which of those of degree 1 are the two ends of
// one path (the matching). Each edge inside the separator is given to one half. A cycle is then a pair of
// states with complementary patterns whose matchings together form one cycle; the answer is the weighted
// number of such pairs.
//
// A sweep from one side only (ktsolve/frontier/count.hpp) holds some 2.7e8 states at once on the 8x8 board
// (estimated); three rows from each side are 1.9e7. States are stored by pattern (groups.hpp), edges are
// table look-ups (transitions.hpp), a vertex is a merge of sorted lists (step.hpp), mirror images are folded
// (fold.cpp), edges of the separator are applied on demand (extension.hpp), and pairs of states are not tried
// one by one (contraction.hpp).
//
// The technique is the transfer-matrix method with a sweep from each side. Done differently here: states are
// stored by pattern, edges are look-ups by the rank of the matching, and the join is a contraction. Boards do
// not occur: the caller gives the graph and the plan.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

// Where a half is made in two parts: after a given number of eliminations its states are divided into blocks.
// Each block is continued by itself, and what it leads to is divided among the blocks of the next stage or of
// the half. States that two blocks lead to are made in both, and added up.
struct JoinStage {
    int steps;
    std::vector<std::vector<int>> cells; // sets of vertices of the frontier there; mirrors keep each
    std::vector<std::vector<int>> sums;  // the blocks: for each set the sum of degrees
};

struct JoinPlan {
    // Vertices to eliminate from the two sides, in order, and those that stay. No edge of the graph joins
    // top and bottom. Field i of a pattern is the degree of separator[i].
    std::vector<int> top, bottom, separator;
    // Edges (by index) inside the separator. Each belongs to one side. It is either *pre-applied*: added to
    // the side's table before the join, a set of edges at one vertex at a time; or *deferred*: added while
    // joining.
    std::vector<std::vector<int>> top_preapplied, bottom_preapplied;
    std::vector<int> top_deferred, bottom_deferred;
    // Symmetries as images of vertices, involutions, or empty. A mirror maps its half, the separator and the
    // edges of the half (those at its vertices, and pre-applied ones) to themselves; the half is folded under
    // it. With `mirror_joins` both mirrors are the same one and map the deferred edges of each side to
    // themselves too, so that one of two mirror patterns is joined. The flip is an automorphism of the graph
    // that exchanges top and bottom and the edges given to them, so that one table serves both.
    std::vector<int> top_mirror, bottom_mirror, flip;
    bool mirror_joins = false;
    // A vertex that stands for the two ends of an open tour, one of either colour: the last of the separator,
    // or -1. `colour` is 0 or 1 for every vertex (that of the split vertex itself is not read).
    int split = -1;
    std::vector<int> colour;
    // A separator vertex that stands for the two ends of an open tour, where some automorphism maps the
    // bottom into the rest; else -1. The bottom has one end at most then, and tours that have more of their
    // ends there are counted as their images, by what the top has: the last set of edges that is pre-applied
    // to it joins the vertex to those of the separator that are no images of the bottom. A tour counts twice
    // with both ends in the top and at most one of them by such an edge, once with one end in the bottom and
    // none by such an edge, and once with two of them. All edges of the vertex within the separator are
    // pre-applied to the top. Without flip and group.
    int turned = -1;
    // Sets of separator vertices. The sums of their degrees divide the states of a half into *blocks*, which
    // are joined pair by pair when the whole tables would not fit into memory: see JoinSettings. Mirrors must
    // map each set to itself. With a flip the sets are those of the top; the bottom's are their images.
    std::vector<std::vector<int>> blocks;
    // Stages in which the blocks of a half are made, in order. Only with blocks.
    std::vector<JoinStage> top_stages, bottom_stages;
    // In a tally, the edges (by index) whose number in each cycle is counted; symmetries must keep the set.
    std::vector<int> tallied;
    // Generators of a group of automorphisms that map each part, and the set of edges that are pre-applied to
    // each side, to itself: of each orbit of patterns one is kept and joined. Without mirrors, deferred
    // edges, stages and tallies. The sets of blocks are single vertices then, which need not be kept.
    std::vector<std::vector<int>> group;
    // With a group and without a flip, the sets of the bottom, which those of the top do not have to fit.
    std::vector<std::vector<int>> bottom_blocks;
    // With a group and without a split vertex: patterns of so many pairs of ends or more are blocks of one
    // pattern each, with a sum for each vertex of the separator, and the other blocks are without them. Else
    // -1.
    int single_pairs = -1;

    // Throws std::invalid_argument when it does not fit the graph.
    void validate(const Graph& graph) const;
};

struct LayerReport {
    int vertex = -1;          // eliminated, or -1 for pre-applied edges
    std::uint64_t states = 0; // before folding
    std::uint64_t kept = 0;   // after
    std::uint64_t groups = 0;
    std::uint64_t bytes = 0;
};

struct JoinReport {
    Status status = Status::done;
    bool overflow = false;            // counts did not fit: give a modulus
    std::vector<std::uint64_t> count; // limbs of the number of cycles times `divisor`, or of its residue
    // In a tally, the same by how many tallied edges a cycle uses, up to the last number that is not 0;
    // `count` is their sum.
    std::vector<std::vector<std::uint64_t>> tally;
    // With a group, the same by the number of pairs of ends that cross the separator.
    std::vector<std::vector<std::uint64_t>> by_pairs;
    std::uint64_t divisor = 1; // what folding multiplied the number by: 1, 2 or 4
    std::uint64_t modulus = 0; // 0: exact
    // The layers of each half; of several blocks that of most states, and those of the last.
    std::vector<LayerReport> top, bottom;
    std::uint64_t transitions = 0; // entries passed through tables while making the halves
    std::uint64_t patterns = 0;    // patterns joined, one per orbit
    std::uint64_t extended = 0;    // entries passed through tables while joining
    std::uint64_t tables = 0, table_bytes = 0;
    std::uint64_t peak_bytes = 0;
    // Of the blocks' tables, those of the top first. Of one that is not kept: what its file would have,
    // about.
    std::vector<std::uint64_t> file_bytes;
    double seconds_top = 0, seconds_bottom = 0, seconds_join = 0;
};

struct JoinSettings {
    int threads = 1;
    std::uint64_t modulus = 0;         // count modulo this (below 2^40), or 0
    std::uint64_t part = 0, parts = 1; // only patterns of this part; the sum over all parts is the number
    // Only states of these blocks of each side; a block is, for each of the first sets of plan.blocks, the
    // sum of the degrees that the half gives to its vertices. Empty: all states. The count is the sum over
    // all pairs of blocks; with a flip the pairs (a, b) and (b, a) give the same number. Blocks of both sides
    // are the same list or have none in common. With a group, one with a sum for each vertex of the separator
    // is a *single pattern*, which must lead its orbit and have two pairs of ends or more; it is made and
    // joined in a way of its own. All blocks of a count are single patterns, or none is. Then the pairs (a,
    // b) and (b, a) are both to be counted, and the same blocks may be given to both sides.
    std::vector<std::vector<int>> top_blocks, bottom_blocks;
    // Folder in which half tables are kept from one call to the next; empty: none. Their names begin with
    // `key`, which must differ between calls that differ in graph, plan or modulus.
    std::string spill, key;
    // Bytes that files written by one call may take together: tables for which none are left are not kept.
    std::uint64_t disk = ~std::uint64_t{0};
};

// A half table could not be written to disk or read back; the message names the file and the reason.
struct SpillFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Most vertices that a separator may have, and with a group, which needs no index of all patterns.
inline constexpr int kWidestSeparator = 20, kWidestWithGroup = 22;

// Throws std::invalid_argument for a plan that does not fit, std::length_error for a frontier too wide,
// SpillFailed.
JoinReport count_cycles_by_join(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                                const Limits& limits, Monitor* monitor = nullptr);

// The blocks into which the group of a plan divides a half: some vertices of the separator whose degrees are
// final first, and the degrees with which patterns may lead their orbits. With single patterns, which are the
// last blocks, all vertices come.
struct JoinBlocks {
    std::vector<int> vertices;
    std::vector<std::vector<int>> degrees;
};
JoinBlocks leading_blocks(const Graph& graph, const JoinPlan& plan, bool upper, int vertices);

// Makes the tables of the blocks, one after the other, and keeps them in the folder of the settings, unless
// they are there, or there is no disk left. The report has their bytes. Throws as above.
JoinReport make_join_tables(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                            const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
