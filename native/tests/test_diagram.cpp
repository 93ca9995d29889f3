#include <bit>
#include <map>
#include <numeric>

#include "check.hpp"
#include "common/limbs.hpp"
#include "ktsolve/frontier/diagram.hpp"

using namespace ktsolve;

namespace {

FrontierDiagram built(Graph graph, std::vector<std::vector<u8>> parallel = {}, bool odd = false) {
    FrontierDiagram diagram;
    diagram.graph = std::move(graph);
    diagram.parallel = std::move(parallel);
    diagram.odd = odd;
    const FrontierReport report = build_diagram(diagram, {});
    CHECK(report.status == Status::done && report.count == diagram.count);
    return diagram;
}

// A cycle as the edges that it uses, each with its parallel edge, sorted.
using Used = std::vector<std::pair<int, int>>;

std::vector<Used> listed(const FrontierDiagram& diagram, const Cycles& cycles) {
    const int n = diagram.graph.vertices;
    std::map<std::pair<int, int>, int> number;
    for (std::size_t e = 0; e < diagram.graph.edges.size(); ++e)
        number[diagram.graph.edges[e]] = static_cast<int>(e);
    std::vector<Used> found;
    for (std::size_t at = 0; at < cycles.vertices.size(); at += static_cast<std::size_t>(n)) {
        Used used;
        for (int i = 0; i < n; ++i) {
            const int u = cycles.vertices[at + static_cast<std::size_t>(i)];
            const int v = cycles.vertices[at + static_cast<std::size_t>((i + 1) % n)];
            used.emplace_back(number.at({std::min(u, v), std::max(u, v)}),
                              cycles.parallel.empty() ? 0
                                                      : cycles.parallel[at + static_cast<std::size_t>(i)]);
        }
        std::sort(used.begin(), used.end());
        found.push_back(used);
    }
    return found;
}

std::vector<Used> by_definition(const Graph& graph, const std::vector<std::vector<u8>>& parallel, bool odd) {
    std::vector<Used> found;
    for (const std::vector<int>& cycle : cycles_by_definition(graph)) {
        std::vector<std::pair<Used, int>> partial{{{}, 0}};
        for (const int edge : cycle) {
            std::vector<std::pair<Used, int>> longer;
            const std::vector<u8> alone{0};
            const auto& voltages = parallel.empty() ? alone : parallel[static_cast<std::size_t>(edge)];
            for (const auto& [used, parity] : partial)
                for (std::size_t i = 0; i < voltages.size(); ++i) {
                    Used more = used;
                    more.emplace_back(edge, static_cast<int>(i));
                    longer.emplace_back(more, parity ^ voltages[i]);
                }
            partial = longer;
        }
        for (const auto& [used, parity] : partial)
            if (!odd || parity == 1) found.push_back(used);
    }
    return found;
}

// The choices of a cycle, from the first vertex to the last: the sorted places of its edges to later
// vertices, then the parallel edges. Written from the definition of the order.
std::vector<std::vector<int>> choices_of(const Graph& graph, const Used& used) {
    std::vector<std::vector<int>> choices;
    for (int v = 0; v < graph.vertices; ++v) {
        std::vector<int> places, numbers;
        int place = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            if (graph.edges[e].first != v) continue;
            for (const auto& [edge, parallel] : used)
                if (edge == static_cast<int>(e)) {
                    places.push_back(place);
                    numbers.push_back(parallel);
                }
            ++place;
        }
        std::vector<int> choice{-1, -1, 0, 0};
        for (std::size_t i = 0; i < places.size() && i < 2; ++i) {
            choice[i] = places[i];
            choice[2 + i] = numbers[i];
        }
        choices.push_back(choice);
    }
    return choices;
}

