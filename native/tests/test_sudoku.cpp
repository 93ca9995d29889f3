#include "ktsolve/sudoku/sudoku.hpp"

#include <map>
#include <numeric>

#include "check.hpp"

using namespace ktsolve;
using namespace ktsolve::sudoku;

namespace {

std::uint64_t factorial(int n) {
    return n < 2 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1);
}

std::uint64_t total(const Shape& shape) {
    const GridCount found = count_grids(shape, false, {});
    CHECK(found.status == Status::done);
    std::uint64_t sum = 0;
    for (const auto& each : found.classes) sum += each.bands * each.completions;
    return factorial(shape.side()) * sum;
}

Bands reduced(const Shape& shape) {
    Bands bands;
    std::uint64_t found = 0;
    CHECK(walk_bands(shape, true, true, bands, found, {}) == Status::done);
    CHECK(bands.size() == found * static_cast<std::uint64_t>(shape.band_cells()));
    return bands;
}

std::vector<std::uint8_t> all_grids(const Shape& shape) {
    const std::vector<std::uint8_t> empty(static_cast<std::size_t>(shape.cells()));
    Solutions found = solve(shape, empty, UINT64_MAX, UINT64_MAX, 0, {});
    CHECK(found.status == Status::done);
    CHECK(found.grids.size() == found.count * empty.size());
    return found.grids;
}

void totals() {
    CHECK(total({2, 2}) == 288);
    CHECK(total({2, 3}) == 28200960);
    CHECK(total({3, 2}) == 28200960);
    CHECK(total({4, 2}) == 29136487207403520);
    // Boxes of one row or column: latin squares.
    CHECK(total({1, 1}) == 1 && total({1, 2}) == 2 && total({2, 1}) == 2);
    CHECK(total({1, 5}) == 161280 && total({5, 1}) == 161280);
    const GridCount three = count_grids({3, 3}, false, {});
    std::uint64_t sum = 0, bands = 0;
    for (const auto& each : three.classes) {
        bands += each.bands;
        sum += each.bands * (each.completions / 72);
        CHECK(each.completions % 72 == 0);
    }
    CHECK(three.classes.size() == 44 && bands == 2612736);
    CHECK(sum == 3546146300288 * 72); // 6670903752021072936960 = 3546146300288 * 9! * 72 * 72
    CHECK_THROWS(count_grids({4, 3}, false, {}), std::invalid_argument);
    CHECK_THROWS(count_grids({0, 3}, false, {}), std::invalid_argument);
    CHECK_THROWS(count_grids({5, 4}, false, {}), std::invalid_argument);
}

// Completions by column sets against plain search, for every reduced band.
void completions(const Shape& shape) {
    const Bands bands = reduced(shape);
    const AllCompletions found = complete(shape, bands, {});
    CHECK(found.status == Status::done);
    const auto size = static_cast<std::size_t>(shape.band_cells());
    CHECK(found.counts.size() * size == bands.size());
    for (std::size_t i = 0; i < found.counts.size(); ++i)
        CHECK(complete_by_search(shape, bands.data() + i * size, {}).count == found.counts[i]);
}

void stages() {
    const Shape shape{3, 3};
    const Bands bands = reduced(shape);
    const auto count = static_cast<std::uint32_t>(bands.size() / 27);
    CHECK(count == 36288);
    std::vector<std::uint32_t> numbers(count), labels;
    std::iota(numbers.begin(), numbers.end(), 0u);
    labels = numbers;
    const auto cell = [](int box, int row, int column) { return (box * 3 + row) * 3 + column; };
    std::vector<Move> moves;
    for (int i = 0; i < 2; ++i) {
        Move boxes, rows;
        for (int j = 0; j < 9; ++j) {
            boxes.swaps.emplace_back(cell(i, j / 3, j % 3), cell(i + 1, j / 3, j % 3));
            rows.swaps.emplace_back(cell(j / 3, i, j % 3), cell(j / 3, i + 1, j % 3));
        }
        moves.push_back(boxes);
        moves.push_back(rows);
        for (int box = 0; box < 3; ++box) {
            Move columns;
            for (int row = 0; row < 3; ++row)
                columns.swaps.emplace_back(cell(box, row, i), cell(box, row, i + 1));
            moves.push_back(columns);
        }
    }
    join_classes(shape, bands, moves, numbers, labels);
    CHECK(std::set<std::uint32_t>(labels.begin(), labels.end()).size() == 416);
    for (std::uint32_t i = 0; i < count; ++i) CHECK(labels[i] <= i && labels[labels[i]] == labels[i]);
    // Column sets see no permutation.
    const auto classes = column_classes(shape, bands);
    for (std::uint32_t i = 0; i < count; ++i) CHECK(classes[i] == classes[labels[i]]);

    CHECK_THROWS(join_classes(shape, bands, {{{{0, 27}}, false}}, numbers, labels), std::invalid_argument);
    CHECK_THROWS(join_classes(shape, bands, moves, {count}, labels), std::invalid_argument);
    // An exchange that breaks the rules leads to no band.
    CHECK_THROWS(join_classes(shape, bands, {{{{9, 18}}, false}}, numbers, labels), std::invalid_argument);
}

