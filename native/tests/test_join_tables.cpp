// Tests of half tables that are joined with many others: against the definition, in blocks, bad tables.
#include "ktsolve/join/tables.hpp"

#include <map>
#include <random>

#include "check.hpp"
#include "one_cycle.hpp"
#include "random_cut.hpp"
#include "strip_tables.hpp"

using namespace ktsolve;

namespace {

// Paths by their ends, from half tables made once: any separation of any graph, with and without ends in each
// of its three parts.
void tables_against_the_definition() {
    std::mt19937 random(6);
    int with_paths = 0;
    for (int i = 0; i < 40; ++i) {
        const int n = 5 + i % 4, extra = n;
        const Graph graph = random_graph(random, n, 0.7 + 0.04 * (i % 5), i % 3 == 0 ? 0.1 : 0.0);
        std::vector<int> side(static_cast<std::size_t>(n));
        for (int& s : side) s = static_cast<int>(random() % 3);
        side[0] = 0;
        side[1] = 1;
        side[2] = 2;
        const auto of = [&](int v) { return side[static_cast<std::size_t>(v)]; };
        HalfPlan half[2];
        std::vector<int> slot(static_cast<std::size_t>(n));
        int separator = 0;
        for (int v = 0; v < n; ++v) {
            if (of(v) < 2) {
                half[of(v)].eliminate.push_back(v);
                continue;
            }
            slot[static_cast<std::size_t>(v)] = separator++;
            for (HalfPlan& plan : half) plan.separator.push_back(v);
        }
        for (HalfPlan& plan : half) plan.separator.push_back(extra);
        Graph cut; // without edges from top to bottom
        cut.vertices = n;
        std::vector<TableSide::Edge> deferred[2];
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto [u, v] = graph.edges[e];
            if (of(u) + of(v) == 1) continue;
            cut.edges.push_back(graph.edges[e]);
            cut.required.push_back(graph.required[e]);
            if (of(u) == 2 && of(v) == 2)
                deferred[random() % 2].push_back({slot[static_cast<std::size_t>(u)],
                                                  slot[static_cast<std::size_t>(v)], graph.required[e] != 0});
        }
        JoinTables tables(separator, 1 + i % 2, u64{1} << 30);
        // All states, or those of each degree of the first separator vertex, two of three together.
        using Blocks = std::vector<std::vector<int>>;
        const std::vector<Blocks> parts =
            i % 2 == 0 || separator == 0 ? std::vector<Blocks>{{}} : std::vector<Blocks>{{{1}}, {{0}, {2}}};
        if (parts.size() > 1)
            for (HalfPlan& plan : half) plan.cells = {{plan.separator.front()}};
        std::map<std::tuple<int, std::vector<int>, Blocks>, int> made;
        const auto table = [&](int which, const std::vector<int>& ends, const Blocks& blocks) {
            const auto known = made.find({which, ends, blocks});
            if (known != made.end()) return known->second;
            Graph part;
            part.vertices = n + 1;
            for (std::size_t e = 0; e < cut.edges.size(); ++e)
                if (of(cut.edges[e].first) == which || of(cut.edges[e].second) == which) {
                    part.edges.push_back(cut.edges[e]);
                    part.required.push_back(cut.required[e]);
                }
            for (const int v : ends) {
                part.edges.push_back({v, extra});
                part.required.push_back(1);
            }
            HalfPlan plan = half[which];
            plan.blocks = blocks;
            const TableReport report = tables.make(part, plan, 1e9);
            CHECK(report.status == Status::done && report.table >= 0);
            made[{which, ends, blocks}] = report.table;
            return report.table;
        };
        // Tops by what they need below: nothing, or one end.
        struct Joined {
            std::vector<int> ends;
            std::vector<TableSide::Edge> deferred;
            u64 paths;
        };
        std::map<std::vector<int>, std::vector<Joined>> joins;
        for (int s = 0; s < n; ++s)
            for (int t = s + 1; t < n; ++t) {
                std::vector<int> at[3];
                for (const int v : {s, t}) at[of(v)].push_back(v);
                if (at[1].size() == 2) continue; // the other way up
                std::vector<TableSide::Edge> edges = deferred[0];
                for (const int v : at[2])
                    edges.push_back({slot[static_cast<std::size_t>(v)], separator, true});
                Graph whole = cut;
                ++whole.vertices;
                for (const int v : {s, t}) {
                    whole.edges.push_back({v, extra});
                    whole.required.push_back(1);
                }
                joins[at[1]].push_back({at[0], edges, cycles_by_definition(whole).size()});
            }
        for (const auto& [ends, each] : joins) {
            std::vector<u64> sums(each.size());
            for (const Blocks& above : parts)
                for (const Blocks& below : parts) {
                    std::vector<TableSide> tops;
                    for (const Joined& one : each) tops.push_back({table(0, one.ends, above), one.deferred});
                    tops.push_back(tops.front()); // twice
                    const TablesReport report = tables.join(tops, {table(1, ends, below), deferred[1]}, 1e9);
                    CHECK(report.status == Status::done && !report.overflow);
                    CHECK(report.counts.back() == report.counts.front());
                    for (std::size_t k = 0; k < each.size(); ++k) {
                        CHECK(report.divisors[k] == 1);
                        sums[k] += report.counts[k][0];
                    }
                }
            for (std::size_t k = 0; k < each.size(); ++k) {
                CHECK(sums[k] == each[k].paths);
                with_paths += each[k].paths > 0;
            }
        }
    }
    CHECK(with_paths > 200);
}

