// What users and files give to the core, well formed or not: graphs, plans, strips, recurrences, refutations,
// puzzles, arrays of steps, mosaics. It is refused by an exception that says why, or answered, and answers
// that can be checked are.
#include "fuzz.hpp"

#include <array>
#include <map>
#include <numeric>
#include <string>

#include "common/limbs.hpp"
#include "ktsolve/common/steps.hpp"
#include "ktsolve/divide/mosaic.hpp"
#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/diagram.hpp"
#include "ktsolve/frontier/list.hpp"
#include "ktsolve/frontier/order.hpp"
#include "ktsolve/graphs/reduction.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/ranking.hpp"
#include "ktsolve/join/tables.hpp"
#include "ktsolve/lists/graph_list.hpp"
#include "ktsolve/non_crossing/non_crossing.hpp"
#include "ktsolve/proof/refutation.hpp"
#include "ktsolve/quotient/voltage.hpp"
#include "ktsolve/sat/subtours.hpp"
#include "ktsolve/sat/two_factor.hpp"
#include "ktsolve/search/search.hpp"
#include "ktsolve/sequences/recurrence.hpp"
#include "ktsolve/strip/strip.hpp"
#include "ktsolve/sudoku/sudoku.hpp"
#include "ktsolve/swap/swap.hpp"
#include "ktsolve/walk/walk.hpp"
#include "random_cut.hpp"

using namespace ktsolve;
using fuzz::below;
using fuzz::one_in;
using fuzz::Random;

namespace {

Limits few() {
    Limits limits;
    limits.seconds = 0.2;
    limits.bytes = u64{64} << 20;
    return limits;
}

// Does the work; input that is refused by these exceptions is refused well.
template <class Work> void tried(Work&& work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
    } catch (const std::length_error&) {
    } catch (const std::out_of_range&) {
    } catch (const std::overflow_error&) {
    }
}

int any_int(Random& random, int likely) {
    switch (random() % 16) {
    case 0:
        return -1;
    case 1:
        return likely;
    case 2:
        return static_cast<int>(fuzz::odd_number(random));
    default:
        return static_cast<int>(random() % static_cast<u64>(std::max(1, likely)));
    }
}

std::vector<int> any_list(Random& random, std::size_t most, int likely) {
    std::vector<int> list(below(random, most + 1));
    for (int& each : list) each = any_int(random, likely);
    return list;
}

// Mostly a graph; now and then with loops, parallel edges, edges the wrong way round, numbers beyond the
// vertices.
Graph any_graph(Random& random) {
    std::mt19937 other(static_cast<unsigned>(random()));
    const int n = static_cast<int>(random() % 9);
    Graph graph = random_graph(other, n, 0.2 + 0.1 * static_cast<double>(random() % 8), 0.1);
    if (one_in(random, 2)) return graph;
    for (u64 times = 1 + random() % 3; times > 0; --times) switch (random() % 6) {
        case 0:
            graph.edges.emplace_back(any_int(random, n), any_int(random, n));
            graph.required.push_back(static_cast<u8>(random() % 2));
            break;
        case 1:
            if (!graph.edges.empty()) {
                graph.edges.push_back(graph.edges[below(random, graph.edges.size())]);
                graph.required.push_back(0);
            }
            break;
        case 2:
            if (!graph.edges.empty()) {
                auto& [u, v] = graph.edges[below(random, graph.edges.size())];
                std::swap(u, v);
            }
            break;
        case 3:
            graph.vertices = one_in(random, 4) ? -1 : static_cast<int>(random() % 50);
            break;
        case 4:
            graph.required.resize(below(random, graph.required.size() + 2));
            break;
        default:
            std::shuffle(graph.edges.begin(), graph.edges.end(), random);
            break;
        }
    return graph;
}

