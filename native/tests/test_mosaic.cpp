// Mosaics against the definition of a tour, and the check of tours.
//
// Threads: divide/check.cpp divide/mosaic.cpp
#include "ktsolve/divide/mosaic.hpp"

#include <numeric>
#include <string>

#include "check.hpp"
#include "ktsolve/common/steps.hpp"

using namespace ktsolve;

namespace {

// A closed tour of 5x6, found once; the tests below need nothing of it but that.
const std::vector<std::int32_t> kTour = {1,  10, 5,  22, 25, 16, 4,  21, 2, 17, 6,  23, 11, 30, 9,
                                         24, 15, 26, 20, 3,  28, 13, 18, 7, 29, 12, 19, 8,  27, 14};

bool is_move(std::int64_t columns, std::int64_t a, std::int64_t b) {
    const std::int64_t down = std::abs(a / columns - b / columns),
                       right = std::abs(a % columns - b % columns);
    return down + right == 3 && down != 0 && right != 0;
}

// A tour by definition: place every step, then look at each move.
bool is_tour(const StepsView& view, bool closed) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(view.cells()), -1);
    for (std::int64_t cell = 0; cell < view.cells(); ++cell) {
        const std::int64_t step = view.steps[cell] - 1;
        if (step < 0 || step >= view.cells() || at[static_cast<std::size_t>(step)] >= 0) return false;
        at[static_cast<std::size_t>(step)] = cell;
    }
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
        if (!is_move(view.columns, at[i], at[i + 1])) return false;
    return !closed || is_move(view.columns, at.back(), at.front());
}

std::vector<std::int64_t> in_order(const std::vector<std::int32_t>& steps) {
    std::vector<std::int64_t> at(steps.size());
    for (std::size_t cell = 0; cell < steps.size(); ++cell)
        at[static_cast<std::size_t>(steps[cell] - 1)] = static_cast<std::int64_t>(cell);
    return at;
}

std::uint8_t code_of(std::int64_t columns, std::int64_t from, std::int64_t to) {
    for (std::uint8_t code = 0; code < 8; ++code)
        if (to / columns - from / columns == kKnightMoves[code].first &&
            to % columns - from % columns == kKnightMoves[code].second)
            return code;
    return kNoMove;
}

// The moves of a tour, cut into tiles along the given bands: whatever the cuts, it is the same tour.
Mosaic cut_up(const std::vector<std::int32_t>& steps, int columns, bool closed, std::vector<int> heights,
              std::vector<int> widths) {
    const auto at = in_order(steps);
    std::vector<std::uint8_t> moves(2 * steps.size(), kNoMove);
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto cell = 2 * static_cast<std::size_t>(at[i]);
        if (closed || i > 0) moves[cell] = code_of(columns, at[i], at[(i + at.size() - 1) % at.size()]);
        if (closed || i + 1 < at.size()) moves[cell + 1] = code_of(columns, at[i], at[(i + 1) % at.size()]);
    }
    Mosaic mosaic{std::move(heights), std::move(widths), {}, {}};
    int top = 0;
    for (const int height : mosaic.heights) {
        int left = 0;
        for (const int width : mosaic.widths) {
            Tile tile{height, width, {}};
            for (int r = top; r < top + height; ++r)
                for (int c = left; c < left + width; ++c)
                    for (int slot = 0; slot < 2; ++slot)
                        tile.moves.push_back(moves[static_cast<std::size_t>(2 * (r * columns + c) + slot)]);
            mosaic.laid.push_back(static_cast<std::int32_t>(mosaic.tiles.size()));
            mosaic.tiles.push_back(std::move(tile));
            left += width;
        }
        top += height;
    }
    return mosaic;
}

std::vector<int> random_bands(std::mt19937& random, int side) {
    std::vector<int> bands;
    while (side > 0) {
        bands.push_back(1 + static_cast<int>(random() % static_cast<unsigned>(side)));
        side -= bands.back();
    }
    return bands;
}

void any_cutting_up_numbers_the_same_tour() {
    std::mt19937 random(1);
    const int rows = 5, columns = 6, cells = rows * columns;
    CHECK(is_tour({rows, columns, kTour.data()}, true));
    const auto at = in_order(kTour);
    for (int round = 0; round < 500; ++round) {
        const bool closed = round % 3 != 0, forwards = round % 2 != 0;
        const Mosaic mosaic =
            cut_up(kTour, columns, closed, random_bands(random, rows), random_bands(random, columns));
        CHECK(mosaic.rows() == rows && mosaic.columns() == columns);
        int first = closed ? static_cast<int>(random() % cells) : (forwards ? 0 : cells - 1);
        const int second = (first + (forwards ? 1 : cells - 1)) % cells;
        const std::int64_t from = at[static_cast<std::size_t>(first)],
                           to = at[static_cast<std::size_t>(second)];
        std::vector<std::int32_t> steps(cells, -1);
        const Beginning beginning{from / columns, from % columns, code_of(columns, from, to)};
        CHECK(number_mosaic(mosaic, beginning, 1 + round % 4, steps.data(), {}, nullptr) == Status::done);
        for (int i = 0; i < cells; ++i) {
            const int then = (first + (forwards ? i : cells - i)) % cells;
            CHECK(steps[static_cast<std::size_t>(at[static_cast<std::size_t>(then)])] == i + 1);
        }
    }
}

