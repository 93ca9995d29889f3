// Numbers column sets up to the names of digits.
#include "sudoku/tables.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace ktsolve::sudoku {

Tables::Tables(const Shape& shape, StepCounter& counter) : shape_(shape) {
    shape.validate();
    for (int box = 0; box < shape.rows; ++box) {
        places_ *= static_cast<std::size_t>(shape.columns);
        if (places_ > 128) break;
    }
    bits_ = std::bit_width(static_cast<unsigned>(shape.rows));
    if (places_ * static_cast<std::size_t>(bits_) > 128)
        throw std::invalid_argument("column sets of boxes this large do not fit 128 bits");
    number_places();
    std::vector<int> table(places_), left(static_cast<std::size_t>(shape.side()), shape.rows);
    list(table, left, 0, counter);
    classify(counter);
}

void Tables::number_places() {
    const auto boxes = static_cast<std::size_t>(shape_.rows),
               columns = static_cast<std::size_t>(shape_.columns);
    columns_.resize(places_ * boxes);
    last_in_.resize(places_ * boxes);
    for (std::size_t place = 0; place < places_; ++place) {
        std::size_t rest = place, below_last = 0; // coordinates that are not at their last value
        for (std::size_t box = boxes; box-- > 0; rest /= columns) {
            columns_[place * boxes + box] = static_cast<int>(rest % columns);
            below_last += rest % columns != columns - 1;
        }
        for (std::size_t box = 0; box < boxes; ++box) {
            const bool itself = columns_[place * boxes + box] != shape_.columns - 1;
            last_in_[place * boxes + box] = below_last == (itself ? 1u : 0u);
        }
    }
}

// All tables; `left` is how many digits each column still needs. The last place that a column has takes all
// that the column needs.
void Tables::list(std::vector<int>& table, std::vector<int>& left, std::size_t place, StepCounter& counter) {
    if (place == places_) {
        counter.tick();
        const Packed packed = pack(table);
        number_.emplace(packed, static_cast<std::uint32_t>(tables_.size()));
        tables_.push_back(packed);
        return;
    }
    const auto later = std::accumulate(left.begin(), left.begin() + shape_.columns, 0);
    int least = 0, most = later;
    for (int box = 0; box < shape_.rows; ++box) {
        const int column = column_at(place, box), needs = left[box * shape_.columns + column];
        most = std::min(most, needs);
        const bool last =
            last_in_[place * static_cast<std::size_t>(shape_.rows) + static_cast<std::size_t>(box)];
        if (last) least = std::max(least, needs);
    }
    for (int here = least; here <= most; ++here) {
        table[place] = here;
        for (int box = 0; box < shape_.rows; ++box)
            left[box * shape_.columns + column_at(place, box)] -= here;
        list(table, left, place + 1, counter);
        for (int box = 0; box < shape_.rows; ++box)
            left[box * shape_.columns + column_at(place, box)] += here;
    }
    table[place] = 0;
}

void Tables::classify(StepCounter& counter) {
    // Where each place goes when two columns of a box, or two boxes, that stand side by side change places.
    std::vector<std::vector<std::size_t>> exchanges;
    const auto exchange = [&](auto&& image) {
        std::vector<std::size_t> images(places_);
        for (std::size_t place = 0; place < places_; ++place) {
            std::vector<int> at;
            for (int box = 0; box < shape_.rows; ++box) at.push_back(column_at(place, box));
            image(at);
            std::size_t to = 0;
            for (const int column : at)
                to = to * static_cast<std::size_t>(shape_.columns) + static_cast<std::size_t>(column);
            images[place] = to;
        }
        exchanges.push_back(images);
    };
    for (std::size_t box = 0; box < static_cast<std::size_t>(shape_.rows); ++box) {
        for (int column = 0; column + 1 < shape_.columns; ++column)
            exchange([&](std::vector<int>& at) {
                if (at[box] == column || at[box] == column + 1) at[box] = 2 * column + 1 - at[box];
            });
        if (box > 0) exchange([&](std::vector<int>& at) { std::swap(at[box - 1], at[box]); });
    }

    class_.resize(tables_.size());
    std::iota(class_.begin(), class_.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (class_[i] != i) i = class_[i] = class_[class_[i]];
        return i;
    };
    std::vector<int> image(places_);
    for (std::uint32_t i = 0; i < tables_.size(); ++i) {
        const std::vector<int> table = unpack(tables_[i]);
        for (const auto& images : exchanges) {
            counter.tick();
            for (std::size_t place = 0; place < places_; ++place) image[images[place]] = table[place];
            const std::uint32_t one = root(i), other = root(number_.at(pack(image)));
            class_[std::max(one, other)] = std::min(one, other);
        }
    }
    for (std::uint32_t i = 0; i < tables_.size(); ++i)
        if (root(i) == i) first_.push_back(i);
    for (auto& each : class_) each = root(each);
    for (auto& each : class_)
        each =
            static_cast<std::uint32_t>(std::lower_bound(first_.begin(), first_.end(), each) - first_.begin());
    members_.resize(first_.size());
    for (std::uint32_t i = 0; i < tables_.size(); ++i) members_[class_[i]].push_back(i);
}

