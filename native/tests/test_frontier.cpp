#include "ktsolve/frontier/count.hpp"

#include <cmath>
#include <numeric>

#include "check.hpp"
#include "ktsolve/frontier/list.hpp"
#include "ktsolve/frontier/order.hpp"

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

// The case `i` of a series of graphs with pairs (frontier/plan.hpp).
Graph pairs_of_case(std::mt19937& random, int i) {
    Graph graph = random_pairs(random, 2 + i % 3, i % 2, 0.4 + 0.06 * (i % 10), i % 4 < 2);
    // Further required edges, and pairs that are none.
    if (i % 5 == 0 && !graph.edges.empty()) graph.required[random() % graph.edges.size()] ^= 1;
    return graph;
}

void pairs_against_the_definition() {
    std::mt19937 random(5);
    int with_cycles = 0;
    for (int i = 0; i < 300; ++i) {
        const Graph graph = pairs_of_case(random, i);
        const std::size_t expected = cycles_by_definition(graph).size();
        with_cycles += expected > 0;
        CHECK(count(graph) == expected);
    }
    CHECK(with_cycles > 100);
}

// In a complete directed graph of n vertices there are (n - 1)! cycles; with its vertices in pairs it has one
// slot for each, and 2 n without. The widest keys are those of a ladder of pairs that all begin at once.
void pairs_take_one_slot() {
    for (const int n : {3, 5, 8, 10}) {
        Graph graph;
        graph.vertices = 2 * n;
        for (int u = 0; u < n; ++u)
            for (int v = 0; v < n; ++v) {
                if (u == v)
                    graph.edges.emplace_back(2 * u, 2 * u + 1);
                else
                    graph.edges.emplace_back(std::min(2 * u + 1, 2 * v), std::max(2 * u + 1, 2 * v));
                graph.required.push_back(u == v);
            }
        std::uint64_t expected = 1;
        for (int i = 2; i < n; ++i) expected *= static_cast<std::uint64_t>(i);
        const FrontierReport report = count_cycles_by_frontier(graph, {});
        CHECK(report.count == std::vector<std::uint64_t>{expected} && report.widest <= n);
    }
    // Arcs i -> far + i and far + i -> i + 1: one cycle, all of whose vertices are in the frontier.
    for (const int far : {6, 10, 15, 20, 21}) {
        Graph graph;
        graph.vertices = 4 * far;
        const auto add = [&](int a, int b, bool required) {
            graph.edges.emplace_back(std::min(a, b), std::max(a, b));
            graph.required.push_back(required);
        };
        const auto entry = [&](int v) { return v < far ? v : far + v; };
        const auto exit = [&](int v) { return entry(v) + far; };
        for (int v = 0; v < 2 * far; ++v) add(entry(v), exit(v), true);
        for (int v = 0; v < far; ++v)
            add(exit(v), entry(far + v), false), add(exit(far + v), entry((v + 1) % far), false);
        if (far == 21) {
            CHECK_THROWS(count_cycles_by_frontier(graph, {}), std::length_error);
            continue;
        }
        const FrontierReport report = count_cycles_by_frontier(graph, {});
        CHECK(report.status == Status::done && report.count[0] == 1 && report.widest == 2 * far);
    }
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
// here modulo 2^64 for counts of up to about 19,000 bits.
void counts_beyond_one_limb() {
    std::vector<std::uint64_t> expected{0, 0, 1, 2, 6};
    for (int n = 5; n <= 14000; ++n)
        expected.push_back(2 * expected[n - 1] + 2 * expected[n - 2] - 2 * expected[n - 3] + expected[n - 4]);
    for (const int n : {5, 20, 60, 120, 220, 14000}) {
        const FrontierReport report = count_cycles_by_frontier(leaper_graph(n, 4, 0, 1), {});
        CHECK(report.status == Status::done);
        CHECK(report.count[0] == expected[n]);
        CHECK((report.limbs > 1) == (n >= 60));
        CHECK((report.limbs > 256) == (n == 14000));
    }
}

// Layers of more than 32,768 states are in parts, which begin smaller and grow where memory is short.
void layers_in_parts() {
    const Graph board = knight_graph(7, 6);
    const std::uint64_t roomy = count_cycles_by_frontier(board, {}).peak_bytes;
    for (const int threads : {1, 3}) {
        const FrontierReport report = count_cycles_by_frontier(board, {}, nullptr, threads);
        CHECK(report.status == Status::done && report.count[0] == 1067638);
        CHECK(report.peak_states > 40'000);
        Limits little_memory;
        little_memory.bytes = 2 * roomy;
        const FrontierReport tight = count_cycles_by_frontier(board, little_memory, nullptr, threads);
        CHECK(tight.status == Status::done && tight.count == report.count && tight.peak_bytes < roomy);
    }
}

// The edges of a cycle that is given as vertices, as sorted edge numbers.
std::vector<int> edges_of(const Graph& graph, const std::int32_t* cycle) {
    std::vector<int> used;
    for (int i = 0; i < graph.vertices; ++i) {
        const int a = cycle[i], b = cycle[(i + 1) % graph.vertices];
        const std::pair<int, int> edge{std::min(a, b), std::max(a, b)};
        const auto found = std::find(graph.edges.begin(), graph.edges.end(), edge);
        used.push_back(found == graph.edges.end() ? -1 : static_cast<int>(found - graph.edges.begin()));
    }
    std::sort(used.begin(), used.end());
    return used;
}

void lists_against_the_definition() {
    std::mt19937 random(2);
    for (int i = 0; i < 200; ++i) {
        const Graph graph =
            i % 4 == 1 ? pairs_of_case(random, i)
                       : random_graph(random, 1 + i % 8, 0.35 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        FrontierList list(graph, i % 4);
        std::vector<std::int32_t> cycles;
        while (!list.exhausted()) CHECK(list.run(1 + i % 5, cycles, {}) == Status::done);
        std::set<std::vector<int>> found;
        const std::size_t n = graph.vertices;
        for (std::size_t c = 0; c + n <= cycles.size(); c += n)
            found.insert(edges_of(graph, cycles.data() + c));
        CHECK(cycles.size() == list.found() * n);
        CHECK(found.size() == list.found());
        CHECK(found == cycles_by_definition(graph));
    }
}

void lists_are_as_long_as_counts() {
    for (const Graph& graph : {knight_graph(6, 6), knight_graph(10, 3), leaper_graph(6, 6, 0, 1)}) {
        FrontierList list(graph);
        std::vector<std::int32_t> cycles;
        CHECK(list.run(UINT64_MAX, cycles, {}) == Status::done);
        CHECK(list.exhausted() && list.found() == count(graph));
    }
    FrontierList none(knight_graph(4, 6));
    std::vector<std::int32_t> cycles;
    CHECK(none.run(1, cycles, {}) == Status::done && none.exhausted() && cycles.empty() && none.dead() > 0);
}

// A list goes on where a limit stopped it.
void lists_that_are_stopped() {
    const Graph graph = knight_graph(6, 6);
    FrontierList list(graph);
    Limits limits;
    limits.bytes = 1024;
    std::vector<std::int32_t> cycles;
    int stopped = 0;
    while (!list.exhausted()) {
        const Status status = list.run(UINT64_MAX, cycles, limits);
        if (status == Status::done) continue;
        CHECK(status == Status::out_of_memory && list.bytes() <= limits.bytes);
        limits.bytes *= 2;
        ++stopped;
    }
    CHECK(stopped > 5 && list.found() == 9862);
}

void weights_against_the_definition() {
    std::mt19937 random(3);
    int with_cycles = 0;
    for (int i = 0; i < 200; ++i) {
        const Graph graph =
            i % 4 == 1 ? pairs_of_case(random, i)
                       : random_graph(random, 3 + i % 6, 0.4 + 0.06 * (i % 10), i % 3 == 0 ? 0.15 : 0.0);
        std::vector<std::int64_t> weights;
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            weights.push_back(static_cast<std::int64_t>(random() % 41) - 20);
        std::int64_t least = INT64_MAX;
        for (const std::vector<int>& cycle : cycles_by_definition(graph)) {
            std::int64_t sum = 0;
            for (const int e : cycle) sum += weights[e];
            least = std::min(least, sum);
        }
        const LightestReport report = lightest_cycle_by_frontier(graph, weights, {});
        CHECK(report.status == Status::done && report.found == (least != INT64_MAX));
        if (!report.found) continue;
        ++with_cycles;
        CHECK(report.weight == least);
        CHECK(static_cast<int>(report.cycle.size()) == graph.vertices);
        std::int64_t sum = 0;
        for (const int e : edges_of(graph, report.cycle.data())) {
            CHECK(e >= 0);
            if (e >= 0) sum += weights[e];
        }
        CHECK(sum == least);
    }
    CHECK(with_cycles > 60);
    Graph triangle;
    triangle.vertices = 3;
    triangle.edges = {{0, 1}, {0, 2}, {1, 2}};
    triangle.required = {0, 0, 0};
    CHECK(lightest_cycle_by_frontier(triangle, {1, 2, INT64_MIN / 8}, {}).weight == 3 + INT64_MIN / 8);
    CHECK_THROWS(lightest_cycle_by_frontier(triangle, {1, 2, INT64_MAX}, {}), std::overflow_error);
    CHECK_THROWS(lightest_cycle_by_frontier(triangle, {1, 2}, {}), std::invalid_argument);
    Limits little;
    little.bytes = 1 << 20;
    const Graph knights = knight_graph(8, 8);
    const std::vector<std::int64_t> ones(knights.edges.size(), 1);
    CHECK(lightest_cycle_by_frontier(knights, ones, little).status == Status::out_of_memory);
}

Graph in_order(const Graph& graph, const std::vector<int>& order) {
    std::vector<int> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
    Graph result = graph;
    for (auto& [u, v] : result.edges) {
        u = place[u], v = place[v];
        if (u > v) std::swap(u, v);
    }
    return result;
}

void orders_are_permutations_and_good() {
    std::mt19937 random(4);
    for (int i = 0; i < 100; ++i) {
        const Graph graph = i % 4 == 1 ? random_pairs(random, 1 + i % 7, i % 2, 0.3, i % 8 == 1)
                                       : random_graph(random, 1 + i % 30, 0.02 * (i % 12), 0.0);
        OrderProblem problem;
        problem.last = i % 3 == 0 ? graph.vertices / 2 : -1;
        const OrderAnswer answer = best_frontier_order(graph, problem, {});
        std::vector<int> sorted = answer.order;
        std::sort(sorted.begin(), sorted.end());
        std::vector<int> all(graph.vertices);
        std::iota(all.begin(), all.end(), 0);
        CHECK(answer.status == Status::done && sorted == all);
        CHECK(problem.last < 0 || answer.order.back() == problem.last);
        const OrderAnswer again = predicted_order(graph, answer.order);
        CHECK(answer.bits == again.bits && answer.widths == again.widths);
        const int widest = *std::max_element(answer.widths.begin(), answer.widths.end());
        if (widest <= kWidestFrontier)
            CHECK(count_cycles_by_frontier(in_order(graph, answer.order), {}).widest ==
                  (graph.vertices < 3 ? 0 : widest));
        if (graph.vertices <= 14) CHECK(count(in_order(graph, answer.order)) == count(graph));
    }
    // Never worse than a given order, as predicted.
    const Graph board = knight_graph(6, 7);
    OrderProblem rows;
    rows.given.emplace_back(board.vertices);
    std::iota(rows.given[0].begin(), rows.given[0].end(), 0);
    const auto sum = [](const std::vector<double>& bits) {
        double total = 0;
        for (const double each : bits) total += std::exp2(each);
        return total;
    };
    const OrderAnswer best = best_frontier_order(board, rows, {});
    CHECK(sum(best.bits) < 0.2 * sum(predicted_order(board, rows.given[0]).bits));
    CHECK(count_cycles_by_frontier(in_order(board, best.order), {}).peak_states < 20000);
    // A long strip in a random order.
    const Graph strip = leaper_graph(300, 4, 0, 1);
    std::vector<int> mixed(strip.vertices);
    std::iota(mixed.begin(), mixed.end(), 0);
    std::shuffle(mixed.begin(), mixed.end(), random);
    const Graph shuffled = in_order(strip, mixed);
    const FrontierReport report =
        count_cycles_by_frontier(in_order(shuffled, best_frontier_order(shuffled, {}, {}).order), {});
    CHECK(report.widest <= 5);
    CHECK_THROWS(predicted_order(board, {0, 1}), std::invalid_argument);
    rows.given[0][0] = 1;
    CHECK_THROWS(best_frontier_order(board, rows, {}), std::invalid_argument);
    rows.given.clear();
    rows.last = board.vertices;
    CHECK_THROWS(best_frontier_order(board, rows, {}), std::invalid_argument);
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
    pairs_against_the_definition();
    pairs_take_one_slot();
    all_key_widths();
    counts_beyond_one_limb();
    layers_in_parts();
    lists_against_the_definition();
    lists_are_as_long_as_counts();
    lists_that_are_stopped();
    weights_against_the_definition();
    orders_are_permutations_and_good();
    limits();
    malformed();
    return finish("frontier");
}
