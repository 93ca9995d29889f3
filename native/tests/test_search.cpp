#include "ktsolve/search/search.hpp"

#include "check.hpp"
#include "graphs/cut_vertex.hpp"

using namespace ktsolve;

namespace {

using Cycles = std::vector<std::int32_t>;

// All cycles of a problem, as sorted lists of edge numbers; checks that each comes once and is a cycle.
std::set<std::vector<int>> all(SearchProblem problem) {
    const Graph graph = problem.graph;
    const std::size_t n = static_cast<std::size_t>(graph.vertices);
    Search search(std::move(problem));
    Cycles cycles;
    CHECK(search.run(UINT64_MAX, true, cycles, {}) == Status::done);
    CHECK(search.exhausted());
    CHECK(cycles.size() == search.found() * n);
    std::set<std::vector<int>> found;
    for (std::size_t at = 0; at < cycles.size(); at += n) {
        std::vector<int> used;
        for (std::size_t i = 0; i < n; ++i) {
            std::pair<int, int> edge{cycles[at + i], cycles[at + (i + 1) % n]};
            if (edge.first > edge.second) std::swap(edge.first, edge.second);
            const auto place = std::find(graph.edges.begin(), graph.edges.end(), edge);
            CHECK(place != graph.edges.end());
            used.push_back(static_cast<int>(place - graph.edges.begin()));
        }
        std::sort(used.begin(), used.end());
        CHECK(std::adjacent_find(used.begin(), used.end()) == used.end());
        CHECK(found.insert(used).second);
    }
    return found;
}

std::uint64_t count(const Graph& graph, std::uint64_t seed = 0) {
    Search search({graph, {}, {}, seed});
    Cycles none;
    CHECK(search.run(UINT64_MAX, false, none, {}) == Status::done && none.empty());
    return search.found();
}

void published_values() {
    CHECK(count(knight_graph(5, 6)) == 8);
    CHECK(count(knight_graph(6, 6)) == 9862);
    CHECK(count(knight_graph(6, 6), 7) == 9862);
    CHECK(count(knight_graph(3, 10)) == 16);
    CHECK(count(knight_graph(4, 6)) == 0);
    CHECK(count(with_extra(knight_graph(5, 5))) == 864);
    CHECK(count(with_extra(knight_graph(4, 4))) == 0);
    CHECK(count(leaper_graph(6, 6, 0, 1)) == 1072);
}

void random_graphs_against_the_definition() {
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
        const Graph graph = random_graph(random, 1 + i % 8, 0.35 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        CHECK(all({graph, {}, {}, 0}) == cycles_by_definition(graph));
        CHECK(all({graph, {}, {}, 1 + static_cast<std::uint64_t>(i)}) == cycles_by_definition(graph));
    }
}

void linked_edges() {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const Graph graph = random_graph(random, 4 + i % 4, 0.8, 0.0);
        std::vector<int> order(graph.edges.size());
        for (std::size_t e = 0; e < order.size(); ++e) order[e] = static_cast<int>(e);
        std::shuffle(order.begin(), order.end(), random);
        if (order.size() < 5) continue;
        const std::vector<std::vector<int>> links{{order[0], order[1]}, {order[2], order[3], order[4]}};
        std::set<std::vector<int>> expected;
        for (const std::vector<int>& cycle : cycles_by_definition(graph)) {
            bool fits = true;
            for (const auto& link : links) {
                const auto used = std::count_if(link.begin(), link.end(), [&](int e) {
                    return std::binary_search(cycle.begin(), cycle.end(), e);
                });
                fits = fits && (used == 0 || used == static_cast<long>(link.size()));
            }
            if (fits) expected.insert(cycle);
        }
        CHECK(all({graph, links, {}, 0}) == expected);
    }
}

void anchored_vertices() {
    std::mt19937 random(4);
    int some = 0;
    for (int i = 0; i < 300; ++i) {
        const int n = 4 + i % 5;
        const Graph graph = random_graph(random, n, 0.85, 0.0);
        std::vector<std::pair<int, int>> anchors;
        for (int v = 0; v < n; ++v)
            if (random() % 3 == 0) anchors.emplace_back(v, static_cast<int>(random() % n));
        std::set<std::vector<int>> expected;
        Search free({graph, {}, {}, 0});
        Cycles cycles;
        CHECK(free.run(UINT64_MAX, true, cycles, {}) == Status::done);
        for (std::size_t at = 0; at < cycles.size(); at += n) {
            bool fits = false;
            for (int shift = 0; shift < n && !fits; ++shift)
                for (const int direction : {1, -1}) {
                    bool all_hold = true;
                    for (const auto& [vertex, step] : anchors) {
                        const int place = ((shift + direction * step) % n + n) % n;
                        all_hold = all_hold && cycles[at + place] == vertex;
                    }
                    fits = fits || all_hold;
                }
            if (!fits) continue;
            std::vector<int> used;
            for (int k = 0; k < n; ++k) {
                std::pair<int, int> edge{cycles[at + k], cycles[at + (k + 1) % n]};
                if (edge.first > edge.second) std::swap(edge.first, edge.second);
                used.push_back(static_cast<int>(std::find(graph.edges.begin(), graph.edges.end(), edge) -
                                                graph.edges.begin()));
            }
            std::sort(used.begin(), used.end());
            expected.insert(used);
        }
        some += !anchors.empty() && !expected.empty();
        CHECK(all({graph, {}, anchors, 0}) == expected);
    }
    CHECK(some > 50);
}