void graphs(Random& random) {
    const Graph graph = any_graph(random);
    const Limits limits = few();
    tried([&] { (void)count_cycles_by_frontier(graph, limits); });
    tried([&] {
        std::vector<std::int32_t> cycles;
        Search search({graph,
                       {any_list(random, 3, 6), any_list(random, 3, 6)},
                       {{any_int(random, graph.vertices), any_int(random, graph.vertices)}},
                       random() % 3});
        (void)search.run(1000, true, cycles, limits);
    });
    tried([&] {
        std::vector<std::int32_t> cycles;
        (void)FrontierList(graph, random() % 3).run(1000, cycles, limits);
    });
    tried([&] {
        FrontierDiagram diagram;
        diagram.graph = graph;
        if (one_in(random, 2))
            for (std::size_t e = 0; e < graph.edges.size() + random() % 2; ++e)
                diagram.parallel.emplace_back(random() % 3, static_cast<u8>(random() % 3));
        diagram.odd = one_in(random, 3);
        (void)build_diagram(diagram, limits);
    });
    tried([&] { (void)reduce_graph(graph, random() % 1000, one_in(random, 2), limits); });
    tried([&] {
        std::vector<std::int64_t> weights(graph.edges.size() + (one_in(random, 9) ? 1 : 0));
        for (auto& weight : weights)
            weight = static_cast<std::int64_t>(fuzz::odd_number(random)) >> random() % 64;
        (void)lightest_cycle_by_frontier(graph, weights, limits);
    });
    tried([&] {
        std::vector<Parallel> parallel(graph.edges.size());
        for (Parallel& each : parallel) each = {static_cast<u8>(random() % 4), static_cast<u8>(random() % 4)};
        (void)count_cycles_by_voltage(graph, parallel, limits);
    });
    tried([&] {
        OrderProblem problem;
        problem.given = {any_list(random, 8, graph.vertices)};
        problem.last = any_int(random, graph.vertices);
        problem.effort = 0.01;
        (void)best_frontier_order(graph, problem, limits);
    });
    tried([&] {
        std::vector<ArcUse> use(graph.edges.size());
        for (ArcUse& each : use) each = static_cast<ArcUse>(random() % 3);
        (void)find_two_factor(graph.vertices, graph.edges, use, {}, random());
    });
    tried([&] {
        (void)find_subtours(graph.vertices, graph.edges, graph.required,
                            std::vector<u8>(graph.edges.size(), static_cast<u8>(random() % 2)));
    });
    tried([&] {
        NonCrossingTask problem;
        problem.vertices = graph.vertices;
        problem.edges = graph.edges;
        for (u64 many = random() % 6; many > 0; --many)
            problem.crossings.emplace_back(any_int(random, static_cast<int>(graph.edges.size())),
                                           any_int(random, static_cast<int>(graph.edges.size())));
        problem.starts = any_list(random, 3, graph.vertices);
        problem.closed = one_in(random, 2);
        problem.longer_than = any_int(random, 4);
        (void)longest_non_crossing(problem, limits);
    });
}

void plans(Random& random) {
    std::mt19937 other(static_cast<unsigned>(random()));
    RandomCut cut = random_cut(other, 4 + static_cast<int>(random() % 4), 0.8, 0.1);
    const Graph& graph = cut.graph;
    JoinPlan& plan = cut.plan;
    const int n = graph.vertices, edges = static_cast<int>(graph.edges.size());
    for (u64 times = random() % 4; times > 0; --times) switch (random() % 12) {
        case 0:
            plan.top = any_list(random, 5, n);
            break;
        case 1:
            plan.separator = any_list(random, 5, n);
            break;
        case 2:
            plan.bottom.push_back(any_int(random, n));
            break;
        case 3:
            plan.top_deferred = any_list(random, 4, edges);
            break;
        case 4:
            plan.bottom_preapplied.push_back(any_list(random, 3, edges));
            break;
        case 5:
            plan.top_mirror = any_list(random, 8, n);
            plan.mirror_joins = one_in(random, 2);
            break;
        case 6:
            plan.flip = any_list(random, 8, n);
            break;
        case 7:
            plan.split = any_int(random, n);
            plan.colour = any_list(random, 8, 2);
            break;
        case 8:
            plan.tallied = any_list(random, 4, edges);
            break;
        case 9:
            plan.blocks = {any_list(random, 3, n)};
            break;
        case 10:
            std::shuffle(plan.top.begin(), plan.top.end(), random);
            break;
        default:
            plan.top.swap(plan.bottom);
            break;
        }
    tried([&] {
        JoinSettings settings;
        settings.modulus = one_in(random, 3) ? fuzz::odd_number(random) : 0;
        settings.parts = 1 + random() % 3;
        settings.part = random() % 4;
        if (one_in(random, 2)) settings.top_blocks = settings.bottom_blocks = {any_list(random, 2, 6)};
        if (one_in(random, 4)) settings.bottom_blocks.push_back(any_list(random, 2, 6));
        (void)count_cycles_by_join(graph, plan, settings, few());
    });
    tried([&] {
        JoinRanking ranking(graph, plan, 1, few().bytes);
        if (ranking.prepare("", 1, nullptr, any_int(random, 3)).status != Status::done) return;
        std::vector<std::int32_t> cycle;
        for (int v = 0; v < n; ++v) cycle.push_back(v);
        std::shuffle(cycle.begin(), cycle.end(), random);
        if (one_in(random, 4)) cycle[0] = any_int(random, n);
        try {
            (void)ranking.rank(cycle.data(), 1, 1, 1);
        } catch (const std::logic_error&) { // none of the graph
        }
        (void)ranking.unrank({random() % 5, 0}, any_int(random, n), 1, 1);
    });
    tried([&] {
        JoinTables tables(any_int(random, 4), 1, few().bytes);
        HalfPlan half{any_list(random, 3, n), any_list(random, 4, n), {}};
        (void)tables.make(graph, half, 1);
        (void)tables.join(
            {{any_int(random, 2), {{any_int(random, 3), any_int(random, 3), one_in(random, 2)}}}},
            {any_int(random, 2), {}}, 1);
    });
}

