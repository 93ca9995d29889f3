// Tours of huge boards, laid like a mosaic: a board cut into bands of rows and of columns, and in each
// rectangle between them a tile from a small set.
//
// A tile says for every cell which two moves the tour makes there. Moves that stay inside the tile make
// paths, moves that leave it lead into the neighbours. A tour of 10^8 cells then takes a few bytes per
// tile until it is numbered. Numbering has two parts: one walk from path to path, which gives the first
// number of each path; and writing the numbers, tile by tile, on all threads.
//
//     moves of a cell   two codes 0..7, clockwise from one right and two up; kNoMove at an end of the tour
//
//                            7 . 0
//                          6 . . . 1
//                          . . x . .
//                          5 . . . 2
//                            4 . 3
//
// Rejected: links between cells for the whole board (16 bytes a cell, and a walk that
// misses the cache at every tile); recursion over quarters, which allows only boards that quarter well.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

inline constexpr std::uint8_t kNoMove = 8;

// Displacements (down, right) by move code; code ^ 4 is the move back.
inline constexpr std::array<std::pair<int, int>, 8> kKnightMoves{
    {{-2, 1}, {-1, 2}, {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}}};

struct Tile {
    int rows = 0, columns = 0;
    std::vector<std::uint8_t> moves; // two per cell, cells row by row
};

struct Mosaic {
    std::vector<int> heights, widths; // of the bands
    std::vector<Tile> tiles;
    std::vector<std::int32_t> laid; // which tile lies where: bands of rows x bands of columns

    std::int64_t rows() const;
    std::int64_t columns() const;
};

// Where the numbering begins: step 1, and the move made from there.
struct Beginning {
    std::int64_t row = 0, column = 0;
    std::uint8_t move = kNoMove;
};

// Writes the step number, from 1, of every cell, row by row. Linear in the cells. Throws
// std::invalid_argument if the tiles do not fit or do not make one tour of all cells.
Status number_mosaic(const Mosaic& mosaic, const Beginning& beginning, int threads, std::int32_t* steps,
                     const Limits& limits, Monitor* monitor);

} // namespace ktsolve
