// Counts the bands with given column sets, as factorisations of a bipartite graph.
#include "sudoku/factorisations.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "common/integers.hpp"

namespace ktsolve::sudoku {
namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 20; // of some 100 bytes each

// Components of the graph of columns that share digits, each digit being in two of them.
int cycles(const std::uint32_t* columns, std::size_t side) {
    int found = 0;
    std::uint32_t left = (std::uint32_t{1} << side) - 1;
    while (left != 0) {
        std::uint32_t digits = columns[std::countr_zero(left)];
        left &= left - 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
                const int other = std::countr_zero(rest);
                if ((columns[other] & digits) == 0) continue;
                digits |= columns[other];
                left &= ~(std::uint32_t{1} << other);
                grown = true;
            }
        }
        ++found;
    }
    return found;
}

} // namespace

std::size_t Factorisations::Hash::operator()(const Columns& columns) const {
    std::uint64_t h = 0;
    for (const std::uint32_t set : columns) {
        h = (h ^ set) * 0x9e3779b97f4a7c15;
        h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
}

Factorisations::Columns Factorisations::load(const ColumnSets& columns) {
    side_ = columns.size();
    Columns copy{};
    std::copy(columns.begin(), columns.end(), copy.begin());
    return copy;
}

std::uint64_t Factorisations::count(const ColumnSets& columns, int degree) {
    return count(load(columns), degree);
}

std::uint64_t Factorisations::count(Columns columns, int degree) {
    if (degree <= 1) return 1;
    if (degree == 2) return std::uint64_t{1} << cycles(columns.data(), side_);
    std::sort(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(side_));
    if (const auto kept = counts_.find(columns); kept != counts_.end()) return kept->second;
    const Columns key = columns;
    std::uint64_t total = 0;
    const std::uint32_t first = columns[0] & -columns[0];
    columns[0] ^= first;
    match(columns, 1, first, [&](const Columns& rest) {
        if (add_overflows(total, count(rest, degree - 1), &total))
            throw std::overflow_error("more bands with the same column sets than 64 bits can count");
        return false;
    });
    std::uint64_t result = 0;
    if (multiply_overflows(total, static_cast<std::uint64_t>(degree), &result))
        throw std::overflow_error("more bands with the same column sets than 64 bits can count");
    if (counts_.size() < kMostKept) counts_.emplace(key, result);
    return result;
}

template <class Visit>
bool Factorisations::match(Columns& columns, std::size_t column, std::uint32_t used, Visit&& visit) {
    if (column == side_) {
        counter_.tick();
        return visit(columns);
    }
    for (std::uint32_t free = columns[column] & ~used; free != 0; free &= free - 1) {
        const std::uint32_t bit = free & -free;
        columns[column] ^= bit;
        const bool stopped = match(columns, column + 1, used | bit, visit);
        columns[column] ^= bit;
        if (stopped) return true;
    }
    return false;
}

void Factorisations::unrank(const ColumnSets& given, int degree, std::uint64_t number, std::uint8_t* band) {
    Columns columns = load(given);
    for (; degree >= 1; --degree, band += side_) {
        Columns below{};
        match(columns, 0, 0, [&](const Columns& rest) {
            const std::uint64_t here = count(rest, degree - 1);
            if (number >= here) {
                number -= here;
                return false;
            }
            below = rest;
            return true;
        });
        for (std::size_t column = 0; column < side_; ++column)
            band[column] = static_cast<std::uint8_t>(std::countr_zero(columns[column] ^ below[column]));
        columns = below;
    }
}

std::uint64_t Factorisations::rank(const ColumnSets& given, int degree, const std::uint8_t* band) {
    Columns columns = load(given);
    std::uint64_t number = 0;
    for (; degree >= 1; --degree, band += side_) {
        Columns below = columns;
        for (std::size_t column = 0; column < side_; ++column)
            below[column] ^= std::uint32_t{1} << band[column];
        match(columns, 0, 0, [&](const Columns& rest) {
            if (rest == below) return true;
            number += count(rest, degree - 1);
            return false;
        });
        columns = below;
    }
    return number;
}

std::vector<std::uint64_t> bands_by_class(const Shape& shape, const Tables& tables, StepCounter& counter) {
    Factorisations factorisations(counter);
    std::vector<std::uint64_t> bands;
    for (std::size_t which = 0; which < tables.classes(); ++which) {
        counter.set_progress(which, tables.classes());
        bands.push_back(factorisations.count(tables.representative(which), shape.rows));
    }
    return bands;
}

} // namespace ktsolve::sudoku
