// All grids of a shape in a fixed order: the grid of a place, and the place of a grid.
//
// A grid is its top band and what is below. The top band is its column sets and its number among the bands
// with these sets (factorisations.hpp). Column sets are a table and the place of each digit in it
// (tables.hpp): a word in which each place occurs as often as the table says, so that the names of digits are
// a permutation of a multiset, ordered lexicographically. Tables of one class have equally many names, bands
// and completions; so a grid is a number in mixed radix, whose radices depend on the class alone.
#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"
#include "sudoku/completions.hpp"
#include "sudoku/factorisations.hpp"
#include "sudoku/tables.hpp"

namespace ktsolve::sudoku {
namespace {

// Permutations of a word that has each place as often as `times` says.
std::uint64_t arrangements(const std::map<int, std::uint64_t>& times) {
    std::uint64_t result = 1, letters = 0;
    for (const auto& [place, number] : times)
        for (std::uint64_t k = 1; k <= number; ++k)
            result = result * ++letters / k; // a binomial at each step
    return result;
}

std::map<int, std::uint64_t> occurrences(const std::vector<int>& word) {
    std::map<int, std::uint64_t> times;
    for (const int place : word) ++times[place];
    return times;
}

// Permutations of the rest of a word that begins with `place`.
std::uint64_t arrangements_after(std::map<int, std::uint64_t>& times, int place) {
    --times[place];
    const std::uint64_t found = arrangements(times);
    ++times[place];
    return found;
}

// The permutation of a word that has a number in lexicographic order.
std::vector<int> arranged(const std::vector<int>& word, std::uint64_t number) {
    auto times = occurrences(word);
    std::vector<int> result;
    while (result.size() < word.size()) {
        for (const auto& [place, left] : times) {
            if (left == 0) continue;
            const std::uint64_t here = arrangements_after(times, place);
            if (number < here) {
                result.push_back(place);
                break;
            }
            number -= here;
        }
        --times[result.back()];
    }
    return result;
}

std::uint64_t arrangement_number(const std::vector<int>& word) {
    auto times = occurrences(word);
    std::uint64_t number = 0;
    for (const int letter : word) {
        for (const auto& [place, left] : times) {
            if (place == letter) break;
            if (left > 0) number += arrangements_after(times, place);
        }
        --times[letter];
    }
    return number;
}

void check_grid(const Shape& shape, const std::uint8_t* grid) {
    const int side = shape.side();
    const auto all = (std::uint32_t{1} << side) - 1;
    const auto bit = [](std::uint8_t digit) { return std::uint32_t{1} << std::min(digit - 1u, 31u); };
    for (int group = 0; group < side; ++group) {
        std::uint32_t row = 0, column = 0, box = 0;
        for (int at = 0; at < side; ++at) {
            const int top = group / shape.rows * shape.rows + at / shape.columns,
                      left = group % shape.rows * shape.columns + at % shape.columns;
            row |= bit(grid[group * side + at]);
            column |= bit(grid[at * side + group]);
            box |= bit(grid[top * side + left]);
        }
        if (row != all || column != all || box != all)
            throw std::invalid_argument("every row, column and box of a grid holds every digit");
    }
}

} // namespace

struct GridOrder::Parts {
    Shape shape;
    StepCounter counter;
    std::vector<GridClass> classes;
    std::optional<Tables> tables;
    std::optional<Factorisations> factorisations;
    std::optional<Completer> completer; // where two bands or more are below the first

    Parts(const Shape& s, const Limits& limits, Monitor* monitor) : shape(s), counter(limits, monitor) {}

    std::uint64_t completions(const std::vector<std::uint64_t>& bands, const ColumnSets& sets) {
        if (shape.columns == 1) return 1;
        return completer ? (*completer)(sets) : bands[tables->class_of(left_below(sets))];
    }

    ColumnSets left_below(ColumnSets sets) const {
        const std::uint32_t all = (std::uint32_t{1} << shape.side()) - 1;
        for (auto& set : sets) set = all & ~set;
        return sets;
    }

    void prepare() {
        tables.emplace(shape, counter);
        factorisations.emplace(counter);
        const std::vector<std::uint64_t> bands = bands_by_class(shape, *tables, counter);
        if (shape.columns > 2) completer.emplace(shape, *tables, bands, counter);
        for (std::size_t which = 0; which < tables->classes(); ++which) {
            counter.set_progress(which, tables->classes());
            classes.push_back({tables->size(which), arrangements(occurrences(tables->places(which, 0))),
                               bands[which], completions(bands, tables->representative(which))});
        }
    }

