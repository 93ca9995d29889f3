// Rankings by the join: every cycle has one index and every index one cycle, on any cut, with symmetries,
// with layers missing, from bytes; and damage is noticed.
#include "ktsolve/join/ranking.hpp"

#include <map>

#include "check.hpp"
#include "join/completions.hpp"
#include "join/predecessors.hpp"
#include "random_cut.hpp"
#include "ranking_bytes.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;
using namespace ktsolve::join;

namespace {

// All cycles in order; checks that they are different cycles of the graph, and that they have their indices.
std::vector<std::int32_t> check_all(JoinRanking& ranking, const Graph& graph, u64 count, int threads = 1) {
    CHECK(ranking.count() == (std::vector<u64>{count, 0}));
    const RankedReport cycles = ranking.unrank(all_indices(count), 0, threads, 1e9);
    CHECK(cycles.status == Status::done);
    const std::set<std::pair<int, int>> edges(graph.edges.begin(), graph.edges.end());
    std::set<std::vector<std::int32_t>> seen;
    const auto n = static_cast<std::size_t>(graph.vertices);
    for (u64 i = 0; i < count; ++i) {
        const auto at = cycles.cycles.begin() + static_cast<std::ptrdiff_t>(i * n);
        const std::vector<std::int32_t> cycle(at, at + graph.vertices);
        CHECK(cycle[0] == 0 && cycle[1] < cycle[n - 1]);
        CHECK(std::set<std::int32_t>(cycle.begin(), cycle.end()).size() == n);
        std::vector<std::pair<int, int>> used;
        for (std::size_t v = 0; v < n; ++v) {
            const int a = cycle[v], b = cycle[(v + 1) % n];
            used.emplace_back(std::min(a, b), std::max(a, b));
            CHECK(edges.count(used.back()) == 1);
        }
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            if (graph.required[e] != 0) CHECK(std::count(used.begin(), used.end(), graph.edges[e]) == 1);
        seen.insert(cycle);
    }
    CHECK(seen.size() == count);
    const RankedReport indices = ranking.rank(cycles.cycles.data(), count, threads, 1e9);
    CHECK(indices.status == Status::done && indices.indices == all_indices(count));
    return cycles.cycles;
}

void all_cycles_of_6x6() {
    const Graph graph = knight_graph(6, 6);
    for (const bool mirrored : {false, true}) {
        const JoinPlan plan = symmetric_plan(graph, mirrored);
        std::vector<std::int32_t> first;
        for (const auto& [threads, gap] : {std::pair{1, 1}, {3, 1}, {2, 2}, {1, 4}}) {
            JoinRanking ranking(graph, plan, threads, u64{1} << 30);
            const RankingReport report = ranking.prepare("", 1e9, nullptr, gap);
            CHECK(report.status == Status::done && !report.overflow);
            CHECK(ranking.kept().second == (gap == 1 ? 13u : gap == 2 ? 7u : 4u));
            const auto cycles = check_all(ranking, graph, 9862, threads);
            if (first.empty()) first = cycles;
            CHECK(cycles == first); // the order depends on the plan alone
        }
    }
}

void random_cuts_against_the_definition() {
    std::mt19937 random(7);
    int with_cycles = 0;
    for (int i = 0; i < 300; ++i) {
        const int n = 4 + i % 5;
        const auto [cut, plan, chosen] = random_cut(random, n, 0.6 + 0.05 * (i % 8), i % 3 == 0 ? 0.15 : 0.0);
        const std::size_t expected = cycles_by_definition(cut).size();
        with_cycles += expected > 0;
        JoinRanking ranking(cut, plan, 1, u64{1} << 30);
        CHECK(ranking.prepare("", 1e9, nullptr, i % 2 == 0 ? 1 : 4).status == Status::done);
        check_all(ranking, cut, expected);
    }
    CHECK(with_cycles > 30);
}

void tables_from_bytes() {
    const Graph graph = knight_graph(6, 6);
    for (const bool flipped : {true, false}) {
        const JoinPlan plan = flipped ? symmetric_plan(graph, true) : rows_plan(graph, 6, 6, 2);
        JoinRanking made(graph, plan, 2, u64{1} << 30);
        CHECK(made.prepare("", 1e9).status == Status::done);
        const RankingBytes bytes(made);
        JoinRanking restored(graph, plan, 1, u64{1} << 30);
        bytes.give(restored);
        CHECK(check_all(restored, graph, 9862) == check_all(made, graph, 9862));
        const RankingBytes again(restored);
        CHECK(again.directory == bytes.directory && again.each == bytes.each);

        // Any change of a byte is noticed, or its block is not read.
        std::mt19937 random(8);
        for (std::size_t i = 0; i < bytes.each.size(); ++i) {
            RankingBytes bad = bytes;
            if (bad.each[i].empty()) continue;
            bad.each[i][random() % bad.each[i].size()] ^= static_cast<u8>(1 + random() % 255);
            JoinRanking damaged(graph, plan, 1, u64{1} << 30);
            bad.give(damaged);
            CHECK_THROWS(damaged.unrank(all_indices(9862), 0, 1, 1e9), DamagedBytes);
        }
        // A directory that does not fit is refused, at once or when what it describes is read. The first
        // layers have one block each: seven numbers for a layer, of which that of states is not used.
        for (std::size_t place = 0; place < 30; ++place) {
            RankingBytes bad = bytes;
            bad.directory[place] += u64{1} << 60;
            JoinRanking damaged(graph, plan, 1, u64{1} << 30);
            bool noticed = false;
            try {
                bad.give(damaged);
                (void)damaged.unrank(all_indices(9862), 0, 1, 1e9);
            } catch (const DamagedBytes&) {
                noticed = true;
            }
            CHECK(noticed == (place % 7 != 6));
        }
        RankingBytes shorter = bytes;
        shorter.directory.pop_back();
        JoinRanking damaged(graph, plan, 1, u64{1} << 30);
        CHECK_THROWS(shorter.give(damaged), DamagedBytes);
    }
}

void completions_by_definition() {
    ContractionLists lists;
    Transitions transitions;
    for (int pairs = 0; pairs <= 5; ++pairs) {
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        for (u64 a = 0; a < many; a += pairs == 5 ? 7 : 1) {
            const Completions closes(pairs, a, lists, transitions, 1000);
            const Mates one = mates_of_rank(pairs, a);
            for (u64 b = 0; b < many; ++b) {
                const Mates other = mates_of_rank(pairs, b);
                int at = 0, length = 0;
                if (pairs > 0) do {
                        at = other[one[static_cast<std::size_t>(at)]];
                        ++length;
                    } while (at != 0);
                CHECK(closes(b) == (pairs > 0 && length == pairs));
            }
            CHECK(!closes(many));
        }
    }
}

// Origins of matchings: exactly those that the edge leads from.
void origins_by_definition() {
    for (int pairs = 0; pairs <= 4; ++pairs)
        for (const Kind kind : {Kind::insert, Kind::move, Kind::connect}) {
            const int then = pairs_after(kind, pairs);
            if (then < 0) continue;
            const int ends = 2 * pairs, last = kind == Kind::insert ? ends + 2 : ends;
            for (int i = 0; i < last; ++i)
                for (int j = kind == Kind::move ? 0 : i + 1; j < last; ++j) {
                    if (kind == Kind::move && i == j) continue;
                    std::map<u64, std::set<u64>> expected;
                    for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(pairs)]; ++r)
                        expected[rank_after(kind, pairs, i, j, r)].insert(r);
                    for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(then)]; ++r) {
                        std::set<u64> found;
                        (void)each_origin({false, kind, i, j}, pairs, mates_of_rank(then, r), [&](u64 rank) {
                            CHECK(found.insert(rank).second);
                            return false;
                        });
                        CHECK(found == expected[r]);
                    }
                }
        }
}

