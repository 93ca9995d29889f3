#include "ktsolve/walk/walk.hpp"

#include "check.hpp"

#include <list>
#include <numeric>

#include "walk/sequences.hpp"

using namespace ktsolve;

namespace {

using Numbers = std::vector<std::int32_t>;

// Sequences as plain vectors, a way of their own.
class PlainSequences {
  public:
    explicit PlainSequences(const Numbers& whole) { all_.push_back(whole); }

    Numbers& of(int v) {
        for (Numbers& one : all_)
            if (std::find(one.begin(), one.end(), v) != one.end()) return one;
        std::abort();
    }
    void cut(int a, int b) {
        Numbers& one = of(a);
        const auto first = std::find(one.begin(), one.end(), a),
                   second = std::find(one.begin(), one.end(), b);
        const auto middle = std::max(first, second);
        Numbers rest(middle, one.end());
        one.erase(middle, one.end());
        all_.push_back(rest);
    }
    void join(int a, int b) {
        Numbers& first = of(a);
        if (first.back() != a) std::reverse(first.begin(), first.end());
        Numbers& second = of(b);
        if (second.front() != b) std::reverse(second.begin(), second.end());
        first.insert(first.end(), second.begin(), second.end());
        all_.remove_if([&](const Numbers& one) { return &one == &second; });
    }
    std::list<Numbers>& all() { return all_; }

