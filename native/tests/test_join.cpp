#include "ktsolve/join/count.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "check.hpp"
#include "ends_cut.hpp"
#include "join/accumulator.hpp"
#include "join/context.hpp"
#include "join/contraction.hpp"
#include "join/groups.hpp"
#include "join/half.hpp"
#include "join/join_step.hpp"
#include "join/matching.hpp"
#include "join/thin_join.hpp"
#include "join/transitions.hpp"
#include "join/workspace.hpp"
#include "ktsolve/frontier/count.hpp"
#include "one_cycle.hpp"
#include "random_cut.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;
using namespace ktsolve::join;

namespace {

void ranks_and_matchings() {
    for (int pairs = 1; pairs <= 7; ++pairs) {
        u64 expected = 0;
        MatchingWalk(pairs, [&](u64 rank, const Mates& mates) {
            CHECK(rank == expected++);
            CHECK(rank_of_mates(pairs, mates) == rank);
            const Mates back = mates_of_rank(pairs, rank);
            for (int e = 0; e < 2 * pairs; ++e) {
                CHECK(back[static_cast<std::size_t>(e)] == mates[static_cast<std::size_t>(e)]);
                CHECK(mates[mates[static_cast<std::size_t>(e)]] == e);
            }
        });
        CHECK(expected == kMatchings[static_cast<std::size_t>(pairs)]);
    }
    std::mt19937_64 random(1);
    for (int pairs = 8; pairs <= kMostPairs; ++pairs)
        for (int i = 0; i < 1000; ++i) {
            const u64 rank = random() % kMatchings[static_cast<std::size_t>(pairs)];
            CHECK(rank_of_mates(pairs, mates_of_rank(pairs, rank)) == rank);
        }
}

// Edges on matchings, by drawing them: ends have names, an edge joins two of them or brings new ones.
void edges_by_definition() {
    std::mt19937_64 random(2);
    for (int i = 0; i < 20000; ++i) {
        const int pairs = 1 + static_cast<int>(random() % 8);
        const u64 rank = random() % kMatchings[static_cast<std::size_t>(pairs)];
        const Mates mates = mates_of_rank(pairs, rank);
        const Kind kind = static_cast<Kind>(random() % 3);
        // Old end e stands at 10 * e; new ends at places in between.
        std::map<int, int> mate_at;
        for (int e = 0; e < 2 * pairs; ++e) mate_at[10 * e] = 10 * mates[static_cast<std::size_t>(e)];
        int p = 0, q = 0;
        const auto old_end = [&] { return 10 * static_cast<int>(random() % static_cast<u64>(2 * pairs)); };
        const auto fresh = [&] {
            return 10 * static_cast<int>(random() % static_cast<u64>(2 * pairs + 1)) - 5;
        };
        const auto place = [&](int at) {
            return static_cast<int>(std::distance(mate_at.begin(), mate_at.lower_bound(at)));
        };
        int a = 0, b = 0;
        bool closes = false;
        if (kind == Kind::insert) {
            p = fresh();
            q = fresh() + 1;
            if (p > q) std::swap(p, q);
            mate_at[p] = q;
            mate_at[q] = p;
            a = place(p);
            b = place(q);
        } else if (kind == Kind::move) {
            p = old_end();
            q = fresh();
            a = place(p);
            const int far = mate_at[p];
            mate_at.erase(p);
            mate_at[far] = q;
            mate_at[q] = far;
            b = place(q);
        } else {
            do {
                p = old_end();
                q = old_end();
            } while (p == q);
            if (p > q) std::swap(p, q);
            a = place(p);
            b = place(q);
            closes = mate_at[p] == q;
            const int far_p = mate_at[p], far_q = mate_at[q];
            mate_at.erase(p);
            mate_at.erase(q);
            if (!closes) {
                mate_at[far_p] = far_q;
                mate_at[far_q] = far_p;
            }
        }
        const int then = pairs_after(kind, pairs);
        u64 expected = kMatchings[static_cast<std::size_t>(then)];
        if (!closes) {
            Mates now{};
            for (const auto& [at, mate] : mate_at)
                now[static_cast<std::size_t>(place(at))] = static_cast<u8>(place(mate));
            expected = rank_of_mates(then, now);
        }
        CHECK(rank_after(kind, pairs, a, b, rank) == expected);
        if (pairs <= 6) {
            static Transitions transitions;
            const Lookup table = transitions.edge(kind, pairs, a, b, 1);
            CHECK(table.made());
            CHECK((table.narrow != nullptr ? table.narrow[rank] : table.wide[rank]) == expected);
        }
    }
}

// Every table of an edge, made of smaller ones, has the ranks that the mates give.
void tables_of_permutations() {
    std::mt19937_64 random(8);
    Transitions transitions;
    for (int pairs = 0; pairs <= Transitions::kMostTabled; ++pairs)
        for (int trial = 0; trial < (pairs == 8 ? 2 : 12); ++trial) {
            std::array<u8, 2 * Transitions::kMostTabled> to{};
            const auto ends = to.begin() + 2 * pairs;
            std::iota(to.begin(), ends, u8{0});
            std::shuffle(to.begin(), ends, random);
            u64 key = 0;
            for (int e = 0; e < 2 * pairs; ++e)
                key |= static_cast<u64>(to[static_cast<std::size_t>(e)]) << (4 * e);
            const u64 size = kMatchings[static_cast<std::size_t>(pairs)];
            const Lookup table = transitions.permutation(pairs, key, size);
            CHECK(table.made());
            const u64 stride = pairs <= 5 ? 1 : 1 + random() % (size / 1000);
            for (u64 r = 0; r < size; r += stride)
                CHECK((table.narrow != nullptr ? table.narrow[r] : table.wide[r]) ==
                      rank_permuted(pairs, to.data(), r));
        }
    // Without memory for large tables, none is made.
    ChunkPool little(u64{1} << 23);
    Transitions small(&little);
    CHECK(!small.permutation(8, 0xEFCDAB8967452301, ~u64{0} >> 1).made());
}

void tables_of_edges() {
    std::mt19937_64 random(5);
    Transitions transitions;
    for (const Kind kind : {Kind::insert, Kind::move, Kind::connect})
        for (int pairs = kind == Kind::insert ? 0 : 1; pairs <= 8; ++pairs) {
            const int then = pairs_after(kind, pairs);
            if (then > Transitions::kMostTabled) continue;
            const int places_i = 2 * (kind == Kind::insert ? then : pairs);
            const int places_j = kind == Kind::connect ? 2 * pairs : 2 * then;
            for (int i = 0; i < places_i; ++i)
                for (int j = kind == Kind::move ? 0 : i + 1; j < places_j; ++j) {
                    if (pairs == 8 && random() % 64 != 0) continue; // 8 MB each
                    const u64 size = kMatchings[static_cast<std::size_t>(pairs)];
                    const Lookup table = transitions.edge(kind, pairs, i, j, size);
                    CHECK(table.made());
                    const auto at = [&](u64 r) -> u64 {
                        return table.narrow != nullptr ? table.narrow[r] : table.wide[r];
                    };
                    CHECK(at(size) == kMatchings[static_cast<std::size_t>(then)]);
                    const EdgeOnMates edge(kind, pairs, i, j);
                    const u64 stride = pairs <= 5 ? 1 : 1 + random() % (size / 100);
                    for (u64 r = 0; r < size; r += stride)
                        CHECK(at(r) == edge.rank_after(mates_of_rank(pairs, r)));
                }
        }
    constexpr int pairs = EdgeByBlocks::kPairs;
    for (const Kind kind : {Kind::insert, Kind::move, Kind::connect})
        for (int i = 0; i < 2 * pairs; ++i)
            for (int j = kind == Kind::move ? 0 : i + 1; j < 2 * pairs; ++j) {
                const EdgeByBlocks& blocks = transitions.by_blocks(kind, i, j);
                const EdgeOnMates edge(kind, pairs, i, j);
                for (int n = 0; n < 200; ++n) {
                    const u64 r = random() % kMatchings[pairs];
                    CHECK(blocks.rank_after(r) == edge.rank_after(mates_of_rank(pairs, r)));
                }
            }
}

void contraction_by_pairs() {
    std::mt19937_64 random(3);
    ContractionLists lists;
    prepare(lists, 5);
    for (int pairs = 1; pairs <= 5; ++pairs) {
        const u64 size = kMatchings[static_cast<std::size_t>(pairs)];
        for (int round = 0; round < 3; ++round) {
            std::vector<u64> a(size), b(size);
            for (auto* v : {&a, &b})
                for (u64& x : *v) x = random() % 4 == 0 ? random() % 1000 : 0;
            u128 expected = 0;
            for (u64 m = 0; m < size; ++m)
                for (u64 n = 0; n < size; ++n)
                    if (a[m] != 0 && b[n] != 0 &&
                        one_cycle(pairs, mates_of_rank(pairs, m), mates_of_rank(pairs, n)))
                        expected += static_cast<u128>(a[m]) * b[n];
            ContractionSpace space;
            std::vector<u64> closed(size);
            close_cycles(pairs, b.data(), closed.data(), lists, space);
            u128 total = 0;
            for (u64 m = 0; m < size; ++m) total += static_cast<u128>(a[m]) * closed[m];
            CHECK(total == expected);
        }
    }
}

// Lists of entries by the definition, pair by pair; some entries come twice.
void thin_groups_by_pairs() {
    std::mt19937_64 random(31);
    ContractionLists lists;
    prepare(lists, 7);
    ChunkPool pool(u64{1} << 30);
    Transitions transitions(&pool);
    for (const int base : {4, 6, 7})
        for (int pairs = base + 1; pairs <= 10; ++pairs) {
            ContractionSpace space;
            ThinJoin join(base, pool, transitions, lists, space);
            std::vector<u128> expected(2), sums(2);
            std::vector<std::pair<u64, u64>> a, b;
            const u64 matchings = kMatchings[static_cast<std::size_t>(pairs)];
            for (int n = 0; n < 60; ++n) {
                a.emplace_back(random() % matchings, random() % 1000);
                b.emplace_back(random() % matchings, random() % 1000);
                if (n % 7 == 0) a.push_back(a[random() % a.size()]), b.push_back(b[random() % b.size()]);
            }
            for (std::size_t m = 0; m < a.size(); ++m) {
                join.weighed.add({a[m].first, a[m].second, static_cast<u32>(m % 2)});
                for (const auto& [rank, count] : b)
                    if (one_cycle(pairs, mates_of_rank(pairs, a[m].first), mates_of_rank(pairs, rank)))
                        expected[m % 2] += static_cast<u128>(a[m].second) * count;
            }
            for (const auto& [rank, count] : b) join.contracted.add({rank, count});
            CHECK(!join.run(pairs, sums));
            CHECK(sums == expected && sums[0] > 0);
        }
}

void remainders_by_division() {
    std::mt19937_64 random(8);
    for (int n = 0; n < 200'000; ++n) {
        const u64 modulus = std::max<u64>(2, random() >> (24 + random() % 39));
        const u64 near = modulus * (random() % (~u64{0} / modulus)) + random() % 3 - 1;
        const Remainder of(modulus);
        for (const u64 number : std::initializer_list<u64>{random() >> (random() % 64), near,
                                                           ~u64{0} - random() % 3, 0, modulus})
            CHECK(of(number) == number % modulus);
    }
}

// A context without a sweep.
struct Alone {
    ChunkPool pool{u64{1} << 30};
    Transitions transitions{&pool};
    Watch watch{Limits{}, nullptr};
    Workers workers{1, watch};
    Context context{pool, transitions, workers, EndsOf(-1), 0, {}, 0};
};

void sums_past_63_bits_where_they_are_allowed() {
    Alone alone;
    Context& context = alone.context;
    const Group group = Group::make(0, 0, 1, kMostWidth, 62), wide = Group::make(7, 5, 3, 9, 127);
    CHECK(wide.sum_bits() == 127 && wide.count() == 3 && wide.offset() == 5 && wide.width() == 9);
    u64 sum = 0;
    add_bound(sum, group, context);
    CHECK(sum == u64{1} << 62);
    u64 more = sum;
    CHECK_THROWS(add_bound(more, group, context), CountTooWide);
    context.wide_sums = true;
    add_bound(sum, group, context);
    add_bound(sum, wide, context);
    CHECK(sum == kWideSum);
}

// Two groups of `pairs` pairs whose states have these counts each, added up, or the residues of these; the
// bits of the sum, 0 if a count was too wide.
int bits_of_added(int pairs, u64 entries, u64 first, u64 second, u64 expected, u64 modulus = 0) {
    Alone alone;
    Writer sources(alone.pool), writer(alone.pool);
    std::vector<const u8*> at;
    for (const u64 count : {first, second}) {
        u8* const to = sources.append(at.size(), entries, kMostWidth, 63);
        store_entries(to, entries, kMostWidth, pairs, [&](u64 n) { return std::pair<u64, u64>{n, count}; });
        at.push_back(to);
    }
    Accumulator sums(alone.pool);
    sums.begin(pairs, kWideSum, 2 * entries);
    for (const u8* each : at) sums.add(each, entries, kMostWidth, pairs, {});
    try {
        sums.finish(3, modulus, writer);
    } catch (const CountTooWide&) {
        return 0;
    }
    const Layer layer(alone.pool, writer.finish());
    const Segment& segment = layer.segments().front();
    const Group& group = *segment.begin();
    CHECK(group.count() == entries);
    for_each_entry(segment.entries(group), entries, group.width(), pairs,
                   [&](u64, u64 count) { CHECK(count == expected); });
    const int bits = group.sum_bits();
    return bits;
}

void counts_past_63_bits_are_noticed() {
    constexpr u64 half = u64{1} << 61;
    for (const auto& [pairs, entries] :
         {std::pair{4, u64{100}}, {6, u64{40}}, {6, u64{9000}}, {9, u64{40}}}) {
        const int bits = 62 + static_cast<int>(std::bit_width(entries));
        CHECK(bits_of_added(pairs, entries, half, half, 2 * half) == bits);
        CHECK(bits_of_added(pairs, entries, 2 * half, 2 * half - 1, 4 * half - 1) > bits);
        CHECK(bits_of_added(pairs, entries, 2 * half, 2 * half, 0) == 0); // 63 bits and one
        CHECK(bits_of_added(pairs, entries, 7 * half, 2 * half, 0) == 0); // 64 bits and one
        CHECK(bits_of_added(pairs, entries, 7 * half, half, 0) == 0);     // 0 in 64 bits
        // 2^62 modulo 2^40 - 1
        CHECK(bits_of_added(pairs, entries, half, half, u64{1} << 22, (u64{1} << 40) - 1) ==
              22 + static_cast<int>(std::bit_width(entries)));
        CHECK(bits_of_added(pairs, entries, 7 * half, half, 0, 1'000'003) == 0);
    }
}

JoinSettings with(int threads, u64 modulus = 0, u64 part = 0, u64 parts = 1) {
    JoinSettings settings;
    settings.threads = threads;
    settings.modulus = modulus;
    settings.part = part;
    settings.parts = parts;
    return settings;
}

u64 count(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings = {}) {
    const JoinReport report = count_cycles_by_join(graph, plan, settings, {});
    CHECK(report.status == Status::done && !report.overflow);
    CHECK(report.count[1] == 0 && report.count[0] % report.divisor == 0);
    return report.count[0] / report.divisor;
}

void published_values() {
    for (const auto& [rows, columns, first, expected] : {std::tuple{5, 6, 2, 8},
                                                         {6, 5, 2, 8},
                                                         {6, 6, 2, 9862},
                                                         {6, 6, 1, 9862},
                                                         {7, 6, 3, 1067638},
                                                         {8, 5, 3, 44202},
                                                         {12, 3, 5, 176},
                                                         {5, 5, 2, 0}}) {
        const Graph graph = knight_graph(rows, columns);
        CHECK(count(graph, rows_plan(graph, rows, columns, first), with(2)) == static_cast<u64>(expected));
    }
    // Modulo a prime, and in parts.
    const Graph graph = knight_graph(7, 6);
    const JoinPlan plan = rows_plan(graph, 7, 6, 3);
    CHECK(count_cycles_by_join(graph, plan, with(1, 10007), {}).count[0] == 1067638 % 10007);
    u64 sum = 0;
    for (u64 part = 0; part < 3; ++part) sum += count(graph, plan, with(1, 0, part, 3));
    CHECK(sum == 1067638);
}

// Any separation of any graph into three will do; symmetries apart, which the Python tests cover.
void random_cuts_against_the_definition() {
    std::mt19937 random(5);
    int with_cycles = 0;
    for (int i = 0; i < 600; ++i) {
        const int n = 4 + i % 5;
        const auto [cut, plan, chosen] = random_cut(random, n, 0.6 + 0.05 * (i % 8), i % 3 == 0 ? 0.15 : 0.0);
        const std::size_t expected = cycles_by_definition(cut).size();
        with_cycles += expected > 0;
        CHECK(count(cut, plan) == expected);
    }
    CHECK(with_cycles > 60);
}

// With ends turned each tour is counted as often as without.
void turned_ends_against_the_definition() {
    std::mt19937 random(12);
    std::array<int, 2> with_cycles{};
    for (int i = 0; i < 500; ++i) {
        const bool split = i % 2 == 0;
        const EndsCut cut = ends_cut(random, split);
        u64 expected = 0;
        const int extra = cut.plan.turned;
        for (const auto& cycle : cycles_by_definition(cut.graph)) {
            std::vector<int> ends;
            for (const int e : cycle)
                if (const auto [u, v] = cut.graph.edges[static_cast<std::size_t>(e)]; v == extra)
                    ends.push_back(u);
            expected += !split || cut.plan.colour[static_cast<std::size_t>(ends[0])] !=
                                      cut.plan.colour[static_cast<std::size_t>(ends[1])];
        }
        with_cycles[split] += expected > 0;
        CHECK(count(cut.graph, cut.plan) == expected);
    }
    CHECK(with_cycles[0] > 100 && with_cycles[1] > 15);
}

void blocks_and_stages() {
    const Graph graph = knight_graph(10, 5);
    const JoinPlan plan = plan_in_stages(graph);
    u64 sum = 0;
    for (const std::size_t from : {0, 1}) {
        const u64 part = count(graph, plan, in_blocks(plan, from, 2));
        CHECK(part != 0);
        sum += part;
    }
    CHECK(sum == 13311268);
    CHECK(count(graph, rows_plan(graph, 10, 5, 4)) == sum);
    // Tables in files, for which what a block of a stage leads to is divided; with disk for half of them.
    const auto folder =
        std::filesystem::temp_directory_path() / ("ktsolve-stages-" + std::to_string(std::random_device{}()));
    for (const bool half : {false, true}) {
        std::filesystem::create_directory(folder);
        JoinSettings all = in_blocks(plan, 0, 2);
        all.bottom_blocks = all.top_blocks;
        all.spill = folder.string();
        if (half) all.disk = 8192;
        const JoinReport made = make_join_tables(graph, plan, all, {});
        CHECK(made.status == Status::done && made.file_bytes.size() == 2 * all.top_blocks.size());
        u64 files = 0, bytes = 0;
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
            ++files;
            bytes += file.file_size();
            CHECK(file.path().filename().string().find("-of-") == std::string::npos);
        }
        CHECK(half ? bytes <= all.disk : bytes > 8192 && files >= 4 * all.top_blocks.size());
        CHECK(count(graph, plan, all) == sum);
        std::filesystem::remove_all(folder);
    }
}

