// Grids by plain search: bit masks of the digits that rows, columns and boxes have already, and backtracking.
//
// complete_by_search fills cells in a fixed order and shares no code with the counts by column sets, which it
// checks. solve takes the cell with the fewest digits left first.
#include <algorithm>
#include <bit>
#include <random>
#include <stdexcept>

#include "common/integers.hpp"
#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::sudoku {
namespace {

using Masks = std::array<std::uint32_t, kMostDigits>;

// The rows below a band, column after column. Rows of a band, and bands, can be exchanged, so only first
// columns that ascend in each band, with ascending first digits, are searched; their number is multiplied.
class Below {
  public:
    Below(const Shape& shape, const std::uint8_t* band, StepCounter& counter)
        : shape_(shape), counter_(counter), above_(column_sets(shape, band)), side_(shape.side()),
          rows_(shape.side() - shape.rows), all_((1u << shape.side()) - 1) {
        for (int row = 0; row < rows_; ++row) band_of_[static_cast<std::size_t>(row)] = row / shape.rows;
    }

    std::uint64_t run() {
        std::uint64_t same = 1;
        for (int band = 1; band < shape_.columns; ++band) {
            same *= static_cast<std::uint64_t>(band);
            for (int row = 2; row <= shape_.rows; ++row) same *= static_cast<std::uint64_t>(row);
        }
        if (shape_.columns == 1) return 1;
        first_column(0, above_[0]);
        std::uint64_t result = 0;
        if (multiply_overflows(found_, same, &result))
            throw std::overflow_error("more completions than 64 bits can count");
        return result;
    }

  private:
    std::uint32_t& in_box(int row, int stack) {
        return in_box_[static_cast<std::size_t>(band_of_[static_cast<std::size_t>(row)])]
                      [static_cast<std::size_t>(stack)];
    }

    void place(int row, int stack, std::uint32_t bit) {
        in_row_[static_cast<std::size_t>(row)] ^= bit;
        in_box(row, stack) ^= bit;
    }

    void first_column(int row, std::uint32_t used) {
        if (row == rows_) {
            column(1);
            return;
        }
        const int above = row % shape_.rows != 0 ? row - 1 : row - shape_.rows;
        std::uint32_t free = all_ & ~used;
        if (above >= 0) free &= ~(2 * in_row_[static_cast<std::size_t>(above)] - 1);
        for (; free != 0; free &= free - 1) {
            const std::uint32_t bit = free & -free;
            place(row, 0, bit);
            first_column(row + 1, used | bit);
            place(row, 0, bit);
        }
    }

    void column(int which) {
        if (which == side_) {
            ++found_;
            return;
        }
        if (which == side_ - shape_.columns && !last_box_fits()) return;
        cell(0, which, which / shape_.columns, above_[static_cast<std::size_t>(which)]);
    }

    // The last box of a band takes what is left in its rows: no digit may be left in two of them.
    bool last_box_fits() const {
        for (int band = 0; band < rows_; band += shape_.rows) {
            std::uint32_t left = 0;
            for (int row = band; row < band + shape_.rows; ++row)
                left |= ~in_row_[static_cast<std::size_t>(row)];
            if ((left & all_) != all_) return false;
        }
        return true;
    }

    void cell(int row, int which, int stack, std::uint32_t used) {
        if (row == rows_) {
            column(which + 1);
            return;
        }
        counter_.tick();
        std::uint32_t& in_row = in_row_[static_cast<std::size_t>(row)];
        std::uint32_t& box = in_box(row, stack);
        for (std::uint32_t free = all_ & ~(used | in_row | box); free != 0; free &= free - 1) {
            const std::uint32_t bit = free & -free;
            in_row ^= bit;
            box ^= bit;
            cell(row + 1, which, stack, used | bit);
            in_row ^= bit;
            box ^= bit;
        }
    }

