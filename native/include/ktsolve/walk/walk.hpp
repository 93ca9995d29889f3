// Walks by Warnsdorff's rule: always go to a cell with the fewest onward moves.
//
// The rule is H. C. von Warnsdorff's (1823). It leaves ties, and the way they are broken decides how far a
// walk gets on a large board; there are four kinds of tie-breaking, see Ties. There are two methods for a
// walk that gets stuck:
//
//   - *search* takes the last cell back and tries the next best one, until a tour is found or the whole tree
//     below the start has been searched. Only the latter is a proof, for this start only;
//   - *repair* takes no cell back. Further walks cover the cells that are left, and the walks are joined by
//     reversals of their ends: where an end e has a move to an inner cell v, the move v-w is exchanged for
//     e-v, and w is the new end (Euler 1759; Posa 1976 for random graphs). Each exchange brings an end two
//     moves nearer to the end of another walk. Sequences are kept as splay trees, as Sleator and Tarjan
//     (1985) keep paths, so that a reversal costs a logarithm and not the length of what is reversed.
//
// Repair takes any graph, and edges that every tour must use: walks contain them from the beginning, and no
// exchange removes them. Where no reversal is possible, as in a directed graph (a vertex of which is a path
// of three vertices in-middle-out here), an exchange may split a walk into a walk and a cycle, and a later
// one opens a cycle and inserts it elsewhere. Together they are the moves of 3-opt that reverse nothing.
//
// Repair proves nothing when it fails.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

// Moves are numbered 0 to 7 round the clock; the way back from d is d + 4. The cell reached by the move of
// least rank is preferred until the walk reaches `until`; then the next order holds.
struct MoveOrder {
    std::array<std::uint8_t, 8> rank{};
    int until = -1;
};

// The choice between cells with equally many onward moves.
struct Ties {
    enum class Kind {
        keys,      // the least key
        random,    // chance
        lookahead, // the least sum of onward moves of the cells that come after (Pohl 1967)
        orders,    // fixed orders of the moves (Squirrel and Cull 1996)
    };
    Kind kind = Kind::random;
    std::vector<std::int64_t> keys;       // for each cell
    std::vector<std::uint8_t> directions; // for each move u < v, from u to v
    std::vector<MoveOrder> orders;
};

struct WalkProblem {
    int cells = 0;
    std::vector<std::pair<int, int>> moves; // u < v, no two alike
    Ties ties;
    std::vector<std::uint8_t> required; // flag of each move, or empty; for repair only
};

struct WalkTask {
    int start = 0;
    bool closed = false;
    // A closed walk ends a move from here: from the start, if this is not a cell.
    int home = -1;
    // Remaining ties are broken by cell number if the seed is 0, else by chance.
    std::uint64_t seed = 0;
    std::uint64_t most_nodes = UINT64_MAX; // search ends after going to this many cells,
    std::uint64_t most_events = 0;         // and records this many steps.
};

struct WalkReport {
    Status status = Status::done;
    bool found = false;
    bool exhausted = false; // no tour begins at the start
    std::vector<std::int32_t> path;
    std::uint64_t nodes = 0;      // cells gone to
    std::uint64_t backtracks = 0; // cells taken back
    int first_stuck = 0;          // cells visited when a cell was first taken back, all if none was
    int longest = 0;
    std::vector<std::int32_t> events; // a cell gone to, or -1: the last one is taken back
    bool recorded = true;             // all of them
};

struct RepairTask {
    int start = 0;
    bool closed = false;
    bool fixed = false; // an open tour must begin at the start
    std::uint64_t seed = 0;
    std::uint64_t most_reversals = UINT64_MAX;
    std::uint64_t patience = 20000; // exchanges without progress after which it fails
};

struct RepairReport {
    Status status = Status::done;
    bool found = false;
    bool refuted = false;           // too few moves at a cell, or required moves that contradict each other
    std::vector<std::int32_t> path; // empty unless found
    int walks = 0;                  // at first
    int first_stuck = 0;            // cells of the first one
    std::uint64_t reversals = 0;
    int left = 0; // walks and cycles that were not joined
};

class Walker {
  public:
    // Throws std::invalid_argument for a malformed problem.
    explicit Walker(WalkProblem problem);

    // Memory: some 100 bytes a cell, and four for each event.
    WalkReport search(const WalkTask& task, const Limits& limits, Monitor* monitor = nullptr) const;
    RepairReport repair(const RepairTask& task, const Limits& limits, Monitor* monitor = nullptr) const;

  private:
    friend class Rule;
    friend class Descent;
    friend class Repair;

    int cells_ = 0;
    Ties ties_;
    void keep_required(WalkProblem& problem);

    std::vector<std::int64_t> first_;    // of the moves from each cell, without required ones
    std::vector<std::int32_t> around_;   // where they lead, ascending
    std::vector<std::uint8_t> headings_; // their directions, if ties are broken by orders
    std::vector<std::array<std::int32_t, 2>>
        required_;               // where required moves lead, -1: nowhere; may be empty
    bool contradictory_ = false; // three required moves at a cell, or a cycle of them through some cells only
    bool required_cycle_ = false; // the required moves are a tour
};

} // namespace ktsolve
