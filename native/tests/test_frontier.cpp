#include "ktsolve/frontier.hpp"

#include "check.hpp"
#include "ktsolve/wide.hpp"

using namespace ktsolve;

namespace {

std::uint64_t count(const Graph& graph) {
    const FrontierReport report = count_cycles_by_frontier(graph, {});
    CHECK(report.status == Status::done);
    for (std::size_t i = 1; i < report.count.size(); ++i) CHECK(report.count[i] == 0);
    return report.count.empty() ? UINT64_MAX : report.count[0];
}

void published_values() {
    CHECK(count(knight_graph(5, 6)) == 8);
    CHECK(count(knight_graph(6, 6)) == 9862);
    CHECK(count(knight_graph(8, 5)) == 44202);
    CHECK(count(knight_graph(10, 3)) == 16);
    CHECK(count(knight_graph(12, 3)) == 176);
    CHECK(count(knight_graph(5, 5)) == 0);
    CHECK(count(knight_graph(4, 6)) == 0);
    CHECK(count(with_extra(knight_graph(5, 5))) == 864);
    CHECK(count(with_extra(knight_graph(4, 3))) == 8);
    CHECK(count(with_extra(knight_graph(7, 3))) == 52);
    CHECK(count(leaper_graph(4, 4, 0, 1)) == 6);
    CHECK(count(leaper_graph(6, 6, 0, 1)) == 1072);
}

void random_graphs_against_the_definition() {
    std::mt19937 random(1);
    int with_cycles = 0;
    for (int i = 0; i < 300; ++i) {
        const int n = 1 + i % 8;
        const Graph graph = random_graph(random, n, 0.35 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        const std::size_t expected = cycles_by_definition(graph).size();
        with_cycles += expected > 0;
        CHECK(count(graph) == expected);
    }
    CHECK(with_cycles > 60);
}

// The widths of key behind kWidestFrontier are all used: rungs between far ends widen the frontier.
void all_key_widths() {
    for (const int width : {12, 14, 20, 24, 30, 36}) {
        // A cycle of 2 * width vertices in an order that keeps half of it in the frontier.
        Graph graph;
        graph.vertices = 2 * width;
        for (int i = 0; i < width; ++i) graph.edges.emplace_back(i, width + i);
        for (int i = 0; i < width; ++i) graph.edges.emplace_back(std::min(i, (i + 1) % width), width + i);
        for (auto& [u, v] : graph.edges)
            if (u > v) std::swap(u, v);
        for (int i = 0; i + 1 < width; ++i) graph.edges[width + i] = {i + 1, width + i};
        graph.edges[2 * width - 1] = {0, 2 * width - 1};
        graph.required.assign(graph.edges.size(), 0);
        const FrontierReport report = count_cycles_by_frontier(graph, {});
        CHECK(report.status == Status::done && report.count[0] == 1);
        CHECK(report.widest >= width - 1);
    }
    Graph wide;
    wide.vertices = 100;
    for (int i = 0; i < 50; ++i) wide.edges.emplace_back(i, 50 + i);
    wide.required.assign(wide.edges.size(), 0);
    CHECK_THROWS(count_cycles_by_frontier(wide, {}), std::length_error);
}

// Hamiltonian cycles of the 4 x n grid obey a(n) + 2 a(n-3) = 2 a(n-1) + 2 a(n-2) + a(n-4) (OEIS A006864),
// here modulo 2^64 for counts of up to about 300 bits.
void counts_beyond_one_limb() {
    std::vector<std::uint64_t> expected{0, 0, 1, 2, 6};
    for (int n = 5; n <= 220; ++n)
        expected.push_back(2 * expected[n - 1] + 2 * expected[n - 2] - 2 * expected[n - 3] + expected[n - 4]);
    for (const int n : {5, 20, 60, 120, 220}) {
        const FrontierReport report = count_cycles_by_frontier(leaper_graph(n, 4, 0, 1), {});
        CHECK(report.status == Status::done);
        CHECK(report.count[0] == expected[n]);
        CHECK((report.limbs > 1) == (n >= 60));
    }
}

void wide_addition() {
    Wide<2> sum;
    sum.limb = {UINT64_MAX, 0};
    CHECK(sum.add(Wide<2>::one()) && sum.limb[0] == 0 && sum.limb[1] == 1);
    sum.limb = {UINT64_MAX, UINT64_MAX};
    CHECK(!sum.add(Wide<2>::one()));
    Wide<1> small;
    small.limb = {UINT64_MAX};
    CHECK(!Wide<1>(small).add(Wide<1>::one()));
    CHECK(small.widened<4>().limb[0] == UINT64_MAX && small.widened<4>().limb[1] == 0);
}

class Stopper final : public Monitor {
  public:
    bool keep_going(const Progress& progress) override {
        CHECK(progress.step < progress.total);
        return ++asked < 2;
    }
    int asked = 0;
};

void limits() {
    Limits short_time;
    short_time.seconds = 0.05;
    CHECK(count_cycles_by_frontier(knight_graph(8, 8), short_time).status == Status::out_of_time);
    Limits little_memory;
    little_memory.bytes = 1 << 20;
    const FrontierReport report = count_cycles_by_frontier(knight_graph(8, 8), little_memory);
    CHECK(report.status == Status::out_of_memory);
    CHECK(report.peak_bytes <= little_memory.bytes && report.peak_states > 1000 && report.eliminated > 5);
    Stopper stopper;
    CHECK(count_cycles_by_frontier(knight_graph(8, 8), {}, &stopper).status == Status::interrupted);
    CHECK(stopper.asked == 2);
}

void malformed() {
    Graph graph;
    graph.vertices = 3;
    graph.edges = {{0, 1}, {1, 2}, {0, 2}};
    CHECK_THROWS(count_cycles_by_frontier(graph, {}), std::invalid_argument); // no required flags
    graph.required = {0, 0, 0};
    CHECK(count(graph) == 1);
    graph.edges[2] = {2, 0};
    CHECK_THROWS(count_cycles_by_frontier(graph, {}), std::invalid_argument);
    graph.edges[2] = {0, 3};
    CHECK_THROWS(count_cycles_by_frontier(graph, {}), std::invalid_argument);
    graph.edges[2] = {0, 1};
    CHECK_THROWS(count_cycles_by_frontier(graph, {}), std::invalid_argument);
    CHECK(count(Graph{}) == 0);
}

} // namespace

int main() {
    published_values();
    random_graphs_against_the_definition();
    all_key_widths();
    counts_beyond_one_limb();
    wide_addition();
    limits();
    malformed();
    return finish("frontier");
}
