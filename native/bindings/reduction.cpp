// Reductions and separators, for Python.
#include "ktsolve/graphs/reduction.hpp"

#include "ktsolve/graphs/separator.hpp"

#include "convert.hpp"

namespace ktsolve::python {

namespace {

ReductionReport reduce(int vertices, const EdgeArray& edges, const FlagArray& required, std::uint64_t work,
                       bool counting, std::optional<double> seconds, nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return reduce_graph(graph, work, counting, make_limits(seconds, std::nullopt), &monitor);
}

std::optional<std::vector<int>> separator(int vertices, const EdgeArray& edges, const FlagArray& required,
                                          int attempts, std::uint64_t seed) {
    const Graph graph = make_graph(vertices, edges, required);
    nb::gil_scoped_release unlocked;
    auto found = find_separator(graph, attempts, seed);
    return found ? std::optional(std::move(found->vertices)) : std::nullopt;
}

std::vector<std::int32_t> flat(const Graph& graph) {
    std::vector<std::int32_t> ends;
    for (const auto& [u, v] : graph.edges) ends.insert(ends.end(), {u, v});
    return ends;
}

} // namespace

void bind_reduction(nb::module_& m) {
    constexpr auto own = nb::rv_policy::move; // the arrays own their memory

    nb::class_<ReducedPart>(m, "ReducedPart",
                            "A smaller graph, whose cycles are parts of those of the given one.")
        .def_prop_ro(
            "vertices", [](const ReducedPart& p) { return to_numpy(p.vertices); }, own)
        .def_prop_ro(
            "edges", [](const ReducedPart& p) { return to_numpy(flat(p.graph)); }, own,
            "Ends of edges, two for each.")
        .def_prop_ro(
            "required", [](const ReducedPart& p) { return to_numpy(p.graph.required); }, own)
        .def_prop_ro(
            "original", [](const ReducedPart& p) { return to_numpy(p.original); }, own,
            "Number of each edge in the given graph; -1 for required edges.");

    nb::class_<Bundle>(m, "Bundle", "Paths through contracted vertices.")
        .def_ro("part", &Bundle::part)
        .def_ro("cut", &Bundle::cut, "Free edges of the cut, by number in the given graph; one is not used.")
        .def_ro("paths", &Bundle::paths, "For each choice of the cut, if equally many; else 0.");

    nb::class_<ReductionReport>(m, "ReductionReport", "What is left of a graph.")
        .def_prop_ro("status", [](const ReductionReport& r) { return name_of(r.status); })
        .def_ro("refuted", &ReductionReport::refuted)
        .def_ro("evidence", &ReductionReport::evidence)
        .def_ro("parts", &ReductionReport::parts)
        .def_ro("bundles", &ReductionReport::bundles)
        .def_prop_ro(
            "fixed", [](const ReductionReport& r) { return to_numpy(r.fixed); }, own)
        .def_prop_ro(
            "deleted", [](const ReductionReport& r) { return to_numpy(r.deleted); }, own)
        .def_ro("forced", &ReductionReport::forced)
        .def_ro("surplus", &ReductionReport::surplus)
        .def_ro("closing", &ReductionReport::closing)
        .def_ro("contracted", &ReductionReport::contracted)
        .def_ro("separators", &ReductionReport::separators)
        .def_ro("needed", &ReductionReport::needed)
        .def_ro("unused", &ReductionReport::unused)
        .def_ro("bundled", &ReductionReport::bundled)
        .def_ro("between", &ReductionReport::between);

    m.def("reduce_graph", &reduce, "vertices"_a, "edges"_a, "required"_a, "work"_a, "counting"_a,
          "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "Smaller graphs with the same Hamiltonian cycles, or why they do not exist.");

    m.def("find_separator", &separator, "vertices"_a, "edges"_a, "required"_a, "attempts"_a, "seed"_a,
          "Vertices without which there are many components, looked for by chance.");
}

} // namespace ktsolve::python
