// Tallies and numbers of cycles through edges by the join, against the definition.
#include "check.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/moves.hpp"
#include "random_cut.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;

namespace {

std::uint64_t number(const std::vector<std::uint64_t>& limbs) {
    return limbs.empty() ? 0 : limbs[0];
}

JoinReport tallied(const Graph& graph, const JoinPlan& plan, std::uint64_t modulus, int threads = 1) {
    JoinSettings settings;
    settings.threads = threads;
    settings.modulus = modulus;
    return count_cycles_by_join(graph, plan, settings, Limits{});
}

// The plan with top and bottom exchanged.
JoinPlan turned_over(JoinPlan plan) {
    std::swap(plan.top, plan.bottom);
    std::swap(plan.top_preapplied, plan.bottom_preapplied);
    std::swap(plan.top_deferred, plan.bottom_deferred);
    std::swap(plan.top_mirror, plan.bottom_mirror);
    plan.flip.clear();
    return plan;
}

void check(const Graph& graph, const JoinPlan& plan, const std::vector<int>& chosen, int threads) {
    const auto cycles = cycles_by_definition(graph);
    std::vector<std::uint64_t> uses, through(graph.edges.size());
    for (const std::vector<int>& cycle : cycles) {
        std::size_t used = 0;
        for (const int e : cycle) {
            ++through[static_cast<std::size_t>(e)];
            used += static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), e));
        }
        if (uses.size() <= used) uses.resize(used + 1);
        ++uses[used];
    }
    if (!chosen.empty()) {
        JoinPlan with = plan;
        with.tallied = chosen;
        for (const std::uint64_t modulus : {std::uint64_t{0}, std::uint64_t{2147483647}}) {
            const JoinReport report = tallied(graph, with, modulus, threads);
            CHECK(report.tally.size() == uses.size());
            for (std::size_t u = 0; u < std::min(uses.size(), report.tally.size()); ++u)
                CHECK(number(report.tally[u]) == uses[u] * report.divisor);
            CHECK(number(report.count) == cycles.size() * report.divisor);
        }
    }
    std::vector<std::uint64_t> sums(graph.edges.size());
    for (const JoinPlan& each : {plan, turned_over(plan)})
        for (const std::uint64_t modulus : {std::uint64_t{0}, std::uint64_t{1000003}}) {
            const MovesReport report = count_moves_by_join(graph, each, threads, modulus, Limits{});
            CHECK(report.status == Status::done && !report.overflow);
            CHECK(number(report.total) == cycles.size());
            for (std::size_t e = 0; e < through.size(); ++e)
                if (modulus == 0)
                    sums[e] += number(report.counts[e]);
                else
                    CHECK(number(report.counts[e]) == 0 || number(report.counts[e]) == through[e]);
        }
    CHECK(sums == through); // each edge belongs to one side
}

// Any separation of any graph, with separator edges deferred and pre-applied on both sides.
void random_cuts() {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const int n = 5 + i % 4;
        const auto [cut, plan, chosen] = random_cut(random, n, 0.7 + 0.04 * (i % 8), i % 3 == 0 ? 0.1 : 0.0);
        check(cut, plan, chosen, 1 + i % 2);
    }
}

// Two tables and one, with mirrors that keep the tallied edges, on a board too large for the definition: the
// sum over uses is the count, and numbers of images are equal.
void boards() {
    const Graph graph = knight_graph(6, 6);
    JoinPlan plan = rows_plan(graph, 6, 6, 2);
    plan.tallied.clear();
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (const auto [u, v] = graph.edges[e]; v - u == 8 && u % 6 < 4)
            plan.tallied.push_back(static_cast<int>(e));
    const JoinReport report = tallied(graph, plan, 0, 2);
    const std::vector<std::uint64_t> expected{0,    0,    0,    0,   8,   62, 618, 928,
                                              2463, 1704, 2527, 832, 620, 90, 10};
    CHECK(report.tally.size() == expected.size());
    for (std::size_t u = 0; u < expected.size(); ++u) CHECK(number(report.tally[u]) == expected[u]);
    plan.tallied.clear();
    std::uint64_t sum = 0;
    for (const JoinPlan& each : {plan, turned_over(plan)})
        for (const auto& count : count_moves_by_join(graph, each, 2, 0, Limits{}).counts)
            sum += number(count);
    CHECK(sum == 36 * 9862);
}

void refusals_and_limits() {
    const Graph graph = knight_graph(6, 6);
    JoinPlan plan = rows_plan(graph, 6, 6, 2);
    plan.tallied = {0, 0};
    CHECK_THROWS(tallied(graph, plan, 0), std::invalid_argument);
    plan.tallied = {static_cast<int>(graph.edges.size())};
    CHECK_THROWS(tallied(graph, plan, 0), std::invalid_argument);
    plan.tallied.clear();
    CHECK_THROWS(count_moves_by_join(graph, plan, 1, 1, Limits{}), std::invalid_argument);
    Limits little;
    little.bytes = 1 << 18;
    CHECK(count_moves_by_join(graph, plan, 1, 0, little).status == Status::out_of_memory);
    Limits late;
    late.seconds = 0;
    CHECK(count_moves_by_join(graph, plan, 1, 0, late).status == Status::out_of_time);
}

} // namespace

int main() {
    random_cuts();
    boards();
    refusals_and_limits();
    return finish("join tally");
}
