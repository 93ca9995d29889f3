#include "ktsolve/quotient/voltage.hpp"

#include "check.hpp"
#include "ktsolve/frontier/count.hpp"

using namespace ktsolve;

namespace {

struct Counts {
    std::uint64_t even, odd;
};

Counts count(const Graph& graph, const std::vector<Parallel>& parallel) {
    const VoltageReport report = count_cycles_by_voltage(graph, parallel, {});
    CHECK(report.status == Status::done);
    for (std::size_t i = 1; i < report.count.size(); ++i) CHECK(report.count[i] == 0 && report.odd[i] == 0);
    return {report.count.at(0), report.odd.at(0)};
}

std::vector<Parallel> alike(const Graph& graph, Parallel edges) {
    return std::vector<Parallel>(graph.edges.size(), edges);
}

// What a cycle, a list of edges of the simple graph, stands for: one choice of parallel edges after the
// other.
Counts choices(const std::vector<int>& cycle, const std::vector<Parallel>& parallel) {
    Counts sums{1, 0};
    for (const int e : cycle) {
        const Parallel& edges = parallel[e];
        sums = {sums.even * edges.even + sums.odd * edges.odd, sums.even * edges.odd + sums.odd * edges.even};
    }
    return sums;
}

void random_graphs_against_the_definition() {
    std::mt19937 random(7);
    int with_cycles = 0;
    for (int i = 0; i < 300; ++i) {
        const int n = 3 + i % 6;
        const Graph graph = random_graph(random, n, 0.4 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        std::vector<Parallel> parallel;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            Parallel edges{static_cast<std::uint8_t>(random() % 3), static_cast<std::uint8_t>(random() % 3)};
            if (edges.even + edges.odd == 0) edges.odd = 1;
            parallel.push_back(edges);
        }
        Counts expected{0, 0};
        for (const std::vector<int>& cycle : cycles_by_definition(graph)) {
            const Counts here = choices(cycle, parallel);
            expected = {expected.even + here.even, expected.odd + here.odd};
            ++with_cycles;
        }
        const Counts found = count(graph, parallel);
        CHECK(found.even == expected.even && found.odd == expected.odd);
    }
    CHECK(with_cycles > 1000);
}

void simple_graphs_are_counted_as_by_the_frontier() {
    const Graph graph = knight_graph(6, 6);
    const Counts even = count(graph, alike(graph, {1, 0}));
    CHECK(even.even == 9862 && even.odd == 0);
    // A cycle of 36 odd edges is even, one of 35 would be odd.
    const Counts odd = count(graph, alike(graph, {0, 1}));
    CHECK(odd.even == 9862 && odd.odd == 0);
    const Graph open = with_extra(knight_graph(5, 5));
    CHECK(count(open, alike(open, {0, 1})).even == 864);
    const Graph small = with_extra(knight_graph(4, 3));
    CHECK(count(small, alike(small, {0, 1})).odd == 8);
}

// One even and one odd edge for each: a cycle of n edges stands for 2^n cycles, half of them odd.
void counts_beyond_one_limb() {
    const Graph graph = leaper_graph(50, 4, 0, 1);
    const FrontierReport plain = count_cycles_by_frontier(graph, {});
    const VoltageReport doubled = count_cycles_by_voltage(graph, alike(graph, {1, 1}), {});
    CHECK(doubled.status == Status::done && doubled.limbs > 1);
    CHECK(doubled.count == doubled.odd);
    // The count shifted by 199 bits: 3 limbs and 7 bits.
    for (std::size_t i = 0; i < 3; ++i) CHECK(doubled.count.at(i) == 0);
    CHECK(doubled.count.at(3) == plain.count.at(0) << 7);
}

void limits_and_malformed() {
    const Graph graph = knight_graph(8, 8);
    Limits limits;
    limits.seconds = 0.05;
    CHECK(count_cycles_by_voltage(graph, alike(graph, {1, 1}), limits).status == Status::out_of_time);
    limits = {};
    limits.bytes = 1 << 20;
    const VoltageReport report = count_cycles_by_voltage(graph, alike(graph, {1, 1}), limits);
    CHECK(report.status == Status::out_of_memory && report.peak_bytes <= limits.bytes);
    CHECK_THROWS(count_cycles_by_voltage(graph, {}, {}), std::invalid_argument);
    CHECK_THROWS(count_cycles_by_voltage(graph, alike(graph, {0, 0}), {}), std::invalid_argument);
    const Counts none = count(Graph{}, {});
    CHECK(none.even == 0 && none.odd == 0);
}

} // namespace

int main() {
    random_graphs_against_the_definition();
    simple_graphs_are_counted_as_by_the_frontier();
    counts_beyond_one_limb();
    limits_and_malformed();
    return finish("voltage");
}
