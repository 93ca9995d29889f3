#include "ktsolve/frontier/invariant.hpp"

#include <map>
#include <numeric>

#include "check.hpp"

using namespace ktsolve;

namespace {

std::uint64_t count(const Graph& graph, const std::vector<int>& images) {
    const FrontierReport report = count_invariant_cycles(graph, images, {});
    CHECK(report.status == Status::done);
    for (std::size_t i = 1; i < report.count.size(); ++i) CHECK(report.count[i] == 0);
    return report.count.at(0);
}

// Cycles, as sets of edges, whose image is the same set; all required edges used.
std::uint64_t by_definition(const Graph& graph, const std::vector<int>& images) {
    std::map<std::pair<int, int>, int> number;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) number[graph.edges[e]] = static_cast<int>(e);
    std::uint64_t invariant = 0;
    for (const std::vector<int>& cycle : cycles_by_definition(graph)) {
        bool same = true;
        for (const int e : cycle) {
            const std::pair<int, int> image =
                std::minmax(images[graph.edges[e].first], images[graph.edges[e].second]);
            const auto found = number.find(image);
            same = same && found != number.end() &&
                   std::binary_search(cycle.begin(), cycle.end(), found->second);
        }
        invariant += same;
    }
    return invariant;
}

// Graphs whose edges are orbits of a random permutation, of any order, and a few edges without their images.
void random_graphs_against_the_definition() {
    std::mt19937 random(18);
    int with_cycles = 0, of_order_3 = 0;
    for (int i = 0; i < 4000; ++i) {
        const int n = 3 + i % 6;
        std::vector<int> images(n);
        std::iota(images.begin(), images.end(), 0);
        // A product of cycles: of one length on all vertices, or of random lengths.
        std::vector<int> shuffled = images;
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        const int usual = 2 + static_cast<int>(random() % 3);
        for (int at = 0; at < n;) {
            const int length = std::min(n - at, random() % 4 ? usual : 1 + static_cast<int>(random() % 4));
            for (int k = 0; k < length; ++k) images[shuffled[at + k]] = shuffled[at + (k + 1) % length];
            at += length;
        }
        std::map<std::pair<int, int>, std::uint8_t> edges;
        for (const auto& first : random_graph(random, n, 0.25 + 0.05 * (i % 8), 0).edges) {
            std::pair<int, int> edge = first;
            const bool whole = random() % 12 != 0;
            do {
                edges[edge] = random() % 20 == 0;
                edge = std::minmax(images[edge.first], images[edge.second]);
            } while (whole && edge != first);
        }
        Graph graph;
        graph.vertices = n;
        for (const auto& [edge, required] : edges) {
            graph.edges.push_back(edge);
            graph.required.push_back(required);
        }
        const std::uint64_t expected = by_definition(graph, images);
        CHECK(count(graph, images) == expected);
        with_cycles += expected > 0;
        of_order_3 += expected > 0 && usual == 3;
    }
    CHECK(with_cycles > 500 && of_order_3 > 100);
}

std::vector<int> half_turn(int cells, bool open) {
    std::vector<int> images(cells);
    for (int v = 0; v < cells; ++v) images[v] = cells - 1 - v;
    if (open) images.push_back(cells);
    return images;
}

void boards() {
    CHECK(count(knight_graph(6, 6), half_turn(36, false)) == 78);
    CHECK(count(knight_graph(3, 10), half_turn(30, false)) == 4);
    CHECK(count(with_extra(knight_graph(5, 5)), half_turn(25, true)) == 32);
    std::vector<int> nothing(36);
    std::iota(nothing.begin(), nothing.end(), 0);
    CHECK(count(knight_graph(6, 6), nothing) == 9862);
}

void counts_beyond_one_limb() {
    // The 4 x 120 grid has more than 2^64 cycles with a half turn; the same modulo nothing, limb by limb.
    const Graph graph = leaper_graph(120, 4, 0, 1);
    std::vector<int> nothing(480);
    std::iota(nothing.begin(), nothing.end(), 0);
    const FrontierReport all = count_invariant_cycles(graph, nothing, {});
    CHECK(all.status == Status::done && all.limbs > 1);
    CHECK(all.count == count_cycles_by_frontier(graph, {}).count);
}

void limits_and_malformed() {
    const Graph graph = knight_graph(10, 10);
    Limits limits;
    limits.seconds = 0.05;
    CHECK(count_invariant_cycles(graph, half_turn(100, false), limits).status == Status::out_of_time);
    limits = {};
    limits.bytes = 1 << 20;
    const FrontierReport report = count_invariant_cycles(graph, half_turn(100, false), limits);
    CHECK(report.status == Status::out_of_memory && report.peak_bytes <= limits.bytes);
    CHECK_THROWS(count_invariant_cycles(graph, {}, {}), std::invalid_argument);
    CHECK_THROWS(count_invariant_cycles(graph, std::vector<int>(100, 0), {}), std::invalid_argument);
    std::vector<int> outside = half_turn(100, false);
    outside[3] = 100;
    CHECK_THROWS(count_invariant_cycles(graph, outside, {}), std::invalid_argument);
    // A frontier of more places than a state can name.
    Graph complete;
    complete.vertices = 300;
    for (int u = 0; u < 300; ++u)
        for (int v = u + 1; v < 300; ++v) complete.edges.emplace_back(u, v);
    complete.required.assign(complete.edges.size(), 0);
    CHECK_THROWS(count_invariant_cycles(complete, half_turn(300, false), {}), std::length_error);
    CHECK(count(Graph{}, {}) == 0);
}

} // namespace

int main() {
    random_graphs_against_the_definition();
    boards();
    counts_beyond_one_limb();
    limits_and_malformed();
    return finish("invariant");
}
