// Follows the moves inside a tile: for each cell its path and its place on the path.
#include "divide/tile_paths.hpp"

#include <stdexcept>

namespace ktsolve::divide {

namespace {

class Tracer {
  public:
    explicit Tracer(const Tile& tile) : tile_(tile) {
        const auto cells = static_cast<std::size_t>(tile.rows) * static_cast<std::size_t>(tile.columns);
        if (tile.rows < 1 || tile.columns < 1 || tile.moves.size() != 2 * cells)
            throw std::invalid_argument("a tile has two moves for each of its cells");
        for (const std::uint8_t move : tile.moves)
            if (move > kNoMove) throw std::invalid_argument("a move is a code from 0 to 8");
        found_.rows = tile.rows;
        found_.columns = tile.columns;
        found_.path.assign(cells, -1);
        found_.place.assign(cells, 0);
    }

    TilePaths trace() {
        const int cells = tile_.rows * tile_.columns;
        // Paths begin where a move leaves the tile; what is left over are cycles, cut anywhere.
        for (int cell = 0; cell < cells; ++cell)
            for (int slot = 0; slot < 2; ++slot)
                if (seen(cell) < 0 && target(cell, move(cell, slot)) < 0) follow(cell, slot);
        for (int cell = 0; cell < cells; ++cell)
            if (seen(cell) < 0) follow(cell, 0);
        return std::move(found_);
    }

  private:
    std::int32_t& seen(int cell) { return found_.path[static_cast<std::size_t>(cell)]; }

    std::uint8_t move(int cell, int slot) const {
        return tile_.moves[2 * static_cast<std::size_t>(cell) + static_cast<std::size_t>(slot)];
    }

    // The cell that a move leads to, -1 if outside or nowhere.
    int target(int cell, std::uint8_t code) const {
        if (code == kNoMove) return -1;
        const int row = cell / tile_.columns + kKnightMoves[code].first;
        const int column = cell % tile_.columns + kKnightMoves[code].second;
        if (row < 0 || row >= tile_.rows || column < 0 || column >= tile_.columns) return -1;
        return row * tile_.columns + column;
    }

    void follow(int cell, int away) {
        const auto number = static_cast<std::int32_t>(found_.paths.size());
        TilePath path;
        path.first = cell;
        path.before = move(cell, away);
        while (true) {
            seen(cell) = number;
            found_.place[static_cast<std::size_t>(cell)] = path.length++;
            const std::uint8_t on = move(cell, 1 - away);
            const int next = target(cell, on);
            if (next < 0 || next == path.first) {
                path.last = cell;
                path.after = on;
                break;
            }
            if (move(next, 0) != (on ^ 4) && move(next, 1) != (on ^ 4))
                throw std::invalid_argument("a move of a tile is made from one of its cells only");
            away = move(next, 0) == (on ^ 4) ? 0 : 1;
            if (seen(next) >= 0) throw std::invalid_argument("a cell of a tile lies on two paths");
            cell = next;
        }
        found_.paths.push_back(path);
    }

    const Tile& tile_;
    TilePaths found_;
};

} // namespace

TilePaths paths_of(const Tile& tile) {
    return Tracer(tile).trace();
}

} // namespace ktsolve::divide
