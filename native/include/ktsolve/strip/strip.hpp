// Numbers of Hamiltonian cycles of strips of all lengths, by the transfer of one column.
//
// A *strip* is a row of equal columns; an edge joins vertices whose columns are at most `reach` apart, and
// with it all its translations are edges. The frontier sweep (ktsolve/frontier/count.hpp) passes every column
// in the same way, so the states at the boundary of a column and what becomes of them in the next one are
// compiled once, by a search from the empty state. The number of cycles of length n is then
//
//     a(n) = end * T^(n - reach - 1) * start        for n > reach,
//
// T the transfer of a column as a product of sparse matrices, one per vertex, and end[s] the number of ways
// to complete state s in reach + 1 further columns, the last ones: no cycle closes before, since the last
// edge that it gets in the last column begins at most `reach` columns before that. (The transfer-matrix
// method: Stanley, Enumerative Combinatorics 1, section 4.7.) Three reductions, each of which keeps all a(n):
// states from which no cycle can be completed are dropped; images under symmetries of the column are one
// state; and states are *lumped*: first those whose successors are the same lumps with the same
// multiplicities, then, in what is left, those with the same predecessors (Kemeny & Snell 1960; Buchholz,
// Exact and ordinary lumpability, 1994). So a(n) satisfies a linear recurrence whose order is at most the
// number of lumps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

struct StripEdge {
    int from;  // row in a column
    int to;    // row in the column `ahead` columns further on
    int ahead; // from 0 to the reach
};

struct Strip {
    int rows = 0;
    std::vector<StripEdge> edges;
    bool open = false;                        // count paths: one more vertex, joined to all others
    std::vector<std::vector<int>> symmetries; // permutations of the rows under which the edges are invariant

    int reach() const;
    // Throws std::invalid_argument for numbers out of range, an edge that is there twice, or images that
    // are not a symmetry.
    void validate() const;
};

// A count of any size: limbs, least significant first.
using Limbs = std::vector<std::uint64_t>;

struct StripSizes {
    std::uint64_t states = 0;      // at the boundary of a column, up to symmetry
    std::uint64_t transitions = 0; // of one column, summed over its vertices
    std::uint64_t dimension = 0;   // lumps at the boundary of a column: a bound on the order
    std::uint64_t terms = 0;       // additions that a column takes
    std::uint64_t peak_bytes = 0;
};

class StripTransfer {
  public:
    // Throws std::invalid_argument for a malformed strip.
    explicit StripTransfer(Strip strip);
    ~StripTransfer();
    StripTransfer(StripTransfer&&) noexcept;
    StripTransfer& operator=(StripTransfer&&) noexcept;

    // Compiles the transfer. Throws std::length_error if the frontier is too wide.
    Status compile(const Limits& limits, Monitor* monitor = nullptr);
    const StripSizes& sizes() const { return sizes_; }
    // The first length that is counted.
    int first() const { return strip_.reach() + 1; }

    // Appends the counts of the next lengths, of which the first is first(), until `lengths` are known. What
    // is found before a limit stays, and the next call goes on from there.
    Status extend(int lengths, int threads, const Limits& limits, Monitor* monitor = nullptr);
    const std::vector<Limbs>& counts() const { return counts_; }

    // The count of one length, at least first(), from both ends: half of the columns from each.
    Status count(int length, int threads, const Limits& limits, Monitor* monitor, Limbs& found);

    // An upper bound on the binary logarithm of the count of each length: a + b * length is returned as (a,
    // b).
    std::pair<double, double> growth() const;

    // What is compiled, for src/strip_*.cpp.
    struct Layers;

  private:
    struct Row;
    Strip strip_;
    StripSizes sizes_;
    std::unique_ptr<Layers> layers_;
    std::unique_ptr<Row> row_; // the sweep of extend()
    std::vector<Limbs> counts_;
};

} // namespace ktsolve