// Blocks made one by one in little memory: together they are the table, and most steps are taken once for
// many.
void blocks_share_layers() {
    const Graph graph = knight_graph(8, 7);
    JoinPlan plan = rows_plan(graph, 8, 7, 3);
    plan.blocks = {{21, 27}, {22, 26}, {23, 25}};
    const auto folder =
        std::filesystem::temp_directory_path() / ("ktsolve-shared-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder);
    Limits limits;
    Watch watch(limits, nullptr);
    Workers workers(2, watch);
    Transitions transitions;
    const std::vector<int> none;
    const auto make = [&](const std::vector<int>& sums, u64 bytes, std::vector<LayerReport>& log) {
        ChunkPool pool(bytes);
        Context context{pool, transitions, workers, EndsOf(), 0, {}};
        for (int w = 0; w < workers.threads(); ++w) context.accumulators.emplace_back(pool);
        HalfTask task{graph,
                      plan.top,
                      plan.separator,
                      plan.top_preapplied,
                      none,
                      plan.colour,
                      plan.split,
                      false,
                      plan.blocks,
                      sums,
                      sums.empty() ? "" : (folder / "half").string()};
        std::map<u64, std::vector<u64>> groups;
        const Half half = make_half(task, context, log);
        for (const Segment& segment : half.layer.segments())
            for (const Group& group : segment)
                for_each_entry(segment.entries(group), group.count(), group.width(),
                               pairs_of(context.ends(group.pattern)), [&](u64 rank, u64 count) {
                                   groups[group.pattern].insert(groups[group.pattern].end(), {rank, count});
                               });
        return groups;
    };
    const auto work = [](const std::vector<LayerReport>& log) {
        u64 states = 0;
        for (const LayerReport& each : log) states += each.vertex < 0 ? 0 : each.states;
        return states;
    };
    std::vector<LayerReport> whole_log, log;
    const auto whole = make({}, u64{1} << 28, whole_log);
    std::map<u64, std::vector<u64>> all;
    std::set<std::string> shared;
    for (int a = 0; a <= 4; ++a)
        for (int b = 0; b <= 4; ++b)
            for (int c = 0; c <= 4; ++c) {
                for (auto& [pattern, entries] : make({a, b, c}, u64{6} << 20, log))
                    CHECK(all.emplace(pattern, std::move(entries)).second);
                for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                    const std::string name = entry.path().filename().string();
                    if (name.find("-first-") != std::string::npos) shared.insert(name);
                }
            }
    CHECK(all == whole);
    // Of all blocks, of those with the same first sum, and with the same two.
    CHECK(shared ==
          (std::set<std::string>{"half-first-0.layer", "half-first-1.layer", "half-first-2.layer"}));
    CHECK(2 * work(log) < 3 * work(whole_log));
    std::filesystem::remove_all(folder);
}

