// Sudoku grids counted by their top bands.
//
// A box has R rows and C columns; a grid has N = R*C digits, C bands of R rows, and R boxes in each band.
//
// The rows below a band depend only on its *column sets*: the R digits of each column, in any order.
// A band is a way to split these sets into rows: the digits and columns as a bipartite graph, in which every
// vertex has R edges, split into R perfect matchings. Bands that differ in order alone share the graph, so
// graphs are classified, not bands: 44 classes for 3x3, where exchanges of digits in bands leave 71.
//
//     bands with given column sets   = ways to order the graph into matchings (factorisations.hpp)
//     completions of a band          = sum, over the column sets of the other bands, of products of those
//     grids                          = N! * sum, over classes, of bands with box 1 fixed * completions
//
// After Felgenhauer & Jarvis (2006), who counted with 44 classes of bands found by swaps, each by search.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve::sudoku {

// Rows and columns of a box.
struct Shape {
    int rows = 3;
    int columns = 3;

    int side() const { return rows * columns; }
    int band_cells() const { return rows * side(); }
    int cells() const { return side() * side(); }
    // Throws std::invalid_argument unless there are 1 to 16 digits.
    void validate() const;
};

inline constexpr int kMostDigits = 16;

// -- bands (bands.cpp) --------------------------------------------------------------------------------------

// Bands one after the other, each box by box: cell (box, row, column) at (box * R + row) * C + column. Digits
// are 0 .. N-1 and box 1 holds them in order.
using Bands = std::vector<std::uint8_t>;

// Counts bands with box 1 fixed; with `keep`, appends them in lexicographic order. `reduced` takes only those
// whose boxes 2 .. R have ascending top rows and ascending top left digits.
Status walk_bands(const Shape& shape, bool reduced, bool keep, Bands& bands, std::uint64_t& found,
                  const Limits& limits, Monitor* monitor = nullptr);

// Exchanges the digits of pairs of cells; with `if_same_digits`, only where the first cells of all pairs
// together hold the same digits as the second ones.
struct Move {
    std::vector<std::pair<int, int>> swaps;
    bool if_same_digits = false;
};

// Joins the classes of reduced bands that a move leads between. `labels` is, for each band, the number of the
// first band of its class, before and after. Moves are tried on the bands numbered in `tried`. One band of
// each class under permutations of rows, columns and boxes is enough where those turn each move into another
// one.
void join_classes(const Shape& shape, const Bands& bands, const std::vector<Move>& moves,
                  const std::vector<std::uint32_t>& tried, std::vector<std::uint32_t>& labels);

// -- column sets (tables.hpp, completions.hpp, grids.cpp) ---------------------------------------------------

// The set of digits of each column of a band, box by box, as bits.
using ColumnSets = std::vector<std::uint32_t>;

ColumnSets column_sets(const Shape& shape, const std::uint8_t* band);

// Column sets that a permutation of digits, columns or boxes carries into each other.
struct ColumnClass {
    ColumnSets representative;
    std::uint64_t tables = 0;      // column sets up to the names of digits
    std::uint64_t bands = 0;       // bands with box 1 fixed
    std::uint64_t completions = 0; // grids that begin with one of them
};

struct GridCount {
    Status status = Status::done;
    std::vector<ColumnClass> classes;
    std::uint64_t steps = 0; // pairs of column sets looked up
};

// All classes, and their completions unless `bands_only`. Throws std::invalid_argument if the column sets of
// this shape do not fit the packed form, std::overflow_error if a number passes 64 bits.
GridCount count_grids(const Shape& shape, bool bands_only, const Limits& limits, Monitor* monitor = nullptr);

// For each band the number of its class in GridCount::classes.
std::vector<std::uint32_t> column_classes(const Shape& shape, const Bands& bands);

struct AllCompletions {
    Status status = Status::done;
    std::vector<std::uint64_t> counts;
};

// For each band the grids that begin with it, from its own column sets in their own places.
AllCompletions complete(const Shape& shape, const Bands& bands, const Limits& limits,
                        Monitor* monitor = nullptr);

