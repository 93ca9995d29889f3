// Tours laid from tiles, and tours as arrays of step numbers, for Python.
#include <memory>
#include <stdexcept>

#include <nanobind/stl/tuple.h>

#include "convert.hpp"
#include "ktsolve/common/steps.hpp"
#include "ktsolve/divide/mosaic.hpp"

namespace ktsolve::python {

namespace {

using MovesArray = nb::ndarray<const std::uint8_t, nb::shape<-1, -1, 2>, nb::c_contig, nb::device::cpu>;
using LaidArray = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using StepsArray = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using MadeSteps = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, -1>, nb::c_contig>;

// Not filled with zeros first, as a vector would be: every cell is written exactly once.
struct Room {
    std::unique_ptr<std::int32_t[]> steps;
    std::size_t rows, columns;

    Room(std::int64_t r, std::int64_t c)
        : steps(new std::int32_t[static_cast<std::size_t>(r * c)]), rows(static_cast<std::size_t>(r)),
          columns(static_cast<std::size_t>(c)) {}

    MadeSteps to_numpy() {
        std::int32_t* kept = steps.release();
        nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
        return MadeSteps(kept, {rows, columns}, owner);
    }
};

std::pair<std::string, nb::object> number_tiles(std::vector<int> heights, std::vector<int> widths,
                                                const std::vector<MovesArray>& tiles, const LaidArray& laid,
                                                std::int64_t row, std::int64_t column, int move, int threads,
                                                std::optional<double> seconds, nb::object progress) {
    Mosaic mosaic;
    mosaic.heights = std::move(heights);
    mosaic.widths = std::move(widths);
    for (const MovesArray& moves : tiles)
        mosaic.tiles.push_back({static_cast<int>(moves.shape(0)), static_cast<int>(moves.shape(1)),
                                std::vector<std::uint8_t>(moves.data(), moves.data() + moves.size())});
    mosaic.laid.assign(laid.data(), laid.data() + laid.size());
    PythonMonitor monitor(std::move(progress));
    Room room(mosaic.rows(), mosaic.columns());
    Status status;
    {
        nb::gil_scoped_release unlocked;
        status = number_mosaic(mosaic, {row, column, static_cast<std::uint8_t>(move)}, threads,
                               room.steps.get(), make_limits(seconds, std::nullopt), &monitor);
    }
    if (status != Status::done) return {name_of(status), nb::none()};
    return {name_of(status), nb::cast(room.to_numpy())};
}

StepsView view_of(const StepsArray& steps) {
    return {static_cast<std::int64_t>(steps.shape(0)), static_cast<std::int64_t>(steps.shape(1)),
            steps.data()};
}

StepsReport check(const StepsArray& steps, bool closed, int threads, std::optional<double> seconds,
                  nb::object progress) {
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return check_steps(view_of(steps), closed, threads, make_limits(seconds, std::nullopt), &monitor);
}

nb::bytes as_bytes(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

std::string_view text_of(const nb::bytes& given) {
    return {static_cast<const char*>(given.data()), given.size()};
}

std::string fault_name(StepsFault fault) {
    switch (fault) {
    case StepsFault::not_a_step:
        return "not a step";
    case StepsFault::twice:
        return "twice";
    case StepsFault::no_move:
        return "no move";
    default:
        return "";
    }
}

std::pair<MadeSteps, std::int64_t> walk_moves(const nb::bytes& moves, std::int64_t rows, std::int64_t columns,
                                              std::int64_t start) {
    if (rows < 1 || columns < 1 || start < 0 || start >= rows * columns || rows * columns >= 1LL << 31)
        throw std::invalid_argument("a walk begins on its board");
    Room room(rows, columns);
    const std::string_view text = text_of(moves);
    std::int64_t made;
    {
        nb::gil_scoped_release unlocked;
        made = steps_of_moves(text, rows, columns, start, room.steps.get());
    }
    return {room.to_numpy(), made};
}

} // namespace

void bind_divide(nb::module_& m) {
    m.def("number_mosaic", &number_tiles, "heights"_a, "widths"_a, "tiles"_a, "laid"_a, "row"_a, "column"_a,
          "move"_a, "threads"_a = 1, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "Number the tour that tiles make, see ktsolve/divide/mosaic.hpp: (status, array of step numbers or "
          "None).");

    nb::class_<StepsReport>(m, "StepsReport", "What is wrong with an array of step numbers.")
        .def_prop_ro("status", [](const StepsReport& r) { return name_of(r.status); })
        .def_prop_ro(
            "fault", [](const StepsReport& r) { return fault_name(r.fault); },
            "'' for a tour, else 'not a step', 'twice' or 'no move'.")
        .def_ro("step", &StepsReport::step)
        .def_ro("cell", &StepsReport::cell)
        .def_ro("other", &StepsReport::other);

    m.def("check_steps", &check, "steps"_a, "closed"_a, "threads"_a = 1, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "Is this array of step numbers a knight's tour; the first fault.");
    m.def(
        "steps_as_text",
        [](const StepsArray& steps, int width) {
            std::string text;
            {
                nb::gil_scoped_release unlocked;
                text = steps_as_text(view_of(steps), width);
            }
            return as_bytes(text);
        },
        "steps"_a, "width"_a, "Rows of step numbers as lines of text.");
    m.def(
        "parse_grid",
        [](const nb::bytes& given) {
            ParsedGrid grid;
            const std::string_view text = text_of(given);
            {
                nb::gil_scoped_release unlocked;
                grid = parse_grid(text);
            }
            const auto where = std::pair{grid.bad_line, grid.bad_entry};
            return std::tuple{to_numpy(std::move(grid.steps)), grid.columns, where};
        },
        "text"_a, "Step numbers of a grid as text: (array, columns, (line, entry) of the first fault).");
    m.def(
        "cells_in_order",
        [](const StepsArray& steps) {
            std::vector<std::int32_t> order;
            {
                nb::gil_scoped_release unlocked;
                order = cells_in_order(view_of(steps));
            }
            return to_numpy(std::move(order));
        },
        "steps"_a, "Cell numbers by step; empty unless the steps are a permutation.");
    m.def(
        "moves_of_steps",
        [](const StepsArray& steps, bool closed) {
            std::string text;
            {
                nb::gil_scoped_release unlocked;
                text = moves_of_steps(view_of(steps), closed);
            }
            return as_bytes(text);
        },
        "steps"_a, "closed"_a, "The moves of a tour, a digit 0..7 each.");
    m.def("steps_of_moves", &walk_moves, "moves"_a, "rows"_a, "columns"_a, "start"_a,
          "Step numbers of a walk, and how many of its moves could be made.");
}

} // namespace ktsolve::python