void strips_and_recurrences(Random& random) {
    tried([&] {
        Strip strip;
        strip.rows = any_int(random, 4);
        strip.open = one_in(random, 3);
        for (u64 many = random() % 8; many > 0; --many)
            strip.edges.push_back(
                {any_int(random, 3), any_int(random, 3), static_cast<int>(random() % 4) - one_in(random, 9)});
        if (one_in(random, 3)) strip.symmetries.push_back(any_list(random, 3, 3));
        StripTransfer transfer(strip);
        if (transfer.compile(few()) == Status::done) (void)transfer.extend(4, 1, few());
    });
    tried([&] {
        const u64 prime = one_in(random, 3) ? fuzz::odd_number(random)
                                            : std::array<u64, 3>{2, 101, 998244353}[random() % 3];
        std::vector<u64> terms(below(random, 30));
        for (u64& term : terms) term = prime == 0 ? random() : random() % prime;
        if (one_in(random, 9) && !terms.empty()) terms[0] = fuzz::odd_number(random);
        if (prime != 2 && prime != 101 && prime != 998244353)
            return (void)shortest_recurrence(terms, prime % 4 == 1 ? 0 : 1);
        const ShortestRecurrence found = shortest_recurrence(terms, prime);
        for (std::size_t n = static_cast<std::size_t>(found.order); n < terms.size(); ++n) {
            u64 sum = 0;
            for (std::size_t i = 0; i < found.coefficients.size() && i <= n; ++i)
                sum = (sum + found.coefficients[i] * terms[n - i]) % prime;
            CHECK(sum == 0);
        }
    });
    tried([&] {
        std::vector<u64> top, bottom, primes, found;
        for (u64 many = random() % 4; many > 0; --many)
            primes.push_back(one_in(random, 4) ? fuzz::odd_number(random) : 1009);
        for (std::size_t many = below(random, 9); many > 0; --many) top.push_back(random() % 1010);
        for (std::size_t many = below(random, 9); many > 0; --many)
            bottom.push_back(one_in(random, 2) ? 1 : random() % 1010);
        (void)far_terms(top, bottom, primes, fuzz::odd_number(random), 1, few(), nullptr, found);
    });
}

// A refutation must not be believed of clauses that can be satisfied.
void refutations(Random& random) {
    const int variables = 1 + static_cast<int>(random() % 5);
    const auto literal = [&] {
        if (one_in(random, 60)) return static_cast<std::int32_t>(fuzz::odd_number(random));
        const auto variable = static_cast<std::int32_t>(1 + random() % static_cast<u64>(variables));
        return one_in(random, 2) ? variable : -variable;
    };
    const auto text = [&](u64 clauses) {
        std::vector<std::int32_t> made;
        for (; clauses > 0; --clauses) {
            for (u64 size = random() % 4 + (one_in(random, 8) ? 0 : 1); size > 0; --size)
                made.push_back(literal());
            made.push_back(0);
        }
        return made;
    };
    Refutation refutation{text(random() % 24), text(random() % 8)};
    if (one_in(random, 2)) refutation.lemmas.push_back(0);
    if (one_in(random, 30)) refutation.clauses.push_back(literal());
    tried([&] {
        const RefutationReport report = check_refutation(refutation, few());
        const Trimmed trimmed = trim_refutation(refutation, few());
        CHECK(trimmed.report.refuted == report.refuted || report.status != Status::done ||
              trimmed.report.status != Status::done);
        if (!report.refuted) return;
        for (const std::int32_t each : refutation.clauses)
            if (std::abs(each) > variables) return; // too many for the table of truth
        bool satisfiable = false;
        for (u64 values = 0; values < u64{1} << variables; ++values) {
            bool all = true, one = false;
            for (const std::int32_t each : refutation.clauses) {
                if (each == 0) {
                    all = all && one;
                    one = false;
                } else {
                    one = one || ((values >> (std::abs(each) - 1)) & 1) == (each > 0 ? 1u : 0u);
                }
            }
            satisfiable = satisfiable || all;
        }
        CHECK(!satisfiable);
    });
}