// The permutations of cells of 2x2 grids, from the definition: those of 16 cells that keep rows, columns,
// boxes.
std::vector<std::vector<int>> symmetries_of_small_grids() {
    std::vector<std::vector<int>> found;
    std::vector<std::vector<int>> lines;
    std::vector<int> line{0, 1, 2, 3};
    do {
        if (line[0] / 2 == line[1] / 2) lines.push_back(line);
    } while (std::next_permutation(line.begin(), line.end()));
    for (const auto& rows : lines)
        for (const auto& columns : lines)
            for (const bool transposed : {false, true}) {
                std::vector<int> images(16);
                for (int i = 0; i < 16; ++i) {
                    const int row = rows[static_cast<std::size_t>(i / 4)],
                              column = columns[static_cast<std::size_t>(i % 4)];
                    images[static_cast<std::size_t>(i)] = transposed ? column * 4 + row : row * 4 + column;
                }
                found.push_back(images);
            }
    return found;
}

std::vector<std::uint8_t> renamed(const std::vector<std::uint8_t>& grid) {
    std::vector<std::uint8_t> name(17), result;
    std::uint8_t names = 0;
    for (const auto digit : grid) {
        if (digit != 0 && name[digit] == 0) name[digit] = ++names;
        result.push_back(name[digit]);
    }
    return result;
}

std::vector<std::uint8_t> moved(const std::vector<std::uint8_t>& grid, const std::vector<int>& images) {
    std::vector<std::uint8_t> result(grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) result[static_cast<std::size_t>(images[i])] = grid[i];
    return renamed(result);
}

void symmetry() {
    const Shape shape{2, 2};
    const auto grids = all_grids(shape);
    CHECK(grids.size() == 288 * 16);
    std::set<std::vector<std::uint8_t>> unnamed;
    for (std::size_t at = 0; at < grids.size(); at += 16) {
        const auto first = grids.begin() + static_cast<std::ptrdiff_t>(at);
        unnamed.insert(renamed({first, first + 16}));
    }
    CHECK(unnamed.size() == 12);
    const auto group = symmetries_of_small_grids();
    CHECK(group.size() == 128);
    const InvariantGrids invariant_grids(shape);
    std::uint64_t sum = 0;
    for (const auto& images : group) {
        std::uint64_t kept = 0;
        for (const auto& grid : unnamed) kept += moved(grid, images) == grid;
        std::vector<std::vector<int>> commuting;
        for (const auto& other : group) {
            bool same = true;
            for (std::size_t cell = 0; cell < 16; ++cell)
                same = same && images[static_cast<std::size_t>(other[cell])] ==
                                   other[static_cast<std::size_t>(images[cell])];
            if (same) commuting.push_back(other);
        }
        CHECK(invariant_grids.count(images, {}, {}).count == kept);
        CHECK(invariant_grids.count(images, commuting, {}).count == kept);
        sum += kept;
    }
    CHECK(sum == 2 * 128);
    std::map<std::vector<std::uint8_t>, int> forms;
    std::mt19937 random(1);
    for (const auto& grid : unnamed) {
        // Once whole, once with some cells emptied: least of all images, and as many ways as lead there.
        for (const bool emptied : {false, true}) {
            auto given = grid;
            if (emptied)
                for (auto& digit : given)
                    if (random() % 2 == 0) digit = 0;
            std::vector<std::uint8_t> least;
            std::uint64_t ways = 0;
            for (const auto& images : group) {
                const auto image = moved(given, images);
                if (least.empty() || image < least) least = image, ways = 0;
                ways += image == least;
            }
            const Least found = least_grid(shape, given, 1000, {});
            CHECK(found.grid == least && found.automorphisms == ways && found.images.size() == ways);
            for (const auto& images : found.images) {
                std::vector<std::uint8_t> image;
                for (const auto from : images) image.push_back(given[from]);
                CHECK(renamed(image) == least);
            }
            if (!emptied) ++forms[found.grid];
        }
    }
    CHECK(forms.size() == 2);
    CHECK_THROWS(invariant_grids.count(std::vector<int>(16), {}, {}), std::invalid_argument);
    CHECK_THROWS(least_grid(shape, std::vector<std::uint8_t>(15), 0, {}), std::invalid_argument);
}

