// Counts of cycles by voltage, for Python.
#include "ktsolve/quotient/voltage.hpp"

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using ParallelArray = nb::ndarray<const std::uint8_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

VoltageReport voltage_count(int vertices, const EdgeArray& edges, const FlagArray& required,
                            const ParallelArray& parallel, std::optional<double> seconds,
                            std::optional<std::uint64_t> bytes, nb::object progress, int threads) {
    const Graph graph = make_graph(vertices, edges, required);
    std::vector<Parallel> multiplicities;
    for (std::size_t i = 0; i < parallel.shape(0); ++i)
        multiplicities.push_back({parallel(i, 0), parallel(i, 1)});
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return count_cycles_by_voltage(graph, multiplicities, make_limits(seconds, bytes), &monitor, threads);
}

} // namespace

void bind_voltage(nb::module_& m) {
    nb::class_<VoltageReport, FrontierReport>(m, "VoltageReport",
                                              "A frontier count of cycles by voltage, even or odd.")
        .def_prop_ro("even", [](const VoltageReport& r) { return to_python_int(r.count); })
        .def_prop_ro("odd", [](const VoltageReport& r) { return to_python_int(r.odd); });

    m.def("voltage_count", &voltage_count, "vertices"_a, "edges"_a, "required"_a, "parallel"_a,
          "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(), "threads"_a = 1,
          "Count the Hamiltonian cycles of even and of odd voltage; `parallel` has, for each edge, how many "
          "parallel edges of even and of odd voltage it stands for.");
}

} // namespace ktsolve::python
