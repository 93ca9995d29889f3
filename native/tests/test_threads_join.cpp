// All of the join that runs on several threads, and the strips and recurrences, in small tasks: with four
// threads, with stops, budgets and exceptions in the midst of work, with several callers at once. For
// ThreadSanitizer; test_threads.cpp is about the threads themselves.
//
// Threads: join/step.cpp join/join_step.cpp join/extension.cpp join/fold.cpp join/transitions.cpp
// join/transitions.hpp join/groups.cpp join/groups.hpp join/ranking.cpp join/ranking.hpp
// join/orbit_join.cpp join/single_join.cpp join/single_pattern.cpp join/ranking_query.cpp join/kept.cpp
// join/last_reading.hpp join/moves.cpp
// join/spill.cpp strip/sweep.cpp sequences/recurrence.cpp common/vectors.cpp ktsolve/common/checked_bytes.hpp
#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "check.hpp"
#include "cube_plan.hpp"
#include "ktsolve/frontier/diagram.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/moves.hpp"
#include "ktsolve/join/tables.hpp"
#include "ktsolve/sequences/recurrence.hpp"
#include "ktsolve/strip/strip.hpp"
#include "ranking_bytes.hpp"
#include "rows_plan.hpp"
#include "strip_tables.hpp"

using namespace ktsolve;

