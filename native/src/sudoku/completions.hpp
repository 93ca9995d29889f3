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

#include "ktsolve/sudoku/sudoku.hpp"
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

    // A further band: its column sets, and its number among the bands that have them.
    struct Below {
        ColumnSets sets;
        std::uint64_t order = 0;
    };

    // The bands below a first one, from the top, of a number below the count of grids. The completions are
    // ordered by the column sets of the second band, as `choices` lists them for each stack, those of the
    // first stack first; then by its number; then by what follows below it.
    std::vector<Below> unrank(const ColumnSets& sets, std::uint64_t number);
    // The number of the grid with these bands below the first.
    std::uint64_t rank(const ColumnSets& sets, const std::vector<Below>& below);

  private:
    // The column sets of one box in the next band, by the number of their partition, and what is left below.
    struct Choice {
        std::uint32_t partition;
        std::uint32_t last; // number of the partition that is left, when it is the last band's
        ColumnSets left;
    };
    using Choices = std::vector<Choice>;
    using Stacks = std::vector<ColumnSets>;
    // The numbers of the choices of the last stack, renamed for a choice of the first.
    struct RenamedChoices {
        const Choice* first = nullptr;
        std::vector<std::uint32_t> next, last;
    };

    void number_partitions();
    void fill_renamed();
    void fill_bands(const Tables& tables, const std::vector<std::uint64_t>& bands);
    std::uint32_t number_of(ColumnSets sets) const;
    const Choices& choices(const ColumnSets& left, int bands);
    Stacks needed_below(const ColumnSets& sets) const;
    std::uint64_t below(const Stacks& stacks, int bands);
    // Calls `visit` with a choice for each stack, until a visit returns true. Choices for all stacks but the
    // last one for which `skip` returns true are passed over.
    template <class Skip, class Visit>
    void choose_all(const std::vector<const Choices*>& stacks, Skip&& skip, Visit&& visit);
    // Calls `visit` with what each choice of the next band leaves, the bands with the chosen column sets and
    // the grids below each of them, until a visit returns true. With two bands left, `skip` is first called
    // with choices for all stacks but the last one and the number of their grids: a sum over the last stack
    // takes a tenth of the time of as many visits.
    template <class Skip, class Visit>
    void next_bands(const Stacks& stacks, int bands, Skip&& skip, Visit&& visit);
    std::uint64_t two_bands(const std::vector<const Choices*>& stacks);
    // The grids in two bands with given choices for all stacks but the last; `second` is null if there are
    // two stacks.
    std::uint64_t two_bands(const RenamedChoices& inner, const Choice* second);
    void rename(const Choices& choices, const Choice& first, RenamedChoices& renamed) const;
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
