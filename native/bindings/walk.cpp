// Walks by Warnsdorff's rule, for Python.
#include "ktsolve/walk/walk.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using KeyArray = nb::ndarray<const std::int64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Orders = std::vector<std::pair<std::vector<std::uint8_t>, int>>;

Ties::Kind kind_named(const std::string& name) {
    if (name == "keys") return Ties::Kind::keys;
    if (name == "random") return Ties::Kind::random;
    if (name == "lookahead") return Ties::Kind::lookahead;
    if (name == "orders") return Ties::Kind::orders;
    throw std::invalid_argument("ties are broken by keys, random, lookahead or orders");
}

Walker make_walker(int cells, const EdgeArray& moves, const std::string& ties, const KeyArray& keys,
                   const FlagArray& directions, const Orders& orders, const FlagArray& required) {
    WalkProblem problem;
    problem.cells = cells;
    problem.moves.reserve(moves.shape(0));
    for (std::size_t i = 0; i < moves.shape(0); ++i) problem.moves.emplace_back(moves(i, 0), moves(i, 1));
    problem.ties.kind = kind_named(ties);
    problem.ties.keys.assign(keys.data(), keys.data() + keys.shape(0));
    problem.ties.directions.assign(directions.data(), directions.data() + directions.shape(0));
    problem.required.assign(required.data(), required.data() + required.shape(0));
    for (const auto& [ranks, until] : orders) {
        MoveOrder order;
        if (ranks.size() != order.rank.size()) throw std::invalid_argument("an order ranks eight moves");
        std::copy(ranks.begin(), ranks.end(), order.rank.begin());
        order.until = until;
        problem.ties.orders.push_back(order);
    }
    nb::gil_scoped_release unlocked;
    return Walker(std::move(problem));
}

WalkReport python_search(const Walker& walker, int start, bool closed, std::uint64_t seed,
                         std::optional<std::uint64_t> most_nodes, std::uint64_t most_events,
                         std::optional<double> seconds, nb::object progress, int home) {
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    const WalkTask task{start, closed, home, seed, most_nodes.value_or(UINT64_MAX), most_events};
    return walker.search(task, make_limits(seconds, std::nullopt), &monitor);
}

RepairReport python_repair(const Walker& walker, int start, bool closed, bool fixed, std::uint64_t seed,
                           std::optional<std::uint64_t> most_reversals, std::optional<double> seconds,
                           nb::object progress, std::uint64_t patience) {
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    const RepairTask task{start, closed, fixed, seed, most_reversals.value_or(UINT64_MAX), patience};
    return walker.repair(task, make_limits(seconds, std::nullopt), &monitor);
}

} // namespace

void bind_walk(nb::module_& m) {
    nb::class_<WalkReport>(m, "WalkReport", "What a walk with backtracking found and what it cost.")
        .def_prop_ro(
            "status", [](const WalkReport& r) { return name_of(r.status); },
            "'done', 'time' or 'interrupted'.")
        .def_ro("found", &WalkReport::found)
        .def_ro("exhausted", &WalkReport::exhausted)
        .def_ro("nodes", &WalkReport::nodes)
        .def_ro("backtracks", &WalkReport::backtracks)
        .def_ro("first_stuck", &WalkReport::first_stuck)
        .def_ro("longest", &WalkReport::longest)
        .def_ro("recorded", &WalkReport::recorded)
        .def_prop_ro(
            "path", [](const WalkReport& r) { return to_numpy(r.path); }, nb::rv_policy::move)
        .def_prop_ro("events", [](const WalkReport& r) { return to_numpy(r.events); }, nb::rv_policy::move);

    nb::class_<RepairReport>(m, "RepairReport", "What a repaired walk found and what it cost.")
        .def_prop_ro(
            "status", [](const RepairReport& r) { return name_of(r.status); },
            "'done', 'time' or 'interrupted'.")
        .def_ro("found", &RepairReport::found)
        .def_ro("refuted", &RepairReport::refuted)
        .def_ro("walks", &RepairReport::walks)
        .def_ro("first_stuck", &RepairReport::first_stuck)
        .def_ro("reversals", &RepairReport::reversals)
        .def_ro("left", &RepairReport::left)
        .def_prop_ro("path", [](const RepairReport& r) { return to_numpy(r.path); }, nb::rv_policy::move);

    nb::class_<Walker>(m, "Walker", "Warnsdorff's rule on a graph; see ktsolve/walk/walk.hpp.")
        .def(nb::new_(&make_walker), "cells"_a, "moves"_a, "ties"_a, "keys"_a, "directions"_a, "orders"_a,
             "required"_a)
        .def("search", &python_search, "start"_a, "closed"_a, "seed"_a = 0, "most_nodes"_a = nb::none(),
             "most_events"_a = 0, "seconds"_a = nb::none(), "progress"_a = nb::none(), "home"_a = -1,
             "Walk with backtracking until a tour is found or none begins at the start; a closed one ends a "
             "move from `home`, which is the start unless given.")
        .def("repair", &python_repair, "start"_a, "closed"_a, "fixed"_a, "seed"_a = 0,
             "most_reversals"_a = nb::none(), "seconds"_a = nb::none(), "progress"_a = nb::none(),
             "patience"_a = 20000, "Walk on from every cell that is left, and join the walks by reversals.");
}

} // namespace ktsolve::python
