// Grids below a band with given column sets.
//
// Each stack of the grid is a box column by itself: given the sets of its columns in the first band, it lists
// the choices for those of the second. For 3x3 there are 56, which determine the sets of the third band. So
// all 56^3 triples of choices are tried, and each adds (bands with the second sets) * (bands with the
// third). Both factors depend on the unordered partitions of the digits that the boxes make, and not on the
// names of digits: partitions are numbered (280 of them), and with the first partition renamed to a fixed
// one, both are look-ups in a table of 280 * 280 numbers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ktsolve/sudoku.hpp"
#include "sudoku/factorisations.hpp"
#include "sudoku/tables.hpp"

namespace ktsolve::sudoku {

class Completer {
  public:
    // `bands` gives, for each class of tables, the bands with such column sets. Throws std::invalid_argument
    // where three bands or more are to be filled from too many partitions.
    Completer(const Shape& shape, const Tables& tables, const std::vector<std::uint64_t>& bands,
              StepCounter& counter);

    // Grids whose first band has these column sets. Throws std::overflow_error past 64 bits.
    std::uint64_t operator()(const ColumnSets& sets);

  private:
    // The column sets of one box in the next band, by the number of their partition, and what is left below.
    struct Choice {
        std::uint32_t partition;
        std::uint32_t last; // number of the partition that is left, when it is the last band's
        ColumnSets left;
    };
    using Choices = std::vector<Choice>;

    void number_partitions();
    void fill_renamed();
    void fill_bands(const Tables& tables, const std::vector<std::uint64_t>& bands);
    std::uint32_t number_of(ColumnSets sets) const;
    const Choices& choices(const ColumnSets& left, int bands);
    std::uint64_t below(const std::vector<ColumnSets>& stacks, int bands);
    std::uint64_t two_bands(const std::vector<const Choices*>& stacks);
    std::uint32_t bands_of(const std::uint32_t* partitions) const;

    Shape shape_;
    StepCounter& counter_;
    std::vector<ColumnSets> partitions_;
    std::unordered_map<std::uint64_t, std::uint32_t> number_;
    std::vector<std::uint16_t> renamed_; // [p][q]: partition q after p was renamed to partition 0
    std::vector<std::uint32_t> bands_;   // by the renamed partitions of boxes 2 .. R
    std::unordered_map<std::uint64_t, Choices> choices_;
};

} // namespace ktsolve::sudoku