void check_all(const FrontierDiagram& diagram) {
    std::vector<Used> expected = by_definition(diagram.graph, diagram.parallel, diagram.odd);
    CHECK(diagram.count == std::vector<u64>{expected.size()});
    // In order, all at once.
    std::vector<u64> indices(expected.size());
    std::iota(indices.begin(), indices.end(), 0);
    Cycles cycles;
    CHECK(unrank_cycles(diagram, indices.data(), indices.size(), cycles, {}) == Status::done);
    const std::vector<Used> found = listed(diagram, cycles);
    const auto before = [&](const Used& a, const Used& b) {
        return choices_of(diagram.graph, a) < choices_of(diagram.graph, b);
    };
    std::sort(expected.begin(), expected.end(), before);
    CHECK(found == expected);
    // One at a time, the other way round.
    for (std::size_t i = expected.size(); i-- > 0;) {
        Cycles one;
        const u64 index = i;
        CHECK(unrank_cycles(diagram, &index, 1, one, {}) == Status::done);
        CHECK(listed(diagram, one).at(0) == expected[i]);
    }
    if (diagram.graph.vertices < 3) return;
    std::vector<u64> ranks;
    CHECK(rank_cycles(diagram, cycles, ranks, {}) == Status::done);
    CHECK(ranks == indices);
    // Uses, and the cycles by a weight.
    std::vector<u64> uses, tally, some_uses, some_tally;
    std::vector<std::vector<int>> number;
    std::vector<u8> weights;
    for (std::size_t e = 0; e < diagram.graph.edges.size(); ++e) {
        number.emplace_back();
        for (std::size_t i = 0; i < (diagram.parallel.empty() ? 1 : diagram.parallel[e].size()); ++i) {
            number.back().push_back(static_cast<int>(weights.size()));
            weights.push_back(static_cast<u8>((7 * e + i) % 4));
        }
    }
    uses.assign(weights.size(), 0);
    for (const Used& used : expected) {
        std::size_t sum = 0;
        for (const auto& [edge, parallel] : used) {
            const auto at = static_cast<std::size_t>(
                number[static_cast<std::size_t>(edge)][static_cast<std::size_t>(parallel)]);
            ++uses[at];
            sum += weights[at];
        }
        if (tally.size() <= sum) tally.resize(sum + 1, 0);
        ++tally[sum];
    }
    CHECK(count_uses(diagram, some_uses, {}) == Status::done && some_uses == uses);
    CHECK(tally_weights(diagram, weights, some_tally, {}) == Status::done && some_tally == tally);
}

void random_graphs_against_the_definition() {
    std::mt19937 random(11);
    for (int i = 0; i < 240; ++i) {
        const int n = 1 + i % 8;
        check_all(built(random_graph(random, n, 0.4 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0)));
    }
}

// A pair (frontier/plan.hpp) has a slot, and its edge no choice.
void pairs_against_the_definition() {
    std::mt19937 random(9);
    for (int i = 0; i < 100; ++i)
        check_all(built(random_pairs(random, 2 + i % 3, i % 2, 0.4 + 0.06 * (i % 10), i % 4 < 2)));
}

void parallel_edges_against_the_definition() {
    std::mt19937 random(12);
    for (int i = 0; i < 160; ++i) {
        const Graph graph = random_graph(random, 3 + i % 4, 0.5 + 0.05 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        std::vector<std::vector<u8>> parallel;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            parallel.emplace_back();
            for (std::size_t k = 0; k < 1 + random() % 3; ++k) parallel.back().push_back(random() % 2);
        }
        check_all(built(graph, parallel, i % 2 == 0));
    }
}

void all_tours_of_6x6() {
    const FrontierDiagram diagram = built(knight_graph(6, 6));
    CHECK(diagram.count == std::vector<u64>{9862});
    std::vector<u64> indices(9862), ranks;
    std::iota(indices.begin(), indices.end(), 0);
    Cycles cycles;
    CHECK(unrank_cycles(diagram, indices.data(), indices.size(), cycles, {}) == Status::done);
    const std::vector<Used> found = listed(diagram, cycles);
    CHECK(std::set<Used>(found.begin(), found.end()).size() == 9862);
    CHECK(rank_cycles(diagram, cycles, ranks, {}) == Status::done && ranks == indices);
    // Only cycles of the diagram have a number.
    std::reverse(cycles.vertices.begin(), cycles.vertices.end());
    std::swap(cycles.vertices[3], cycles.vertices[4]);
    cycles.vertices[36] = cycles.vertices[37];
    CHECK(rank_cycles(diagram, cycles, ranks, {}) == Status::done);
    CHECK(ranks[0] == ~u64{0} && ranks[1] == ~u64{0} && ranks[2] == 9859);
    CHECK_THROWS(unrank_cycles(diagram, std::vector<u64>{9862}.data(), 1, cycles, {}), std::invalid_argument);
    CHECK_THROWS(unrank_cycles(diagram, std::vector<u64>{7, 6}.data(), 2, cycles, {}), std::invalid_argument);
    CHECK_THROWS(rank_cycles(diagram, {{1, 2, 3}, {}}, ranks, {}), std::invalid_argument);
}