void sudokus(Random& random) {
    const sudoku::Shape shape{1 + static_cast<int>(random() % 3), 1 + static_cast<int>(random() % 3)};
    const auto any_grid = [&] {
        std::vector<u8> grid(static_cast<std::size_t>(shape.cells()) + (one_in(random, 20) ? 1 : 0));
        for (u8& digit : grid)
            digit = one_in(random, 3) ? static_cast<u8>(random() % static_cast<u64>(shape.side() + 1)) : 0;
        if (one_in(random, 10)) grid[below(random, grid.size())] = static_cast<u8>(random());
        return grid;
    };
    tried([&] {
        const auto puzzle = any_grid();
        const sudoku::Solutions found = sudoku::solve(shape, puzzle, 20, 5, random() % 3, few());
        const auto side = static_cast<std::size_t>(shape.side()), cells = side * side;
        for (std::size_t first = 0; first < found.grids.size(); first += cells)
            for (std::size_t cell = 0; cell < cells; ++cell) {
                const u8 digit = found.grids[first + cell];
                CHECK(digit >= 1 && digit <= side && (puzzle[cell] == 0 || puzzle[cell] == digit));
                for (std::size_t other = 0; other < cell; ++other) {
                    const bool row = cell / side == other / side, column = cell % side == other % side;
                    const auto box = [&](std::size_t c) {
                        return c / side / static_cast<std::size_t>(shape.rows) * side +
                               c % side / static_cast<std::size_t>(shape.columns);
                    };
                    if (row || column || box(cell) == box(other)) CHECK(found.grids[first + other] != digit);
                }
            }
    });
    tried([&] { (void)sudoku::least_grid(shape, any_grid(), random() % 3, few()); });
    tried([&] {
        const sudoku::InvariantGrids grids(shape);
        (void)grids.count(any_list(random, 20, shape.cells()), {any_list(random, 20, shape.cells())}, few());
    });
    tried([&] {
        auto band = any_grid();
        band.resize(static_cast<std::size_t>(shape.band_cells()));
        (void)sudoku::complete(shape, band, few());
        (void)sudoku::complete_by_search(shape, band.data(), few());
    });
    tried([&] {
        const sudoku::Shape other{any_int(random, 4), any_int(random, 4)};
        sudoku::Bands bands;
        u64 found = 0;
        (void)sudoku::walk_bands(other, one_in(random, 2), false, bands, found, few());
    });
    tried([&] {
        if (shape.side() > 6) return;
        sudoku::GridOrder order;
        if (order.prepare(shape, few()) != Status::done) return;
        std::vector<u8> grids;
        std::vector<sudoku::GridPlace> places(1 + below(random, 3)), back;
        for (auto& place : places)
            place = {random() % 3, one_in(random, 9) ? fuzz::odd_number(random) : random() % 2, random() % 4,
                     random() % 2, random() % 4};
        (void)order.unrank(places, grids, few());
        CHECK(order.rank(grids, back, few()) == Status::done && back.size() == places.size());
    });
    tried([&] {
        sudoku::GridOrder order;
        if (shape.side() > 6 || order.prepare(shape, few()) != Status::done) return;
        std::vector<sudoku::GridPlace> places;
        (void)order.rank(any_grid(), places, few());
    });
}

