// Checks of refutations, for Python.
#include "ktsolve/proof/refutation.hpp"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using LiteralArray = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

Refutation copied(const LiteralArray& clauses, const LiteralArray& lemmas) {
    const auto copy = [](const LiteralArray& literals) {
        return std::vector<std::int32_t>(literals.data(), literals.data() + literals.shape(0));
    };
    return {copy(clauses), copy(lemmas)};
}

RefutationReport refutation_check(const LiteralArray& clauses, const LiteralArray& lemmas,
                                  std::optional<double> seconds, nb::object progress,
                                  std::optional<std::uint64_t> bytes) {
    const Refutation refutation = copied(clauses, lemmas);
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return check_refutation(refutation, make_limits(seconds, bytes), &monitor);
}

// What `run` finds, without the lock of the interpreter.
template <typename Run>
auto traced(Run run, const LiteralArray& clauses, const LiteralArray& lemmas, std::optional<double> seconds) {
    const Refutation refutation = copied(clauses, lemmas);
    PythonMonitor monitor{nb::none()};
    nb::gil_scoped_release unlocked;
    return run(refutation, make_limits(seconds, std::nullopt), &monitor);
}

std::tuple<RefutationReport, Made<std::uint8_t>, Made<std::uint8_t>>
refutation_trim(const LiteralArray& clauses, const LiteralArray& lemmas, std::optional<double> seconds) {
    Trimmed trimmed = traced(trim_refutation, clauses, lemmas, seconds);
    return {trimmed.report, to_numpy(std::move(trimmed.clauses)), to_numpy(std::move(trimmed.lemmas))};
}

std::tuple<RefutationReport, Made<std::int32_t>> refutation_hints(const LiteralArray& clauses,
                                                                  const LiteralArray& lemmas) {
    Hints found = traced(find_hints, clauses, lemmas, std::nullopt);
    return {found.report, to_numpy(std::move(found.hints))};
}

} // namespace

void bind_refutation(nb::module_& m) {
    nb::class_<RefutationReport>(m, "RefutationReport", "What a check of a refutation found.")
        .def_prop_ro(
            "status", [](const RefutationReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("refuted", &RefutationReport::refuted)
        .def_ro("checked", &RefutationReport::checked)
        .def_ro("unfounded", &RefutationReport::unfounded);

    m.def("refutation_check", &refutation_check, "clauses"_a, "lemmas"_a, "seconds"_a = nb::none(),
          "progress"_a = nb::none(), "bytes"_a = nb::none(),
          "Check that lemmas refute clauses, by reverse unit propagation; a 0 ends each, as in DIMACS.");

    m.def("refutation_trim", &refutation_trim, "clauses"_a, "lemmas"_a, "seconds"_a = nb::none(),
          "The same, and flags that tell which clauses and which lemmas are needed.");

    m.def("refutation_hints", &refutation_hints, "clauses"_a, "lemmas"_a,
          "The same, and the clauses and lemmas from which each lemma follows, as in LRAT.");
}

} // namespace ktsolve::python
