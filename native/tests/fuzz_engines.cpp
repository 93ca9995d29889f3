// Random problems, counted by all engines against each other: on up to 8 vertices also against the
// definition.
#include "fuzz.hpp"

#include <map>
#include <numeric>
#include <string>

#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/diagram.hpp"
#include "ktsolve/frontier/list.hpp"
#include "ktsolve/graphs/reduction.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/moves.hpp"
#include "ktsolve/quotient/voltage.hpp"
#include "ktsolve/search/search.hpp"
#include "ktsolve/strip/strip.hpp"
#include "random_cut.hpp"
#include "ranking_bytes.hpp"

using namespace ktsolve;
using fuzz::below;
using fuzz::one_in;
using fuzz::Random;

namespace {

u64 one_limb(const std::vector<u64>& limbs) {
    for (std::size_t i = 1; i < limbs.size(); ++i) CHECK(limbs[i] == 0);
    return limbs.empty() ? 0 : limbs[0];
}

u64 by_frontier(const Graph& graph) {
    const FrontierReport report = count_cycles_by_frontier(graph, {});
    CHECK(report.status == Status::done);
    return one_limb(report.count);
}

u64 by_search(const Graph& graph, u64 seed) {
    Search search({graph, {}, {}, seed});
    std::vector<std::int32_t> cycles;
    CHECK(search.run(~u64{0}, false, cycles, {}) == Status::done);
    return search.found();
}

u64 by_listing(const Graph& graph, u64 seed) {
    FrontierList list(graph, seed);
    std::vector<std::int32_t> cycles;
    CHECK(list.run(~u64{0}, cycles, {}) == Status::done && list.exhausted());
    CHECK(cycles.size() == list.found() * static_cast<u64>(graph.vertices));
    return list.found();
}

u64 by_diagram(const Graph& graph) {
    FrontierDiagram diagram;
    diagram.graph = graph;
    CHECK(build_diagram(diagram, {}).status == Status::done);
    const u64 count = one_limb(diagram.count);
    if (count == 0) return 0;
    const std::vector<u64> wanted{0, count / 2, count - 1};
    std::vector<u64> found, uses;
    Cycles cycles;
    CHECK(unrank_cycles(diagram, wanted.data(), wanted.size(), cycles, {}) == Status::done);
    CHECK(rank_cycles(diagram, cycles, found, {}) == Status::done && found == wanted);
    CHECK(count_uses(diagram, uses, {}) == Status::done);
    u64 sum = 0;
    for (const u64 each : uses) sum += each;
    CHECK(sum == count * static_cast<u64>(graph.vertices));
    return count;
}

// With the vertices in another order: the sweeps depend on it, the count does not.
Graph renamed(const Graph& graph, Random& random) {
    std::vector<int> names(static_cast<std::size_t>(graph.vertices));
    std::iota(names.begin(), names.end(), 0);
    std::shuffle(names.begin(), names.end(), random);
    std::map<std::pair<int, int>, u8> edges;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        edges[std::minmax(names[static_cast<std::size_t>(u)], names[static_cast<std::size_t>(v)])] =
            graph.required[e];
    }
    Graph made;
    made.vertices = graph.vertices;
    for (const auto& [edge, required] : edges) {
        made.edges.push_back(edge);
        made.required.push_back(required);
    }
    return made;
}

void small_graphs(Random& random) {
    std::mt19937 other(static_cast<unsigned>(random()));
    const int n = 3 + static_cast<int>(random() % 6);
    const auto [graph, plan, chosen] =
        random_cut(other, n, 0.5 + 0.1 * static_cast<double>(random() % 6), one_in(random, 3) ? 0.15 : 0.0);
    const u64 count = cycles_by_definition(graph).size();
    CHECK(by_frontier(graph) == count);
    CHECK(by_search(graph, random() % 3) == count);
    CHECK(by_listing(graph, random() % 3) == count);
    CHECK(by_diagram(graph) == count);
    CHECK(by_frontier(renamed(graph, random)) == count);
    JoinSettings settings;
    settings.threads = 1 + static_cast<int>(random() % 3);
    const JoinReport joined = count_cycles_by_join(graph, plan, settings, {});
    CHECK(joined.status == Status::done && one_limb(joined.count) == count * joined.divisor);
    JoinPlan tallied = plan;
    tallied.tallied = chosen;
    if (!chosen.empty()) {
        const JoinReport report = count_cycles_by_join(graph, tallied, settings, {});
        u64 sum = 0;
        for (const auto& each : report.tally) sum += one_limb(each);
        CHECK(sum == count * report.divisor);
    }
    CHECK(one_limb(count_moves_by_join(graph, plan, 1, 0, {}).total) == count);
    JoinRanking ranking(graph, plan, 1, u64{1} << 28);
    CHECK(ranking.prepare("", 1e9, nullptr, 1 << random() % 3).status == Status::done);
    CHECK(one_limb(ranking.count()) == count);
    if (count > 0) {
        const auto indices = all_indices(count);
        const auto cycles =
            ranking.unrank(indices, static_cast<int>(random() % static_cast<u64>(n)), 1, 1e9).cycles;
        CHECK(ranking.rank(cycles.data(), count, 1, 1e9).indices == indices);
    }
    // Parallel edges of both parities: each cycle stands for the products.
    std::vector<Parallel> parallel(graph.edges.size());
    u64 all = 0;
    for (Parallel& each : parallel) each = {static_cast<u8>(random() % 3), static_cast<u8>(1 + random() % 2)};
    for (const auto& cycle : cycles_by_definition(graph)) {
        u64 ways = 1;
        for (const int e : cycle)
            ways *= parallel[static_cast<std::size_t>(e)].even + parallel[static_cast<std::size_t>(e)].odd;
        all += ways;
    }
    const VoltageReport voltage = count_cycles_by_voltage(graph, parallel, {});
    CHECK(one_limb(voltage.count) + one_limb(voltage.odd) == all);
    const ReductionReport reduced = reduce_graph(graph, random() % 2 * 1000, one_in(random, 2));
    if (!reduced.refuted.empty()) CHECK(count == 0);
}