void tables_that_do_not_fit_are_refused() {
    Graph graph;
    graph.vertices = 4; // one above, two in the middle, the extra vertex
    graph.edges = {{0, 1}, {0, 2}};
    graph.required = {0, 0};
    JoinTables tables(2, 1, u64{1} << 30);
    const HalfPlan good{{0}, {1, 2, 3}, {}};
    const int first = tables.make(graph, good, 1e9).table;
    CHECK_THROWS(tables.make(graph, {{0}, {1, 2}, {}}, 1e9), std::invalid_argument);
    CHECK_THROWS(tables.make(graph, {{0, 1}, {1, 2, 3}, {}}, 1e9), std::invalid_argument);
    CHECK_THROWS(tables.make(graph, {{}, {1, 2, 3}, {}}, 1e9), std::invalid_argument);
    CHECK_THROWS(tables.make(graph, {{0}, {1, 2, 3}, {1, 0, 2, 3}}, 1e9), std::invalid_argument);
    const auto in_blocks = [&](std::vector<int> cells, std::vector<int> sums, std::vector<int> mirror = {}) {
        return tables.make(graph, {{0}, {1, 2, 3}, mirror, -1, {cells}, {sums}}, 1e9).status;
    };
    CHECK(in_blocks({1, 2}, {2}, {0, 2, 1, 3}) == Status::done);
    CHECK_THROWS(in_blocks({1}, {1}, {0, 2, 1, 3}), std::invalid_argument); // the mirror moves the set
    CHECK_THROWS(in_blocks({1}, {1, 1}), std::invalid_argument);
    for (const int v : {-1, 0, 3, 4}) CHECK_THROWS(in_blocks({v}, {1}), std::invalid_argument);
    CHECK_THROWS(tables.make(graph, {{0}, {1, 2, 3}, {}, first, {{1}}, {{1}}}, 1e9), std::invalid_argument);
    CHECK_THROWS(tables.join({{first, {{0, 2, true}}}}, {first, {}}, 1e9), std::invalid_argument); // one end
    CHECK_THROWS(tables.join({{first, {{0, 2, false}}}}, {first, {{1, 2, true}}}, 1e9),
                 std::invalid_argument);
    CHECK_THROWS(tables.join({{first + 9, {}}}, {first, {}}, 1e9), std::invalid_argument);
    // 1 - 0 - 2 above and below are a cycle by themselves; with the extra vertex a cell would have three
    // edges.
    const TablesReport met = tables.join({{first, {{0, 2, true}}}}, {first, {{1, 2, true}}}, 1e9);
    CHECK(met.status == Status::done && met.counts.size() == 1 && met.counts[0][0] == 0);
    JoinTables small(2, 1, 1);
    CHECK(small.make(graph, good, 1e9).status == Status::out_of_memory);
    CHECK_THROWS(JoinTables(kWidestSeparator, 1, 1), std::length_error);
}

} // namespace

int main() {
    tables_against_the_definition();
    tables_that_do_not_fit_are_refused();
    check_tables_of_a_strip(2, 3);
    CHECK_THROWS(JoinTables(4, 1, 1, 1), std::invalid_argument);
    return finish("join tables");
}