void bad_plans_are_refused() {
    const Graph graph = knight_graph(6, 6);
    const JoinPlan good = rows_plan(graph, 6, 6, 2);
    const auto refused = [&](auto change) {
        JoinPlan plan = good;
        change(plan);
        CHECK_THROWS(count_cycles_by_join(graph, plan, {}, {}), std::invalid_argument);
    };
    refused([](JoinPlan& p) { p.top.pop_back(); });
    refused([](JoinPlan& p) { p.top.push_back(p.bottom[0]); });
    refused([](JoinPlan& p) {
        p.top.push_back(p.separator.back());
        p.separator.pop_back();
    });
    refused([](JoinPlan& p) { p.top_deferred.pop_back(); });
    refused([](JoinPlan& p) { p.mirror_joins = true; });
    refused([](JoinPlan& p) { p.top_mirror.assign(36, 0); });
    refused([](JoinPlan& p) { p.flip.assign(35, 0); });
    refused([](JoinPlan& p) { p.split = 3; });
    // Ends that are turned are those of a separator vertex, all of whose edges there are pre-applied to the
    // top.
    refused([](JoinPlan& p) { p.turned = p.separator.front(); });
    refused([](JoinPlan& p) {
        p.turned = p.separator.front();
        p.top_preapplied.emplace_back();
    });
    refused([](JoinPlan& p) {
        p.turned = p.top.front();
        p.top_preapplied.emplace_back();
    });
    refused([](JoinPlan& p) { p.top_stages = {{6, {{8}}, {{0}}}}; }); // without blocks
    const auto refused_in_stages = [&](auto change) {
        const Graph longer = knight_graph(10, 5);
        JoinPlan plan = plan_in_stages(longer);
        plan.validate(longer);
        change(plan.top_stages);
        CHECK_THROWS(plan.validate(longer), std::invalid_argument);
    };
    refused_in_stages([](auto& stages) { stages[0].steps = 0; });
    refused_in_stages([](auto& stages) { stages[0].steps = 20; });
    refused_in_stages([](auto& stages) { stages.push_back(stages[0]); });
    refused_in_stages([](auto& stages) { stages[0].sums[0].pop_back(); });
    refused_in_stages([](auto& stages) { stages[0].cells[0][0] = 49; });
    refused_in_stages([](auto& stages) { stages[0].cells[0][0] = -1; });
    CHECK_THROWS(count_cycles_by_join(graph, good, with(1, 0, 2, 2), {}), std::invalid_argument);
    CHECK_THROWS(count_cycles_by_join(graph, good, with(1, u64{1} << 40), {}), std::invalid_argument);
}

