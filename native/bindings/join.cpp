// The two-sided join, for Python.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <stdexcept>

#include "convert.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/moves.hpp"
#include "ktsolve/join/ranking.hpp"
#include "ktsolve/join/tables.hpp"

namespace ktsolve::python {

namespace {

// Exceptions of the join as Python's.
template <class Work> auto translated(Work&& work) {
    try {
        return work();
    } catch (const SpillFailed& failed) {
        PyErr_SetString(PyExc_OSError, failed.what());
    } catch (const std::length_error& wide) {
        PyErr_SetString(PyExc_OverflowError, wide.what());
    }
    throw nb::python_error();
}

using Blocks = std::vector<std::vector<int>>;

JoinReport join_count(int vertices, const EdgeArray& edges, const FlagArray& required, const JoinPlan& plan,
                      int threads, std::uint64_t modulus, std::pair<std::uint64_t, std::uint64_t> part,
                      std::pair<Blocks, Blocks> blocks, std::string spill, std::string key,
                      std::optional<std::uint64_t> disk, std::optional<double> seconds,
                      std::optional<std::uint64_t> bytes, nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    const JoinSettings settings{threads,          modulus,        part.first,
                                part.second,      blocks.first,   blocks.second,
                                std::move(spill), std::move(key), disk.value_or(~std::uint64_t{0})};
    PythonMonitor monitor(std::move(progress));
    return translated([&] {
        nb::gil_scoped_release unlocked;
        return count_cycles_by_join(graph, plan, settings, make_limits(seconds, bytes), &monitor);
    });
}

JoinReport join_files(int vertices, const EdgeArray& edges, const FlagArray& required, const JoinPlan& plan,
                      std::pair<Blocks, Blocks> blocks, std::string spill, std::string key,
                      std::optional<std::uint64_t> disk, int threads, std::uint64_t modulus,
                      std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                      nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    const JoinSettings settings{threads,
                                modulus,
                                0,
                                1,
                                blocks.first,
                                blocks.second,
                                std::move(spill),
                                std::move(key),
                                disk.value_or(~std::uint64_t{0})};
    PythonMonitor monitor(std::move(progress));
    return translated([&] {
        nb::gil_scoped_release unlocked;
        return make_join_tables(graph, plan, settings, make_limits(seconds, bytes), &monitor);
    });
}

MovesReport join_moves(int vertices, const EdgeArray& edges, const FlagArray& required, const JoinPlan& plan,
                       int threads, std::uint64_t modulus, std::optional<double> seconds,
                       std::optional<std::uint64_t> bytes, nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    return translated([&] {
        nb::gil_scoped_release unlocked;
        return count_moves_by_join(graph, plan, threads, modulus, make_limits(seconds, bytes), &monitor);
    });
}

TableReport make_table(JoinTables& tables, int vertices, const EdgeArray& edges, const FlagArray& required,
                       const HalfPlan& half, std::optional<double> seconds, nb::object progress) {
    const Graph graph = make_graph(vertices, edges, required);
    PythonMonitor monitor(std::move(progress));
    return translated([&] {
        nb::gil_scoped_release unlocked;
        return tables.make(graph, half, make_limits(seconds, std::nullopt).seconds, &monitor);
    });
}

// A table's number with the deferred edges of its side: (slot, slot, required).
using GivenSide = std::pair<int, std::vector<std::tuple<int, int, bool>>>;

TableSide make_side(const GivenSide& given) {
    TableSide side{given.first, {}};
    for (const auto& [p, q, required] : given.second) side.deferred.push_back({p, q, required});
    return side;
}

TablesReport join_tables(JoinTables& tables, const std::vector<GivenSide>& tops, const GivenSide& bottom,
                         std::optional<double> seconds, nb::object progress, std::vector<int> flip,
                         std::vector<int> mirror) {
    std::vector<TableSide> sides;
    for (const GivenSide& top : tops) sides.push_back(make_side(top));
    PythonMonitor monitor(std::move(progress));
    nb::gil_scoped_release unlocked;
    return tables.join(sides, make_side(bottom), make_limits(seconds, std::nullopt).seconds, &monitor,
                       {std::move(flip), std::move(mirror)});
}

std::unique_ptr<JoinRanking> make_ranking(int vertices, const EdgeArray& edges, const FlagArray& required,
                                          const JoinPlan& plan, int threads,
                                          std::optional<std::uint64_t> bytes) {
    const Graph graph = make_graph(vertices, edges, required);
    return translated([&] {
        return std::make_unique<JoinRanking>(graph, plan, threads, make_limits(std::nullopt, bytes).bytes);
    });
}

RankingReport prepare_ranking(JoinRanking& ranking, const std::string& folder, std::optional<double> seconds,
                              nb::object progress, int gap) {
    PythonMonitor monitor(std::move(progress));
    return translated([&] {
        nb::gil_scoped_release unlocked;
        return ranking.prepare(folder, make_limits(seconds, std::nullopt).seconds, &monitor, gap);
    });
}

// Bytes and the checksums of their blocks.
using GivenBytes = std::pair<nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>,
                             nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>>;

CheckedBytes checked(const GivenBytes& given) {
    const auto& [data, sums] = given;
    if (sums.shape(0) != CheckedBytes::blocks(data.shape(0))) throw DamagedBytes();
    return {data.data(), data.shape(0), sums.data()};
}

void restore_ranking(
    JoinRanking& ranking,
    const nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>& directory,
    const std::vector<GivenBytes>& layers, const GivenBytes& patterns, const GivenBytes& ends) {
    std::vector<CheckedBytes> each;
    for (const GivenBytes& layer : layers) each.push_back(checked(layer));
    ranking.restore({directory.data(), directory.data() + directory.shape(0)}, std::move(each),
                    checked(patterns), checked(ends));
}

using IndexArray = nb::ndarray<const std::uint64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using GivenCycles = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

std::pair<std::string, CycleArray> unrank(JoinRanking& ranking, int vertices, const IndexArray& indices,
                                          int start, int threads, std::optional<double> seconds,
                                          nb::object progress) {
    const std::vector<std::uint64_t> wanted(indices.data(), indices.data() + 2 * indices.shape(0));
    PythonMonitor monitor(std::move(progress));
    RankedReport report = translated([&] {
        nb::gil_scoped_release unlocked;
        return ranking.unrank(wanted, start, threads, make_limits(seconds, std::nullopt).seconds, &monitor);
    });
    return {name_of(report.status), to_cycles(std::move(report.cycles), vertices)};
}

std::pair<std::string, Made<std::uint64_t>> rank(JoinRanking& ranking, int vertices,
                                                 const GivenCycles& cycles, int threads,
                                                 std::optional<double> seconds, nb::object progress) {
    if (cycles.shape(1) != static_cast<std::size_t>(vertices))
        throw std::invalid_argument("a cycle has every vertex once");
    PythonMonitor monitor(std::move(progress));
    RankedReport report = translated([&] {
        nb::gil_scoped_release unlocked;
        return ranking.rank(cycles.data(), cycles.shape(0), threads,
                            make_limits(seconds, std::nullopt).seconds, &monitor);
    });
    return {name_of(report.status), to_numpy(std::move(report.indices))};
}

} // namespace

void bind_join(nb::module_& m) {
    nb::class_<JoinStage>(m, "JoinStage", "Where a half is divided into blocks; see ktsolve/join/count.hpp.")
        .def(nb::init<int, Blocks, Blocks>(), "steps"_a, "cells"_a, "sums"_a);

    nb::class_<JoinPlan>(m, "JoinPlan",
                         "How a graph is separated for a two-sided join; see ktsolve/join/count.hpp.")
        .def(nb::init<>())
        .def_rw("top", &JoinPlan::top)
        .def_rw("bottom", &JoinPlan::bottom)
        .def_rw("separator", &JoinPlan::separator)
        .def_rw("top_preapplied", &JoinPlan::top_preapplied)
        .def_rw("bottom_preapplied", &JoinPlan::bottom_preapplied)
        .def_rw("top_deferred", &JoinPlan::top_deferred)
        .def_rw("bottom_deferred", &JoinPlan::bottom_deferred)
        .def_rw("top_mirror", &JoinPlan::top_mirror)
        .def_rw("bottom_mirror", &JoinPlan::bottom_mirror)
        .def_rw("flip", &JoinPlan::flip)
        .def_rw("mirror_joins", &JoinPlan::mirror_joins)
        .def_rw("turned", &JoinPlan::turned)
        .def_rw("split", &JoinPlan::split)
        .def_rw("colour", &JoinPlan::colour)
        .def_rw("blocks", &JoinPlan::blocks)
        .def_rw("top_stages", &JoinPlan::top_stages)
        .def_rw("bottom_stages", &JoinPlan::bottom_stages)
        .def_rw("tallied", &JoinPlan::tallied)
        .def_rw("group", &JoinPlan::group)
        .def_rw("bottom_blocks", &JoinPlan::bottom_blocks)
        .def_rw("single_pairs", &JoinPlan::single_pairs);

    nb::class_<LayerReport>(m, "LayerReport", "States after one step of a half.")
        .def_ro("vertex", &LayerReport::vertex)
        .def_ro("states", &LayerReport::states)
        .def_ro("kept", &LayerReport::kept)
        .def_ro("groups", &LayerReport::groups)
        .def_ro("bytes", &LayerReport::bytes);

    nb::class_<JoinReport>(m, "JoinReport", "What a join count found and what it cost.")
        .def_prop_ro(
            "status", [](const JoinReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &JoinReport::overflow)
        .def_prop_ro(
            "count", [](const JoinReport& r) { return to_python_int(r.count); },
            "Number of Hamiltonian cycles times `divisor`, or its residue; meaningful when status is 'done' "
            "and `overflow` is false.")
        .def_prop_ro(
            "tally", [](const JoinReport& r) { return to_python_ints(r.tally); },
            nb::sig("def tally(self) -> list[int]"),
            "In a tally, the same by how many tallied edges a cycle uses.")
        .def_prop_ro(
            "by_pairs", [](const JoinReport& r) { return to_python_ints(r.by_pairs); },
            nb::sig("def by_pairs(self) -> list[int]"),
            "With a group, the same by the number of pairs of ends in the separator.")
        .def_ro("divisor", &JoinReport::divisor)
        .def_ro("modulus", &JoinReport::modulus)
        .def_ro("top", &JoinReport::top)
        .def_ro("bottom", &JoinReport::bottom)
        .def_ro("transitions", &JoinReport::transitions)
        .def_ro("patterns", &JoinReport::patterns)
        .def_ro("extended", &JoinReport::extended)
        .def_ro("tables", &JoinReport::tables)
        .def_ro("table_bytes", &JoinReport::table_bytes)
        .def_ro("peak_bytes", &JoinReport::peak_bytes)
        .def_ro("file_bytes", &JoinReport::file_bytes)
        .def_ro("seconds_top", &JoinReport::seconds_top)
        .def_ro("seconds_bottom", &JoinReport::seconds_bottom)
        .def_ro("seconds_join", &JoinReport::seconds_join);

    m.attr("WIDEST_SEPARATOR") = kWidestSeparator;
    m.attr("WIDEST_WITH_GROUP") = kWidestWithGroup;
    m.def(
        "join_blocks",
        [](int vertices, const EdgeArray& edges, const FlagArray& required, const JoinPlan& plan, bool upper,
           int cells) {
            const Graph graph = make_graph(vertices, edges, required);
            return translated([&] {
                const JoinBlocks found = leading_blocks(graph, plan, upper, cells);
                return std::pair(found.vertices, found.degrees);
            });
        },
        "vertices"_a, "edges"_a, "required"_a, "plan"_a, "upper"_a, "cells"_a,
        "The first `cells` separator vertices whose degrees are final in a half of a plan with a group, and "
        "the degrees there with which patterns may lead their orbits; with single patterns all vertices, and "
        "last the degrees of these.");
    m.def("join_count", &join_count, "vertices"_a, "edges"_a, "required"_a, "plan"_a, "threads"_a = 1,
          "modulus"_a = 0, "part"_a = std::pair<std::uint64_t, std::uint64_t>(0, 1),
          "blocks"_a = std::pair<Blocks, Blocks>(), "spill"_a = "", "key"_a = "", "disk"_a = nb::none(),
          "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Count the Hamiltonian cycles that use every required edge by a two-sided join along `plan`; with "
          "`part` (i, n) only the i-th of n summands, with `blocks` only pairs of states of these blocks, a "
          "list for either side.");
    m.def("join_files", &join_files, "vertices"_a, "edges"_a, "required"_a, "plan"_a, "blocks"_a, "spill"_a,
          "key"_a, "disk"_a = nb::none(), "threads"_a = 1, "modulus"_a = 0, "seconds"_a = nb::none(),
          "bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Make the tables of these blocks and keep them in the folder `spill`, unless they are there; files "
          "take `disk` bytes at most.");

    nb::class_<MovesReport>(m, "MovesReport", "The numbers of cycles through edges and what they cost.")
        .def_prop_ro(
            "status", [](const MovesReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &MovesReport::overflow)
        .def_prop_ro(
            "counts", [](const MovesReport& r) { return to_python_ints(r.counts); },
            nb::sig("def counts(self) -> list[int]"),
            "For each edge given to the top the number of cycles that use it, or its residue; 0 for others.")
        .def_prop_ro(
            "total", [](const MovesReport& r) { return to_python_int(r.total); }, "The number of all cycles.")
        .def_ro("top", &MovesReport::top)
        .def_ro("bottom", &MovesReport::bottom)
        .def_ro("peak_bytes", &MovesReport::peak_bytes)
        .def_ro("seconds_halves", &MovesReport::seconds_halves)
        .def_ro("seconds_join", &MovesReport::seconds_join)
        .def_ro("seconds_back", &MovesReport::seconds_back);

    m.def("join_moves", &join_moves, "vertices"_a, "edges"_a, "required"_a, "plan"_a, "threads"_a = 1,
          "modulus"_a = 0, "seconds"_a = nb::none(), "bytes"_a = nb::none(), "progress"_a = nb::none(),
          "Count the Hamiltonian cycles through each edge that `plan` gives to the top.");

    nb::class_<HalfPlan>(m, "HalfPlan", "How a half table is made; see ktsolve/join/tables.hpp.")
        .def(nb::init<>())
        .def_rw("eliminate", &HalfPlan::eliminate)
        .def_rw("separator", &HalfPlan::separator)
        .def_rw("mirror", &HalfPlan::mirror)
        .def_rw("grown_from", &HalfPlan::grown_from, "A table whose vertices are eliminated first, or -1.")
        .def_rw("cells", &HalfPlan::cells, "Sets of separator vertices.")
        .def_rw("blocks", &HalfPlan::blocks,
                "For each set the sum of degrees; of some blocks, or all states.")
        .def_rw("files", &HalfPlan::files, "Beginning of the names of files of blocks, or empty.")
        .def_rw("disk", &HalfPlan::disk, "Bytes that the files of one call may take.");

    nb::class_<TableReport>(m, "TableReport", "A half table and what it cost.")
        .def_prop_ro(
            "status", [](const TableReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &TableReport::overflow)
        .def_ro("table", &TableReport::table)
        .def_ro("folded", &TableReport::folded)
        .def_ro("layers", &TableReport::layers)
        .def_ro("transitions", &TableReport::transitions)
        .def_ro("bytes", &TableReport::bytes);

    nb::class_<TablesReport>(m, "TablesReport", "The counts of joined tables.")
        .def_prop_ro(
            "status", [](const TablesReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &TablesReport::overflow)
        .def_prop_ro(
            "counts", [](const TablesReport& r) { return to_python_ints(r.counts); },
            nb::sig("def counts(self) -> list[int]"),
            "For each top the number of Hamiltonian cycles times its divisor.")
        .def_ro("divisors", &TablesReport::divisors)
        .def_ro("patterns", &TablesReport::patterns)
        .def_ro("extended", &TablesReport::extended);

    nb::class_<JoinTables>(m, "JoinTables",
                           "Half tables that are kept, so that each can be joined with many others.")
        .def(nb::init<int, int, std::uint64_t, std::uint64_t>(), "separator"_a, "threads"_a, "bytes"_a,
             "modulus"_a = 0)
        .def("make", &make_table, "vertices"_a, "edges"_a, "required"_a, "half"_a, "seconds"_a = nb::none(),
             "progress"_a = nb::none(), "Make a table; the report has its number.")
        .def("drop", &JoinTables::drop, "table"_a)
        .def(
            "join", &join_tables, "tops"_a, "bottom"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
            "flip"_a = std::vector<int>(), "mirror"_a = std::vector<int>(),
            "Count the cycles made of each top with the bottom; a side is a table's number and edges between "
            "slots of the separator, (slot, slot, required). With a flip the bottom's table is made as a "
            "top.")
        .def_prop_ro("peak_bytes", &JoinTables::peak_bytes);

    nb::class_<RankingReport>(m, "RankingReport", "The tables of a ranking and what they cost.")
        .def_prop_ro(
            "status", [](const RankingReport& r) { return name_of(r.status); },
            "'done', 'time', 'memory' or 'interrupted'.")
        .def_ro("overflow", &RankingReport::overflow)
        .def_prop_ro("count", [](const RankingReport& r) { return to_python_int(r.count); })
        .def_ro("top", &RankingReport::top)
        .def_ro("bottom", &RankingReport::bottom)
        .def_ro("orbits", &RankingReport::orbits)
        .def_ro("peak_bytes", &RankingReport::peak_bytes)
        .def_ro("seconds_halves", &RankingReport::seconds_halves)
        .def_ro("seconds_join", &RankingReport::seconds_join);

    nb::class_<JoinRanking>(m, "JoinRanking",
                            "All Hamiltonian cycles of a graph in a fixed order; see "
                            "ktsolve/join/ranking.hpp.")
        .def(nb::new_(&make_ranking), "vertices"_a, "edges"_a, "required"_a, "plan"_a, "threads"_a = 1,
             "bytes"_a = nb::none())
        .def("prepare", &prepare_ranking, "folder"_a = "", "seconds"_a = nb::none(),
             "progress"_a = nb::none(), "gap"_a = 1,
             "Make the tables; with a folder, layers are kept in files there, of every `gap` one.")
        .def(
            "directory", [](const JoinRanking& ranking) { return to_numpy(ranking.directory()); },
            "Where everything lies in the bytes of the layers; to be called before these.")
        .def(
            "packed_layer",
            [](const JoinRanking& ranking, bool upper, std::size_t number) {
                std::vector<std::uint8_t> bytes;
                {
                    nb::gil_scoped_release unlocked;
                    bytes = ranking.packed_layer(upper, number);
                }
                return to_numpy(std::move(bytes));
            },
            "upper"_a, "number"_a, "The bytes of a layer; none if it is not kept.")
        .def(
            "totals",
            [](const JoinRanking& ranking) {
                auto [patterns, ends] = ranking.totals();
                return std::pair{to_numpy(std::move(patterns)), to_numpy(std::move(ends))};
            },
            "The patterns of the orbits and their running totals, as bytes.")
        .def("restore", &restore_ranking, "directory"_a, "layers"_a, "patterns"_a, "ends"_a,
             "Take the tables from bytes and their checksums, which must outlive this.")
        .def_prop_ro(
            "count", [](const JoinRanking& ranking) { return to_python_int(ranking.count()); },
            "Number of cycles.")
        .def_prop_ro("kept", &JoinRanking::kept, "Bytes of the layers that are kept, and their number.")
        .def("unrank", &unrank, "vertices"_a, "indices"_a, "start"_a = 0, "threads"_a = 1,
             "seconds"_a = nb::none(), "progress"_a = nb::none(),
             "Status, and the cycles with these indices (low and high half of each), a row each.")
        .def("rank", &rank, "vertices"_a, "cycles"_a, "threads"_a = 1, "seconds"_a = nb::none(),
             "progress"_a = nb::none(), "Status, and the low and high half of the index of each cycle.");
}

} // namespace ktsolve::python
