// Sudoku bands and grids, for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "convert.hpp"
#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::python {
namespace {

using namespace nb::literals;
using namespace ktsolve::sudoku;

using Digits = std::vector<std::uint8_t>;
using DigitArray = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using NumberArray = nb::ndarray<const std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Moves = std::vector<std::pair<std::vector<std::pair<int, int>>, bool>>;
using Box = std::pair<int, int>;

Shape shape_of(const Box& box) {
    const Shape shape{box.first, box.second};
    shape.validate();
    return shape;
}

template <class T, class Array> std::vector<T> from_numpy(const Array& array) {
    return {array.data(), array.data() + array.shape(0)};
}

Digits bands_of(const Shape& shape, const DigitArray& array) {
    Digits digits = from_numpy<std::uint8_t>(array);
    if (digits.size() % static_cast<std::size_t>(shape.band_cells()) != 0)
        throw std::invalid_argument("an array of bands holds whole bands");
    for (const auto digit : digits)
        if (digit >= shape.side()) throw std::invalid_argument("a digit of a band is from 0 to N - 1");
    return digits;
}

// Runs a long call without the interpreter lock and with its monitor.
template <class Call> auto watched(nb::object progress, Call&& call) {
    PythonMonitor monitor(std::move(progress));
    try {
        nb::gil_scoped_release unlocked;
        return call(&monitor);
    } catch (const std::overflow_error& error) {
        PyErr_SetString(PyExc_OverflowError, error.what());
    }
    throw nb::python_error();
}

using Seconds = std::optional<double>;
using Bytes = std::optional<std::uint64_t>;

std::pair<std::string, std::uint64_t> counted(const Completions& found) {
    return {name_of(found.status), found.count};
}

std::tuple<std::string, std::uint64_t, Made<std::uint8_t>> list_bands(Box box, bool reduced, bool keep,
                                                                      Seconds seconds, nb::object progress) {
    const Shape shape = shape_of(box);
    Bands bands;
    std::uint64_t found = 0;
    const Status status = watched(std::move(progress), [&](Monitor* monitor) {
        return walk_bands(shape, reduced, keep, bands, found, make_limits(seconds, {}), monitor);
    });
    return std::make_tuple(name_of(status), found, to_numpy(std::move(bands)));
}

Made<std::uint32_t> join(Box box, const DigitArray& bands, const Moves& moves, const NumberArray& tried,
                         const NumberArray& labels) {
    const Shape shape = shape_of(box);
    const Digits digits = bands_of(shape, bands);
    std::vector<Move> list;
    for (const auto& [swaps, condition] : moves) list.push_back({swaps, condition});
    auto numbers = from_numpy<std::uint32_t>(tried), result = from_numpy<std::uint32_t>(labels);
    {
        nb::gil_scoped_release unlocked;
        join_classes(shape, digits, list, numbers, result);
    }
    return to_numpy(std::move(result));
}

Digits one_band(const Shape& shape, const DigitArray& band) {
    Digits digits = bands_of(shape, band);
    if (digits.size() != static_cast<std::size_t>(shape.band_cells()))
        throw std::invalid_argument("one band was expected");
    return digits;
}

using PlaceArray = nb::ndarray<const std::uint64_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;

std::tuple<std::string, Made<std::uint8_t>> unrank(GridOrder& order, const PlaceArray& array, Seconds seconds,
                                                   nb::object progress) {
    std::vector<GridPlace> places;
    for (std::size_t i = 0; i < array.shape(0); ++i)
        places.push_back({array(i, 0), array(i, 1), array(i, 2), array(i, 3), array(i, 4)});
    Digits grids;
    const Status status = watched(std::move(progress), [&](Monitor* monitor) {
        return order.unrank(places, grids, make_limits(seconds, {}), monitor);
    });
    return std::make_tuple(name_of(status), to_numpy(std::move(grids)));
}

std::tuple<std::string, Made<std::uint64_t>> rank(GridOrder& order, const DigitArray& array, Seconds seconds,
                                                  nb::object progress) {
    const Digits grids = from_numpy<std::uint8_t>(array);
    std::vector<GridPlace> places;
    const Status status = watched(std::move(progress), [&](Monitor* monitor) {
        return order.rank(grids, places, make_limits(seconds, {}), monitor);
    });
    std::vector<std::uint64_t> numbers;
    for (const auto& each : places)
        numbers.insert(numbers.end(),
                       {each.column_class, each.table, each.names, each.order, each.completion});
    return std::make_tuple(name_of(status), to_numpy(std::move(numbers)));
}

} // namespace

