#include "ktsolve/swap/swap.hpp"

#include "check.hpp"

#include <map>
#include <string>

#include "swap/positions.hpp"

using namespace ktsolve;

namespace {

using Jumps = std::vector<std::vector<int>>;

Jumps jumps_of(const Graph& graph) {
    Jumps jumps(graph.vertices);
    for (const auto& [u, v] : graph.edges) {
        jumps[u].push_back(v);
        jumps[v].push_back(u);
    }
    return jumps;
}

std::vector<std::uint8_t> position_of(const std::string& picture) {
    std::vector<std::uint8_t> position;
    for (const char mark : picture)
        position.push_back(mark == '.' ? 0 : static_cast<std::uint8_t>(mark - '0'));
    return position;
}

SwapProblem problem_of(const Jumps& jumps, const std::string& start, const std::string& goal,
                       int longest = 1) {
    SwapProblem problem;
    problem.cells = static_cast<int>(start.size());
    problem.jumps = {jumps, jumps};
    problem.colours = {0, 1};
    problem.start = position_of(start);
    problem.goal = position_of(goal);
    problem.longest = longest;
    problem.most = UINT64_MAX;
    return problem;
}

const Jumps kEightKnights{{5, 7},     {6, 8},    {4, 7},    {8},    {2, 8, 9}, {0, 9},
                          {1, 7, 10}, {0, 2, 6}, {1, 3, 4}, {4, 5}, {6}};

void expect(const SwapProblem& problem, int length, std::uint64_t count) {
    const SwapReport report = search_swap(problem, {false, true, false}, {});
    CHECK(report.status == Status::done && report.length == length);
    CHECK(!report.count.empty() && report.count[0] == count);
    for (std::size_t i = 1; i < report.count.size(); ++i) CHECK(report.count[i] == 0);
    CHECK(report.line.size() == problem.start.size() * (length + 1));
}

void published_values() {
    const std::string start = "..11.112222", goal = "..22.221111";
    expect(problem_of(kEightKnights, start, goal), 18, 1162562);
    expect(problem_of(kEightKnights, start, goal, 2), 12, 2);
    expect(problem_of(kEightKnights, start, goal, 3), 12, 214);
    const SwapReport whole = search_swap(problem_of(kEightKnights, start, goal), {true, false, false}, {});
    CHECK(whole.states == 11550 && whole.reached == 11550 && whole.exhausted && whole.length == 18);
    const Jumps ring = jumps_of(knight_graph(3, 3));
    expect(problem_of(ring, "1.1...2.2", "2.2...1.1"), 16, 4726784);
    expect(problem_of(ring, "1.1...2.2", "2.2...1.1", 9), 7, 8);
    expect(problem_of(ring, "1.2...2.1", "2.1...1.2"), 8, 2176);
    expect(problem_of(ring, "1.2...2.1", "2.1...1.2", 9), 5, 8);
    expect(problem_of(jumps_of(knight_graph(4, 3)), "111......222", "222......111"), 16, 98496);
    expect(problem_of(jumps_of(knight_graph(4, 3)), "111......222", "222......111", 6), 8, 408);
    expect(problem_of(jumps_of(knight_graph(3, 4)), "1111....2222", "2222....1111"), 10, 500);
}

// Every position once, and back again.
void ranks() {
    for (const char* example : {"1", "0", "12", "1.2", "11.22.3", "1234..", "22211.."}) {
        std::vector<std::uint8_t> position = position_of(example);
        const swap::Positions positions(position);
        std::sort(position.begin(), position.end());
        std::uint64_t number = 0;
        std::vector<std::uint8_t> again;
        std::set<std::uint64_t> ranks;
        do {
            const std::uint64_t rank = positions.rank(position);
            positions.unrank(rank, again);
            CHECK(rank < positions.size() && again == position);
            ranks.insert(rank);
            ++number;
        } while (std::next_permutation(position.begin(), position.end()));
        CHECK(number == positions.size() && ranks.size() == number);
    }
    std::vector<std::uint8_t> many(60, 0);
    for (int i = 0; i < 60; ++i) many[i] = static_cast<std::uint8_t>(i % 30);
    CHECK(count_positions(many) == 0);
}

// Solutions by definition: layers as maps from positions to numbers of ways, walks by plain recursion.
struct ByDefinition {
    const SwapProblem& problem;
    std::map<std::vector<std::uint8_t>, std::uint64_t> next;

    bool attacked(const std::vector<std::uint8_t>& position) const {
        for (int u = 0; u < problem.cells; ++u)
            for (int v = 0; v < problem.cells; ++v) {
                const int a = position[u], b = position[v];
                if (a == 0 || b == 0 || problem.colours[a - 1] == problem.colours[b - 1]) continue;
                for (const int to : problem.jumps[a - 1][u])
                    if (to == v) return true;
            }
        return false;
    }

    void walk(std::vector<std::uint8_t> position, std::vector<int> path, std::uint64_t ways) {
        const int here = path.back();
        if (static_cast<int>(path.size()) > problem.longest) return;
        for (const int to : problem.jumps[position[here] - 1][here]) {
            if (position[to] != 0 || std::find(path.begin(), path.end(), to) != path.end()) continue;
            std::vector<std::uint8_t> moved = position;
            std::swap(moved[here], moved[to]);
            if (problem.peaceful && attacked(moved)) continue;
            next[moved] += ways;
            std::vector<int> longer = path;
            longer.push_back(to);
            walk(moved, longer, ways);
        }
    }

