#include "ktsolve/graphs/reduction.hpp"

#include "check.hpp"
#include "ktsolve/graphs/separator.hpp"
#include "ktsolve/search/search.hpp"

using namespace ktsolve;

namespace {

using Cycle = std::set<int>; // numbers of edges

// All cycles, by the search, as sets of the given names of edges.
std::vector<Cycle> cycles_of(const Graph& graph, const std::vector<int>& names) {
    std::vector<Cycle> found;
    if (graph.vertices < 3) return found;
    std::vector<std::int32_t> listed;
    Search search({graph, {}, {}, 0});
    search.run(~0ULL, true, listed, {});
    const auto n = static_cast<std::size_t>(graph.vertices);
    for (std::size_t at = 0; at < listed.size(); at += n) {
        Cycle cycle;
        for (std::size_t i = 0; i < n; ++i) {
            const std::pair<int, int> ends = std::minmax(listed[at + i], listed[at + (i + 1) % n]);
            const auto e = std::find(graph.edges.begin(), graph.edges.end(), ends) - graph.edges.begin();
            cycle.insert(names[static_cast<std::size_t>(e)]);
        }
        cycle.erase(-1);
        found.push_back(std::move(cycle));
    }
    return found;
}

std::set<Cycle> lifted(const ReductionReport& report) {
    std::vector<Cycle> cycles(1);
    for (std::size_t e = 0; e < report.fixed.size(); ++e)
        if (report.fixed[e] != 0) cycles[0].insert(static_cast<int>(e));
    const auto extend = [&](const ReducedPart& part, const std::vector<int>& cut) {
        std::vector<Cycle> more;
        for (const Cycle& path : cycles_of(part.graph, part.original))
            for (const Cycle& cycle : cycles) {
                const bool fits = std::all_of(cut.begin(), cut.end(),
                                              [&](int e) { return cycle.contains(e) == path.contains(e); });
                if (!fits) continue;
                more.push_back(cycle);
                more.back().insert(path.begin(), path.end());
            }
        cycles = std::move(more);
    };
    for (const ReducedPart& part : report.parts) extend(part, {});
    for (auto bundle = report.bundles.rbegin(); bundle != report.bundles.rend(); ++bundle)
        extend(bundle->part, bundle->cut);
    std::set<Cycle> different(cycles.begin(), cycles.end());
    CHECK(different.size() == cycles.size());
    return different;
}

// A random graph on a cycle, with small graphs glued to it at two or three vertices.
Graph glued(std::mt19937& random) {
    std::set<std::pair<int, int>> edges;
    const auto join = [&](int u, int v) {
        if (u != v) edges.insert(std::minmax(u, v));
    };
    int n = 3 + static_cast<int>(random() % 4);
    for (int v = 0; v < n; ++v) join(v, (v + 1) % n);
    for (int chords = static_cast<int>(random() % 5); chords > 0; --chords)
        join(static_cast<int>(random()) & 1, static_cast<int>(random() % static_cast<unsigned>(n)));
    for (int times = static_cast<int>(random() % 3); times > 0; --times) {
        const int inner = 1 + static_cast<int>(random() % 4);
        const bool at_edges = random() % 2 == 0; // one edge for each joint: a cut of few edges
        for (int joints = 2 + static_cast<int>(random() % 2); joints > 0; --joints) {
            const int joint = static_cast<int>(random() % static_cast<unsigned>(n));
            for (int v = n; v < n + inner; ++v)
                if (at_edges ? v == n + joints % inner : random() % 3 != 0) join(joint, v);
        }
        for (int u = n; u < n + inner; ++u)
            for (int v = n; v < u; ++v)
                if (random() % 4 != 0) join(v, u);
        n += inner;
    }
    Graph graph{n, {edges.begin(), edges.end()}, {}};
    const unsigned needed = random() % 3 == 0 ? 10 : 1000;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) graph.required.push_back(random() % needed == 0);
    return graph;
}

