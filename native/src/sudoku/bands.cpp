// Bands with a fixed first box, listed by filling box after box, and their classes under moves.
#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::sudoku {

void Shape::validate() const {
    if (rows < 1 || columns < 1 || rows > kMostDigits || columns > kMostDigits / rows)
        throw std::invalid_argument("a box has 1 to 16 cells");
}

namespace {

class Walk {
  public:
    Walk(const Shape& shape, bool reduced, Bands* kept, const Limits& limits, Monitor* monitor)
        : shape_(shape), reduced_(reduced), kept_(kept), watch_(limits, monitor),
          band_(static_cast<std::size_t>(shape.band_cells())), in_row_(static_cast<std::size_t>(shape.rows)) {
        for (int d = 0; d < shape.side(); ++d) {
            band_[static_cast<std::size_t>(d)] = static_cast<std::uint8_t>(d);
            in_row_[static_cast<std::size_t>(d / shape.columns)] |= 1u << d;
        }
    }

    Status run(std::uint64_t& found) {
        fill(shape_.side(), 0);
        found = found_;
        return status_;
    }

  private:
    void fill(int cell, std::uint32_t in_box) {
        const int side = shape_.side();
        if (cell == shape_.band_cells()) {
            if ((++found_ & 0xffff) == 0) status_ = watch_.poll({found_, 0, found_});
            if (kept_ != nullptr) kept_->insert(kept_->end(), band_.begin(), band_.end());
            return;
        }
        const int in = cell % side, row = in / shape_.columns, column = in % shape_.columns;
        if (in == 0) in_box = 0;
        std::uint32_t& in_row = in_row_[static_cast<std::size_t>(row)];
        std::uint32_t free = ((1u << side) - 1) & ~(in_row | in_box);
        if (reduced_ && row == 0) {
            // Above the digit on the left, or above the first digit of the box before.
            const int other = column > 0 ? cell - 1 : cell > side ? cell - side : -1;
            if (other >= 0) free &= ~((2u << band_[static_cast<std::size_t>(other)]) - 1);
        }
        while (free != 0 && status_ == Status::done) {
            const std::uint32_t bit = free & -free;
            free ^= bit;
            band_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(std::countr_zero(bit));
            in_row |= bit;
            fill(cell + 1, in_box | bit);
            in_row ^= bit;
        }
    }

    Shape shape_;
    bool reduced_;
    Bands* kept_;
    Watch watch_;
    std::vector<std::uint8_t> band_;
    std::vector<std::uint32_t> in_row_;
    std::uint64_t found_ = 0;
    Status status_ = Status::done;
};

// Renames the digits so that box 1 holds them in order, then sorts columns and boxes as in a reduced band.
class Normaliser {
  public:
    explicit Normaliser(const Shape& shape)
        : shape_(shape), copy_(static_cast<std::size_t>(shape.band_cells())) {}

    void operator()(std::vector<std::uint8_t>& band) {
        const int side = shape_.side();
        std::array<std::uint8_t, kMostDigits> name{};
        for (int i = 0; i < side; ++i) name[band[static_cast<std::size_t>(i)]] = static_cast<std::uint8_t>(i);
        for (std::size_t i = 0; i < band.size(); ++i) copy_[i] = name[band[i]];
        std::copy(copy_.begin(), copy_.begin() + side, band.begin());
        // Columns by their top digits, box after box; all lists are short enough for sorting by insertion.
        std::array<std::uint8_t, kMostDigits> columns{}, boxes{};
        int sorted = 0;
        for (int box = 1; box < shape_.rows; ++box) {
            const std::uint8_t* top = copy_.data() + box * side;
            std::uint8_t* order = columns.data() + box * shape_.columns;
            for (int column = 0; column < shape_.columns; ++column) {
                int at = column;
                for (; at > 0 && top[order[at - 1]] > top[column]; --at) order[at] = order[at - 1];
                order[at] = static_cast<std::uint8_t>(column);
            }
            int at = sorted++;
            for (; at > 0 && least(boxes[static_cast<std::size_t>(at - 1)], columns) > top[order[0]]; --at)
                boxes[static_cast<std::size_t>(at)] = boxes[static_cast<std::size_t>(at - 1)];
            boxes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(box);
        }
        auto out = band.begin() + side;
        for (int i = 0; i < sorted; ++i) {
            const int box = boxes[static_cast<std::size_t>(i)];
            const std::uint8_t* order = columns.data() + box * shape_.columns;
            for (int row = 0; row < shape_.rows; ++row) {
                const std::uint8_t* from = copy_.data() + (box * shape_.rows + row) * shape_.columns;
                for (int column = 0; column < shape_.columns; ++column) *out++ = from[order[column]];
            }
        }
    }

