// Every level of vector instructions that this machine has, against the plainest.
#include "ktsolve/common/vectors.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "join/contraction.hpp"
#include "join/line_scan.hpp"
#include "ktsolve/join/count.hpp"
#include "one_cycle.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;
using namespace ktsolve::join;

namespace {

// Calls work(level) for each level, the plainest first.
template <class Work> void at_each_level(Work&& work) {
    for (const VectorLevel level : vector_levels()) {
        use_vector_level(name_of(level));
        CHECK(vector_level() == level);
        work(level);
    }
}

void names_of_levels() {
    CHECK(vector_levels().front() == VectorLevel::plain);
    CHECK(vector_level() == vector_levels().back());
    CHECK_THROWS(use_vector_level("v5"), std::invalid_argument);
    CHECK_THROWS(use_vector_level(""), std::invalid_argument);
    if (vector_levels().back() != VectorLevel::v4)
        CHECK_THROWS(use_vector_level("v4"), std::invalid_argument);
    CHECK(vector_level() == vector_levels().back());
}

// Rows of V with random numbers in all lanes, and what they give.
template <class V> struct Rows {
    PagedVector<u64> memory, result;
    V *b, *closed;
    explicit Rows(u64 many) : memory(words_of_rows<V>(many)), result(memory.size()) {
        b = rows_in<V>(memory);
        closed = rows_in<V>(result);
    }
};

template <class V> void contraction(int pairs, const ContractionLists& lists) {
    const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
    const u64 most = std::is_same_v<V, Narrow8> ? (u64{1} << 32) / many : u64{1} << 40; // sums fit
    Rows<V> rows(many);
    std::mt19937_64 random(5);
    for (u64 r = 0; r < many; ++r)
        for (std::size_t l = 0; l < 8; ++l) rows.b[r][l] = static_cast<Number<V>>(random() % most);
    ContractionSpace space;
    std::vector<u64> plain(many), column(many);
    for (std::size_t l = 0; l < 8; ++l) {
        // Single counts take another way from seven pairs on.
        use_vector_level("plain");
        for (u64 r = 0; r < many; ++r) column[r] = rows.b[r][l];
        close_cycles(pairs, column.data(), plain.data(), lists, space);
        at_each_level([&](VectorLevel) {
            close_cycles(pairs, rows.b, rows.closed, lists, space);
            u64 wrong = 0;
            for (u64 r = 0; r < many; ++r) wrong += rows.closed[r][l] != plain[r];
            CHECK(wrong == 0);
        });
        if (pairs == 7) break;
    }
}

// Eight and seven pairs by definition, for some matchings and thin sums.
void single_counts() {
    ContractionLists lists;
    prepare(lists, 7);
    std::mt19937_64 random(6);
    ContractionSpace space;
    for (const int pairs : {7, 8}) {
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        for (const u64 largest : {u64{1000}, u64{1} << 40}) { // lanes of 32 and of 64 bits
            std::vector<u64> b(many), closed(many);
            std::vector<std::pair<u64, u64>> entries;
            for (int i = 0; i < 300; ++i) {
                const u64 rank = random() % many;
                if (b[rank] != 0) continue;
                b[rank] = random() % largest + 1;
                entries.emplace_back(rank, b[rank]);
            }
            at_each_level([&](VectorLevel level) {
                if (pairs == 8 && level == VectorLevel::v3 && vector_levels().back() != level) return;
                close_cycles(pairs, b.data(), closed.data(), lists, space);
                for (int i = 0; i < 200; ++i) {
                    const u64 rank = random() % many;
                    const Mates mates = mates_of_rank(pairs, rank);
                    u64 expected = 0;
                    for (const auto& [other, count] : entries)
                        if (one_cycle(pairs, mates, mates_of_rank(pairs, other))) expected += count;
                    CHECK(closed[rank] == expected);
                }
            });
        }
    }
}

// More entries of eight pairs than are added up at a time. Sums of two vectors are closed as both are.
void many_single_counts() {
    ContractionLists lists;
    prepare(lists, 7);
    std::mt19937_64 random(9);
    ContractionSpace space;
    const u64 many = kMatchings[8];
    std::vector<u64> b(many), closed(many), sum(many), expected(many);
    for (int part = 0; part < 2; ++part) {
        for (u64& count : b) count = random() % 8 == 0 ? random() % 1000 : 0;
        close_cycles(8, b.data(), closed.data(), lists, space);
        for (u64 r = 0; r < many; ++r) sum[r] += b[r], expected[r] += closed[r];
    }
    close_cycles(8, sum.data(), closed.data(), lists, space);
    CHECK(closed == expected);
    // The number of matchings that close one cycle with any: 2 * 4 * ... * 14.
    std::fill(b.begin(), b.end(), u64{1});
    close_cycles(8, b.data(), closed.data(), lists, space);
    CHECK(std::all_of(closed.begin(), closed.end(), [](u64 count) { return count == 645'120; }));
}

template <class V> void rows_from_columns() {
    std::mt19937_64 random(7);
    for (const u64 many : {u64{1}, u64{3}, u64{15}, u64{105}, u64{945}}) {
        const u64 stride = many + 1;
        std::vector<Number<V>> columns(8 * stride);
        for (auto& number : columns) number = static_cast<Number<V>>(random());
        Rows<V> rows(many);
        at_each_level([&](VectorLevel) {
            rows_of_columns(columns.data(), stride, many, rows.b);
            for (u64 r = 0; r < many; ++r)
                for (std::size_t l = 0; l < 8; ++l) CHECK(rows.b[r][l] == columns[l * stride + r]);
        });
    }
}

u64 count(const Graph& graph, const JoinPlan& plan, u64 modulus) {
    JoinSettings settings;
    settings.threads = 2;
    settings.modulus = modulus;
    const JoinReport report = count_cycles_by_join(graph, plan, settings, {});
    CHECK(report.status == Status::done && !report.overflow && report.count[1] == 0);
    if (modulus == 0) return report.count[0] / report.divisor;
    for (u64 number = 0; number < modulus; ++number)
        if (number * report.divisor % modulus == report.count[0]) return number;
    return modulus;
}

void whole_counts() {
    const Graph open = with_extra(knight_graph(5, 6)); // every tour has its ends at the extra vertex
    JoinPlan open_plan = rows_plan(open, 5, 6, 2);
    open_plan.separator.push_back(30);
    for (std::size_t e = 0; e < open.edges.size(); ++e)
        if (open.edges[e].second == 30 && open.edges[e].first / 6 >= 2 && open.edges[e].first / 6 < 4)
            (e % 2 == 0 ? open_plan.top_deferred : open_plan.bottom_deferred).push_back(static_cast<int>(e));
    const Graph six = knight_graph(6, 6), eight = knight_graph(8, 6);
    struct Case {
        const Graph& graph;
        JoinPlan plan;
        u64 expected;
    };
    const Case cases[] = {{six, rows_plan(six, 6, 6, 2), 9862},
                          {six, symmetric_plan(six, true), 9862},
                          {eight, rows_plan(eight, 8, 6, 3), 55488142},
                          {open, open_plan, 18784}};
    for (const Case& each : cases)
        at_each_level([&](VectorLevel) {
            CHECK(count(each.graph, each.plan, 0) == each.expected);
            CHECK(count(each.graph, each.plan, 1009) == each.expected % 1009);
        });
}

// The numbers of lines that are not 0, by definition.
template <class Number> void scans() {
    std::mt19937_64 random(6);
    for (int n = 0; n < 300; ++n) {
        const u64 lines = 1 + random() % 70, many = lines * kLine<Number>, full = 1 + random() % 40;
        const bool marked = random() % 2 == 0;
        std::vector<Number> numbers(many), expected;
        std::vector<u32> expected_places;
        std::vector<u8> marks((lines + 7) / 8 * 8);
        Scanned all;
        for (u64 i = 0; i < many; ++i) {
            if (random() % full != 0) continue;
            numbers[i] = static_cast<Number>(1 + random() % 1'000'000);
            marks[i / kLine<Number>] = 1;
            expected_places.push_back(static_cast<u32>(i));
            expected.push_back(numbers[i]);
            all.any |= numbers[i];
            all.sum += numbers[i];
        }
        all.many = expected.size();
        if (n % 3 == 0) marks[0] = 1; // a marked line may hold nothing
        at_each_level([&](VectorLevel) {
            std::vector<Number> copy = numbers, found(expected.size() + kLine<Number>);
            std::vector<u8> used = marks;
            std::vector<u32> places(found.size());
            const auto& kernel = scan_kernel();
            u8* const bytes = marked ? used.data() : nullptr;
            Scanned scanned;
            if constexpr (sizeof(Number) == 4)
                scanned = kernel.narrow(copy.data(), bytes, lines, places.data(), found.data());
            else
                scanned = kernel.wide(copy.data(), bytes, lines, places.data(), found.data());
            CHECK(scanned.many == all.many && scanned.any == all.any && scanned.sum == all.sum);
            CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
            CHECK(std::equal(expected_places.begin(), expected_places.end(), places.begin()));
            CHECK(copy == std::vector<Number>(many));
            CHECK(!marked || used == std::vector<u8>(used.size()));
        });
    }
}

} // namespace

int main() {
    names_of_levels();
    scans<u32>();
    scans<u64>();
    ContractionLists lists;
    prepare(lists, 7);
    for (int pairs = 1; pairs <= 7; ++pairs) {
        contraction<Narrow8>(pairs, lists);
        contraction<Wide8>(pairs, lists);
    }
    single_counts();
    many_single_counts();
    rows_from_columns<Narrow8>();
    rows_from_columns<Wide8>();
    whole_counts();
    return finish("vectors");
}