// Counts of several limbs: grids of four columns. The last cycle, and cycles around the ends of limbs.
void numbers_beyond_one_limb() {
    for (const int rows : {70, 130, 400}) {
        const FrontierDiagram diagram = built(leaper_graph(rows, 4, 0, 1));
        const auto limbs = diagram.count.size();
        CHECK(limbs >= 2);
        std::vector<std::vector<u64>> wanted(4, std::vector<u64>(limbs, 0));
        wanted[1][0] = ~u64{0};
        wanted[2][1] = 1;
        wanted[3] = diagram.count;
        std::vector<u64> one(limbs, 0), flat, ranks;
        one[0] = 1;
        subtract_limbs(wanted[3].data(), one.data(), static_cast<int>(limbs));
        for (const auto& each : wanted) flat.insert(flat.end(), each.begin(), each.end());
        Cycles cycles;
        CHECK(unrank_cycles(diagram, flat.data(), wanted.size(), cycles, {}) == Status::done);
        CHECK(rank_cycles(diagram, cycles, ranks, {}) == Status::done && ranks == flat);
        // Each cycle uses as many edges as it has vertices.
        std::vector<u64> uses, sum(limbs + 1, 0), times(limbs + 1, 0), tally;
        CHECK(count_uses(diagram, uses, {}) == Status::done);
        for (std::size_t e = 0; e < diagram.graph.edges.size(); ++e) {
            std::vector<u64> each(uses.begin() + static_cast<std::ptrdiff_t>(e * limbs),
                                  uses.begin() + static_cast<std::ptrdiff_t>((e + 1) * limbs));
            each.push_back(0);
            add_limbs(sum.data(), each.data(), static_cast<int>(limbs) + 1);
        }
        std::vector<u64> count = diagram.count, vertices(limbs + 1, 0);
        count.push_back(0);
        vertices[0] = static_cast<u64>(diagram.graph.vertices);
        const int longer = static_cast<int>(limbs) + 1;
        add_product(times.data(), longer, count.data(), longer, vertices.data(), longer);
        CHECK(sum == times);
        std::vector<u8> weights(diagram.graph.edges.size(), 0);
        for (std::size_t e = 0; e < weights.size(); e += 3) weights[e] = 1;
        CHECK(tally_weights(diagram, weights, tally, {}) == Status::done);
        std::vector<u64> total(limbs, 0);
        for (std::size_t at = 0; at < tally.size(); at += limbs)
            CHECK(add_limbs(total.data(), tally.data() + at, static_cast<int>(limbs)) == 0);
        CHECK(total == diagram.count);
    }
}

void limits_stop() {
    FrontierDiagram diagram;
    diagram.graph = knight_graph(6, 6);
    Limits limits;
    limits.bytes = 1 << 16;
    CHECK(build_diagram(diagram, limits).status == Status::out_of_memory);
    limits = {};
    limits.seconds = 0;
    CHECK(build_diagram(diagram, limits).status == Status::out_of_time);
    CHECK(build_diagram(diagram, {}).status == Status::done);
    limits.seconds = 0;
    const u64 index = 3;
    Cycles cycles;
    CHECK(unrank_cycles(diagram, &index, 1, cycles, limits) == Status::out_of_time);
    limits = {};
    limits.bytes = 1000;
    std::vector<u64> found;
    CHECK(count_uses(diagram, found, limits) == Status::out_of_memory);
    CHECK(tally_weights(diagram, std::vector<u8>(diagram.graph.edges.size(), 1), found, limits) ==
          Status::out_of_memory);
    CHECK_THROWS(tally_weights(diagram, {1, 2}, found, {}), std::invalid_argument);
}

// Every damage is detected by a checksum; without checksums it does no harm.
void damaged_layers() {
    const FrontierDiagram whole = built(knight_graph(6, 6));
    std::mt19937 random(13);
    std::vector<u64> indices(9862);
    std::iota(indices.begin(), indices.end(), 0);
    int detected = 0;
    for (int i = 0; i < 120; ++i) {
        const bool with_sums = i % 2 == 0;
        FrontierDiagram copy;
        copy.graph = whole.graph;
        copy.count = whole.count;
        std::vector<std::vector<u8>> data;
        std::vector<std::vector<u64>> sums;
        for (const DiagramLayer& layer : whole.layers) {
            data.push_back(layer.made);
            sums.emplace_back();
            for (std::size_t at = 0; at < layer.made.size(); at += kCheckedBlock)
                sums.back().push_back(
                    checksum_of(layer.made.data() + at, std::min(kCheckedBlock, layer.made.size() - at)));
        }
        std::size_t s = random() % 30;
        data[s][random() % data[s].size()] ^= static_cast<u8>(1 + random() % 255);
        for (std::size_t t = 0; t < whole.layers.size(); ++t) {
            const DiagramLayer& layer = whole.layers[t];
            copy.layers.push_back(
                {layer.records, layer.choice_bits, layer.link_bytes, layer.count_bytes, {}, {}});
            copy.layers.back().bytes =
                CheckedBytes(data[t].data(), data[t].size(), with_sums ? sums[t].data() : nullptr);
        }
        Cycles cycles;
        std::vector<u64> found;
        const auto noticed = [&](auto&& call) {
            try {
                (void)call();
            } catch (const DamagedBytes&) {
                return true;
            }
            return false;
        };
        const bool in_cycles =
            noticed([&] { return unrank_cycles(copy, indices.data(), indices.size(), cycles, {}); });
        const bool in_uses = noticed([&] { return count_uses(copy, found, {}); });
        const bool in_tally = noticed(
            [&] { return tally_weights(copy, std::vector<u8>(copy.graph.edges.size(), 1), found, {}); });
        if (with_sums) CHECK(in_cycles && in_uses && in_tally);
        detected += in_cycles;
    }
    CHECK(detected >= 60);
}