// -- the order of all grids (grid_order.cpp) ----------------------------------------------------------------

// Where a grid is in the order of all grids: a number for each step, the first one the most significant.
struct GridPlace {
    std::uint64_t column_class = 0; // class of the column sets of the top band
    std::uint64_t table = 0;        // their table within the class
    std::uint64_t names = 0;        // the digits' places in the table, among all permutations of these places
    std::uint64_t order = 0;        // the top band, among those with these column sets
    std::uint64_t completion = 0;   // the bands below, among all completions
};

// How many values the numbers of a place have, in a class.
struct GridClass {
    std::uint64_t tables = 0, names = 0, orders = 0, completions = 0;
};

// All grids of a shape in a fixed order. The grids of a class are tables * names * orders * completions.
class GridOrder {
  public:
    GridOrder();
    ~GridOrder();
    GridOrder(const GridOrder&) = delete;
    GridOrder& operator=(const GridOrder&) = delete;

    // Makes the tables. Throws as count_grids does.
    Status prepare(const Shape& shape, const Limits& limits, Monitor* monitor = nullptr);
    const std::vector<GridClass>& classes() const;
    const Shape& shape() const;

    // Appends the grids of these places, row by row, digits from 1. Throws std::out_of_range if a number of a
    // place is too large.
    Status unrank(const std::vector<GridPlace>& places, std::vector<std::uint8_t>& grids,
                  const Limits& limits, Monitor* monitor = nullptr);
    // Appends the places of grids. Throws std::invalid_argument if one is not a grid.
    Status rank(const std::vector<std::uint8_t>& grids, std::vector<GridPlace>& places, const Limits& limits,
                Monitor* monitor = nullptr);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// -- search (search/search.cpp)
// ----------------------------------------------------------------------------------

struct Completions {
    Status status = Status::done;
    std::uint64_t count = 0;
};

// Completions of one band by plain search with bit masks, column by column, without column sets.
Completions complete_by_search(const Shape& shape, const std::uint8_t* band, const Limits& limits,
                               Monitor* monitor = nullptr);

struct Solutions {
    Status status = Status::done;
    std::uint64_t count = 0;
    std::vector<std::uint8_t> grids; // those kept, row by row, digits from 1
};

// Solutions of a puzzle given row by row, 0 for an empty cell, up to `most` of them; the first `keep` are
// kept. A seed other than 0 tries digits in random order.
Solutions solve(const Shape& shape, const std::vector<std::uint8_t>& puzzle, std::uint64_t most,
                std::uint64_t keep, std::uint64_t seed, const Limits& limits, Monitor* monitor = nullptr);

// -- symmetry (covers.cpp, minlex.cpp) ----------------------------------------------------------------------

// Grids that a permutation of the cells maps to themselves but for the names of the digits, each counted once
// for all names.
class InvariantGrids {
  public:
    // Lists the places of a digit. Throws std::invalid_argument if they are too many.
    explicit InvariantGrids(const Shape& shape);
    ~InvariantGrids();
    InvariantGrids(const InvariantGrids&) = delete;
    InvariantGrids& operator=(const InvariantGrids&) = delete;

    // `images[i]` is the cell that cell i goes to, cells numbered row by row. `symmetries` are permutations
    // that keep the rules and commute with it; the more there are, the less is counted. Threads may call this
    // at the same time.
    Completions count(const std::vector<int>& images, const std::vector<std::vector<int>>& symmetries,
                      const Limits& limits, Monitor* monitor = nullptr) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

struct Least {
    Status status = Status::done;
    std::vector<std::uint8_t> grid;  // row by row, 0 for empty
    std::uint64_t automorphisms = 0; // number of transformations that lead to it
    // Some of them, at most those asked for: cell i of `grid` is cell `images[i]` of the grid given.
    std::vector<std::vector<std::uint16_t>> images;
};

// The least grid, read row by row, that rows, columns, bands, stacks, transposition (of square boxes) and
// renaming of digits lead to; also of puzzles.
Least least_grid(const Shape& shape, const std::vector<std::uint8_t>& grid, std::uint64_t images,
                 const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve::sudoku
