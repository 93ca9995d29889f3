// The native core as a Python module. Arguments are checked and converted, the interpreter lock is released,
// and a monitor passes Ctrl-C and progress to Python.
#include <algorithm>
#include <tuple>

#include <nanobind/stl/tuple.h>

#include "convert.hpp"
#include "ktsolve/sat/subtours.hpp"
#include "ktsolve/search/search.hpp"

using namespace ktsolve;
using namespace ktsolve::python;

namespace {

std::pair<Made<std::int32_t>, Made<std::int32_t>>
python_subtours(int nodes, const EdgeArray& arcs, const FlagArray& used, const FlagArray& free) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < arcs.shape(0); ++i) pairs.emplace_back(arcs(i, 0), arcs(i, 1));
    const auto flags = [](const FlagArray& given) {
        return std::vector<std::uint8_t>(given.data(), given.data() + given.shape(0));
    };
    Subtours found = find_subtours(nodes, pairs, flags(used), flags(free));
    return {to_numpy(std::move(found.part)), to_numpy(std::move(found.toggled))};
}

// Search together with the number of vertices, which gives the shape of the arrays it returns.
class PythonSearch {
  public:
    PythonSearch(int vertices, const EdgeArray& edges, const FlagArray& required,
                 std::vector<std::vector<int>> links, std::vector<std::pair<int, int>> anchors,
                 std::uint64_t seed)
        : vertices_(vertices), search_(SearchProblem{make_graph(vertices, edges, required), std::move(links),
                                                     std::move(anchors), seed}) {}

    std::pair<std::string, CycleArray> run(std::uint64_t most, bool keep, std::optional<double> seconds,
                                           nb::object progress, std::optional<std::uint64_t> nodes) {
        PythonMonitor monitor(std::move(progress));
        std::vector<std::int32_t> cycles;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = search_.run(most, keep, cycles, make_limits(seconds, std::nullopt), &monitor,
                                 nodes.value_or(UINT64_MAX));
        }
        return {name_of(status), to_cycles(std::move(cycles), vertices_)};
    }

    std::tuple<double, double, std::uint64_t> dive(std::uint64_t nodes, std::uint64_t seed) {
        nb::gil_scoped_release unlocked;
        const TreeEstimate found = search_.dive(nodes, seed);
        return {found.nodes, found.cycles, found.dives};
    }

    const Search& search() const { return search_; }

  private:
    int vertices_;
    Search search_;
};

} // namespace

NB_MODULE(_native, m) {
    m.doc() = "Native core of ktsolve: counting and searching on plain graphs.";

    m.def("find_subtours", &python_subtours, "nodes"_a, "arcs"_a, "used"_a, "free"_a,
          "The number of the subtour that each node lies on, given the used arcs; and the arcs, by number, "
          "that "
          "were exchanged to join some, if `free` tells which may be.");

    bind_checked_bytes(m);
    bind_circuits(m);
    bind_divide(m);
    bind_frontier(m);
    bind_frontier_diagram(m);
    bind_join(m);
    bind_lists(m);
    bind_process_guard(m);
    bind_reduction(m);
    bind_refutation(m);
    bind_strip(m);
    bind_sudoku(m);
    bind_swap(m);
    bind_non_crossing(m);
    bind_vectors(m);
    bind_walk(m);
    bind_voltage(m);

    nb::class_<PythonSearch>(m, "Search", "Exhaustive search for Hamiltonian cycles that can be paused.")
        .def(nb::init<int, const EdgeArray&, const FlagArray&, std::vector<std::vector<int>>,
                      std::vector<std::pair<int, int>>, std::uint64_t>(),
             "vertices"_a, "edges"_a, "required"_a, "links"_a, "anchors"_a, "seed"_a = 0)
        .def("run", &PythonSearch::run, "most"_a, "keep"_a = true, "seconds"_a = nb::none(),
             "progress"_a = nb::none(), "nodes"_a = nb::none(),
             "Visit up to `most` further cycles, in up to `nodes` further nodes; returns (status, array of "
             "shape "
             "(cycles kept, vertices)).")
        .def("dive", &PythonSearch::dive, "nodes"_a, "seed"_a = 1,
             "Estimate the search tree by random dives that visit this many nodes; returns (nodes, cycles, "
             "dives). Before run() only.")
        .def_prop_ro("exhausted", [](const PythonSearch& s) { return s.search().exhausted(); })
        .def_prop_ro("found", [](const PythonSearch& s) { return s.search().found(); })
        .def_prop_ro("nodes", [](const PythonSearch& s) { return s.search().nodes(); })
        .def_prop_ro("bytes", [](const PythonSearch& s) { return s.search().bytes(); });
}