    Shape shape_;
    StepCounter& counter_;
    ColumnSets above_;
    int side_, rows_;
    std::uint32_t all_;
    std::array<int, kMostDigits> band_of_{};
    Masks in_row_{};
    std::array<Masks, kMostDigits> in_box_{};
    std::uint64_t found_ = 0;
};

class Solver {
  public:
    Solver(const Shape& shape, const std::vector<std::uint8_t>& puzzle, std::uint64_t most,
           std::uint64_t keep, std::uint64_t seed, StepCounter& counter, Solutions& solutions)
        : shape_(shape), most_(most), keep_(keep), shuffled_(seed != 0), random_(seed), counter_(counter),
          solutions_(solutions), grid_(puzzle) {
        for (int cell = 0; cell < shape.cells(); ++cell) {
            const int digit = grid_[static_cast<std::size_t>(cell)];
            if (digit == 0) {
                empty_.push_back(cell);
                continue;
            }
            const std::uint32_t bit = 1u << (digit - 1);
            if ((used(cell) & bit) != 0) contradictory_ = true;
            place(cell, bit);
        }
    }

    void run() {
        if (!contradictory_ && most_ > 0) fill(empty_.size());
    }

  private:
    std::size_t row(int cell) const { return static_cast<std::size_t>(cell / shape_.side()); }
    std::size_t column(int cell) const { return static_cast<std::size_t>(cell % shape_.side()); }
    std::size_t box(int cell) const {
        const auto rows = static_cast<std::size_t>(shape_.rows);
        return row(cell) / rows * rows + column(cell) / static_cast<std::size_t>(shape_.columns);
    }
    std::uint32_t used(int cell) const {
        return rows_[row(cell)] | columns_[column(cell)] | boxes_[box(cell)];
    }
    void place(int cell, std::uint32_t bit) {
        rows_[row(cell)] ^= bit;
        columns_[column(cell)] ^= bit;
        boxes_[box(cell)] ^= bit;
    }

    // The empty cells are the first `count`; the one filled goes behind them. False when enough was found.
    bool fill(std::size_t count) {
        if (count == 0) {
            if (solutions_.count++ < keep_)
                solutions_.grids.insert(solutions_.grids.end(), grid_.begin(), grid_.end());
            return solutions_.count < most_;
        }
        counter_.tick(1 + count / 8);
        std::size_t best = 0;
        std::uint32_t free = 0;
        int fewest = kMostDigits + 1;
        for (std::size_t i = 0; i < count && fewest > 1; ++i) {
            const std::uint32_t here = ((1u << shape_.side()) - 1) & ~used(empty_[i]);
            const int number = std::popcount(here);
            if (number < fewest) fewest = number, free = here, best = i;
        }
        const int cell = empty_[best];
        std::swap(empty_[best], empty_[count - 1]);
        bool more = true;
        while (free != 0 && more) {
            std::uint32_t bit = free & -free;
            if (shuffled_) {
                std::uint32_t rest = free;
                for (auto skip = random_() % static_cast<unsigned>(std::popcount(free)); skip > 0; --skip)
                    rest &= rest - 1;
                bit = rest & -rest;
            }
            free ^= bit;
            grid_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(std::countr_zero(bit) + 1);
            place(cell, bit);
            more = fill(count - 1);
            place(cell, bit);
        }
        grid_[static_cast<std::size_t>(cell)] = 0;
        std::swap(empty_[best], empty_[count - 1]);
        return more;
    }

    Shape shape_;
    std::uint64_t most_, keep_;
    bool shuffled_, contradictory_ = false;
    std::mt19937_64 random_;
    StepCounter& counter_;
    Solutions& solutions_;
    std::vector<std::uint8_t> grid_;
    std::vector<int> empty_;
    Masks rows_{}, columns_{}, boxes_{};
};

} // namespace

Completions complete_by_search(const Shape& shape, const std::uint8_t* band, const Limits& limits,
                               Monitor* monitor) {
    shape.validate();
    Completions result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] { result.count = Below(shape, band, counter).run(); });
    return result;
}

Solutions solve(const Shape& shape, const std::vector<std::uint8_t>& puzzle, std::uint64_t most,
                std::uint64_t keep, std::uint64_t seed, const Limits& limits, Monitor* monitor) {
    shape.validate();
    if (puzzle.size() != static_cast<std::size_t>(shape.cells()) ||
        *std::max_element(puzzle.begin(), puzzle.end()) > shape.side())
        throw std::invalid_argument("a puzzle has a digit, or 0, for each cell");
    Solutions result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] { Solver(shape, puzzle, most, keep, seed, counter, result).run(); });
    return result;
}

} // namespace ktsolve::sudoku
