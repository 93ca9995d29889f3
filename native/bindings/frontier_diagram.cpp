// All cycles of a graph in a fixed order, for Python.
#include "ktsolve/frontier/diagram.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using CycleRows = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

// A diagram, and the arrays that its layers lie in.
class PythonDiagram {
  public:
    PythonDiagram(int vertices, const EdgeArray& edges, const FlagArray& required,
                  std::vector<std::vector<std::uint8_t>> parallel, bool odd,
                  const std::optional<FlagArray>& optional, bool induced) {
        diagram_.graph = make_graph(vertices, edges, required, optional, induced);
        diagram_.parallel = std::move(parallel);
        diagram_.odd = odd;
        diagram_.count = {0};
    }
    PythonDiagram(const PythonDiagram&) = delete;
    PythonDiagram& operator=(const PythonDiagram&) = delete;

    FrontierReport build(std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                         nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        nb::gil_scoped_release unlocked;
        return build_diagram(diagram_, make_limits(seconds, bytes), &monitor);
    }

    std::vector<std::tuple<std::uint64_t, int, int, int>> shape() const {
        std::vector<std::tuple<std::uint64_t, int, int, int>> rows;
        for (const DiagramLayer& layer : diagram_.layers)
            rows.emplace_back(layer.records, layer.choice_bits, layer.link_bytes, layer.count_bytes);
        return rows;
    }

    // The records of a layer that was made here.
    nb::ndarray<nb::numpy, const std::uint8_t, nb::shape<-1>, nb::c_contig> layer(std::size_t number) const {
        const DiagramLayer& layer = diagram_.layers.at(number);
        return {layer.made.data(), {layer.made.size()}, nb::find(this)};
    }

    void restore(std::vector<std::uint64_t> count,
                 const std::vector<std::tuple<std::uint64_t, int, int, int>>& shape,
                 const std::vector<std::pair<Bytes, Words>>& layers) {
        if (shape.size() != layers.size()) throw DamagedBytes();
        std::vector<DiagramLayer> made(layers.size());
        for (std::size_t s = 0; s < layers.size(); ++s) {
            const auto& [data, sums] = layers[s];
            DiagramLayer& layer = made[s];
            std::tie(layer.records, layer.choice_bits, layer.link_bytes, layer.count_bytes) = shape[s];
            if (sums.shape(0) != CheckedBytes::blocks(data.shape(0))) throw DamagedBytes();
            layer.bytes = CheckedBytes(data.data(), data.shape(0), sums.data());
        }
        restore_diagram(diagram_, std::move(count), std::move(made));
        kept_ = layers;
    }

    std::tuple<std::string, CycleArray, Made<std::uint8_t>> unrank(const Words& indices,
                                                                   std::optional<double> seconds,
                                                                   std::optional<std::uint64_t> bytes,
                                                                   nb::object progress) const {
        PythonMonitor monitor(std::move(progress));
        Cycles cycles;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = unrank_cycles(diagram_, indices.data(), indices.shape(0) / diagram_.count.size(), cycles,
                                   make_limits(seconds, bytes), &monitor);
        }
        return {name_of(status), to_cycles(std::move(cycles.vertices), diagram_.graph.vertices),
                to_numpy(std::move(cycles.parallel))};
    }

    std::pair<std::string, Made<std::uint64_t>> rank(const CycleRows& rows, const Bytes& parallel,
                                                     std::optional<double> seconds,
                                                     std::optional<std::uint64_t> bytes,
                                                     nb::object progress) const {
        PythonMonitor monitor(std::move(progress));
        Cycles cycles;
        std::vector<std::uint64_t> indices;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            cycles.vertices.assign(rows.data(), rows.data() + rows.shape(0) * rows.shape(1));
            cycles.parallel.assign(parallel.data(), parallel.data() + parallel.shape(0));
            status = rank_cycles(diagram_, cycles, indices, make_limits(seconds, bytes), &monitor);
        }
        return {name_of(status), to_numpy(std::move(indices))};
    }

    std::pair<std::string, Made<std::uint64_t>>
    uses(std::optional<double> seconds, std::optional<std::uint64_t> bytes, nb::object progress) const {
        PythonMonitor monitor(std::move(progress));
        std::vector<std::uint64_t> found;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = count_uses(diagram_, found, make_limits(seconds, bytes), &monitor);
        }
        return {name_of(status), to_numpy(std::move(found))};
    }

    std::pair<std::string, Made<std::uint64_t>> tally(const std::vector<std::uint8_t>& weights,
                                                      std::optional<double> seconds,
                                                      std::optional<std::uint64_t> bytes,
                                                      nb::object progress) const {
        PythonMonitor monitor(std::move(progress));
        std::vector<std::uint64_t> found;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = tally_weights(diagram_, weights, found, make_limits(seconds, bytes), &monitor);
        }
        return {name_of(status), to_numpy(std::move(found))};
    }

    const FrontierDiagram& diagram() const { return diagram_; }

  private:
    FrontierDiagram diagram_;
    std::vector<std::pair<Bytes, Words>> kept_;
};

} // namespace

void bind_frontier_diagram(nb::module_& m) {
    nb::class_<PythonDiagram>(m, "FrontierDiagram", "All Hamiltonian cycles of a graph in a fixed order.")
        .def(nb::init<int, const EdgeArray&, const FlagArray&, std::vector<std::vector<std::uint8_t>>, bool,
                      const std::optional<FlagArray>&, bool>(),
             "vertices"_a, "edges"_a, "required"_a, "parallel"_a = nb::list(), "odd"_a = false,
             "optional"_a = nb::none(), "induced"_a = false,
             "`parallel` has for each edge the parity of the voltage of each parallel edge; with `odd`, only "
             "cycles of odd voltage are counted. `optional` and `induced` as of frontier_lightest: then for "
             "counts and tallies only.")
        .def("build", &PythonDiagram::build, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(), "Make the layers; `progress` has two steps for each vertex.")
        .def_prop_ro("limbs", [](const PythonDiagram& d) { return d.diagram().limbs(); })
        .def_prop_ro("count", [](const PythonDiagram& d) { return to_python_int(d.diagram().count); })
        .def_prop_ro(
            "shape", &PythonDiagram::shape,
            "For each layer its records, and the bits of a choice and the bytes of a link and of a number.")
        .def("layer", &PythonDiagram::layer, "number"_a, "The records of a layer, after build().")
        .def("restore", &PythonDiagram::restore, "count"_a, "shape"_a, "layers"_a,
             "Take the layers from arrays, with the checksums of their blocks.")
        .def("unrank", &PythonDiagram::unrank, "indices"_a, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(),
             "The cycles with these numbers, rows of limbs in ascending order; returns (status, cycles, "
             "numbers of "
             "the parallel edges).")
        .def("rank", &PythonDiagram::rank, "cycles"_a, "parallel"_a, "seconds"_a = nb::none(),
             "bytes"_a = nb::none(), "progress"_a = nb::none(),
             "The numbers of cycles, as rows of limbs, all bits set for other rows; returns (status, "
             "numbers).")
        .def("uses", &PythonDiagram::uses, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(), "For each parallel edge the number of cycles that use it.")
        .def("tally", &PythonDiagram::tally, "weights"_a, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(), "The number of cycles by the sum of the weights of their edges.");
}

} // namespace ktsolve::python