Tables::Packed Tables::pack(const std::vector<int>& table) const {
    Packed packed;
    std::size_t at = 0;
    for (const int number : table) {
        const auto value = static_cast<std::uint64_t>(number);
        if (at < 64) packed.low |= value << at;
        if (at >= 64) packed.high |= value << (at - 64);
        if (at < 64 && at + static_cast<std::size_t>(bits_) > 64) packed.high |= value >> (64 - at);
        at += static_cast<std::size_t>(bits_);
    }
    return packed;
}

Tables::Packed Tables::pack(const ColumnSets& sets) const {
    std::vector<int> table(places_);
    for (const int place : places_of(sets)) ++table[static_cast<std::size_t>(place)];
    return pack(table);
}

std::vector<int> Tables::places_of(const ColumnSets& sets) const {
    std::vector<int> place(static_cast<std::size_t>(shape_.side()));
    for (int box = 0; box < shape_.rows; ++box)
        for (int column = 0; column < shape_.columns; ++column)
            for (std::uint32_t digits = sets[static_cast<std::size_t>(box * shape_.columns + column)];
                 digits != 0; digits &= digits - 1) {
                int& at = place[static_cast<std::size_t>(std::countr_zero(digits))];
                at = at * shape_.columns + column;
            }
    return place;
}

std::vector<int> Tables::unpack(const Packed& packed) const {
    std::vector<int> table(places_);
    const std::uint64_t one = (std::uint64_t{1} << bits_) - 1;
    for (std::size_t place = 0; place < places_; ++place) {
        const std::size_t at = place * static_cast<std::size_t>(bits_);
        std::uint64_t value = at < 64 ? packed.low >> at : packed.high >> (at - 64);
        if (at < 64 && at + static_cast<std::size_t>(bits_) > 64) value |= packed.high << (64 - at);
        table[place] = static_cast<int>(value & one);
    }
    return table;
}

ColumnSets Tables::representative(std::size_t which) const {
    return sets_of(places(which, 0));
}

std::uint64_t Tables::number_in_class(const ColumnSets& sets) const {
    const std::uint32_t table = number_.at(pack(sets));
    const auto& members = members_[class_[table]];
    return static_cast<std::uint64_t>(std::lower_bound(members.begin(), members.end(), table) -
                                      members.begin());
}

std::vector<int> Tables::places(std::size_t which, std::uint64_t number_in_class) const {
    const std::vector<int> table = unpack(tables_[members_[which][number_in_class]]);
    std::vector<int> places;
    for (std::size_t place = 0; place < places_; ++place)
        places.insert(places.end(), static_cast<std::size_t>(table[place]), static_cast<int>(place));
    return places;
}

ColumnSets Tables::sets_of(const std::vector<int>& places) const {
    ColumnSets sets(static_cast<std::size_t>(shape_.side()));
    for (std::size_t digit = 0; digit < places.size(); ++digit)
        for (int box = 0; box < shape_.rows; ++box) {
            const int column = column_at(static_cast<std::size_t>(places[digit]), box);
            sets[static_cast<std::size_t>(box * shape_.columns + column)] |= std::uint32_t{1} << digit;
        }
    return sets;
}

std::uint64_t Tables::symmetric_names(std::size_t which) const {
    std::uint64_t product = 1;
    for (const int number : unpack(tables_[first_[which]]))
        for (int factor = 2; factor <= number; ++factor) product *= static_cast<std::uint64_t>(factor);
    return product;
}

} // namespace ktsolve::sudoku