  private:
    std::uint8_t least(int box, const std::array<std::uint8_t, kMostDigits>& columns) const {
        return copy_[static_cast<std::size_t>(box * shape_.side() +
                                              columns[static_cast<std::size_t>(box * shape_.columns)])];
    }

    Shape shape_;
    std::vector<std::uint8_t> copy_;
};

bool applies(const Move& move, const std::uint8_t* band) {
    if (!move.if_same_digits) return true;
    std::uint32_t first = 0, second = 0;
    for (const auto& [a, b] : move.swaps) {
        first |= 1u << band[a];
        second |= 1u << band[b];
    }
    return first == second;
}

std::uint32_t root(std::vector<std::uint32_t>& labels, std::uint32_t of) {
    while (labels[of] != of) of = labels[of] = labels[labels[of]];
    return of;
}

} // namespace

Status walk_bands(const Shape& shape, bool reduced, bool keep, Bands& bands, std::uint64_t& found,
                  const Limits& limits, Monitor* monitor) {
    shape.validate();
    return Walk(shape, reduced, keep ? &bands : nullptr, limits, monitor).run(found);
}

void join_classes(const Shape& shape, const Bands& bands, const std::vector<Move>& moves,
                  const std::vector<std::uint32_t>& tried, std::vector<std::uint32_t>& labels) {
    const std::size_t size = static_cast<std::size_t>(shape.band_cells()), count = bands.size() / size;
    if (labels.size() != count) throw std::invalid_argument("there must be as many labels as bands");
    const std::vector<std::uint32_t>* given[] = {&labels, &tried};
    for (const auto* numbers : given)
        for (const std::uint32_t number : *numbers)
            if (number >= count) throw std::invalid_argument("there is no band of that number");
    for (const auto& move : moves)
        for (const auto& [a, b] : move.swaps)
            if (std::min(a, b) < 0 || std::max(a, b) >= shape.band_cells())
                throw std::invalid_argument("a move speaks of a cell outside the band");

    const auto text = [&](std::size_t i) {
        return std::string_view(reinterpret_cast<const char*>(bands.data()) + i * size, size);
    };
    std::unordered_map<std::string_view, std::uint32_t> number;
    number.reserve(count);
    for (std::size_t i = 0; i < count; ++i) number.emplace(text(i), static_cast<std::uint32_t>(i));

    Normaliser normalise(shape);
    std::vector<std::uint8_t> image;
    for (const std::uint32_t i : tried)
        for (const auto& move : moves) {
            const std::uint8_t* band = bands.data() + i * size;
            if (!applies(move, band)) continue;
            image.assign(band, band + size);
            for (const auto& [a, b] : move.swaps)
                std::swap(image[static_cast<std::size_t>(a)], image[static_cast<std::size_t>(b)]);
            normalise(image);
            const auto there = number.find({reinterpret_cast<const char*>(image.data()), size});
            if (there == number.end()) throw std::invalid_argument("a move leads to no reduced band");
            const std::uint32_t one = root(labels, i), other = root(labels, there->second);
            labels[std::max(one, other)] = std::min(one, other);
        }
    for (std::uint32_t i = 0; i < count; ++i) labels[i] = root(labels, i);
}

} // namespace ktsolve::sudoku