void swaps(Random& random) {
    SwapProblem problem;
    problem.cells = static_cast<int>(random() % 7);
    const std::size_t kinds = 1 + below(random, 2);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        std::vector<std::vector<int>> jumps(static_cast<std::size_t>(problem.cells));
        for (u64 many = random() % 8; many > 0 && problem.cells > 0; --many) {
            const std::size_t u = below(random, jumps.size()), v = below(random, jumps.size());
            jumps[u].push_back(one_in(random, 30) ? any_int(random, problem.cells) : static_cast<int>(v));
            jumps[v].push_back(static_cast<int>(u));
        }
        problem.jumps.push_back(jumps);
        problem.colours.push_back(any_int(random, 2));
    }
    for (auto* position : {&problem.start, &problem.goal}) {
        position->resize(static_cast<std::size_t>(problem.cells) + (one_in(random, 20) ? 1 : 0));
        for (u8& piece : *position)
            piece = static_cast<u8>(one_in(random, 40) ? random() : random() % (kinds + 1));
    }
    if (one_in(random, 2)) {
        problem.goal = problem.start;
        std::shuffle(problem.goal.begin(), problem.goal.end(), random);
    }
    problem.longest = any_int(random, 3);
    problem.alternate = one_in(random, 4);
    problem.peaceful = one_in(random, 4);
    problem.most = one_in(random, 3) ? random() % 9 : ~u64{0};
    tried([&] {
        (void)search_swap(problem, {one_in(random, 2), one_in(random, 2), one_in(random, 2)}, few());
    });
}

void steps_and_mosaics(Random& random) {
    const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 8),
                       columns = 1 + static_cast<std::int64_t>(random() % 8);
    std::vector<std::int32_t> steps(static_cast<std::size_t>(rows * columns));
    std::iota(steps.begin(), steps.end(), 1);
    std::shuffle(steps.begin(), steps.end(), random);
    if (one_in(random, 2))
        steps[below(random, steps.size())] = any_int(random, static_cast<int>(steps.size()) + 1);
    const StepsView view{rows, columns, steps.data()};
    for (const bool closed : {false, true})
        (void)check_steps(view, closed, 1 + static_cast<int>(random() % 3), few(), nullptr);
    (void)cells_in_order(view);
    (void)steps_as_text(view, static_cast<int>(random() % 3)); // digits are cut off
    const std::string text = steps_as_text(view, 10 + static_cast<int>(random() % 4));
    const ParsedGrid same = parse_grid(text);
    CHECK(same.bad_line != 0 || same.steps == steps || *std::min_element(steps.begin(), steps.end()) < 0);
    std::string bad = text;
    for (u64 times = random() % 4; times > 0 && !bad.empty(); --times)
        bad[below(random, bad.size())] = " \t|\n-0159x\x80"[random() % 12];
    (void)parse_grid(bad);
    std::string moves(below(random, 30), '0');
    for (char& move : moves) move = static_cast<char>('0' + random() % (one_in(random, 20) ? 60 : 8));
    std::vector<std::int32_t> walked(steps.size());
    (void)steps_of_moves(moves, rows, columns, static_cast<std::int64_t>(below(random, steps.size())),
                         walked.data());
    Mosaic mosaic;
    for (u64 many = 1 + random() % 2; many > 0; --many)
        mosaic.heights.push_back(1 + static_cast<int>(random() % 4));
    for (u64 many = 1 + random() % 2; many > 0; --many)
        mosaic.widths.push_back(1 + static_cast<int>(random() % 4));
    if (one_in(random, 20)) mosaic.heights[0] = any_int(random, 3);
    for (u64 many = 1 + random() % 2; many > 0; --many) {
        Tile tile{mosaic.heights[0], mosaic.widths[0], {}};
        if (one_in(random, 9)) tile.rows = any_int(random, 4);
        if (tile.rows < 0 || tile.rows > 9) tile.rows = 1;
        tile.moves.resize(static_cast<std::size_t>(2 * tile.rows * tile.columns) +
                          (one_in(random, 20) ? 1 : 0));
        for (u8& move : tile.moves) move = static_cast<u8>(one_in(random, 60) ? random() : random() % 9);
        mosaic.tiles.push_back(tile);
    }
    mosaic.laid.resize(mosaic.heights.size() * mosaic.widths.size());
    for (auto& laid : mosaic.laid) laid = any_int(random, static_cast<int>(mosaic.tiles.size()));
    tried([&] {
        if (mosaic.heights[0] < 0 || mosaic.heights[0] > 64)
            return (void)number_mosaic(mosaic, {}, 1, nullptr, few(), nullptr);
        std::vector<std::int32_t> to(
            static_cast<std::size_t>(std::max<std::int64_t>(0, mosaic.rows() * mosaic.columns())) + 1);
        (void)number_mosaic(mosaic, {any_int(random, 4), any_int(random, 4), static_cast<u8>(random() % 10)},
                            1, to.data(), few(), nullptr);
    });
}