    std::pair<int, std::uint64_t> answer() {
        std::map<std::vector<std::uint8_t>, std::uint64_t> layer{{problem.start, 1}};
        std::set<std::vector<std::uint8_t>> seen{problem.start};
        for (int length = 0; !layer.empty(); ++length) {
            if (const auto found = layer.find(problem.goal); found != layer.end())
                return {length, found->second};
            next.clear();
            for (const auto& [position, ways] : layer)
                for (int cell = 0; cell < problem.cells; ++cell)
                    if (position[cell] != 0) walk(position, {cell}, ways);
            for (auto it = next.begin(); it != next.end();)
                it = seen.count(it->first) != 0 ? next.erase(it) : std::next(it);
            layer = next;
            for (const auto& entry : layer) seen.insert(entry.first);
        }
        return {-1, 0};
    }
};

void random_puzzles_against_the_definition() {
    std::mt19937 random(1);
    int solved = 0;
    for (int i = 0; i < 300; ++i) {
        const int cells = 3 + i % 5;
        SwapProblem problem;
        problem.cells = cells;
        const int kinds = 1 + i % 3;
        const Jumps shared = jumps_of(random_graph(random, cells, 0.5, 0));
        for (int kind = 0; kind < kinds; ++kind) {
            problem.jumps.push_back(i % 4 == 0 ? jumps_of(random_graph(random, cells, 0.5, 0)) : shared);
            problem.colours.push_back(kind % 2);
        }
        for (int cell = 0; cell < cells; ++cell)
            problem.start.push_back(static_cast<std::uint8_t>(cell < cells * 2 / 3 ? 1 + cell % kinds : 0));
        problem.goal = problem.start;
        std::shuffle(problem.start.begin(), problem.start.end(), random);
        std::shuffle(problem.goal.begin(), problem.goal.end(), random);
        problem.longest = 1 + i % 3;
        problem.peaceful = i % 5 == 0;
        problem.most = UINT64_MAX;
        const auto [length, count] = ByDefinition{problem, {}}.answer();
        const SwapReport report = search_swap(problem, {false, true, true}, {});
        CHECK(report.status == Status::done && report.length == length);
        if (length >= 0) CHECK(report.count[0] == count);
        if (length >= 0) CHECK(report.kept.size() == report.on_shortest * cells);
        if (length < 0) CHECK(report.exhausted);
        solved += length > 1;
    }
    CHECK(solved > 100);
}

void turns() {
    const Jumps ring = jumps_of(knight_graph(3, 3));
    SwapProblem problem = problem_of(ring, "1.1...2.2", "2.2...1.1");
    problem.alternate = true;
    const SwapReport report = search_swap(problem, {false, true, true}, {});
    CHECK(report.states == 1512 && report.reached == 500);
    expect(problem, 16, 2040);
    SwapProblem nothing = problem_of(ring, "1.1...2.2", "1.1...2.2");
    nothing.alternate = true;
    expect(nothing, 0, 1);
}

// From one corner of a square to the other there are two walks; an enemy beside one of the corners between
// leaves one.
void walks_in_peace() {
    const Jumps square{{1, 2}, {0, 3, 4}, {0, 3}, {1, 2}, {1}};
    SwapProblem problem = problem_of(square, "1...2", "...12", 2);
    expect(problem, 1, 2);
    problem.peaceful = true;
    expect(problem, 1, 1);
}

// Two pieces, each on a path of its own: their n jumps each go in any order, C(2n, n) ways, here modulo 2^64.
void counts_beyond_128_bits() {
    std::vector<std::uint64_t> row{1}; // of Pascal's triangle
    for (const int n : {10, 40, 75}) {
        while (static_cast<int>(row.size()) <= 2 * n) {
            row.push_back(0);
            for (std::size_t k = row.size() - 1; k > 0; --k) row[k] += row[k - 1];
        }
        Jumps jumps(2 * n + 2);
        for (const int first : {0, n + 1})
            for (int cell = first; cell < first + n; ++cell) {
                jumps[cell].push_back(cell + 1);
                jumps[cell + 1].push_back(cell);
            }
        const std::string piece(1, '1'), other(1, '2'), empty(n, '.');
        const SwapReport report =
            search_swap(problem_of(jumps, piece + empty + other + empty, empty + piece + empty + other),
                        {false, true, false}, {});
        CHECK(report.length == 2 * n && report.count[0] == row[n]);
        CHECK((report.count.size() > 2) == (n == 75));
        CHECK((report.count[1] != 0) == (n > 40 || n == 40));
    }
}

class Stopper final : public Monitor {
  public:
    bool keep_going(const Progress&) override { return false; }
};

void limits() {
    const SwapProblem large =
        problem_of(jumps_of(knight_graph(5, 5)), "1111111111112222.22222222", "2222222222222222.11111111");
    CHECK_THROWS(search_swap(large, {}, {}), std::invalid_argument);
    SwapProblem fair = large;
    fair.goal = large.start;
    std::reverse(fair.goal.begin(), fair.goal.end());
    Limits little_memory;
    little_memory.bytes = 1 << 20;
    CHECK(2 * count_positions(fair.start) > little_memory.bytes);
    CHECK(search_swap(fair, {}, little_memory).status == Status::out_of_memory);
    Limits short_time;
    short_time.seconds = 0.05;
    CHECK(search_swap(fair, {true, false, false}, short_time).status == Status::out_of_time);
    Stopper stopper;
    CHECK(search_swap(fair, {true, false, false}, {}, &stopper).status == Status::interrupted);
    SwapProblem bounded = problem_of(kEightKnights, "..11.112222", "..22.221111");
    bounded.most = 17;
    const SwapReport report = search_swap(bounded, {}, {});
    CHECK(report.length == -1 && !report.exhausted && report.layers.size() == 18);
}

} // namespace

int main() {
    published_values();
    ranks();
    random_puzzles_against_the_definition();
    turns();
    walks_in_peace();
    counts_beyond_128_bits();
    limits();
    return finish("swap");
}
