// Column sets up to the names of digits, as tables.
//
// A digit stands in one column of every box: it has a place, one of C^R. Column sets are, but for the names
// of digits, a table that says how many digits have each place, with R digits in every column of every box.
// For 3x3 that is 27 numbers of two bits each:
//
//     place     0 .. 26     = column in box 1 * 9 + column in box 2 * 3 + column in box 3
//     packed    54 bits of 128, least place lowest
//
// There are 22620 such tables for 3x3, which fall into 44 classes under permutations of columns and of boxes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::sudoku {

class Tables {
  public:
    // Throws std::invalid_argument if a table does not fit 128 bits.
    Tables(const Shape& shape, StepCounter& counter);

    struct Packed {
        std::uint64_t low = 0, high = 0;
        bool operator==(const Packed&) const = default;
    };

    std::size_t classes() const { return first_.size(); }
    // Class of the table of given column sets.
    std::uint32_t class_of(const ColumnSets& sets) const { return class_.at(number_.at(pack(sets))); }
    // Column sets of the first table of a class.
    ColumnSets representative(std::size_t which) const;
    // The table of given column sets, as its number within its class, in the order in which tables are
    // listed.
    std::uint64_t number_in_class(const ColumnSets& sets) const;
    // The place of each digit in column sets of a table of a class, digits with the same place side by side.
    std::vector<int> places(std::size_t which, std::uint64_t number_in_class) const;
    // The place of each digit in given column sets, and the sets from the places.
    std::vector<int> places_of(const ColumnSets& sets) const;
    ColumnSets sets_of(const std::vector<int>& places) const;
    // How many tables the class has.
    std::uint64_t size(std::size_t which) const { return members_[which].size(); }
    // Permutations of digits that keep the column sets of the first table: product of factorials.
    std::uint64_t symmetric_names(std::size_t which) const;

  private:
    struct Hash {
        std::size_t operator()(const Packed& p) const {
            std::uint64_t h = (p.low ^ (p.high * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
            return static_cast<std::size_t>(h ^ (h >> 32));
        }
    };

    void number_places();
    void list(std::vector<int>& table, std::vector<int>& left, std::size_t place, StepCounter& counter);
    void classify(StepCounter& counter);
    int column_at(std::size_t place, int box) const {
        return columns_[place * static_cast<std::size_t>(shape_.rows) + static_cast<std::size_t>(box)];
    }
    Packed pack(const std::vector<int>& table) const;
    Packed pack(const ColumnSets& sets) const;
    std::vector<int> unpack(const Packed& packed) const;

    Shape shape_;
    std::size_t places_ = 1;
    int bits_ = 1;
    std::vector<int> columns_;  // column of each place in each box
    std::vector<char> last_in_; // is it the last place with that column?
    std::vector<Packed> tables_;
    std::unordered_map<Packed, std::uint32_t, Hash> number_;
    std::vector<std::uint32_t> class_;
    std::vector<std::uint32_t> first_;
    std::vector<std::vector<std::uint32_t>> members_; // the tables of each class
};

} // namespace ktsolve::sudoku