  private:
    std::list<Numbers> all_;
};

void sequences_are_cut_and_joined_like_vectors() {
    std::mt19937 random(1);
    for (int round = 0; round < 60; ++round) {
        const int cells = 2 + round % 12;
        Numbers whole(static_cast<std::size_t>(cells));
        std::iota(whole.begin(), whole.end(), 0);
        std::shuffle(whole.begin(), whole.end(), random);
        Sequences sequences(cells);
        sequences.build(whole);
        PlainSequences plain(whole);
        for (int step = 0; step < 60; ++step) {
            const auto pick = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
            const int v = static_cast<int>(pick(static_cast<std::size_t>(cells)));
            Numbers& one = plain.of(v);
            const auto at = static_cast<std::size_t>(std::find(one.begin(), one.end(), v) - one.begin());
            if (random() % 2 == 0 && at + 1 < one.size()) {
                const int next = one[at + 1];
                const bool turned = random() % 2 == 0;
                sequences.cut(turned ? next : v, turned ? v : next);
                plain.cut(v, next);
            } else if (plain.all().size() > 1) {
                Numbers& other =
                    *std::next(plain.all().begin(), static_cast<std::ptrdiff_t>(pick(plain.all().size())));
                if (&other == &one) continue;
                const int a = random() % 2 == 0 ? one.front() : one.back();
                const int b = random() % 2 == 0 ? other.front() : other.back();
                sequences.join(a, b);
                plain.join(a, b);
            }
            for (int u = 0; u < cells; ++u) {
                const Numbers& mine = plain.of(u);
                const int w = static_cast<int>(pick(static_cast<std::size_t>(cells)));
                CHECK(sequences.together(u, w) == (&mine == &plain.of(w)));
                if (mine.front() == u) CHECK(sequences.far_end(u) == mine.back());
                if (mine.back() == u) CHECK(sequences.far_end(u) == mine.front());
            }
        }
    }
}

WalkProblem problem_of(const Graph& graph, Ties::Kind kind) {
    WalkProblem problem;
    problem.cells = graph.vertices;
    problem.moves = graph.edges;
    problem.ties.kind = kind;
    if (kind == Ties::Kind::keys) problem.ties.keys.assign(static_cast<std::size_t>(graph.vertices), 0);
    return problem;
}

// Does the path visit everything by moves, and come home if asked to?
bool is_tour(const Graph& graph, const Numbers& path, bool closed) {
    const std::set<std::pair<int, int>> edges(graph.edges.begin(), graph.edges.end());
    if (path.size() != static_cast<std::size_t>(graph.vertices)) return false;
    if (std::set<int>(path.begin(), path.end()).size() != path.size()) return false;
    if (closed && path.size() < 3) return false;
    for (std::size_t i = closed ? 0 : 1; i < path.size(); ++i)
        if (!edges.contains(std::minmax(path[i == 0 ? path.size() - 1 : i - 1], path[i]))) return false;
    return true;
}

// By trying every order of the other vertices.
bool path_by_definition(const Graph& graph, int start) {
    Numbers order;
    for (int v = 0; v < graph.vertices; ++v)
        if (v != start) order.push_back(v);
    do {
        Numbers path{start};
        path.insert(path.end(), order.begin(), order.end());
        if (is_tour(graph, path, false)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
}

void replay(const WalkReport& report) {
    Numbers path;
    std::uint64_t nodes = 0, backtracks = 0;
    for (const int event : report.events)
        if (event < 0) {
            path.pop_back();
            ++backtracks;
        } else {
            path.push_back(event);
            ++nodes;
        }
    CHECK(report.recorded && path == report.path);
    CHECK(nodes == report.nodes && backtracks == report.backtracks);
}

void walks_against_the_definition() {
    std::mt19937 random(2);
    int found = 0, none = 0, repaired = 0;
    for (int round = 0; round < 400; ++round) {
        const Graph graph = random_graph(random, 3 + round % 5, 0.35 + 0.05 * (round % 7), 0);
        const bool closed = round % 2 == 0;
        const int start = static_cast<int>(random() % static_cast<unsigned>(graph.vertices));
        const bool exists = closed ? !cycles_by_definition(graph).empty() : path_by_definition(graph, start);
        for (const auto kind : {Ties::Kind::keys, Ties::Kind::random, Ties::Kind::lookahead}) {
            const Walker walker(problem_of(graph, kind));
            WalkTask task;
            task.start = start;
            task.closed = closed;
            task.seed = static_cast<std::uint64_t>(round % 3);
            task.most_events = 100000;
            const WalkReport report = walker.search(task, {});
            CHECK(report.status == Status::done);
            CHECK(report.found == exists && report.exhausted == !exists);
            if (report.found) CHECK(is_tour(graph, report.path, closed) && report.path.front() == start);
            replay(report);
            const RepairReport repair = walker.repair({start, closed, !closed, task.seed, 10000}, {});
            CHECK(!(exists && repair.refuted));
            CHECK(exists || !repair.found);
            if (repair.found) CHECK(is_tour(graph, repair.path, closed) && repair.path.front() == start);
            repaired += repair.found;
        }
        (exists ? found : none) += 1;
    }
    CHECK(found > 50 && none > 50 && repaired > 50);
}

void boards_are_repaired() {
    for (const auto& [rows, columns] : {std::pair{3, 40}, {5, 30}, {20, 20}, {31, 30}, {60, 60}})
        for (const bool closed : {true, false}) {
            const Graph graph = knight_graph(rows, columns);
            const Walker walker(problem_of(graph, Ties::Kind::random));
            int found = 0;
            for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                const RepairReport report = walker.repair({0, closed, !closed, seed}, {});
                if (report.found) CHECK(is_tour(graph, report.path, closed) && report.path.front() == 0);
                CHECK(report.found == !report.path.empty());
                found += report.found;
            }
            CHECK(found > 0);
        }
}

// A vertex is a path of three vertices: arcs enter the first one and leave the last one.
Graph directed_graph(std::mt19937& random, int vertices, double density) {
    Graph graph;
    graph.vertices = 3 * vertices;
    std::uniform_real_distribution<double> unit(0, 1);
    for (int u = 0; u < vertices; ++u)
        for (int v = 0; v < vertices; ++v)
            if (u == v) {
                graph.edges.insert(graph.edges.end(), {{3 * u, 3 * u + 1}, {3 * u + 1, 3 * u + 2}});
                graph.required.insert(graph.required.end(), {1, 1});
            } else if (unit(random) < density) {
                graph.edges.push_back(std::minmax(3 * u + 2, 3 * v));
                graph.required.push_back(0);
            }
    return graph;
}

bool uses_required(const Graph& graph, const Numbers& path, bool closed) {
    std::set<std::pair<int, int>> used;
    for (std::size_t i = closed ? 0 : 1; i < path.size(); ++i)
        used.insert(std::minmax(path[i == 0 ? path.size() - 1 : i - 1], path[i]));
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (graph.required[e] != 0 && !used.contains(graph.edges[e])) return false;
    return true;
}

WalkProblem requiring(const Graph& graph) {
    WalkProblem problem = problem_of(graph, Ties::Kind::random);
    problem.required = graph.required;
    return problem;
}

// Small graphs, sparse and dense: almost every cycle that exists is found, and no other.
void cycles_with_required_edges() {
    std::mt19937 random(3);
    int exist = 0, found = 0, refuted = 0;
    for (int round = 0; round < 1500; ++round) {
        const Graph graph =
            random_graph(random, 3 + round % 6, 0.4 + 0.1 * (round % 6), round % 3 == 0 ? 0.3 : 0.1);
        const bool exists = !cycles_by_definition(graph).empty();
        const Walker walker(requiring(graph));
        const int start = static_cast<int>(random() % static_cast<unsigned>(graph.vertices));
        const RepairTask task{start, true, false, static_cast<std::uint64_t>(round), UINT64_MAX, 2000};
        const RepairReport report = walker.repair(task, {});
        CHECK(report.status == Status::done && !(report.found && report.refuted));
        CHECK(exists || !report.found);
        CHECK(!exists || !report.refuted);
        if (report.found) {
            CHECK(is_tour(graph, report.path, true) && uses_required(graph, report.path, true));
            CHECK(report.path.front() == start && walker.repair(task, {}).path == report.path);
        }
        // Open: the cycles through one more vertex.
        const RepairReport open = walker.repair({start, false, false, task.seed, UINT64_MAX, 2000}, {});
        if (open.found && graph.vertices > 2) {
            CHECK(is_tour(graph, open.path, false));
            CHECK(uses_required(graph, open.path, false));
        }
        exist += exists;
        found += report.found;
        refuted += report.refuted;
    }
    CHECK(exist > 300 && refuted > 100 && found * 100 >= exist * 98);
}

// Paths of directed graphs cannot be reversed: cycles are split off and inserted elsewhere.
void directed_cycles() {
    std::mt19937 random(4);
    int found = 0;
    for (int round = 0; round < 60; ++round) {
        const Graph graph = directed_graph(random, 20 + 5 * round, 6.0 / (20 + 5 * round));
        const Walker walker(requiring(graph));
        RepairTask task{0, true, false, static_cast<std::uint64_t>(round)};
        const RepairReport report = walker.repair(task, {});
        if (report.found) CHECK(is_tour(graph, report.path, true) && uses_required(graph, report.path, true));
        found += report.found;
    }
    CHECK(found > 10);
}

void large_sparse_graphs() {
    // The union of a tour and a perfect matching: three edges at each vertex.
    std::mt19937 random(5);
    for (const int n : {20, 500, 5000}) {
        Graph graph;
        graph.vertices = n;
        Numbers order(static_cast<std::size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        std::set<std::pair<int, int>> edges;
        for (int v = 0; v < n; ++v) edges.insert(std::minmax(v, (v + 1) % n));
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t i = 0; i + 1 < order.size(); i += 2)
            edges.insert(std::minmax(order[i], order[i + 1]));
        graph.edges.assign(edges.begin(), edges.end());
        graph.required.assign(graph.edges.size(), 0);
        int found = 0;
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            const RepairReport report = Walker(requiring(graph)).repair({0, true, false, seed}, {});
            if (report.found) CHECK(is_tour(graph, report.path, true));
            found += report.found;
        }
        CHECK(found >= 3);
    }
}

// Stops when it is told to, although no tour exists.
class Impatient final : public Monitor {
  public:
    bool keep_going(const Progress&) override { return ++calls_ < 3; }