namespace {

constexpr int kThreads = 4;

// Stops the work at a call, after it has read the progress.
struct Stop final : Monitor {
    explicit Stop(int calls) : left(calls) {}
    bool keep_going(const Progress& progress) override {
        seen = std::max(seen, progress.step);
        return --left > 0;
    }
    int left;
    u64 seen = 0;
};

JoinSettings on_threads(int threads, u64 modulus = 0) {
    JoinSettings settings;
    settings.threads = threads;
    settings.modulus = modulus;
    return settings;
}

void counts_of_all_kinds() {
    const Graph graph = knight_graph(6, 6);
    for (const bool mirrored : {false, true}) {
        const u64 modulus = mirrored ? 0 : 10007;
        const JoinReport report =
            count_cycles_by_join(graph, symmetric_plan(graph, mirrored), on_threads(kThreads, modulus), {});
        const u64 all = 9862 * report.divisor;
        CHECK(report.status == Status::done && report.count[0] == (modulus == 0 ? all : all % modulus));
    }
    // Folded layers, whose groups move to those of their mirror images.
    JoinPlan folded = rows_plan(graph, 6, 6, 2);
    for (int v = 0; v < 36; ++v) folded.top_mirror.push_back(6 * (v / 6) + 5 - v % 6);
    folded.bottom_mirror = folded.top_mirror;
    const JoinReport report = count_cycles_by_join(graph, folded, on_threads(kThreads), {});
    CHECK(report.status == Status::done && report.count[0] == 9862 * report.divisor);
    // By uses of moves.
    JoinPlan tallied = rows_plan(graph, 6, 6, 2);
    for (std::size_t e = 0; e < graph.edges.size(); e += 5) tallied.tallied.push_back(static_cast<int>(e));
    const JoinReport one = count_cycles_by_join(graph, tallied, on_threads(1), {});
    const JoinReport four = count_cycles_by_join(graph, tallied, on_threads(kThreads), {});
    CHECK(one.status == Status::done && one.tally == four.tally && one.tally.size() > 5);
    u64 sum = 0;
    for (const auto& count : four.tally) sum += count.empty() ? 0 : count[0];
    CHECK(sum == 9862 * four.divisor);
}

// One of each orbit of patterns.
void orbits() {
    const Limits limits{60, u64{1} << 30};
    const JoinReport report =
        count_cycles_by_join(cube_graph(4), cube_plan(4, 2, true), on_threads(kThreads), limits);
    CHECK(report.status == Status::done && report.count[0] == 1344);
    const JoinReport modular =
        count_cycles_by_join(cube_graph(4), cube_plan(4, 2), on_threads(kThreads, 1009), limits);
    CHECK(modular.status == Status::done && modular.count[0] == 1344 % 1009);
    // Single patterns, of four ends or more.
    JoinPlan plan = cube_plan(4, 2, true);
    JoinSettings settings = on_threads(kThreads);
    plan.single_pairs = 2;
    const JoinBlocks blocks = leading_blocks(cube_graph(4), plan, true, 2);
    for (const int v : blocks.vertices) plan.blocks.push_back({v});
    for (const auto& degrees : blocks.degrees)
        if (degrees.size() == plan.separator.size()) settings.top_blocks.push_back(degrees);
    settings.bottom_blocks = settings.top_blocks;
    const JoinReport singles = count_cycles_by_join(cube_graph(4), plan, settings, {60, u64{1} << 30});
    const JoinReport all = count_cycles_by_join(cube_graph(4), cube_plan(4, 2, true), on_threads(1), {});
    CHECK(singles.status == Status::done && singles.by_pairs[2] == all.by_pairs[2]);
    CHECK(singles.by_pairs[3] == all.by_pairs[3]);
}

void uses_of_moves() {
    const Graph graph = knight_graph(6, 6);
    for (const u64 modulus : {u64{0}, u64{1000003}}) {
        const MovesReport one = count_moves_by_join(graph, rows_plan(graph, 6, 6, 2), 1, modulus, {});
        const MovesReport four = count_moves_by_join(graph, rows_plan(graph, 6, 6, 2), kThreads, modulus, {});
        CHECK(four.status == Status::done && four.counts == one.counts && four.total == one.total);
    }
}

// Layers in files, and the files read again.
void layers_on_disk() {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("ktsolve-threads-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder);
    const Graph graph = knight_graph(6, 6);
    JoinSettings settings = on_threads(kThreads);
    settings.spill = folder.string();
    settings.key = "six";
    for (int round = 0; round < 2; ++round) {
        const JoinReport report = count_cycles_by_join(graph, rows_plan(graph, 6, 6, 2), settings, {});
        CHECK(report.status == Status::done && report.count[0] == 9862 * report.divisor);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 2);
    JoinRanking ranking(graph, rows_plan(graph, 6, 6, 2), kThreads, u64{1} << 30);
    CHECK(ranking.prepare(folder.string(), 1e9).status == Status::done);
    CHECK(ranking.unrank({9861, 0, 17, 0}, 0, kThreads, 1e9).status == Status::done);
    std::filesystem::remove_all(folder);
}

// Halves in blocks and stages, from files of both.
void blocks_on_disk() {
    const auto folder =
        std::filesystem::temp_directory_path() / ("ktsolve-blocks-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder);
    const Graph graph = knight_graph(10, 5);
    const JoinPlan plan = plan_in_stages(graph);
    u64 sum = 0;
    for (const std::size_t from : {0, 1}) {
        JoinSettings settings = in_blocks(plan, from, kThreads);
        settings.spill = folder.string();
        settings.key = "ten";
        const JoinReport made = make_join_tables(graph, plan, settings, {});
        CHECK(made.status == Status::done);
        CHECK(made.file_bytes.size() == settings.top_blocks.size() + settings.bottom_blocks.size());
        const JoinReport report = count_cycles_by_join(graph, plan, settings, {});
        CHECK(report.status == Status::done && report.transitions == 0);
        sum += report.count[0] / report.divisor;
    }
    CHECK(sum == 13311268);
    std::filesystem::remove_all(folder);
}

// Tables prepared, read from bytes, and asked by several callers at once.
void rankings() {
    const Graph graph = knight_graph(6, 6);
    for (const bool flipped : {true, false}) {
        const int gap = flipped ? 1 : 4;
        const JoinPlan plan = flipped ? symmetric_plan(graph, true) : rows_plan(graph, 6, 6, 2);
        JoinRanking made(graph, plan, kThreads, u64{1} << 30);
        CHECK(made.prepare("", 1e9, nullptr, gap).status == Status::done);
        const RankingBytes bytes(made);
        JoinRanking restored(graph, plan, kThreads, u64{1} << 30);
        bytes.give(restored);
        std::vector<u64> wanted;
        for (u64 i = 0; i < 9862; i += 97) wanted.insert(wanted.end(), {i, 0});
        const auto cycles = made.unrank(wanted, 0, kThreads, 1e9).cycles;
        std::atomic<int> good{0};
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 3; ++caller)
            callers.emplace_back([&] {
                good += restored.unrank(wanted, 0, kThreads, 1e9).cycles == cycles;
                good += restored.rank(cycles.data(), wanted.size() / 2, kThreads, 1e9).indices == wanted;
            });
        for (std::thread& caller : callers) caller.join();
        CHECK(good == 6);
    }
}

// A diagram is only read: callers share nothing but what is known about its blocks.
void diagrams_with_several_callers() {
    FrontierDiagram diagram;
    diagram.graph = knight_graph(6, 6);
    CHECK(build_diagram(diagram, {}).status == Status::done);
    std::vector<std::vector<u64>> sums(diagram.layers.size());
    for (std::size_t s = 0; s < sums.size(); ++s) {
        DiagramLayer& layer = diagram.layers[s];
        for (std::size_t at = 0; at < layer.made.size(); at += kCheckedBlock)
            sums[s].push_back(
                checksum_of(layer.made.data() + at, std::min(kCheckedBlock, layer.made.size() - at)));
        layer.bytes = CheckedBytes(layer.made.data(), layer.made.size(), sums[s].data());
    }
    std::atomic<int> good{0};
    std::vector<std::thread> callers;
    for (u64 caller = 0; caller < kThreads; ++caller)
        callers.emplace_back([&, caller] {
            std::vector<u64> wanted, found;
            for (u64 i = caller; i < 9862; i += 97) wanted.push_back(i);
            Cycles cycles;
            if (unrank_cycles(diagram, wanted.data(), wanted.size(), cycles, {}) == Status::done &&
                rank_cycles(diagram, cycles, found, {}) == Status::done && found == wanted)
                ++good;
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(good == kThreads);
}

Strip knight_strip(int rows) {
    Strip strip;
    strip.rows = rows;
    for (int row = 0; row < rows; ++row)
        for (const auto& [down, ahead] : {std::pair{1, 2}, {-1, 2}, {2, 1}, {-2, 1}})
            if (row + down >= 0 && row + down < rows) strip.edges.push_back({row, row + down, ahead});
    return strip;
}

void strips() {
    StripTransfer one(knight_strip(4)), four(knight_strip(4));
    StripTransfer five(knight_strip(5));
    CHECK(five.compile({}) == Status::done);
    CHECK(five.extend(5, kThreads, {}) == Status::done);
    CHECK(one.compile({}) == Status::done && four.compile({}) == Status::done);
    CHECK(one.extend(12, 1, {}) == Status::done && four.extend(12, kThreads, {}) == Status::done);
    CHECK(one.counts() == four.counts());
    CHECK(five.counts()[static_cast<std::size_t>(6 - five.first())] == (Limbs{8})); // 5x6
    Limbs far;
    CHECK(five.count(8, kThreads, {}, nullptr, far) == Status::done);
    CHECK(far == (Limbs{44202})); // 5x8
    Stop stop(1);
    StripTransfer late(knight_strip(5));
    CHECK(late.compile({}) == Status::done);
    CHECK(late.extend(100000, kThreads, {}, &stop) == Status::interrupted);
    const int known = static_cast<int>(late.counts().size());
    CHECK(late.extend(std::max(known, 6) + 2, kThreads, {}) == Status::done);
    CHECK(late.counts()[static_cast<std::size_t>(6 - late.first())] == (Limbs{8}));
}

void recurrences() {
    // Fibonacci numbers modulo many primes.
    const std::vector<u64> primes{2, 3, 5, 7, 11, 13, 1000000007, 998244353, 4294967291, 65537, 97, 101};
    std::vector<u64> top, bottom;
    for (const u64 p : primes) {
        top.insert(top.end(), {0, 1});
        bottom.insert(bottom.end(), {1, p - 1, p - 1});
    }
    std::vector<u64> found;
    CHECK(far_terms(top, bottom, primes, 90, kThreads, {}, nullptr, found) == Status::done);
    for (std::size_t k = 0; k < primes.size(); ++k) CHECK(found[k] == 2880067194370816120u % primes[k]);
}

// Whatever the budget and wherever the stop comes, an answer is right, and all threads end.
void stops_and_budgets_anywhere() {
    const Graph graph = knight_graph(6, 6);
    const JoinPlan plan = symmetric_plan(graph, true);
    int done = 0, out = 0;
    for (u64 bytes = u64{1} << 18; bytes <= u64{1} << 30; bytes *= 4) {
        Limits limits;
        limits.bytes = bytes;
        const JoinReport report = count_cycles_by_join(graph, plan, on_threads(kThreads), limits);
        done += report.status == Status::done && report.count[0] == 9862 * report.divisor;
        out += report.status == Status::out_of_memory;
        const MovesReport moves = count_moves_by_join(graph, rows_plan(graph, 6, 6, 2), kThreads, 0, limits);
        done += moves.status == Status::done && moves.total[0] == 9862;
        out += moves.status == Status::out_of_memory;
        JoinRanking ranking(graph, plan, kThreads, bytes);
        const RankingReport prepared = ranking.prepare("", 1e9);
        done += prepared.status == Status::done && prepared.count[0] == 9862;
        out += prepared.status == Status::out_of_memory;
    }
    CHECK(done > 3 && out > 3 && (done + out) % 3 == 0);
    for (int millis = 0; millis < 60; millis += 15) {
        Limits limits;
        limits.seconds = millis / 1000.0;
        const JoinReport report = count_cycles_by_join(graph, plan, on_threads(kThreads), limits);
        CHECK(report.status == Status::out_of_time ||
              (report.status == Status::done && report.count[0] == 9862 * report.divisor));
    }
    const Graph larger = knight_graph(7, 6);
    Stop stop(2);
    const JoinReport stopped =
        count_cycles_by_join(larger, rows_plan(larger, 7, 6, 3), on_threads(kThreads), {}, &stop);
    CHECK(stopped.status == Status::interrupted || stop.left > 0);
    JoinRanking ranking(larger, rows_plan(larger, 7, 6, 3), kThreads, u64{1} << 30);
    Stop again(1);
    const Status status = ranking.prepare("", 1e9, &again).status;
    CHECK(status == Status::interrupted || again.left > 0);
}

} // namespace

int main() {
    counts_of_all_kinds();
    check_tables_of_a_strip(kThreads, 2);
    orbits();
    uses_of_moves();
    layers_on_disk();
    blocks_on_disk();
    rankings();
    diagrams_with_several_callers();
    strips();
    recurrences();
    stops_and_budgets_anywhere();
    return finish("threads of the join");
}
