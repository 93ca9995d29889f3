// Conversions between Python and the core: graphs, limits, numbers, progress.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve::python {

namespace nb = nanobind;
using namespace nb::literals;

using EdgeArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using FlagArray = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

// With `optional`, flags of the vertices that a cycle may leave out.
inline Graph make_graph(int vertices, const EdgeArray& edges, const FlagArray& required,
                        const std::optional<FlagArray>& optional = {}, bool induced = false) {
    Graph graph;
    graph.vertices = vertices;
    for (std::size_t i = 0; i < edges.shape(0); ++i) graph.edges.emplace_back(edges(i, 0), edges(i, 1));
    for (std::size_t i = 0; i < required.shape(0); ++i) graph.required.push_back(required(i));
    for (std::size_t i = 0; optional && i < optional->shape(0); ++i) graph.optional.push_back((*optional)(i));
    graph.induced = induced;
    graph.validate();
    return graph;
}

// Checks for signals, holding the interpreter lock, and reports progress. With `keep`, what a signal raises
// ends the work in place of being raised, so that what was found is returned.
class PythonMonitor final : public Monitor {
  public:
    explicit PythonMonitor(nb::object callback, bool keep = false)
        : callback_(std::move(callback)), keep_(keep) {}

    bool keep_going(const Progress& progress) override {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) {
            if (!keep_) throw nb::python_error();
            PyErr_Clear();
            return false;
        }
        if (!callback_.is_none()) callback_(progress.step, progress.total, progress.states);
        return true;
    }

  private:
    nb::object callback_;
    bool keep_;
};

inline Limits make_limits(std::optional<double> seconds, std::optional<std::uint64_t> bytes) {
    Limits limits;
    if (seconds) limits.seconds = *seconds;
    if (bytes) limits.bytes = *bytes;
    return limits;
}

inline std::string name_of(Status status) {
    switch (status) {
    case Status::done:
        return "done";
    case Status::out_of_time:
        return "time";
    case Status::out_of_memory:
        return "memory";
    default:
        return "interrupted";
    }
}

// Arrays that own their memory.
template <class T> using Made = nb::ndarray<nb::numpy, T, nb::shape<-1>, nb::c_contig>;
template <class T> Made<T> to_numpy(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Made<T>(kept->data(), {kept->size()}, owner);
}

// Cycles one after the other, as an array with one row for each.
using CycleArray = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, -1>, nb::c_contig>;
inline CycleArray to_cycles(std::vector<std::int32_t> cycles, int vertices) {
    auto* kept = new std::vector<std::int32_t>(std::move(cycles));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
    const std::size_t width = static_cast<std::size_t>(vertices > 1 ? vertices : 1);
    return CycleArray(kept->data(), {kept->size() / width, width}, owner);
}

inline nb::int_ to_python_int(const std::vector<std::uint64_t>& limbs) {
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

inline nb::list to_python_ints(const std::vector<std::vector<std::uint64_t>>& numbers) {
    nb::list values;
    for (const auto& limbs : numbers) values.append(to_python_int(limbs));
    return values;
}

// Adds the checksums of prepared files.
void bind_checked_bytes(nb::module_& m);

// Adds the 2-factors from which the SAT engine starts.
void bind_circuits(nb::module_& m);

// Adds tours laid from tiles, and tours as step numbers.
void bind_divide(nb::module_& m);

// Adds counts, lists, lightest cycles and orders of the frontier sweep.
void bind_frontier(nb::module_& m);

// Adds the diagrams that number cycles; after FrontierReport.
void bind_frontier_diagram(nb::module_& m);

// Adds the two-sided join to the module.
void bind_join(nb::module_& m);

// Adds answers about lists of graphs.
void bind_lists(nb::module_& m);

// Adds the guard of time and memory.
void bind_process_guard(nb::module_& m);
void bind_vectors(nb::module_& m);

// Adds the reduction of graphs.
void bind_reduction(nb::module_& m);

// Adds the check of refutations.
void bind_refutation(nb::module_& m);

// Adds the functions of ktsolve/sudoku/sudoku.hpp.
void bind_sudoku(nb::module_& m);

// Adds the search through positions of swap puzzles.
void bind_swap(nb::module_& m);
void bind_non_crossing(nb::module_& m);

// Adds counts of strips.
void bind_strip(nb::module_& m);

// Adds walks by Warnsdorff's rule.
void bind_walk(nb::module_& m);

// Adds the count of cycles by voltage; after FrontierReport.
void bind_voltage(nb::module_& m);

} // namespace ktsolve::python
