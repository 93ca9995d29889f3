// Answers about lists of graphs, for Python.
#include "ktsolve/lists/graph_list.hpp"

#include <nanobind/stl/string_view.h>

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using Pairs = std::vector<std::pair<int, int>>;

ListReport answer(const nb::bytes& text, const std::vector<int>& questions, std::uint64_t first, int threads,
                  bool check, bool cycles, const Pairs& required, const Pairs& forbidden,
                  std::uint64_t starts, std::uint64_t ends, std::optional<double> seconds,
                  nb::object progress) {
    ListTask task;
    for (const int each : questions) {
        if (each < 0 || each >= kQuestions) throw std::invalid_argument("there is no such question");
        task.questions.push_back(static_cast<Question>(each));
    }
    task.first = first;
    task.threads = threads;
    task.check = check;
    task.cycles = cycles;
    task.conditions = {required, forbidden, starts, ends};
    PythonMonitor monitor(std::move(progress), true);
    const std::string_view read(text.c_str(), text.size());
    nb::gil_scoped_release unlocked;
    return answer_list(read, task, make_limits(seconds, std::nullopt), &monitor);
}

std::pair<nb::bytes, std::size_t> planar(const nb::bytes& text, bool little_endian) {
    std::size_t used = 0;
    const std::string lines = planar_code_lines({text.c_str(), text.size()}, little_endian, used);
    return {nb::bytes(lines.data(), lines.size()), used};
}

} // namespace

void bind_lists(nb::module_& m) {
    constexpr auto own = nb::rv_policy::move; // the arrays own their memory

    nb::class_<ListReport>(m, "ListReport", "Answers about the graphs of a list, an entry for each.")
        .def_prop_ro("status", [](const ListReport& r) { return name_of(r.status); })
        .def_ro("answered", &ListReport::answered, "Graphs from the beginning whose answers are there.")
        .def_ro("confirmed", &ListReport::confirmed, "Answers confirmed by a second method.")
        .def_prop_ro(
            "begin", [](const ListReport& r) { return to_numpy(r.begin); }, own)
        .def_prop_ro(
            "end", [](const ListReport& r) { return to_numpy(r.end); }, own)
        .def_prop_ro(
            "line", [](const ListReport& r) { return to_numpy(r.line); }, own)
        .def_prop_ro(
            "vertices", [](const ListReport& r) { return to_numpy(r.vertices); }, own,
            "-1 for a line that is not a graph of up to 64 vertices.")
        .def_prop_ro(
            "edges", [](const ListReport& r) { return to_numpy(r.edges); }, own)
        .def_prop_ro(
            "simple", [](const ListReport& r) { return to_numpy(r.simple); }, own)
        .def_prop_ro(
            "directed", [](const ListReport& r) { return to_numpy(r.directed); }, own)
        .def_prop_ro(
            "answers", [](const ListReport& r) { return to_numpy(r.answers); }, own,
            "One for each question and graph; 2^64 - 1 where it is not known.")
        .def_prop_ro(
            "cycles", [](const ListReport& r) { return to_numpy(r.cycle); }, own,
            "64 entries for each graph: the vertices of a cycle or path in order.")
        .def_prop_ro(
            "why", [](const ListReport& r) { return to_numpy(r.why); }, own,
            "Why an undirected graph has no cycle or path: 0 unknown, 1 apart, 2 colours, 3 lonely, 4 "
            "single, "
            "5 singles.")
        .def_prop_ro(
            "evidence", [](const ListReport& r) { return to_numpy(r.evidence); }, own,
            "Four numbers for each graph that prove it.");

    m.def("answer_list", &answer, "text"_a, "questions"_a, "first"_a = 0, "threads"_a = 1, "check"_a = false,
          "cycles"_a = false, "required"_a = Pairs{}, "forbidden"_a = Pairs{}, "starts"_a = 0, "ends"_a = 0,
          "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "Answer questions about every graph of lines of graph6, sparse6 and digraph6.");
    m.def("planar_code_lines", &planar, "text"_a, "little_endian"_a,
          "The whole graphs of planar code as lines of graph6, and the number of bytes that they take.");
}

} // namespace ktsolve::python