    void unrank(const GridPlace& place, std::uint8_t* grid) {
        const GridClass& radices = classes.at(place.column_class);
        if (place.table >= radices.tables || place.names >= radices.names || place.order >= radices.orders ||
            place.completion >= radices.completions)
            throw std::out_of_range("a number of this place is too large for its class");
        const ColumnSets sets =
            tables->sets_of(arranged(tables->places(place.column_class, place.table), place.names));
        std::vector<Completer::Below> bands{{sets, place.order}};
        if (completer) {
            for (auto& below : completer->unrank(sets, place.completion)) bands.push_back(std::move(below));
        } else if (shape.columns == 2) {
            bands.push_back({left_below(sets), place.completion});
        }
        for (const auto& band : bands) {
            factorisations->unrank(band.sets, shape.rows, band.order, grid);
            grid += shape.band_cells();
        }
    }

    GridPlace rank(const std::uint8_t* grid) {
        std::vector<Completer::Below> bands;
        for (int band = 0; band < shape.columns; ++band, grid += shape.band_cells()) {
            ColumnSets sets(static_cast<std::size_t>(shape.side()));
            for (int cell = 0; cell < shape.band_cells(); ++cell)
                sets[static_cast<std::size_t>(cell % shape.side())] |= std::uint32_t{1} << grid[cell];
            const std::uint64_t order = factorisations->rank(sets, shape.rows, grid);
            bands.push_back({std::move(sets), order});
        }
        const Completer::Below top = bands.front();
        GridPlace place{tables->class_of(top.sets), tables->number_in_class(top.sets),
                        arrangement_number(tables->places_of(top.sets)), top.order, 0};
        bands.erase(bands.begin());
        if (completer)
            place.completion = completer->rank(top.sets, bands);
        else if (shape.columns == 2)
            place.completion = bands.front().order;
        return place;
    }

    template <class Work>
    Status run(std::size_t number, const Limits& limits, Monitor* monitor, Work&& work) {
        counter = StepCounter(limits, monitor);
        const Status status = status_of([&] {
            for (std::size_t at = 0; at < number; ++at) {
                counter.set_progress(at, number);
                work(at);
            }
        });
        counter = StepCounter({}, nullptr);
        return status;
    }
};

GridOrder::GridOrder() = default;
GridOrder::~GridOrder() = default;

Status GridOrder::prepare(const Shape& shape, const Limits& limits, Monitor* monitor) {
    parts_ = std::make_unique<Parts>(shape, limits, monitor);
    const Status status = status_of([&] { parts_->prepare(); });
    parts_->counter = StepCounter({}, nullptr);
    return status;
}

const std::vector<GridClass>& GridOrder::classes() const {
    return parts_->classes;
}

const Shape& GridOrder::shape() const {
    return parts_->shape;
}

Status GridOrder::unrank(const std::vector<GridPlace>& places, std::vector<std::uint8_t>& grids,
                         const Limits& limits, Monitor* monitor) {
    const auto cells = static_cast<std::size_t>(parts_->shape.cells());
    return parts_->run(places.size(), limits, monitor, [&](std::size_t at) {
        std::vector<std::uint8_t> grid(cells);
        parts_->unrank(places[at], grid.data());
        for (const std::uint8_t digit : grid) grids.push_back(static_cast<std::uint8_t>(digit + 1));
    });
}

Status GridOrder::rank(const std::vector<std::uint8_t>& grids, std::vector<GridPlace>& places,
                       const Limits& limits, Monitor* monitor) {
    const auto cells = static_cast<std::size_t>(parts_->shape.cells());
    if (grids.size() % cells != 0) throw std::invalid_argument("these are not whole grids");
    return parts_->run(grids.size() / cells, limits, monitor, [&](std::size_t at) {
        check_grid(parts_->shape, grids.data() + at * cells);
        std::vector<std::uint8_t> grid(grids.begin() + static_cast<std::ptrdiff_t>(at * cells),
                                       grids.begin() + static_cast<std::ptrdiff_t>((at + 1) * cells));
        for (auto& digit : grid) --digit;
        places.push_back(parts_->rank(grid.data()));
    });
}

} // namespace ktsolve::sudoku