// The cycles of a graph that may leave out vertices, by their number of edges: every set of edges is tried.
std::vector<u64> partial_by_definition(const Graph& graph) {
    std::vector<u64> tally(graph.edges.size() + 1, 0);
    for (u64 chosen = 1; chosen < u64{1} << graph.edges.size(); ++chosen) {
        std::vector<int> degree(graph.vertices, 0), part(graph.vertices);
        std::iota(part.begin(), part.end(), 0);
        bool right = true;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto [u, v] = graph.edges[e];
            const bool taken = (chosen >> e & 1) != 0;
            right = right && (taken || !graph.required[e]);
            if (!taken) continue;
            ++degree[u], ++degree[v];
            const int from = part[u], to = part[v];
            for (int& each : part) each = each == from ? to : each;
        }
        for (int v = 0; v < graph.vertices; ++v) {
            right = right && (degree[v] == 2 || (degree[v] == 0 && graph.optional[v]));
            for (int u = 0; u < v; ++u)
                right = right && !(degree[u] == 2 && degree[v] == 2 && part[u] != part[v]);
        }
        for (std::size_t e = 0; graph.induced && e < graph.edges.size(); ++e) {
            const auto [u, v] = graph.edges[e];
            const bool chord = (chosen >> e & 1) == 0 && degree[u] == 2 && degree[v] == 2;
            right = right && !(chord && graph.optional[u] && graph.optional[v]);
        }
        if (right) ++tally[static_cast<std::size_t>(std::popcount(chosen))];
    }
    while (!tally.empty() && tally.back() == 0) tally.pop_back();
    return tally;
}

void cycles_that_leave_out_vertices() {
    std::mt19937 random(17);
    for (int i = 0; i < 150; ++i) {
        Graph graph = random_graph(random, 3 + i % 4, 0.5 + 0.05 * (i % 10), i % 4 == 0 ? 0.1 : 0.0);
        if (graph.edges.size() > 11) continue;
        for (int v = 0; v < graph.vertices; ++v) graph.optional.push_back(i % 3 == 0 || random() % 5 > 0);
        graph.induced = i % 2 == 0;
        const std::vector<u64> expected = partial_by_definition(graph);
        const FrontierDiagram diagram = built(graph);
        CHECK(diagram.count == std::vector<u64>{std::accumulate(expected.begin(), expected.end(), u64{0})});
        std::vector<u64> found;
        const std::vector<u8> steps(graph.edges.size(), 1);
        CHECK(tally_weights(diagram, steps, found, {}) == Status::done && found == expected);
        const LightestReport longest =
            lightest_cycle_by_frontier(graph, std::vector<std::int64_t>(graph.edges.size(), -1), {});
        CHECK(longest.found == !expected.empty());
        if (!longest.found) continue;
        CHECK(longest.cycle.size() + 1 == expected.size());
        CHECK(longest.weight == -static_cast<std::int64_t>(longest.cycle.size()));
    }
}

void malformed_problems() {
    FrontierDiagram diagram;
    diagram.graph = knight_graph(5, 6);
    diagram.odd = true;
    CHECK_THROWS(build_diagram(diagram, {}), std::invalid_argument);
    diagram.parallel = {{0}, {1}};
    CHECK_THROWS(build_diagram(diagram, {}), std::invalid_argument);
    diagram.parallel.assign(diagram.graph.edges.size(), {});
    CHECK_THROWS(build_diagram(diagram, {}), std::invalid_argument);
    diagram.graph.optional = {1};
    CHECK_THROWS(build_diagram(diagram, {}), std::invalid_argument);
}

} // namespace

int main() {
    random_graphs_against_the_definition();
    pairs_against_the_definition();
    parallel_edges_against_the_definition();
    all_tours_of_6x6();
    numbers_beyond_one_limb();
    limits_stop();
    damaged_layers();
    cycles_that_leave_out_vertices();
    malformed_problems();
    return finish("diagram");
}
