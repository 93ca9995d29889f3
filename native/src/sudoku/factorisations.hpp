// Bands with given column sets, counted as factorisations of a bipartite graph.
//
// Columns and digits are the vertices, and every column is joined to its R digits. A row of the band takes
// one digit from every column and all digits: a perfect matching. A band is the graph split into R matchings,
// in order. With two matchings left each cycle of the graph can be split in two ways. With more, the matching
// that holds a certain edge may stand in any of R rows, so it is tried in one and counted R times.
#pragma once

#include <array>
#include <cstdint>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku.hpp"

namespace ktsolve::sudoku {

class Factorisations {
  public:
    explicit Factorisations(StepCounter& counter) : counter_(counter) {}

    // Bands with these column sets; `degree` digits in each. Throws std::overflow_error past 64 bits.
    std::uint64_t count(const ColumnSets& columns, int degree);

  private:
    using Columns = std::array<std::uint32_t, kMostDigits>;

    std::uint64_t count(Columns columns, int degree);
    void match(Columns& columns, std::size_t column, std::uint32_t used, int degree, std::uint64_t& total);

    std::size_t side_ = 0;
    StepCounter& counter_;
};

} // namespace ktsolve::sudoku