// All grids by their places: those that the search finds, each at its own place.
void order(const Shape& shape) {
    GridOrder all;
    CHECK(all.prepare(shape, {}) == Status::done);
    std::vector<GridPlace> places;
    for (std::uint64_t which = 0; which < all.classes().size(); ++which) {
        const GridClass& radix = all.classes()[which];
        for (std::uint64_t table = 0; table < radix.tables; ++table)
            for (std::uint64_t names = 0; names < radix.names; ++names)
                for (std::uint64_t band = 0; band < radix.orders; ++band)
                    for (std::uint64_t below = 0; below < radix.completions; ++below)
                        places.push_back({which, table, names, band, below});
    }
    const std::size_t cells = static_cast<std::size_t>(shape.cells());
    const Solutions searched = solve(shape, std::vector<std::uint8_t>(cells), UINT64_MAX, UINT64_MAX, 0, {});
    CHECK(searched.count == places.size());
    std::vector<std::uint8_t> grids;
    CHECK(all.unrank(places, grids, {}) == Status::done);
    std::set<std::vector<std::uint8_t>> made, found;
    for (std::size_t at = 0; at < grids.size(); at += cells) {
        made.emplace(grids.begin() + static_cast<std::ptrdiff_t>(at),
                     grids.begin() + static_cast<std::ptrdiff_t>(at + cells));
        found.emplace(searched.grids.begin() + static_cast<std::ptrdiff_t>(at),
                      searched.grids.begin() + static_cast<std::ptrdiff_t>(at + cells));
    }
    CHECK(made.size() == places.size() && made == found);
    std::vector<GridPlace> back;
    CHECK(all.rank(grids, back, {}) == Status::done);
    for (std::size_t at = 0; at < places.size(); ++at) {
        const GridPlace &one = places[at], &other = back[at];
        CHECK(one.column_class == other.column_class && one.table == other.table &&
              one.names == other.names && one.order == other.order && one.completion == other.completion);
    }
    grids[0] = static_cast<std::uint8_t>(grids[0] + 96);
    CHECK_THROWS(all.rank(grids, back, {}), std::invalid_argument);
    grids[0] = grids[1];
    CHECK_THROWS(all.rank(grids, back, {}), std::invalid_argument);
    grids[0] = 0;
    CHECK_THROWS(all.rank(grids, back, {}), std::invalid_argument);
    places[0].names = all.classes()[0].names;
    CHECK_THROWS(all.unrank(places, grids, {}), std::out_of_range);
    places[0].column_class = all.classes().size();
    CHECK_THROWS(all.unrank(places, grids, {}), std::out_of_range);
}

void invariant() {
    const Shape shape{2, 3};
    const InvariantGrids grids(shape);
    std::vector<int> half_turn(36), flip(36), exchange(36);
    for (int cell = 0; cell < 36; ++cell) {
        half_turn[static_cast<std::size_t>(cell)] = 35 - cell;
        flip[static_cast<std::size_t>(cell)] = (5 - cell / 6) * 6 + cell % 6;
        exchange[static_cast<std::size_t>(cell)] = cell < 6 ? cell + 6 : cell < 12 ? cell - 6 : cell;
    }
    const Completions alone = grids.count(half_turn, {}, {}), fewer = grids.count(half_turn, {flip}, {});
    CHECK(alone.status == Status::done && alone.count > 0);
    CHECK(fewer.status == Status::done && fewer.count == alone.count);
    CHECK_THROWS(grids.count(half_turn, {exchange}, {}), std::invalid_argument);
    CHECK_THROWS(grids.count({}, {}, {}), std::invalid_argument);
    // 155,492,352 grids, counted one by one if nothing commutes.
    std::vector<int> turned(81);
    for (int cell = 0; cell < 81; ++cell) turned[static_cast<std::size_t>(cell)] = 80 - cell;
    const InvariantGrids three({3, 3});
    const Limits short_time{0.01, UINT64_MAX};
    CHECK(three.count(turned, {}, short_time).status == Status::out_of_time);
    const Shape large{3, 4};
    CHECK_THROWS(InvariantGrids{large}, std::invalid_argument);
}

void limits() {
    Bands none;
    std::uint64_t found = 0;
    const Limits short_time{1e-4, UINT64_MAX};
    CHECK(walk_bands({3, 3}, false, false, none, found, short_time) == Status::out_of_time);
    CHECK(count_grids({3, 3}, false, short_time).status == Status::out_of_time);
    const Bands bands = reduced({3, 3});
    CHECK(complete_by_search({3, 3}, bands.data(), short_time).status == Status::out_of_time);
    const std::vector<std::uint8_t> empty(81);
    CHECK(solve({3, 3}, empty, UINT64_MAX, 0, 0, short_time).status == Status::out_of_time);
    CHECK(least_grid({3, 3}, empty, 0, {1e9, 1 << 20}).status == Status::out_of_memory);
    CHECK(solve({3, 3}, empty, 5, 2, 7, {}).count == 5);
    CHECK(solve({3, 3}, empty, 5, 2, 7, {}).grids.size() == 2 * 81);
}

} // namespace

int main() {
    totals();
    invariant();
    completions({2, 2});
    completions({2, 3});
    completions({3, 2});
    completions({1, 4});
    stages();
    symmetry();
    order({2, 2});
    order({4, 1});
    limits();
    return finish("sudoku");
}