void bind_sudoku(nb::module_& m) {
    nb::class_<ColumnClass>(m, "ColumnClass", "Column sets that count alike; see ktsolve/sudoku/sudoku.hpp.")
        .def_ro("representative", &ColumnClass::representative)
        .def_ro("tables", &ColumnClass::tables)
        .def_ro("bands", &ColumnClass::bands)
        .def_ro("completions", &ColumnClass::completions);
    nb::class_<GridCount>(m, "GridCount", "All classes of column sets.")
        .def_prop_ro("status", [](const GridCount& r) { return name_of(r.status); })
        .def_ro("classes", &GridCount::classes)
        .def_ro("steps", &GridCount::steps);

    nb::class_<GridOrder>(m, "SudokuGridOrder", "All grids in a fixed order; see ktsolve/sudoku/sudoku.hpp.")
        .def(nb::init<>())
        .def(
            "prepare",
            [](GridOrder& order, Box box, Seconds seconds, nb::object progress) {
                const Shape shape = shape_of(box);
                return name_of(watched(std::move(progress), [&](Monitor* monitor) {
                    return order.prepare(shape, make_limits(seconds, {}), monitor);
                }));
            },
            "box"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(), "Makes the tables: the status.")
        .def_prop_ro(
            "classes",
            [](const GridOrder& order) {
                std::vector<std::array<std::uint64_t, 4>> classes;
                for (const auto& each : order.classes())
                    classes.push_back({each.tables, each.names, each.orders, each.completions});
                return classes;
            },
            "Tables, names, orders and completions of each class.")
        .def("unrank", &unrank, "places"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
             "The grids of places of five numbers each: (status, digits from 1).")
        .def("rank", &rank, "grids"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
             "The places of grids, five numbers each: (status, numbers).");

    m.def("sudoku_bands", &list_bands, "box"_a, "reduced"_a, "keep"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(),
          "Bands with box 1 fixed: (status, number, digits of those kept, box by box).");
    m.def("sudoku_join_classes", &join, "box"_a, "bands"_a, "moves"_a, "tried"_a, "labels"_a,
          "Labels of reduced bands after joining the classes that moves, (swaps, if_same_digits), lead "
          "between.");
    m.def(
        "sudoku_column_classes",
        [](Box box, const DigitArray& bands) {
            const Shape shape = shape_of(box);
            return to_numpy(column_classes(shape, bands_of(shape, bands)));
        },
        "box"_a, "bands"_a, "For each band the number of its class in GridCount.classes.");
    m.def(
        "sudoku_grids",
        [](Box box, bool bands_only, Seconds seconds, nb::object progress) {
            const Shape shape = shape_of(box);
            return watched(std::move(progress), [&](Monitor* monitor) {
                return count_grids(shape, bands_only, make_limits(seconds, {}), monitor);
            });
        },
        "box"_a, "bands_only"_a = false, "seconds"_a = nb::none(), "progress"_a = nb::none(),
        "All grids, by classes of column sets of the first band.");
    m.def(
        "sudoku_complete",
        [](Box box, const DigitArray& bands, Seconds seconds, nb::object progress) {
            const Shape shape = shape_of(box);
            const Digits digits = bands_of(shape, bands);
            AllCompletions found = watched(std::move(progress), [&](Monitor* monitor) {
                return complete(shape, digits, make_limits(seconds, {}), monitor);
            });
            return std::make_tuple(name_of(found.status), to_numpy(std::move(found.counts)));
        },
        "box"_a, "bands"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
        "Completions of bands by their column sets: (status, numbers).");
    m.def(
        "sudoku_complete_by_search",
        [](Box box, const DigitArray& band, Seconds seconds, nb::object progress) {
            const Shape shape = shape_of(box);
            const Digits digits = one_band(shape, band);
            return counted(watched(std::move(progress), [&](Monitor* monitor) {
                return complete_by_search(shape, digits.data(), make_limits(seconds, {}), monitor);
            }));
        },
        "box"_a, "band"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
        "Completions of a band by plain search: (status, number).");
    m.def(
        "sudoku_solve",
        [](Box box, const DigitArray& puzzle, std::uint64_t most, std::uint64_t keep, std::uint64_t seed,
           Seconds seconds, nb::object progress) {
            const Shape shape = shape_of(box);
            const Digits digits = from_numpy<std::uint8_t>(puzzle);
            Solutions found = watched(std::move(progress), [&](Monitor* monitor) {
                return solve(shape, digits, most, keep, seed, make_limits(seconds, {}), monitor);
            });
            return std::make_tuple(name_of(found.status), found.count, to_numpy(std::move(found.grids)));
        },
        "box"_a, "puzzle"_a, "most"_a, "keep"_a, "seed"_a = 0, "seconds"_a = nb::none(),
        "progress"_a = nb::none(), "Solutions of a puzzle: (status, number, digits of those kept).");
    nb::class_<InvariantGrids>(m, "SudokuInvariantGrids",
                               "Grids, without names of digits, that a permutation of cells keeps.")
        .def(
            "__init__", [](InvariantGrids* self, Box box) { new (self) InvariantGrids(shape_of(box)); },
            "box"_a)
        .def(
            "count",
            [](const InvariantGrids& self, std::vector<int> images, std::vector<std::vector<int>> symmetries,
               Seconds seconds, nb::object progress) {
                return counted(watched(std::move(progress), [&](Monitor* monitor) {
                    return self.count(images, symmetries, make_limits(seconds, {}), monitor);
                }));
            },
            "images"_a, "symmetries"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
            "(status, number). The symmetries commute with the permutation.");
    m.def(
        "sudoku_least",
        [](Box box, const DigitArray& grid, std::uint64_t images, Seconds seconds, Bytes bytes,
           nb::object progress) {
            const Shape shape = shape_of(box);
            const Digits digits = from_numpy<std::uint8_t>(grid);
            Least found = watched(std::move(progress), [&](Monitor* monitor) {
                return least_grid(shape, digits, images, make_limits(seconds, bytes), monitor);
            });
            return std::make_tuple(name_of(found.status), to_numpy(std::move(found.grid)),
                                   found.automorphisms, found.images);
        },
        "box"_a, "grid"_a, "images"_a, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
        "progress"_a = nb::none(),
        "Least grid that symmetries lead to: (status, grid, automorphisms, cell images of some "
        "transformations to it).");
}

} // namespace ktsolve::python