// Parts of boards, too large for the definition: cells and moves taken away, moves required, ends added.
void parts_of_boards(Random& random) {
    const int rows = 3 + static_cast<int>(random() % 3), columns = 5 + static_cast<int>(random() % 3);
    const bool king = one_in(random, 6);
    Graph board = king ? leaper_graph(3, 4, 0, 1) : knight_graph(rows, columns);
    if (one_in(random, 3)) board = with_extra(board);
    Graph graph;
    graph.vertices = board.vertices;
    const unsigned gone = 4 + static_cast<unsigned>(random() % 40),
                   needed = 10 + static_cast<unsigned>(random() % 60);
    for (const auto& edge : board.edges) {
        if (one_in(random, gone)) continue;
        graph.edges.push_back(edge);
        graph.required.push_back(one_in(random, needed));
    }
    const u64 count = by_frontier(graph);
    if (count > 200000) return;
    CHECK(by_diagram(graph) == count);
    CHECK(by_frontier(renamed(graph, random)) == count);
    if (count < 20000) {
        CHECK(by_search(graph, random() % 3) == count);
        CHECK(by_listing(graph, random() % 3) == count);
    }
    const ReductionReport reduced = reduce_graph(graph, 1 << 16, true);
    if (!reduced.refuted.empty()) CHECK(count == 0);
    // Any separator of a few vertices; what joins the sides is taken away.
    JoinPlan plan;
    std::vector<int> side;
    const int width = std::min(graph.vertices - 2, 3 + static_cast<int>(random() % 8));
    const int first = 1 + static_cast<int>(random() % static_cast<u64>(graph.vertices - width - 1));
    for (int v = 0; v < graph.vertices; ++v) {
        side.push_back(v < first ? 0 : v < first + width ? 2 : 1);
        (side.back() == 0 ? plan.top : side.back() == 1 ? plan.bottom : plan.separator).push_back(v);
    }
    Graph cut;
    cut.vertices = graph.vertices;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        const int a = side[static_cast<std::size_t>(u)], b = side[static_cast<std::size_t>(v)];
        if (a + b == 1) continue;
        if (a == 2 && b == 2)
            (one_in(random, 2) ? plan.top_deferred : plan.bottom_deferred)
                .push_back(static_cast<int>(cut.edges.size()));
        cut.edges.push_back(graph.edges[e]);
        cut.required.push_back(graph.required[e]);
    }
    JoinSettings settings;
    settings.threads = 2;
    const JoinReport joined = count_cycles_by_join(cut, plan, settings, {});
    CHECK(joined.status == Status::done && one_limb(joined.count) == by_frontier(cut) * joined.divisor);
}

// Strips of random translations against the frontier of each length.
void strips(Random& random) {
    Strip strip;
    strip.rows = 1 + static_cast<int>(random() % 3);
    strip.open = one_in(random, 3);
    std::set<std::tuple<int, int, int>> edges;
    for (u64 many = 2 + random() % 6; many > 0; --many) {
        const int from = static_cast<int>(random() % static_cast<u64>(strip.rows));
        const int to = static_cast<int>(random() % static_cast<u64>(strip.rows)),
                  ahead = static_cast<int>(random() % 3);
        if (ahead > 0 || from < to) edges.insert({from, to, ahead});
    }
    for (const auto& [from, to, ahead] : edges) strip.edges.push_back({from, to, ahead});
    if (strip.edges.empty() || strip.reach() == 0) return;
    StripTransfer transfer(strip);
    CHECK(transfer.compile({}) == Status::done && transfer.extend(5, 1, {}) == Status::done);
    for (int n = transfer.first(); n < transfer.first() + 5; ++n) {
        Graph graph;
        graph.vertices = strip.rows * n;
        for (const StripEdge& edge : strip.edges)
            for (int column = 0; column + edge.ahead < n; ++column)
                graph.edges.push_back(std::minmax(column * strip.rows + edge.from,
                                                  (column + edge.ahead) * strip.rows + edge.to));
        graph.required.assign(graph.edges.size(), 0);
        if (strip.open) graph = with_extra(graph);
        CHECK(one_limb(transfer.counts()[static_cast<std::size_t>(n - transfer.first())]) ==
              by_frontier(graph));
    }
}

} // namespace

int main(int argc, char** argv) {
    return fuzz::run("engines", argc, argv, [](Random& random) {
        switch (random() % 4) {
        case 0:
            return parts_of_boards(random);
        case 1:
            return strips(random);
        default:
            return small_graphs(random);
        }
    });
}
