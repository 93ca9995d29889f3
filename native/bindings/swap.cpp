// Swap puzzles, for Python.
#include "ktsolve/swap/swap.hpp"

#include <stdexcept>

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using PositionArray = nb::ndarray<nb::numpy, std::uint8_t, nb::shape<-1, -1>, nb::c_contig>;

// One row of `cells` bytes for each position.
PositionArray as_positions(const std::vector<std::uint8_t>& bytes, std::size_t cells) {
    auto* copy = new std::vector<std::uint8_t>(bytes);
    nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
    return PositionArray(copy->data(), {copy->size() / cells, cells}, owner);
}

SwapReport swap_search(const SwapProblem& problem, bool whole, bool count, bool keep,
                       std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                       nb::object progress) {
    PythonMonitor monitor(std::move(progress));
    try {
        nb::gil_scoped_release unlocked;
        return search_swap(problem, {whole, count, keep}, make_limits(seconds, bytes), &monitor);
    } catch (const std::length_error& wide) {
        PyErr_SetString(PyExc_OverflowError, wide.what());
    }
    throw nb::python_error();
}

} // namespace

void bind_swap(nb::module_& m) {
    nb::class_<SwapProblem>(m, "SwapProblem",
                            "Pieces that change places on a graph; see ktsolve/swap/swap.hpp.")
        .def(nb::init<>())
        .def_rw("cells", &SwapProblem::cells)
        .def_rw("jumps", &SwapProblem::jumps)
        .def_rw("colours", &SwapProblem::colours)
        .def_rw("start", &SwapProblem::start)
        .def_rw("goal", &SwapProblem::goal)
        .def_rw("longest", &SwapProblem::longest)
        .def_rw("alternate", &SwapProblem::alternate)
        .def_rw("peaceful", &SwapProblem::peaceful)
        .def_rw("most", &SwapProblem::most);

    nb::class_<SwapReport>(m, "SwapReport", "What a search through positions found and what it cost.")
        .def_prop_ro(
            "status", [](const SwapReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("length", &SwapReport::length)
        .def_ro("exhausted", &SwapReport::exhausted)
        .def_ro("states", &SwapReport::states)
        .def_ro("reached", &SwapReport::reached)
        .def_ro("layers", &SwapReport::layers)
        .def_prop_ro(
            "count", [](const SwapReport& r) { return to_python_int(r.count); },
            "Number of shortest solutions, if they were to be counted and `status` is 'done'.")
        .def_ro("on_shortest", &SwapReport::on_shortest)
        .def_ro("peak_bytes", &SwapReport::peak_bytes)
        .def_ro("kept_layers", &SwapReport::kept_layers)
        .def(
            "line", [](const SwapReport& r, std::size_t cells) { return as_positions(r.line, cells); },
            "cells"_a, "The positions of one shortest solution, a row each.")
        .def(
            "kept", [](const SwapReport& r, std::size_t cells) { return as_positions(r.kept, cells); },
            "cells"_a, "All positions on shortest solutions, by layers, a row each.");

    m.def(
        "swap_search", &swap_search, "problem"_a, "whole"_a = false, "count"_a = false, "keep"_a = false,
        "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(),
        "Search breadth first for the shortest solutions, and count them; `whole` goes on until nothing new "
        "can be reached, `keep` keeps all positions on shortest solutions.");
}

} // namespace ktsolve::python
