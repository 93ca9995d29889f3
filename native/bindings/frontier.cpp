// The frontier sweep for Python: orders, counts, lists, lightest cycles.
#include "ktsolve/frontier/count.hpp"

#include <nanobind/stl/tuple.h>

#include "convert.hpp"
#include "ktsolve/frontier/invariant.hpp"
#include "ktsolve/frontier/list.hpp"
#include "ktsolve/frontier/order.hpp"

namespace ktsolve::python {

namespace {

using WeightArray = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

FrontierReport frontier_count(int vertices, const EdgeArray& edges, const FlagArray& required,
                              std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                              nb::object progress, int threads) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return count_cycles_by_frontier(graph, make_limits(seconds, bytes), &monitor, threads);
}

FrontierReport invariant_count(int vertices, const EdgeArray& edges, const FlagArray& required,
                               const std::vector<int>& images, std::optional<double> seconds,
                               std::optional<std::uint64_t> bytes, nb::object progress, int threads) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return count_invariant_cycles(graph, images, make_limits(seconds, bytes), &monitor, threads);
}

LightestReport frontier_lightest(int vertices, const EdgeArray& edges, const FlagArray& required,
                                 const WeightArray& weights, std::optional<double> seconds,
                                 std::optional<std::uint64_t> bytes, nb::object progress,
                                 const std::optional<FlagArray>& optional, bool induced) {
    const Graph graph = make_graph(vertices, edges, required, optional, induced);
    const std::vector<std::int64_t> given(weights.data(), weights.data() + weights.shape(0));
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return lightest_cycle_by_frontier(graph, given, make_limits(seconds, bytes), &monitor);
}

using OrderTuple = std::tuple<std::string, Made<std::int32_t>, Made<double>, Made<std::int32_t>>;

OrderTuple as_tuple(OrderAnswer answer) {
    const auto numpy = [](const std::vector<int>& numbers) {
        return to_numpy(std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    };
    return {name_of(answer.status), numpy(answer.order), to_numpy(std::move(answer.bits)),
            numpy(answer.widths)};
}

OrderTuple frontier_order(int vertices, const EdgeArray& edges, const FlagArray& required,
                          std::vector<std::vector<int>> given, int last, double effort,
                          std::optional<double> seconds, bool planar) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor{nb::none()};
    OrderAnswer answer;
    {
        nb::gil_scoped_release unlocked;
        answer = best_frontier_order(graph, {std::move(given), last, effort, planar},
                                     make_limits(seconds, {}), &monitor);
    }
    return as_tuple(std::move(answer));
}

OrderTuple frontier_prediction(int vertices, const EdgeArray& edges, const FlagArray& required,
                               const std::vector<int>& order, bool planar) {
    return as_tuple(predicted_order(make_graph(vertices, edges, required), order, planar));
}

// A list together with the number of vertices, which gives the shape of the arrays it returns.
class PythonList {
  public:
    PythonList(int vertices, const EdgeArray& edges, const FlagArray& required, std::uint64_t seed)
        : vertices_(vertices), list_(make_graph(vertices, edges, required), seed) {}

    std::pair<std::string, CycleArray> run(std::uint64_t most, std::optional<double> seconds,
                                           std::optional<std::uint64_t> bytes, nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        std::vector<std::int32_t> cycles;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = list_.run(most, cycles, make_limits(seconds, bytes), &monitor);
        }
        return {name_of(status), to_cycles(std::move(cycles), vertices_)};
    }

    const FrontierList& list() const { return list_; }

  private:
    int vertices_;
    FrontierList list_;
};

} // namespace

void bind_frontier(nb::module_& m) {
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
          "bytes"_a = nb::none(), "progress"_a = nb::none(), "threads"_a = 1,
          "Count the Hamiltonian cycles that use every required edge, eliminating vertices in the order 0, "
          "1, 2, ...; `progress(step, total, states)` is called about 20 times a second.");

    nb::class_<LightestReport, FrontierReport>(m, "LightestReport", "A lightest cycle and what it cost.")
        .def_ro("found", &LightestReport::found)
        .def_ro("weight", &LightestReport::weight)
        .def_ro("cycle", &LightestReport::cycle);
    m.def("invariant_count", &invariant_count, "vertices"_a, "edges"_a, "required"_a, "images"_a,
          "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(), "threads"_a = 1,
          "Count the Hamiltonian cycles that a symmetry, the image of each vertex, maps to themselves.");
    m.def(
        "frontier_lightest", &frontier_lightest, "vertices"_a, "edges"_a, "required"_a, "weights"_a,
        "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(),
        "optional"_a = nb::none(), "induced"_a = false,
        "A Hamiltonian cycle of least total weight, as frontier_count. `optional` has flags of the vertices "
        "that it may leave out; with `induced` it has no chords.");

    m.def("frontier_order", &frontier_order, "vertices"_a, "edges"_a, "required"_a, "given"_a = nb::list(),
          "last"_a = -1, "effort"_a = 1.0, "seconds"_a = nb::none(), "planar"_a = false,
          "The order of the fewest predicted states, `given` orders included, with vertex `last` at the end; "
          "paths of a `planar` graph do not cross; "
          "returns (status, order, binary logarithms of the predicted states, widths of the frontier).");
    m.def("frontier_prediction", &frontier_prediction, "vertices"_a, "edges"_a, "required"_a, "order"_a,
          "planar"_a = false, "An order as frontier_order returns it.");

    nb::class_<PythonList>(m, "FrontierList", "A list of Hamiltonian cycles that can be paused.")
        .def(nb::init<int, const EdgeArray&, const FlagArray&, std::uint64_t>(), "vertices"_a, "edges"_a,
             "required"_a, "seed"_a = 0)
        .def("run", &PythonList::run, "most"_a, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(),
             "List up to `most` further cycles; returns (status, array of shape (cycles, vertices)).")
        .def_prop_ro("exhausted", [](const PythonList& s) { return s.list().exhausted(); })
        .def_prop_ro("found", [](const PythonList& s) { return s.list().found(); })
        .def_prop_ro("states", [](const PythonList& s) { return s.list().states(); })
        .def_prop_ro("dead", [](const PythonList& s) { return s.list().dead(); })
        .def_prop_ro("bytes", [](const PythonList& s) { return s.list().bytes(); });
}

} // namespace ktsolve::python
