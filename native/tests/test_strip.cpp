#include "ktsolve/strip/strip.hpp"

#include "check.hpp"
#include "ktsolve/frontier/count.hpp"
#include "ktsolve/sequences/recurrence.hpp"

using namespace ktsolve;

namespace {

std::uint64_t by_frontier(const Graph& graph) {
    const FrontierReport report = count_cycles_by_frontier(graph, {});
    CHECK(report.status == Status::done && report.count.size() == 1);
    return report.count[0];
}

// Cells column by column, so that the frontier is narrow.
Graph columns_first(const Graph& graph, int rows, int columns) {
    Graph turned = graph;
    for (auto& [u, v] : turned.edges) {
        const auto place = [&](int cell) {
            return cell == rows * columns ? cell : cell % columns * rows + cell / columns;
        };
        u = place(u);
        v = place(v);
        if (u > v) std::swap(u, v);
    }
    return turned;
}

Strip leaper_strip(int rows, int r, int s, bool open) {
    Strip strip;
    strip.rows = rows;
    strip.open = open;
    const int length = 2 * std::max(r, s) + 1;
    for (const auto& [u, v] : leaper_graph(rows, length, r, s).edges) {
        const int from = u % length, to = v % length;
        if (std::min(from, to) > 0) continue;
        if (from == 0)
            strip.edges.push_back({u / length, v / length, to});
        else
            strip.edges.push_back({v / length, u / length, from});
    }
    std::vector<int> mirror;
    for (int row = rows; row-- > 0;) mirror.push_back(row);
    if (rows > 1) strip.symmetries = {mirror};
    return strip;
}

void against_frontier() {
    const std::vector<std::pair<int, int>> leapers{{1, 2}, {0, 1}, {1, 1}, {1, 3}};
    for (const auto& [r, s] : leapers)
        for (int rows = 1; rows <= (s == 3 ? 3 : 4); ++rows)
            for (const bool open : {false, true}) {
                StripTransfer transfer(leaper_strip(rows, r, s, open));
                CHECK(transfer.compile({}) == Status::done);
                const int first = transfer.first(), most = 8;
                CHECK(transfer.extend(most - first + 1, 1, {}) == Status::done);
                for (int n = first; n <= most; ++n) {
                    Graph graph = leaper_graph(rows, n, r, s);
                    if (open) graph = with_extra(graph);
                    const Limbs& found = transfer.counts()[static_cast<std::size_t>(n - first)];
                    CHECK(found.size() == 1 && found[0] == by_frontier(columns_first(graph, rows, n)));
                    Limbs alone;
                    CHECK(transfer.count(n, 1, {}, nullptr, alone) == Status::done);
                    CHECK(alone == found);
                }
            }
}

// Kings: their last column may be complete before it is reached.
void kings() {
    for (const int rows : {2, 3}) {
        Strip strip = leaper_strip(rows, 0, 1, false);
        for (const StripEdge& edge : leaper_strip(rows, 1, 1, false).edges) strip.edges.push_back(edge);
        StripTransfer transfer(strip);
        CHECK(transfer.compile({}) == Status::done && transfer.extend(2, 1, {}) == Status::done);
        CHECK(transfer.counts()[0] == Limbs{rows == 2 ? 3u : 4u});
        CHECK(transfer.counts()[1] == Limbs{rows == 2 ? 4u : 16u});
    }
}

// Symmetries change the states, not the counts; so do threads.
void symmetries_and_threads() {
    Strip strip = leaper_strip(5, 1, 2, false);
    StripTransfer folded(strip);
    strip.symmetries.clear();
    StripTransfer plain(strip);
    CHECK(folded.compile({}) == Status::done && plain.compile({}) == Status::done);
    CHECK(folded.sizes().states < plain.sizes().states);
    CHECK(folded.sizes().dimension <= plain.sizes().dimension);
    CHECK(folded.extend(40, 1, {}) == Status::done && plain.extend(40, 3, {}) == Status::done);
    CHECK(folded.counts() == plain.counts());
    CHECK(folded.counts().back().size() > 1);
    Limbs alone;
    CHECK(folded.count(42, 3, {}, nullptr, alone) == Status::done && alone == folded.counts().back());
    const auto [constant, each] = folded.growth();
    for (std::size_t i = 0; i < folded.counts().size(); ++i) {
        const Limbs& count = folded.counts()[i];
        const double least = 64.0 * static_cast<double>(count.size() - 1);
        CHECK(least <= constant + each * static_cast<double>(i + 3));
    }
}

void limits() {
    StripTransfer transfer(leaper_strip(6, 1, 2, false));
    Limits small;
    small.bytes = 1 << 20;
    CHECK(transfer.compile(small) == Status::out_of_memory);
    Limits brief;
    brief.seconds = 0;
    CHECK(transfer.compile(brief) == Status::out_of_time);
    StripTransfer narrow(leaper_strip(4, 1, 2, true));
    CHECK(narrow.compile({}) == Status::done);
    CHECK(narrow.extend(5, 1, brief) == Status::out_of_time);
    CHECK(narrow.extend(5, 1, {}) == Status::done && narrow.counts().size() == 5);
    CHECK(narrow.counts()[2] == Limbs{82}); // 4x5
    Limits tiny;
    tiny.bytes = 1000;
    CHECK(narrow.extend(9, 1, tiny) == Status::out_of_memory);
    CHECK(narrow.extend(9, 1, {}) == Status::done && narrow.counts()[7] == Limbs{1213112}); // 4x10

    Strip strip = leaper_strip(3, 1, 2, false);
    strip.edges.push_back(strip.edges.front());
    CHECK_THROWS(StripTransfer(strip), std::invalid_argument);
    strip = leaper_strip(3, 1, 2, false);
    strip.edges.push_back({0, 3, 1});
    CHECK_THROWS(StripTransfer(strip), std::invalid_argument);
    strip = leaper_strip(3, 1, 2, false);
    strip.symmetries = {{1, 0, 2}};
    CHECK_THROWS(StripTransfer(strip), std::invalid_argument);
}

void recurrences() {
    const std::uint64_t prime = (std::uint64_t{1} << 60) - 93;
    std::vector<std::uint64_t> terms{1, 1};
    for (int n = 2; n < 60; ++n) terms.push_back((terms[n - 1] + terms[n - 2]) % prime);
    const ShortestRecurrence found = shortest_recurrence(terms, prime);
    CHECK(found.order == 2);
    CHECK((found.coefficients == std::vector<std::uint64_t>{1, prime - 1, prime - 1}));
    CHECK(shortest_recurrence({0, 0, 0}, prime).order == 0);
    CHECK(shortest_recurrence({0, 0, 5}, prime).order == 3);
    std::vector<std::uint64_t> far;
    for (std::uint64_t n = 0; n < 60; ++n) {
        CHECK(far_terms({1, 0}, found.coefficients, {prime}, n, 1, {}, nullptr, far) == Status::done);
        CHECK(far == std::vector<std::uint64_t>{terms[n]});
    }
    CHECK_THROWS(shortest_recurrence({prime}, prime), std::invalid_argument);
    CHECK_THROWS(far_terms({1}, {2}, {prime}, 3, 1, {}, nullptr, far), std::invalid_argument);
    // Long polynomials: a random recurrence, term by term and at once.
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> top(400), bottom(601), series;
    for (auto& each : top) each = random() % prime;
    for (auto& each : bottom) each = random() % prime;
    bottom[0] = 1;
    __extension__ typedef unsigned __int128 u128;
    for (std::size_t n = 0; n < 1500; ++n) {
        u128 sum = n < top.size() ? top[n] : 0;
        for (std::size_t i = 1; i < bottom.size() && i <= n; ++i)
            sum += prime - static_cast<std::uint64_t>(u128{bottom[i]} * series[n - i] % prime);
        series.push_back(static_cast<std::uint64_t>(sum % prime));
    }
    for (const std::uint64_t n : {0, 1, 599, 600, 1234, 1499}) {
        CHECK(far_terms(top, bottom, {prime}, n, 2, {}, nullptr, far) == Status::done);
        CHECK(far[0] == series[n]);
    }
    CHECK(shortest_recurrence(series, prime).order == 600);
}

} // namespace

int main() {
    against_frontier();
    kings();
    symmetries_and_threads();
    limits();
    recurrences();
    return finish("strip");
}
