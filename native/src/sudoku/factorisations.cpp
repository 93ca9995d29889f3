// See sudoku/factorisations.hpp.
#include "sudoku/factorisations.hpp"

#include <algorithm>
#include <stdexcept>

namespace ktsolve::sudoku {
namespace {

// Components of the graph of columns that share digits, each digit being in two of them.
int cycles(const std::uint32_t* columns, std::size_t side) {
    int found = 0;
    std::uint32_t left = (std::uint32_t{1} << side) - 1;
    while (left != 0) {
        std::uint32_t digits = columns[__builtin_ctz(left)];
        left &= left - 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
                const int other = __builtin_ctz(rest);
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

std::uint64_t Factorisations::count(const ColumnSets& columns, int degree) {
    side_ = columns.size();
    Columns copy{};
    std::copy(columns.begin(), columns.end(), copy.begin());
    return count(copy, degree);
}

std::uint64_t Factorisations::count(Columns columns, int degree) {
    if (degree <= 1) return 1;
    if (degree == 2) return std::uint64_t{1} << cycles(columns.data(), side_);
    std::uint64_t total = 0;
    const std::uint32_t first = columns[0] & -columns[0];
    columns[0] ^= first;
    match(columns, 1, first, degree, total);
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(total, static_cast<std::uint64_t>(degree), &result))
        throw std::overflow_error("more bands with the same column sets than 64 bits can count");
    return result;
}

// Takes a digit out of each further column; what is left has one edge less at every vertex.
void Factorisations::match(Columns& columns, std::size_t column, std::uint32_t used, int degree,
                           std::uint64_t& total) {
    if (column == side_) {
        counter_.tick();
        if (__builtin_add_overflow(total, count(columns, degree - 1), &total))
            throw std::overflow_error("more bands with the same column sets than 64 bits can count");
        return;
    }
    for (std::uint32_t free = columns[column] & ~used; free != 0; free &= free - 1) {
        const std::uint32_t bit = free & -free;
        columns[column] ^= bit;
        match(columns, column + 1, used | bit, degree, total);
        columns[column] ^= bit;
    }
}

} // namespace ktsolve::sudoku