void what_is_no_mosaic_is_refused() {
    std::vector<std::int32_t> steps(60);
    const auto number = [&](const Mosaic& mosaic, Beginning beginning) {
        return number_mosaic(mosaic, beginning, 1, steps.data(), {}, nullptr);
    };
    const Mosaic good = cut_up(kTour, 6, true, {2, 3}, {3, 3});
    const std::uint8_t move = good.tiles[0].moves[0];
    CHECK(number(good, {0, 0, move}) == Status::done);
    CHECK_THROWS(number(good, {5, 0, move}), std::invalid_argument);
    Mosaic bad = good;
    bad.laid[0] = 4;
    CHECK_THROWS(number(bad, {0, 0, move}), std::invalid_argument);
    bad = good;
    bad.laid.pop_back();
    CHECK_THROWS(number(bad, {0, 0, move}), std::invalid_argument);
    bad = good;
    bad.laid[0] = 2; // three rows where there are two
    CHECK_THROWS(number(bad, {0, 0, move}), std::invalid_argument);
    bad = good;
    bad.tiles[0].moves[0] = 9;
    CHECK_THROWS(number(bad, {0, 0, move}), std::invalid_argument);
    bad = good;
    bad.tiles[0].moves.pop_back();
    CHECK_THROWS(number(bad, {0, 0, move}), std::invalid_argument);
    // Every single wrong move is noticed: it leads off the board, is made from one side, or parts the tour.
    for (std::size_t tile = 0; tile < good.tiles.size(); ++tile)
        for (std::size_t i = 0; i < good.tiles[tile].moves.size(); ++i)
            for (std::uint8_t other = 0; other <= kNoMove; ++other) {
                if (other == good.tiles[tile].moves[i]) continue;
                bad = good;
                bad.tiles[tile].moves[i] = other;
                bool numbered = true;
                try {
                    numbered = number(bad, {0, 0, move}) == Status::done;
                } catch (const std::invalid_argument&) {
                    numbered = false;
                }
                CHECK(!numbered);
            }
    // Two tours side by side are not one.
    Mosaic two = cut_up(kTour, 6, true, {5}, {6});
    two.widths = {6, 6};
    two.laid = {0, 0};
    CHECK_THROWS(number(two, {0, 0, move}), std::invalid_argument);
}

void the_check_agrees_with_the_definition() {
    std::mt19937 random(2);
    int valid = 0;
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::int32_t> steps = kTour;
        const auto pick = [&] { return random() % steps.size(); };
        if (round % 4 == 1) std::swap(steps[pick()], steps[pick()]);
        if (round % 4 == 2) steps[pick()] = static_cast<std::int32_t>(random() % 34) - 1;
        if (round % 4 == 3) // begin elsewhere: an open tour if it is a closed one
            for (std::int32_t& step : steps) step = (step + 7) % 30 + 1;
        const bool closed = random() % 2 == 0;
        const StepsView view{5, 6, steps.data()};
        const StepsReport report = check_steps(view, closed, 1 + round % 4, {}, nullptr);
        CHECK((report.fault == StepsFault::none) == is_tour(view, closed));
        valid += report.fault == StepsFault::none;
        if (report.fault == StepsFault::not_a_step || report.fault == StepsFault::twice)
            CHECK(steps[static_cast<std::size_t>(report.cell)] == report.step);
        if (report.fault == StepsFault::twice)
            CHECK(report.other < report.cell && steps[static_cast<std::size_t>(report.other)] == report.step);
        if (report.fault == StepsFault::no_move) CHECK(!is_move(6, report.cell, report.other));
    }
    CHECK(valid > 1000 && valid < 2500);
}

void text_and_moves_there_and_back() {
    const StepsView view{5, 6, kTour.data()};
    const std::string text = steps_as_text(view, 3);
    CHECK(text.substr(0, 24) == "  1  10   5  22  25  16\n" && text.size() == 30 * 4);
    const ParsedGrid grid = parse_grid(text);
    CHECK(grid.steps == kTour && grid.columns == 6 && grid.bad_line == 0);
    CHECK(parse_grid("1 2\n3 x\n").bad_line == 2 && parse_grid("1 2\n3 x\n").bad_entry == 2);
    CHECK(parse_grid("1 2\n\n3\n").bad_line == 3 && parse_grid("1 2\n\n3\n").bad_entry == 0);
    CHECK(parse_grid("1 2147483648").bad_entry == 2 && parse_grid("2147483647").steps.size() == 1);
    CHECK(parse_grid("99999999999").bad_entry == 1 && parse_grid("").columns == 0);
    for (const bool closed : {false, true}) {
        const std::string moves = moves_of_steps(view, closed);
        CHECK(moves.size() == (closed ? 30U : 29U));
        std::vector<std::int32_t> steps(30);
        CHECK(steps_of_moves(moves, 5, 6, 0, steps.data()) == static_cast<std::int64_t>(moves.size()));
        CHECK(steps == kTour);
        std::string cut = moves;
        cut[10] = 'x';
        CHECK(steps_of_moves(cut, 5, 6, 0, steps.data()) == 10);
        CHECK(steps_of_moves(moves + "0", 5, 6, 0, steps.data()) == static_cast<std::int64_t>(moves.size()));
    }
    const auto order = cells_in_order(view);
    for (std::size_t i = 0; i < order.size(); ++i)
        CHECK(kTour[static_cast<std::size_t>(order[i])] == static_cast<std::int32_t>(i + 1));
    const std::vector<std::int32_t> twice{1, 1};
    CHECK(cells_in_order({1, 2, twice.data()}).empty());
}

} // namespace

int main() {
    any_cutting_up_numbers_the_same_tour();
    what_is_no_mosaic_is_refused();
    the_check_agrees_with_the_definition();
    text_and_moves_there_and_back();
    return finish("mosaic");
}
