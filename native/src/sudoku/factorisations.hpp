// Bands with given column sets, counted as factorisations of a bipartite graph.
//
// Columns and digits are the vertices, and every column is joined to its R digits. A row of the band takes
// one digit from every column and all digits: a perfect matching. A band is the graph split into R matchings,
// in order. With two matchings left each cycle of the graph can be split in two ways. With more, the matching
// that holds a certain edge may stand in any of R rows, so it is tried in one and counted R times. The number
// does not depend on the order of the columns: it is kept for the sorted columns, as far as memory goes.
//
// The bands with given column sets have an order: lexicographic, read row by row. A band's number in it is a
// sum over the rows: of the matchings that come before the row's own, times what is left below them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"
#include "sudoku/tables.hpp"

namespace ktsolve::sudoku {

class Factorisations {
  public:
    explicit Factorisations(StepCounter& counter) : counter_(counter) {}

    // Bands with these column sets; `degree` digits in each. Throws std::overflow_error past 64 bits.
    std::uint64_t count(const ColumnSets& columns, int degree);

    // Writes the band of a number below `count` to `band`, row by row, digits from 0.
    void unrank(const ColumnSets& columns, int degree, std::uint64_t number, std::uint8_t* band);
    // The number of a band with these column sets.
    std::uint64_t rank(const ColumnSets& columns, int degree, const std::uint8_t* band);

  private:
    using Columns = std::array<std::uint32_t, kMostDigits>;
    struct Hash {
        std::size_t operator()(const Columns& columns) const;
    };

    Columns load(const ColumnSets& columns);
    std::uint64_t count(Columns columns, int degree);
    // Takes a digit out of each column from `column` on, lexicographically by the digits taken, and calls
    // `visit` with what is left; until a visit returns true.
    template <class Visit>
    bool match(Columns& columns, std::size_t column, std::uint32_t used, Visit&& visit);

    std::size_t side_ = 0;
    StepCounter& counter_;
    std::unordered_map<Columns, std::uint64_t, Hash> counts_;
};

// Bands with the column sets of each class.
std::vector<std::uint64_t> bands_by_class(const Shape& shape, const Tables& tables, StepCounter& counter);

} // namespace ktsolve::sudoku
