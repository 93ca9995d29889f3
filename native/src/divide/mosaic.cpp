// Numbers the steps of a tour that is laid of tiles: the paths of the tiles, followed from tile to tile.
#include "ktsolve/divide/mosaic.hpp"

#include <numeric>
#include <stdexcept>

#include "common/workers.hpp"
#include "divide/tile_paths.hpp"

namespace ktsolve {

std::int64_t Mosaic::rows() const {
    return std::accumulate(heights.begin(), heights.end(), std::int64_t{0});
}

std::int64_t Mosaic::columns() const {
    return std::accumulate(widths.begin(), widths.end(), std::int64_t{0});
}

namespace {

using divide::TilePath;
using divide::TilePaths;

[[noreturn]] void no_tour(const char* why) {
    throw std::invalid_argument(why);
}

// Bands along one side: where each begins, and which one a row or column lies in.
struct Bands {
    std::vector<std::int64_t> begins;
    std::vector<std::int32_t> of;

    explicit Bands(const std::vector<int>& sizes) {
        std::int64_t at = 0;
        for (std::size_t band = 0; band < sizes.size(); ++band) {
            if (sizes[band] < 1) no_tour("a band has at least one row or column");
            begins.push_back(at);
            at += sizes[band];
            of.resize(static_cast<std::size_t>(at), static_cast<std::int32_t>(band));
        }
    }

    std::int64_t size() const { return static_cast<std::int64_t>(of.size()); }
};

// A path of one tile as a piece of the tour: cell `place` has number `base` or, walked backwards, counts
// down from it.
struct Piece {
    std::int32_t base = 0;
    std::int32_t sign = 0; // 1 or -1, 0 as long as the walk has not been there
};

class Numbering {
  public:
    Numbering(const Mosaic& mosaic, int threads, const Limits& limits, Monitor* monitor)
        : mosaic_(mosaic), down_(mosaic.heights), right_(mosaic.widths), watch_(limits, monitor),
          workers_(threads, watch_) {
        const std::size_t laid = mosaic.heights.size() * mosaic.widths.size();
        if (laid == 0 || mosaic.laid.size() != laid) no_tour("there is one tile for each place");
        if (cells() >= std::int64_t{1} << 31) no_tour("a board has less than 2^31 cells");
        for (const Tile& tile : mosaic.tiles) paths_.push_back(divide::paths_of(tile));
        first_piece_.reserve(laid + 1);
        std::size_t pieces = 0;
        for (std::size_t place = 0; place < laid; ++place) {
            const std::int32_t tile = mosaic.laid[place];
            if (tile < 0 || tile >= static_cast<std::int32_t>(paths_.size())) no_tour("no such tile");
            const TilePaths& paths = paths_[static_cast<std::size_t>(tile)];
            if (paths.rows != mosaic.heights[place / mosaic.widths.size()] ||
                paths.columns != mosaic.widths[place % mosaic.widths.size()])
                no_tour("a tile does not fit its place");
            first_piece_.push_back(static_cast<std::int32_t>(pieces));
            pieces += paths.paths.size();
        }
        pieces_.resize(pieces);
    }

    void walk(const Beginning& beginning);
    void write(std::int32_t* steps);

  private:
    struct Stop { // a cell, as the walk sees it
        std::size_t place;
        const TilePaths* tile;
        std::int64_t row, column; // of the tile's corner
        int cell;                 // in the tile
    };

    std::int64_t cells() const { return down_.size() * right_.size(); }

    Stop stop_at(std::int64_t row, std::int64_t column) const {
        const auto i = static_cast<std::size_t>(down_.of[static_cast<std::size_t>(row)]);
        const auto j = static_cast<std::size_t>(right_.of[static_cast<std::size_t>(column)]);
        const std::size_t place = i * mosaic_.widths.size() + j;
        const TilePaths* tile = &paths_[static_cast<std::size_t>(mosaic_.laid[place])];
        const std::int64_t top = down_.begins[i], left = right_.begins[j];
        return {place, tile, top, left, static_cast<int>((row - top) * tile->columns + column - left)};
    }

    Piece& piece(const Stop& stop) {
        const auto path = stop.tile->path[static_cast<std::size_t>(stop.cell)];
        return pieces_[static_cast<std::size_t>(first_piece_[stop.place] + path)];
    }

    // Goes along the path that is entered at `stop` by the move `came`, and returns the move that leaves it
    // and, in `stop`, the cell it leaves from.
    std::uint8_t pass(Stop& stop, std::uint8_t came, std::int64_t number);