void pauses() {
    Search search({knight_graph(6, 6), {}, {}, 0});
    Cycles paused, whole;
    while (!search.exhausted()) CHECK(search.run(97, true, paused, {}) == Status::done);
    Search again({knight_graph(6, 6), {}, {}, 0});
    CHECK(again.run(UINT64_MAX, true, whole, {}) == Status::done);
    CHECK(paused == whole && whole.size() == 9862 * 36);
    Limits moment;
    moment.seconds = 0.01;
    Search long_one({knight_graph(8, 8), {}, {}, 0});
    Cycles none;
    CHECK(long_one.run(UINT64_MAX, false, none, moment) == Status::out_of_time);
    const std::uint64_t before = long_one.found();
    CHECK(long_one.run(UINT64_MAX, false, none, moment) == Status::out_of_time);
    CHECK(long_one.found() > before);
}

// The mean over many dives is the size of the tree and the number of cycles in it.
void dives() {
    for (const auto& graph : {knight_graph(5, 6), knight_graph(6, 6), with_extra(knight_graph(5, 5))}) {
        Search search({graph, {}, {}, 0});
        const TreeEstimate found = search.dive(300'000, 1), again = search.dive(300'000, 1);
        CHECK(found.nodes == again.nodes && found.cycles == again.cycles && found.dives == again.dives);
        Cycles none;
        CHECK(search.run(UINT64_MAX, false, none, {}) == Status::done && search.exhausted());
        const double nodes = static_cast<double>(search.nodes()),
                     cycles = static_cast<double>(search.found());
        CHECK(found.nodes > 0.8 * nodes && found.nodes < 1.25 * nodes);
        CHECK(found.cycles > 0.7 * cycles && found.cycles < 1.4 * cycles);
        CHECK_THROWS(search.dive(1, 1), std::logic_error);
    }
    Search refuted({knight_graph(3, 3), {}, {}, 0});
    CHECK(refuted.dive(1000, 1).dives == 0);
    Search in_steps({knight_graph(6, 6), {}, {}, 0});
    Cycles none;
    CHECK(in_steps.run(UINT64_MAX, false, none, {}, nullptr, 100) == Status::done);
    CHECK(in_steps.nodes() == 100 && !in_steps.exhausted());
    CHECK(in_steps.run(UINT64_MAX, false, none, {}) == Status::done && in_steps.found() == 9862);
}

void malformed() {
    Graph graph = knight_graph(3, 4);
    CHECK_THROWS(Search({graph, {{0, 99}}, {}, 0}), std::invalid_argument);
    CHECK_THROWS(Search({graph, {{0, 1}, {1, 2}}, {}, 0}), std::invalid_argument);
    CHECK_THROWS(Search({graph, {}, {{12, 0}}, 0}), std::invalid_argument);
    CHECK_THROWS(Search({graph, {}, {{0, -1}}, 0}), std::invalid_argument);
    graph.required.pop_back();
    CHECK_THROWS(Search({graph, {}, {}, 0}), std::invalid_argument);
    CHECK(all({Graph{}, {}, {}, 0}).empty());
}

// Against the definition: remove each vertex and see whether the rest hangs together.
void cut_vertices() {
    std::mt19937 random(5);
    int good = 0;
    for (int i = 0; i < 500; ++i) {
        const int n = 3 + i % 6;
        const Graph graph = random_graph(random, n, 0.8, 0.0);
        const int m = static_cast<int>(graph.edges.size());
        Incidence incidence;
        incidence.first.push_back(0);
        for (int v = 0; v < n; ++v) {
            for (int e = 0; e < m; ++e) {
                if (graph.edges[e].first != v && graph.edges[e].second != v) continue;
                incidence.edge.push_back(e);
                incidence.to.push_back(graph.edges[e].first ^ graph.edges[e].second ^ v);
            }
            incidence.first.push_back(static_cast<int>(incidence.edge.size()));
        }
        std::vector<bool> exists(m);
        for (int e = 0; e < m; ++e) exists[e] = random() % 4 != 0;
        bool expected = true;
        for (int removed = -1; removed < n; ++removed) {
            std::set<int> reached{removed == 0 ? 1 : 0};
            for (int round = 0; round < n; ++round)
                for (int e = 0; e < m; ++e) {
                    const auto [u, v] = graph.edges[e];
                    if (!exists[e] || u == removed || v == removed) continue;
                    if (reached.count(u) || reached.count(v)) reached.insert({u, v});
                }
            expected = expected && static_cast<int>(reached.size()) == n - (removed >= 0);
        }
        good += expected;
        CHECK(CutVertexTest(n).biconnected(incidence, [&](int e) { return exists[e]; }) == expected);
    }
    CHECK(good > 50);
}

} // namespace

int main() {
    published_values();
    random_graphs_against_the_definition();
    linked_edges();
    anchored_vertices();
    pauses();
    dives();
    malformed();
    cut_vertices();
    return finish("search");
}
