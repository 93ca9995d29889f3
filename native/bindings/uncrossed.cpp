// Uncrossed walks, for Python.
#include "ktsolve/non_crossing/non_crossing.hpp"

#include "convert.hpp"

namespace ktsolve::python {

namespace {

UncrossedReport find_longest(const UncrossedQuestion& question, std::optional<double> seconds,
                             nb::object progress) {
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return longest_uncrossed(question, make_limits(seconds, std::nullopt), &monitor);
}

} // namespace

void bind_uncrossed(nb::module_& m) {
    nb::class_<UncrossedQuestion>(m, "UncrossedQuestion",
                                  "A graph drawn in the plane; see ktsolve/non_crossing/non_crossing.hpp.")
        .def(nb::init<>())
        .def_rw("vertices", &UncrossedQuestion::vertices)
        .def_rw("edges", &UncrossedQuestion::edges)
        .def_rw("crossings", &UncrossedQuestion::crossings)
        .def_rw("starts", &UncrossedQuestion::starts)
        .def_rw("closed", &UncrossedQuestion::closed)
        .def_rw("longer_than", &UncrossedQuestion::longer_than);

    nb::class_<UncrossedReport>(m, "UncrossedReport", "The longest uncrossed walk found and what it cost.")
        .def_prop_ro(
            "status", [](const UncrossedReport& r) { return name_of(r.status); },
            "'done', 'time' or 'interrupted'.")
        .def_ro("length", &UncrossedReport::length)
        .def_ro("walk", &UncrossedReport::walk)
        .def_ro("nodes", &UncrossedReport::nodes);

    m.def("longest_uncrossed", &find_longest, "question"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(),
          "The longest walk that visits no vertex twice and draws no two edges that cross.");
}

} // namespace ktsolve::python