  private:
    int calls_ = 0;
};

void limits_of_hopeless_searches() {
    // Two complete graphs that share a vertex.
    Graph graph;
    graph.vertices = 401;
    for (int u = 0; u < 401; ++u)
        for (int v = u + 1; v < 401; ++v)
            if (v <= 200 || u >= 200) graph.edges.emplace_back(u, v);
    graph.required.assign(graph.edges.size(), 0);
    const Walker walker(requiring(graph));
    RepairTask task{0, true, false, 1, UINT64_MAX, UINT64_MAX};
    Limits limits;
    limits.seconds = 0.2;
    CHECK(walker.repair(task, limits).status == Status::out_of_time);
    Impatient monitor;
    CHECK(walker.repair(task, {}, &monitor).status == Status::interrupted);
    WalkProblem problem = requiring(graph);
    problem.required.pop_back();
    CHECK_THROWS(Walker(problem), std::invalid_argument);
    // All edges of a cycle required: a closed tour, and no open one.
    problem = requiring(leaper_graph(2, 2, 0, 1));
    problem.required.assign(4, 1);
    CHECK(Walker(problem).repair({0, true}, {}).found);
    CHECK(Walker(problem).repair({0, false}, {}).refuted);
}

void limits_and_bad_problems() {
    const Graph graph = knight_graph(8, 8);
    const Walker walker(problem_of(graph, Ties::Kind::keys));
    WalkTask task;
    task.closed = true;
    task.most_nodes = 20;
    const WalkReport report = walker.search(task, {});
    CHECK(!report.found && !report.exhausted && report.nodes == 20 && report.events.empty());
    task.start = 64;
    CHECK_THROWS(walker.search(task, {}), std::invalid_argument);
    CHECK_THROWS(walker.repair({-1, true, false}, {}), std::invalid_argument);
    Limits none_left;
    none_left.seconds = 0;
    // No closed tour, and far too many walks to try.
    const Walker odd(problem_of(knight_graph(7, 7), Ties::Kind::keys));
    CHECK(odd.search({0, true}, none_left).status == Status::out_of_time);
    const Walker large(problem_of(knight_graph(40, 40), Ties::Kind::random));
    CHECK(large.repair({0, true, false, 1}, none_left).status == Status::out_of_time);
    WalkProblem problem = problem_of(graph, Ties::Kind::keys);
    problem.ties.keys.pop_back();
    CHECK_THROWS(Walker(problem), std::invalid_argument);
    problem.ties.kind = Ties::Kind::orders;
    CHECK_THROWS(Walker(problem), std::invalid_argument);
    problem.ties.orders.resize(1);
    problem.ties.directions.assign(problem.moves.size(), 8);
    CHECK_THROWS(Walker(problem), std::invalid_argument);
    problem.ties.directions.assign(problem.moves.size(), 3);
    const Walker fine(problem);
    problem.moves.push_back(problem.moves.front());
    CHECK_THROWS(Walker(problem), std::invalid_argument);
}

} // namespace

int main() {
    sequences_are_cut_and_joined_like_vectors();
    walks_against_the_definition();
    boards_are_repaired();
    cycles_with_required_edges();
    directed_cycles();
    large_sparse_graphs();
    limits_of_hopeless_searches();
    limits_and_bad_problems();
    return finish("walk");
}