void limits_and_bad_input() {
    const Graph graph = knight_graph(6, 6);
    const JoinPlan plan = symmetric_plan(graph, true);
    {
        JoinRanking small(graph, plan, 1, u64{1} << 20);
        CHECK(small.prepare("", 1e9).status == Status::out_of_memory);
    }
    {
        JoinRanking late(graph, plan, 2, u64{1} << 30);
        CHECK(late.prepare("", 0).status == Status::out_of_time);
    }
    JoinRanking ranking(graph, plan, 2, u64{1} << 30);
    CHECK(ranking.prepare("", 1e9).status == Status::done);
    CHECK(ranking.unrank(all_indices(100), 0, 1, 0).status == Status::out_of_time);
    CHECK_THROWS(ranking.unrank({9862, 0}, 0, 1, 1e9), std::out_of_range);
    CHECK_THROWS(ranking.unrank({0, 1}, 0, 1, 1e9), std::out_of_range);
    CHECK_THROWS(ranking.unrank({0, 0}, 36, 1, 1e9), std::invalid_argument);
    std::vector<std::int32_t> cycle(36, 0);
    CHECK_THROWS(ranking.rank(cycle.data(), 1, 1, 1e9), std::invalid_argument);
    CHECK_THROWS(ranking.prepare("", 1e9, nullptr, 3), std::invalid_argument);
    JoinPlan blocks = plan;
    blocks.blocks = {{12, 17}};
    CHECK_THROWS(JoinRanking(graph, blocks, 1, u64{1} << 30), std::invalid_argument);
}

} // namespace

int main() {
    completions_by_definition();
    origins_by_definition();
    random_cuts_against_the_definition();
    all_cycles_of_6x6();
    tables_from_bytes();
    limits_and_bad_input();
    return finish("join ranking");
}
