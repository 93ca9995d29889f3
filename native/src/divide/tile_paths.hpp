// A tile as paths: for each of its cells the path and the place on it.
#pragma once

#include <vector>

#include "ktsolve/divide/mosaic.hpp"

namespace ktsolve::divide {

struct TilePath {
    int length = 0;
    int first = 0, last = 0;                  // cells of the tile
    std::uint8_t before = kNoMove, after = 0; // the moves away from the first and from the last cell
};

struct TilePaths {
    int rows = 0, columns = 0;
    std::vector<TilePath> paths;
    std::vector<std::int32_t> path;  // of every cell
    std::vector<std::int32_t> place; // of every cell on its path, from 0
};

// Throws std::invalid_argument if a move inside the tile is not made from both of its cells.
TilePaths paths_of(const Tile& tile);

} // namespace ktsolve::divide
