// The Python face of the native core. Nothing is computed here: arguments are checked and converted, the
// interpreter lock is released, and a monitor hands Ctrl-C and progress back to Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>

#include "ktsolve/frontier.hpp"
#include "ktsolve/join.hpp"
#include "ktsolve/search.hpp"
#include "shared.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ktsolve;
using namespace ktsolve::python;

namespace {

using EdgeArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using FlagArray = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using CycleArray = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, -1>, nb::c_contig>;

Graph make_graph(int vertices, const EdgeArray& edges, const FlagArray& required) {
    Graph graph;
    graph.vertices = vertices;
    for (std::size_t i = 0; i < edges.shape(0); ++i) graph.edges.emplace_back(edges(i, 0), edges(i, 1));
    for (std::size_t i = 0; i < required.shape(0); ++i) graph.required.push_back(required(i));
    graph.validate();
    return graph;
}

nb::int_ to_python_int(const std::vector<std::uint64_t>& limbs) {
    std::string hex = "0";
    for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(*limb));
        hex += digits;
    }
    PyObject* value = PyLong_FromString(hex.c_str(), nullptr, 16);
    if (value == nullptr) throw nb::python_error();
    return nb::steal<nb::int_>(value);
}

FrontierReport frontier_count(int vertices, const EdgeArray& edges, const FlagArray& required,
                              std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                              nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return count_cycles_by_frontier(graph, make_limits(seconds, bytes), &monitor);
}

JoinReport join_count(int vertices, const EdgeArray& edges, const FlagArray& required, const JoinPlan& plan,
                      int threads, std::uint64_t modulus, std::pair<std::uint64_t, std::uint64_t> part,
                      std::pair<std::vector<int>, std::vector<int>> classes, std::string spill,
                      std::string key, std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                      nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    const JoinSettings settings{threads,       modulus,        part.first,       part.second,
                                classes.first, classes.second, std::move(spill), std::move(key)};
    PythonMonitor monitor(std::move(progress));
    try {
        nb::gil_scoped_release unlocked;
        return count_cycles_by_join(graph, plan, settings, make_limits(seconds, bytes), &monitor);
    } catch (const SpillFailed& failed) {
        PyErr_SetString(PyExc_OSError, failed.what());
    } catch (const std::length_error& wide) {
        PyErr_SetString(PyExc_OverflowError, wide.what());
    }
    throw nb::python_error();
}

// Search together with the number of vertices, which gives the shape of the arrays it returns.
class PythonSearch {
  public:
    PythonSearch(int vertices, const EdgeArray& edges, const FlagArray& required,
                 std::vector<std::vector<int>> links, std::vector<std::pair<int, int>> anchors,
                 std::uint64_t seed)
        : vertices_(vertices), search_(SearchQuestion{make_graph(vertices, edges, required), std::move(links),
                                                      std::move(anchors), seed}) {}

    std::pair<std::string, CycleArray> run(std::uint64_t most, bool keep, std::optional<double> seconds,
                                           nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        auto* cycles = new std::vector<std::int32_t>();
        nb::capsule owner(cycles,
                          [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = search_.run(most, keep, *cycles, make_limits(seconds, std::nullopt), &monitor);
        }
        const std::size_t width = static_cast<std::size_t>(std::max(vertices_, 1));
        return {name_of(status), CycleArray(cycles->data(), {cycles->size() / width, width}, owner)};
    }

    const Search& search() const { return search_; }

  private:
    int vertices_;
    Search search_;
};

} // namespace