// Sums and products of long numbers against those in digits of 16 bits.
void long_numbers(Random& random) {
    const std::size_t n = 1 + below(random, 5), m = 1 + below(random, 5), limbs = n + m + below(random, 2);
    const auto number = [&](std::size_t size) {
        std::vector<u64> made(size);
        for (u64& limb : made) limb = fuzz::odd_number(random);
        return made;
    };
    const auto digits = [](const std::vector<u64>& from) {
        std::vector<u64> made;
        for (const u64 limb : from)
            for (int i = 0; i < 4; ++i) made.push_back(limb >> (16 * i) & 0xFFFF);
        return made;
    };
    const auto carried = [](std::vector<u64> each, std::size_t size) {
        each.resize(4 * size + 4);
        for (std::size_t i = 0; i + 1 < each.size(); ++i) {
            each[i + 1] += each[i] >> 16;
            each[i] &= 0xFFFF;
        }
        std::vector<u64> made(size, 0);
        for (std::size_t i = 0; i < 4 * size; ++i) made[i / 4] |= each[i] << (16 * (i % 4));
        return made;
    };
    const auto a = number(n), b = number(m);
    auto to = number(limbs);
    auto expected = digits(to);
    expected.resize(4 * limbs + 4);
    const auto x = digits(a), y = digits(b);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < y.size(); ++j) {
            u64 carry = x[i] * y[j];
            for (std::size_t at = i + j; carry != 0 && at < expected.size(); ++at) {
                expected[at] += carry;
                carry = expected[at] >> 16;
                expected[at] &= 0xFFFF;
            }
        }
    add_product(to.data(), static_cast<int>(limbs), a.data(), static_cast<int>(n), b.data(),
                static_cast<int>(m));
    CHECK(to == carried(expected, limbs));
    const auto c = number(limbs);
    auto sum = to;
    const u64 carry = add_limbs(sum.data(), c.data(), static_cast<int>(limbs));
    CHECK(carry == (less_limbs(sum.data(), c.data(), static_cast<int>(limbs)) ? 1u : 0u));
    auto back = sum;
    if (carry == 0) {
        subtract_limbs(back.data(), c.data(), static_cast<int>(limbs));
        CHECK(back == to);
    }
}

// Lines of characters that graph6, sparse6 and digraph6 have, mostly, and planar code.
void lists(Random& random) {
    std::string text;
    for (std::size_t lines = below(random, 8); lines > 0; --lines) {
        if (one_in(random, 4)) text += one_in(random, 2) ? ':' : '&';
        if (one_in(random, 12)) text += ">>graph6<<";
        text += static_cast<char>(one_in(random, 8) ? '~' : '?' + below(random, 14));
        for (std::size_t size = below(random, 16); size > 0; --size)
            text += static_cast<char>(one_in(random, 40) ? below(random, 256) : '?' + below(random, 64));
        text += one_in(random, 8) ? "\r\n" : "\n";
    }
    ListTask task;
    for (std::size_t questions = 1 + below(random, 3); questions > 0; --questions)
        task.questions.push_back(static_cast<Question>(below(random, kQuestions)));
    task.threads = 1 + static_cast<int>(below(random, 2));
    task.check = one_in(random, 2);
    task.cycles = one_in(random, 2);
    const ListReport report = answer_list(text, task, few());
    CHECK(report.answers.size() == report.begin.size() * task.questions.size());
    for (std::size_t i = 0; i < report.begin.size(); ++i)
        CHECK(0 <= report.begin[i] && report.begin[i] < report.end[i] &&
              static_cast<std::size_t>(report.end[i]) <= text.size());
    tried([&] {
        std::size_t used = 0;
        for (char& each : text) each = static_cast<char>(each % 6);
        planar_code_lines(text, one_in(random, 2), used);
        CHECK(used <= text.size());
    });
}

} // namespace

int main(int argc, char** argv) {
    return fuzz::run("input", argc, argv, [](Random& random) {
        switch (random() % 10) {
        case 0:
        case 1:
            return graphs(random);
        case 2:
            return plans(random);
        case 3:
            return strips_and_recurrences(random);
        case 4:
            return refutations(random);
        case 5:
            return sudokus(random);
        case 6:
            return swaps(random);
        case 7:
            return steps_and_mosaics(random);
        case 8:
            return lists(random);
        default:
            return long_numbers(random);
        }
    });
}