void cycles_of_the_parts_are_those_of_the_graph() {
    std::mt19937 random(4);
    std::set<std::string> refuted;
    int split = 0, bundled = 0;
    for (int round = 0; round < 12000; ++round) {
        const Graph graph = glued(random);
        std::vector<int> names(graph.edges.size());
        for (std::size_t e = 0; e < names.size(); ++e) names[e] = static_cast<int>(e);
        const auto listed = cycles_of(graph, names);
        const ReductionReport report = reduce_graph(graph, round % 2 == 0 ? 1 << 20 : 0, round % 3 == 0);
        CHECK(report.status == Status::done);
        if (!report.refuted.empty()) {
            CHECK(listed.empty());
            refuted.insert(report.refuted);
            continue;
        }
        CHECK(lifted(report) == std::set<Cycle>(listed.begin(), listed.end()));
        split += report.parts.size() > 1;
        bundled += !report.bundles.empty();
    }
    CHECK(split > 50 && bundled > 20);
    CHECK(refuted.contains("degrees") && refuted.contains("forced cycle") && refuted.contains("separator"));
    CHECK(refuted.contains("cut vertex") && refuted.contains("forced edges"));
}

void long_chains_and_bad_graphs() {
    Graph ladder{20000, {}, {}};
    for (int v = 0; v + 2 < 20000; ++v) ladder.edges.emplace_back(v, v + 2);
    for (int v = 0; v < 20000; v += 2) ladder.edges.emplace_back(v, v + 1);
    ladder.required.resize(ladder.edges.size());
    const ReductionReport report = reduce_graph(ladder, 0, true);
    CHECK(report.refuted.empty() && report.parts.empty());
    CHECK(std::count(report.fixed.begin(), report.fixed.end(), 1) == 20000);
    CHECK(reduce_graph({2, {{0, 1}}, {0}}, 0, true).refuted == "size");
    CHECK_THROWS(reduce_graph({2, {{1, 0}}, {0}}, 0, true), std::invalid_argument);
}

// Components without the given vertices.
int components_without(const Graph& graph, const std::vector<int>& out) {
    std::vector<int> label(static_cast<std::size_t>(graph.vertices));
    for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<int>(v);
    for (const int v : out) label[static_cast<std::size_t>(v)] = -1;
    for (int round = 0; round < graph.vertices; ++round)
        for (const auto& [u, v] : graph.edges) {
            int &a = label[static_cast<std::size_t>(u)], &b = label[static_cast<std::size_t>(v)];
            if (a >= 0 && b >= 0) a = b = std::min(a, b);
        }
    std::set<int> different(label.begin(), label.end());
    different.erase(-1);
    return static_cast<int>(different.size());
}

void separators_are_what_they_say() {
    std::mt19937 random(44);
    int found = 0, refuted = 0;
    for (int round = 0; round < 600; ++round) {
        const Graph graph = random_graph(random, 4 + static_cast<int>(random() % 9), 0.3, 0.1);
        const auto separator = find_separator(graph, 20, random());
        if (!separator) continue;
        ++found;
        const auto& out = separator->vertices;
        CHECK(std::is_sorted(out.begin(), out.end()));
        CHECK(components_without(graph, out) == separator->components);
        int most = out.empty() ? 1 : static_cast<int>(out.size());
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            most -= graph.required[e] && std::count(out.begin(), out.end(), graph.edges[e].first) &&
                    std::count(out.begin(), out.end(), graph.edges[e].second);
        CHECK(separator->most == most);
        CHECK(separator->components > 1);
        CHECK(separator->refutes() == (separator->components > most));
        if (!separator->refutes()) continue;
        ++refuted;
        CHECK(cycles_of(graph, std::vector<int>(graph.edges.size())).empty());
    }
    CHECK(refuted > 100 && found > refuted);
    CHECK(!find_separator({3, {{0, 1}, {0, 2}, {1, 2}}, {0, 0, 0}}, 50, 1));
    CHECK(!find_separator({0, {}, {}}, 3, 1));
    CHECK(!find_separator({2, {}, {}}, 0, 1));
    CHECK(find_separator({2, {}, {}}, 1, 1)->vertices.empty());
}

} // namespace

int main() {
    separators_are_what_they_say();
    cycles_of_the_parts_are_those_of_the_graph();
    long_chains_and_bad_graphs();
    return finish("reduction");
}