NB_MODULE(_native, m) {
    m.doc() = "Native core of ktsolve: counting and searching on plain graphs.";

    nb::class_<FrontierReport>(m, "FrontierReport", "What a frontier count found and what it cost.")
        .def_prop_ro(
            "status", [](const FrontierReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_prop_ro(
            "count", [](const FrontierReport& r) { return to_python_int(r.count); },
            "Number of Hamiltonian cycles; meaningful when status is 'done'.")
        .def_ro("peak_states", &FrontierReport::peak_states)
        .def_ro("total_states", &FrontierReport::total_states)
        .def_ro("transitions", &FrontierReport::transitions)
        .def_ro("peak_bytes", &FrontierReport::peak_bytes)
        .def_ro("eliminated", &FrontierReport::eliminated)
        .def_ro("widest", &FrontierReport::widest)
        .def_ro("limbs", &FrontierReport::limbs);

    m.attr("WIDEST_FRONTIER") = kWidestFrontier;
    m.def("frontier_count", &frontier_count, "vertices"_a, "edges"_a, "required"_a, "seconds"_a = nb::none(),
          "bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Count the Hamiltonian cycles that use every required edge, eliminating vertices in the order 0, "
          "1, 2, "
          "...; `progress(step, total, states)` is called about 20 times a second.");

    nb::class_<JoinPlan>(m, "JoinPlan", "How a graph is cut for a two-sided join; see ktsolve/join.hpp.")
        .def(nb::init<>())
        .def_rw("top", &JoinPlan::top)
        .def_rw("bottom", &JoinPlan::bottom)
        .def_rw("middle", &JoinPlan::middle)
        .def_rw("top_absorbed", &JoinPlan::top_absorbed)
        .def_rw("bottom_absorbed", &JoinPlan::bottom_absorbed)
        .def_rw("top_pulled", &JoinPlan::top_pulled)
        .def_rw("bottom_pulled", &JoinPlan::bottom_pulled)
        .def_rw("top_mirror", &JoinPlan::top_mirror)
        .def_rw("bottom_mirror", &JoinPlan::bottom_mirror)
        .def_rw("flip", &JoinPlan::flip)
        .def_rw("mirror_joins", &JoinPlan::mirror_joins)
        .def_rw("split", &JoinPlan::split)
        .def_rw("colour", &JoinPlan::colour)
        .def_rw("classes", &JoinPlan::classes);

    nb::class_<LayerReport>(m, "LayerReport", "States after one step of a half.")
        .def_ro("vertex", &LayerReport::vertex)
        .def_ro("states", &LayerReport::states)
        .def_ro("kept", &LayerReport::kept)
        .def_ro("groups", &LayerReport::groups)
        .def_ro("bytes", &LayerReport::bytes);

    nb::class_<JoinReport>(m, "JoinReport", "What a join count found and what it cost.")
        .def_prop_ro(
            "status", [](const JoinReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &JoinReport::overflow)
        .def_prop_ro(
            "count", [](const JoinReport& r) { return to_python_int(r.count); },
            "Number of Hamiltonian cycles times `divisor`, or its residue; meaningful when status is 'done' "
            "and `overflow` is false.")
        .def_ro("divisor", &JoinReport::divisor)
        .def_ro("modulus", &JoinReport::modulus)
        .def_ro("top", &JoinReport::top)
        .def_ro("bottom", &JoinReport::bottom)
        .def_ro("transitions", &JoinReport::transitions)
        .def_ro("patterns", &JoinReport::patterns)
        .def_ro("extended", &JoinReport::extended)
        .def_ro("tables", &JoinReport::tables)
        .def_ro("table_bytes", &JoinReport::table_bytes)
        .def_ro("peak_bytes", &JoinReport::peak_bytes)
        .def_ro("seconds_top", &JoinReport::seconds_top)
        .def_ro("seconds_bottom", &JoinReport::seconds_bottom)
        .def_ro("seconds_join", &JoinReport::seconds_join);

    m.attr("MOST_MIDDLE") = kMostMiddle;
    m.def("join_count", &join_count, "vertices"_a, "edges"_a, "required"_a, "plan"_a, "threads"_a = 1,
          "modulus"_a = 0, "part"_a = std::pair<std::uint64_t, std::uint64_t>(0, 1),
          "classes"_a = std::pair<std::vector<int>, std::vector<int>>(), "spill"_a = "", "key"_a = "",
          "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Count the Hamiltonian cycles that use every required edge by a two-sided join along `plan`; with "
          "`part` (i, n) only the i-th of n summands, with `classes` only pairs of states of these classes.");

    nb::class_<PythonSearch>(m, "Search", "Exhaustive search for Hamiltonian cycles that can be paused.")
        .def(nb::init<int, const EdgeArray&, const FlagArray&, std::vector<std::vector<int>>,
                      std::vector<std::pair<int, int>>, std::uint64_t>(),
             "vertices"_a, "edges"_a, "required"_a, "links"_a, "anchors"_a, "seed"_a = 0)
        .def("run", &PythonSearch::run, "most"_a, "keep"_a = true, "seconds"_a = nb::none(),
             "progress"_a = nb::none(),
             "Visit up to `most` further cycles; returns (status, array of shape (cycles kept, vertices)).")
        .def_prop_ro("exhausted", [](const PythonSearch& s) { return s.search().exhausted(); })
        .def_prop_ro("found", [](const PythonSearch& s) { return s.search().found(); })
        .def_prop_ro("nodes", [](const PythonSearch& s) { return s.search().nodes(); })
        .def_prop_ro("bytes", [](const PythonSearch& s) { return s.search().bytes(); });

    bind_sudoku(m);
}
