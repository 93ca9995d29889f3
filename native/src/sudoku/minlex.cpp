// The least grid that symmetries lead to, row after row.
//
// A transformation is: transposed or not, a permutation of the columns (columns in stacks, stacks), one of
// the rows (rows in bands, bands), and new names of digits in the order in which they appear. All choices of
// the first two together with a first row are tried, those that give the least first row are kept, each is
// carried on with every row that may come second, the least kept again, and so on. What is left at the end
// are the transformations that lead to the least grid, as many as the grid has automorphisms.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::sudoku {
namespace {

constexpr std::size_t kMostColumnOrders = 5'000'000;

using Row = std::array<std::uint8_t, kMostDigits>;

std::vector<Row> column_orders(const Shape& shape) {
    std::size_t number = 1;
    for (int stack = 1; stack <= shape.rows; ++stack) {
        number *= static_cast<std::size_t>(stack);
        for (int column = 2; column <= shape.columns; ++column) number *= static_cast<std::size_t>(column);
        if (number > kMostColumnOrders)
            throw std::invalid_argument("the grid has too many orders of columns");
    }
    std::vector<Row> orders;
    Row order{};
    const auto list = [&](auto&& self, int at, std::uint32_t used) -> void {
        if (at == shape.side()) {
            orders.push_back(order);
            return;
        }
        for (int column = 0; column < shape.side(); ++column) {
            if ((used >> column & 1) != 0) continue;
            const int stack = column / shape.columns, in = at % shape.columns;
            const std::uint32_t whole = ((1u << shape.columns) - 1) << (stack * shape.columns);
            // A stack begins where no column of it was used, and goes on until it is done.
            if (in == 0 ? (used & whole) != 0
                        : stack != order[static_cast<std::size_t>(at - 1)] / shape.columns)
                continue;
            order[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(column);
            self(self, at + 1, used | 1u << column);
        }
    };
    list(list, 0, 0);
    return orders;
}

// A transformation as far as it is chosen.
struct Partial {
    std::uint32_t columns = 0; // which order of columns
    bool transposed = false;
    std::uint8_t names = 0; // digits that have appeared
    std::uint32_t used = 0; // rows taken
    Row rows{};
    std::array<std::uint8_t, kMostDigits + 1> name{};
};

class Search {
  public:
    Search(const Shape& shape, const std::vector<std::uint8_t>& grid, const Limits& limits,
           StepCounter& counter)
        : shape_(shape), limits_(limits), counter_(counter), orders_(column_orders(shape)), plain_(grid),
          turned_(grid.size()) {
        const int side = shape.side();
        for (int cell = 0; cell < shape.cells(); ++cell)
            turned_[static_cast<std::size_t>(cell % side * side + cell / side)] =
                grid[static_cast<std::size_t>(cell)];
    }

    void run(Least& least, std::uint64_t images) {
        std::vector<Partial> kept;
        for (int transposed = 0; transposed <= (shape_.rows == shape_.columns ? 1 : 0); ++transposed)
            for (std::uint32_t order = 0; order < orders_.size(); ++order) {
                Partial start;
                start.columns = order;
                start.transposed = transposed != 0;
                go_on(start, 0, kept);
            }
        finish_row(least);
        for (int row = 1; row < shape_.side(); ++row) {
            std::vector<Partial> next;
            for (const Partial& partial : kept) go_on(partial, row, next);
            kept = std::move(next);
            finish_row(least);
        }
        least.automorphisms = kept.size();
        for (std::size_t i = 0; i < kept.size() && i < images; ++i)
            least.images.push_back(images_of(kept[i]));
    }

  private:
    // Carries `partial` on with every row that may come next; `kept` are those with the least row so far.
    void go_on(const Partial& partial, int at, std::vector<Partial>& kept) {
        const std::uint32_t rows = (1u << shape_.rows) - 1;
        for (int row = 0; row < shape_.side(); ++row) {
            if ((partial.used >> row & 1) != 0) continue;
            const int band = row / shape_.rows;
            if (at % shape_.rows == 0 ? (partial.used >> (band * shape_.rows) & rows) != 0
                                      : band != partial.rows[static_cast<std::size_t>(at - 1)] / shape_.rows)
                continue;
            counter_.tick();
            Partial longer = partial;
            longer.used |= 1u << row;
            longer.rows[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(row);
            Row line{};
            if (!name_row(longer, row, line)) continue;
            if (line < best_ || !any_) {
                best_ = line;
                any_ = true;
                kept.clear();
            }
            if ((kept.size() + 1) * sizeof(Partial) * 3 > limits_.bytes) throw Stopped{Status::out_of_memory};
            kept.push_back(longer);
        }
    }

    // The row with its columns in order and its digits renamed; false as soon as it is above the best.
    bool name_row(Partial& partial, int row, Row& line) const {
        const auto side = static_cast<std::size_t>(shape_.side());
        const std::uint8_t* digits =
            (partial.transposed ? turned_ : plain_).data() + static_cast<std::size_t>(row) * side;
        const Row& order = orders_[partial.columns];
        bool equal = any_;
        for (std::size_t column = 0; column < side; ++column) {
            const std::uint8_t digit = digits[order[column]];
            std::uint8_t& name = partial.name[digit];
            if (digit != 0 && name == 0) name = ++partial.names;
            line[column] = name;
            if (equal && name > best_[column]) return false;
            equal = equal && name == best_[column];
        }
        return true;
    }

    void finish_row(Least& least) {
        least.grid.insert(least.grid.end(), best_.begin(), best_.begin() + shape_.side());
        any_ = false;
    }

    std::vector<std::uint16_t> images_of(const Partial& partial) const {
        std::vector<std::uint16_t> images;
        const int side = shape_.side();
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column) {
                const int r = partial.rows[static_cast<std::size_t>(row)];
                const int c = orders_[partial.columns][static_cast<std::size_t>(column)];
                images.push_back(
                    static_cast<std::uint16_t>(partial.transposed ? c * side + r : r * side + c));
            }
        return images;
    }

    Shape shape_;
    Limits limits_;
    StepCounter& counter_;
    std::vector<Row> orders_;
    std::vector<std::uint8_t> plain_, turned_;
    Row best_{};
    bool any_ = false;
};

} // namespace

Least least_grid(const Shape& shape, const std::vector<std::uint8_t>& grid, std::uint64_t images,
                 const Limits& limits, Monitor* monitor) {
    shape.validate();
    if (grid.size() != static_cast<std::size_t>(shape.cells()) ||
        *std::max_element(grid.begin(), grid.end()) > shape.side())
        throw std::invalid_argument("a grid has a digit, or 0, for each cell");
    Least result;
    StepCounter counter(limits, monitor);
    const Status status = status_of([&] { Search(shape, grid, limits, counter).run(result, images); });
    if (status != Status::done) result = Least{};
    result.status = status;
    return result;
}

} // namespace ktsolve::sudoku