void totals_past_128_bits() {
    const u128 largest = u128{0} - 1;
    constexpr u64 ones = ~u64{0};
    JoinResult all, other;
    all.totals.resize(2);
    all.add(0, largest, 1, 0);
    all.add(0, 1, 1, 0);
    CHECK((all.totals[0] == Total{0, 0, 1, 0}));
    all.add(1, largest, ones, 0); // (2^128 - 1) (2^64 - 1)
    CHECK((all.totals[1] == Total{1, ones, ones - 1, 0}));
    other.totals = {Total{ones, ones, ones, 0}, Total{ones, 0, 1, 0}};
    all.add(other, 0);
    CHECK((all.totals[0] == Total{ones, ones, 0, 1} && all.totals[1] == Total{0, 0, 0, 1}));
    CHECK((all.sum(0) == Total{ones, ones, 0, 2}));
    JoinResult residues;
    residues.totals.resize(1);
    constexpr u64 prime = 999'999'937;
    residues.add(0, largest, ones, prime);
    const u64 expected = static_cast<u64>(u128{static_cast<u64>(largest % prime)} * (ones % prime) % prime);
    CHECK(residues.sum(prime)[0] == expected);
}

// A table of one pattern, whose vertices are all ends, with these counts by rank.
Table table_of(const std::map<u64, u64>& counts, int pairs, const Numbering& numbering, Context& context) {
    u64 any = 0, sum = 0;
    for (const auto& [rank, count] : counts) any |= count, sum += count >> 32;
    const int width = entry_width(pairs, static_cast<int>(std::bit_width(any)));
    Writer writer(context.pool);
    auto next = counts.begin();
    store_entries(
        writer.append(numbering.full() / 2, counts.size(), width, 33 + static_cast<int>(std::bit_width(sum))),
        counts.size(), width, pairs, [&](u64) { return std::pair<u64, u64>(*next++); });
    Half half{Layer(context.pool), false, {}};
    half.layer.append(writer.finish());
    return {std::move(half), numbering, context.workers};
}

