// Non-crossing walks, for Python.
#include "ktsolve/non_crossing/non_crossing.hpp"

#include "convert.hpp"

namespace ktsolve::python {

namespace {

NonCrossingReport find_longest(const NonCrossingTask& task, std::optional<double> seconds,
                               nb::object progress, bool keep) {
    PythonMonitor monitor(std::move(progress), keep);
    nb::gil_scoped_release unlocked;
    return longest_non_crossing(task, make_limits(seconds, std::nullopt), &monitor);
}

} // namespace

void bind_non_crossing(nb::module_& m) {
    nb::class_<NonCrossingTask>(m, "NonCrossingTask",
                                "A graph drawn in the plane; see ktsolve/non_crossing/non_crossing.hpp.")
        .def(nb::init<>())
        .def_rw("vertices", &NonCrossingTask::vertices)
        .def_rw("edges", &NonCrossingTask::edges)
        .def_rw("crossings", &NonCrossingTask::crossings)
        .def_rw("starts", &NonCrossingTask::starts)
        .def_rw("closed", &NonCrossingTask::closed)
        .def_rw("longer_than", &NonCrossingTask::longer_than);

    nb::class_<NonCrossingReport>(m, "NonCrossingReport",
                                  "The longest non-crossing walk found and what it cost.")
        .def_prop_ro(
            "status", [](const NonCrossingReport& r) { return name_of(r.status); },
            "'done', 'time' or 'interrupted'.")
        .def_ro("length", &NonCrossingReport::length)
        .def_ro("walk", &NonCrossingReport::walk)
        .def_ro("nodes", &NonCrossingReport::nodes);

    m.def("longest_non_crossing", &find_longest, "task"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "keep"_a = false,
          "The longest walk that visits no vertex twice and draws no two edges that cross. With keep, a "
          "signal ends the search as a limit does.");
}

} // namespace ktsolve::python
