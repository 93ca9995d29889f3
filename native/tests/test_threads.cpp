// The threads themselves, small enough for ThreadSanitizer: tasks, stops, exceptions, limits; joins, half
// tables and sweeps.
//
// Threads: common/workers.hpp common/shared_words.hpp join/context.hpp join/index.hpp join/tables.cpp
// join/contraction.cpp frontier/sweep.hpp frontier/store.hpp
#include <atomic>
#include <stdexcept>

#include "check.hpp"
#include "common/workers.hpp"
#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/invariant.hpp"
#include "ktsolve/join/ranking.hpp"
#include "ktsolve/join/tables.hpp"
#include "ktsolve/quotient/voltage.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;

namespace {

struct Refusal final : Monitor {
    bool keep_going(const Progress&) override { return false; }
};

void each_task_is_done_once() {
    Watch watch({}, nullptr);
    for (const int threads : {1, 3, 8}) {
        Workers workers(threads, watch);
        std::vector<int> done(1000);
        std::atomic<bool> known{true};
        workers.run(done.size(), [&](int worker, u64 task) {
            if (worker < 0 || worker >= threads) known = false;
            ++done[task];
        });
        CHECK(known);
        CHECK(std::all_of(done.begin(), done.end(), [](int times) { return times == 1; }));
    }
}

void an_exception_ends_the_other_workers() {
    Watch watch({}, nullptr);
    Workers workers(4, watch);
    for (const u64 bad : {0, 3}) {
        CHECK_THROWS(workers.run(4,
                                 [&](int worker, u64 task) {
                                     if (task == bad) throw std::runtime_error("a task failed");
                                     // Worker 0 leaves the loop by itself, the others by the stop flag.
                                     do workers.tick(worker);
                                     while (worker != 0);
                                 }),
                     std::runtime_error);
        int done = 0;
        workers.run(1, [&](int, u64) { ++done; });
        CHECK(done == 1);
    }
}

void limits_end_all_workers() {
    Refusal refusal;
    Watch late({0.05, ~std::uint64_t{0}}, nullptr), refused({}, &refusal);
    for (Watch* watch : {&late, &refused}) {
        Workers workers(4, *watch);
        const Status status = status_of([&] {
            workers.run(4, [&](int worker, u64) {
                while (true) workers.tick(worker);
            });
        });
        CHECK(status == (watch == &late ? Status::out_of_time : Status::interrupted));
    }
}

// Whichever worker runs out of memory, or finds that a budget is used up.
void failures_in_any_worker_are_reported() {
    Watch watch({}, nullptr);
    Workers workers(4, watch);
    for (u64 bad = 0; bad < 40; ++bad) {
        std::atomic<int> done{0};
        const auto ended = [&](auto fail) {
            return status_of([&] {
                workers.run(40, [&](int worker, u64 task) {
                    if (task == bad) fail();
                    workers.tick(worker);
                    ++done;
                });
            });
        };
        CHECK(ended([] { throw std::bad_alloc(); }) == Status::out_of_memory);
        CHECK(ended([] { throw Stopped{Status::out_of_memory}; }) == Status::out_of_memory);
        CHECK(ended([] { throw Stopped{Status::out_of_time}; }) == Status::out_of_time);
        done = 0;
        CHECK(ended([] {}) == Status::done && done == 40);
    }
}

void joins_agree_on_any_number_of_threads() {
    const Graph graph = knight_graph(7, 6);
    const JoinPlan plan = rows_plan(graph, 7, 6, 3);
    for (const int threads : {2, 5}) {
        JoinSettings settings;
        settings.threads = threads;
        const JoinReport report = count_cycles_by_join(graph, plan, settings, {});
        CHECK(report.status == Status::done && report.count[0] == 1067638 * report.divisor);
    }
}

// Open tours of 5x5 from corner to corner, from two half tables.
void tables_agree_on_any_number_of_threads() {
    const Graph moves = knight_graph(5, 5);
    const int extra = 25;
    const JoinPlan plan = rows_plan(moves, 5, 5, 1);
    const auto made = [&](JoinTables& tables, const std::vector<int>& half, int end) {
        Graph graph;
        graph.vertices = 26;
        for (const auto& edge : moves.edges)
            if (std::count(half.begin(), half.end(), edge.first) +
                    std::count(half.begin(), half.end(), edge.second) >
                0)
                graph.edges.push_back(edge);
        graph.edges.emplace_back(end, extra);
        graph.required.assign(graph.edges.size(), 0);
        graph.required.back() = 1;
        HalfPlan plan_of_half{half, plan.separator, {}};
        plan_of_half.separator.push_back(extra);
        return tables.make(graph, plan_of_half, 1e9).table;
    };
    std::vector<TableSide::Edge> separator;
    for (const auto& [u, v] : moves.edges)
        if (u / 5 >= 1 && u / 5 < 3 && v / 5 >= 1 && v / 5 < 3) separator.push_back({u - 5, v - 5, false});
    for (const int threads : {1, 4}) {
        JoinTables tables(10, threads, u64{1} << 30);
        const TableSide top{made(tables, plan.top, 0), separator}, bottom{made(tables, plan.bottom, 24), {}};
        const TablesReport report = tables.join({top}, bottom, 1e9);
        CHECK(report.status == Status::done && report.counts[0][0] == 56 * report.divisors[0]);
    }
}

// Tables made, indices of cycles and cycles of indices, by several threads.
void rankings_agree_on_any_number_of_threads() {
    const Graph graph = knight_graph(5, 6);
    const JoinPlan plan = rows_plan(graph, 5, 6, 1);
    std::vector<std::int32_t> first;
    for (const int threads : {1, 4}) {
        JoinRanking ranking(graph, plan, threads, u64{1} << 30);
        CHECK(ranking.prepare("", 1e9).status == Status::done);
        std::vector<std::uint64_t> indices;
        for (std::uint64_t i = 0; i < 800; ++i) indices.insert(indices.end(), {i % 8, 0});
        const RankedReport found = ranking.unrank(indices, 0, threads, 1e9);
        if (first.empty()) first = found.cycles;
        CHECK(found.status == Status::done && found.cycles == first);
        CHECK(ranking.rank(first.data(), 800, threads, 1e9).indices == indices);
    }
}

// Layers in parts, with counts of one word and of several.
void sweeps_agree_on_any_number_of_threads() {
    const Graph board = knight_graph(5, 6), grid = leaper_graph(60, 5, 0, 1);
    std::vector<int> turned(static_cast<std::size_t>(board.vertices));
    for (int v = 0; v < board.vertices; ++v) turned[static_cast<std::size_t>(v)] = board.vertices - 1 - v;
    const std::vector<Parallel> parallel(grid.edges.size(), Parallel{2, 1});
    const VoltageReport one = count_cycles_by_voltage(grid, parallel, {});
    const FrontierReport plain = count_cycles_by_frontier(grid, {});
    CHECK(one.limbs > 2 && plain.limbs > 1);
    for (const int threads : {2, 5}) {
        const FrontierReport report = count_cycles_by_frontier(board, {}, nullptr, threads);
        CHECK(report.status == Status::done && report.count == std::vector<std::uint64_t>{8});
        CHECK(count_cycles_by_frontier(grid, {}, nullptr, threads).count == plain.count);
        const VoltageReport several = count_cycles_by_voltage(grid, parallel, {}, nullptr, threads);
        CHECK(several.count == one.count && several.odd == one.odd);
        CHECK(several.peak_states == one.peak_states && several.transitions == one.transitions);
        const FrontierReport invariant = count_invariant_cycles(board, turned, {}, nullptr, threads);
        CHECK(invariant.count == count_invariant_cycles(board, turned, {}).count);
    }
}

void limits_end_sweeps_of_several_threads() {
    Refusal refusal;
    const Graph board = knight_graph(8, 8);
    CHECK(count_cycles_by_frontier(board, {}, &refusal, 4).status == Status::interrupted);
    CHECK(count_cycles_by_frontier(board, {0.05, ~std::uint64_t{0}}, nullptr, 4).status ==
          Status::out_of_time);
    for (const std::uint64_t bytes : {u64{1} << 20, u64{1} << 22}) {
        const FrontierReport report =
            count_cycles_by_frontier(board, {std::numeric_limits<double>::infinity(), bytes}, nullptr, 4);
        CHECK(report.status == Status::out_of_memory && report.peak_bytes <= bytes);
        CHECK(report.peak_states > 1000 && report.eliminated > 5);
    }
}

} // namespace

int main() {
    each_task_is_done_once();
    an_exception_ends_the_other_workers();
    limits_end_all_workers();
    failures_in_any_worker_are_reported();
    joins_agree_on_any_number_of_threads();
    tables_agree_on_any_number_of_threads();
    rankings_agree_on_any_number_of_threads();
    sweeps_agree_on_any_number_of_threads();
    limits_end_sweeps_of_several_threads();
    return finish("threads");
}