// Counts of up to 62 bits, joined by arrays and as lists, exact and modulo a number.
void wide_counts_are_joined_in_words() {
    std::mt19937_64 random(47);
    for (const auto& [pairs, in_lanes] : {std::pair{3, 6}, {6, 6}, {5, 4}, {6, 5}})
        for (const u64 modulus : {u64{0}, u64{999'999'000'001}}) {
            Alone alone;
            Context& context = alone.context;
            context.modulus = modulus;
            const Numbering numbering(2 * pairs, false);
            std::map<u64, u64> above, below;
            const u64 matchings = kMatchings[static_cast<std::size_t>(pairs)];
            for (int n = 0; n < 400; ++n) {
                above[random() % matchings] = random() >> 34;
                below[random() % matchings] = random() >> 2;
            }
            Total expected{};
            for (const auto& [rank, count] : above)
                for (const auto& [other, many] : below)
                    if (one_cycle(pairs, mates_of_rank(pairs, rank), mates_of_rank(pairs, other)))
                        add_product(expected.data(), 4, &count, 1, &many, 1);
            const Table top = table_of(above, pairs, numbering, context),
                        bottom = table_of(below, pairs, numbering, context);
            const Side upper(top, {}, numbering, -1), lower(bottom, {}, numbering, -1);
            std::vector<Source> sources;
            CHECK(lower.sources(numbering.full() / 2, sources) == kWideSum);
            const JoinStep step{.tops = {&upper},
                                .bottom = lower,
                                .flip = nullptr,
                                .same = false,
                                .mirror = nullptr,
                                .numbering = numbering,
                                .context = context};
            ContractionLists lists;
            prepare(lists, 6);
            Workspace workspace(step, lists, 0, in_lanes);
            workspace.take(numbering.full() / 2, numbering.full() / 2, 1);
            workspace.finish(0);
            if (modulus != 0) {
                u64 residue = 0;
                for (auto limb = expected.rbegin(); limb != expected.rend(); ++limb)
                    residue = static_cast<u64>(((u128{residue} << 64) + *limb) % modulus);
                expected = {residue};
            }
            CHECK(!workspace.result.overflow && workspace.result.sum(modulus) == expected);
        }
}

// Sums of counts pass 63 bits, so that they are joined in words. Residues are small throughout.
void wide_sums_by_residues() {
    for (const auto& [rows, columns, first] : {std::tuple{26, 6, 12}, {24, 6, 11}}) {
        const Graph graph = knight_graph(rows, columns);
        const JoinPlan plan = rows_plan(graph, rows, columns, first);
        const JoinReport exact = count_cycles_by_join(graph, plan, with(2), {});
        CHECK(exact.status == Status::done && !exact.overflow);
        CHECK((exact.count[2] != 0) == (rows == 26));
        for (const u64 prime : {u64{1'073'741'789}, u64{998'244'353}}) {
            u64 residue = 0;
            for (auto limb = exact.count.rbegin(); limb != exact.count.rend(); ++limb)
                residue = static_cast<u64>(((u128{residue} << 64) + *limb) % prime);
            const JoinReport modular = count_cycles_by_join(graph, plan, with(2, prime), {});
            CHECK(modular.status == Status::done && !modular.overflow && modular.count[0] == residue);
        }
    }
}

void limits_are_kept() {
    const Graph graph = knight_graph(8, 8);
    const JoinPlan plan = rows_plan(graph, 8, 8, 3);
    Limits memory;
    memory.bytes = u64{40} << 20;
    const JoinReport full = count_cycles_by_join(graph, plan, with(2), memory);
    CHECK(full.status == Status::out_of_memory && full.peak_bytes <= u64{45} << 20);
    Limits time;
    time.seconds = 0.2;
    const auto start = std::chrono::steady_clock::now();
    CHECK(count_cycles_by_join(graph, plan, with(2), time).status == Status::out_of_time);
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 2.5);
}

} // namespace

int main() {
    ranks_and_matchings();
    edges_by_definition();
    tables_of_permutations();
    tables_of_edges();
    contraction_by_pairs();
    thin_groups_by_pairs();
    remainders_by_division();
    sums_past_63_bits_where_they_are_allowed();
    counts_past_63_bits_are_noticed();
    published_values();
    random_cuts_against_the_definition();
    turned_ends_against_the_definition();
    blocks_and_stages();
    blocks_share_layers();
    bad_plans_are_refused();
    totals_past_128_bits();
    wide_counts_are_joined_in_words();
    wide_sums_by_residues();
    limits_are_kept();
    return finish("join");
}