    const Mosaic& mosaic_;
    Bands down_, right_;
    std::vector<TilePaths> paths_;
    std::vector<std::int32_t> first_piece_; // of every place
    std::vector<Piece> pieces_;
    std::int64_t shift_ = 0; // steps before step 1, on the piece that it stands on
    Watch watch_;
    Workers workers_;
};

std::uint8_t Numbering::pass(Stop& stop, std::uint8_t came, std::int64_t number) {
    const auto cell = static_cast<std::size_t>(stop.cell);
    const TilePath& path = stop.tile->paths[static_cast<std::size_t>(stop.tile->path[cell])];
    Piece& passed = piece(stop);
    if (passed.sign != 0) no_tour("the tiles make more than one tour, or a cell is reached twice");
    const std::uint8_t back = came == kNoMove ? kNoMove : came ^ 4;
    if (stop.cell == path.first && path.before == back) {
        passed = {static_cast<std::int32_t>(number), 1};
        stop.cell = path.last;
        return path.after;
    }
    if (stop.cell == path.last && path.after == back) {
        passed = {static_cast<std::int32_t>(number + path.length - 1), -1};
        stop.cell = path.first;
        return path.before;
    }
    no_tour("a move between tiles is made from one side only");
}

void Numbering::walk(const Beginning& beginning) {
    if (beginning.row < 0 || beginning.row >= down_.size() || beginning.column < 0 ||
        beginning.column >= right_.size() || beginning.move > kNoMove)
        no_tour("the tour begins on the board, with one of the eight moves");
    // From the end of the first path that lies behind, so that every path is walked as a whole.
    Stop stop = stop_at(beginning.row, beginning.column);
    const auto at = static_cast<std::size_t>(stop.cell);
    const TilePath& path = stop.tile->paths[static_cast<std::size_t>(stop.tile->path[at])];
    const Tile& tile = mosaic_.tiles[static_cast<std::size_t>(mosaic_.laid[stop.place])];
    const std::int32_t place = stop.tile->place[at];
    // The first move leads along the path, or against it. Of its two moves a cell's second may be its last.
    const auto along = [&](std::int32_t here, int cell) {
        if (here + 1 == path.length) return path.after;
        for (int slot = 0; slot < 2; ++slot) {
            const std::uint8_t move =
                tile.moves[2 * static_cast<std::size_t>(cell) + static_cast<std::size_t>(slot)];
            if (move == kNoMove) continue;
            const int row = cell / tile.columns + kKnightMoves[move].first;
            const int column = cell % tile.columns + kKnightMoves[move].second;
            if (row < 0 || row >= tile.rows || column < 0 || column >= tile.columns) continue;
            const auto next = static_cast<std::size_t>(row * tile.columns + column);
            if (stop.tile->path[next] == stop.tile->path[at] && stop.tile->place[next] == here + 1)
                return move;
        }
        return kNoMove;
    };
    const bool forwards = along(place, stop.cell) == beginning.move;
    shift_ = forwards ? place : path.length - 1 - place;
    stop.cell = forwards ? path.first : path.last;
    const std::uint8_t before = forwards ? path.before : path.after;
    if (before == kNoMove && shift_ != 0) no_tour("an open tour begins at one of its ends");
    std::uint8_t came = before == kNoMove ? kNoMove : before ^ 4;
    const std::int64_t first_row = stop.row + stop.cell / stop.tile->columns;
    const std::int64_t first_column = stop.column + stop.cell % stop.tile->columns;
    std::int64_t number = 0;
    std::size_t passed = 0;
    while (true) {
        const auto length =
            stop.tile->paths[static_cast<std::size_t>(stop.tile->path[static_cast<std::size_t>(stop.cell)])]
                .length;
        came = pass(stop, came, number);
        number += length;
        if ((++passed & 0xffff) == 0) workers_.poll();
        if (came == kNoMove) break;
        const std::int64_t row = stop.row + stop.cell / stop.tile->columns + kKnightMoves[came].first;
        const std::int64_t column = stop.column + stop.cell % stop.tile->columns + kKnightMoves[came].second;
        if (number == cells() && row == first_row && column == first_column && before == (came ^ 4)) break;
        if (row < 0 || row >= down_.size() || column < 0 || column >= right_.size())
            no_tour("a move leaves the board");
        stop = stop_at(row, column);
    }
    if (number != cells()) no_tour("the tiles make a tour that misses some cells");
    if ((came == kNoMove) != (before == kNoMove)) no_tour("the tour does not end as it begins");
}

void Numbering::write(std::int32_t* steps) {
    const std::int64_t whole = cells(), width = right_.size();
    workers_.run(mosaic_.heights.size(), [&](int worker, u64 band) {
        workers_.tick(worker);
        const auto i = static_cast<std::size_t>(band);
        for (std::size_t j = 0; j < mosaic_.widths.size(); ++j) {
            const std::size_t place = i * mosaic_.widths.size() + j;
            const TilePaths& tile = paths_[static_cast<std::size_t>(mosaic_.laid[place])];
            const Piece* pieces = pieces_.data() + first_piece_[place];
            for (int row = 0; row < tile.rows; ++row) {
                std::int32_t* to = steps + (down_.begins[i] + row) * width + right_.begins[j];
                const auto from = static_cast<std::size_t>(row) * static_cast<std::size_t>(tile.columns);
                for (int column = 0; column < tile.columns; ++column) {
                    const std::size_t cell = from + static_cast<std::size_t>(column);
                    const Piece& piece = pieces[tile.path[cell]];
                    const std::int64_t number = piece.base + piece.sign * tile.place[cell] - shift_;
                    to[column] = static_cast<std::int32_t>(number < 0 ? number + whole + 1 : number + 1);
                }
            }
        }
    });
}

} // namespace

Status number_mosaic(const Mosaic& mosaic, const Beginning& beginning, int threads, std::int32_t* steps,
                     const Limits& limits, Monitor* monitor) {
    return status_of([&] {
        Numbering numbering(mosaic, threads, limits, monitor);
        numbering.walk(beginning);
        numbering.write(steps);
    });
}

} // namespace ktsolve
