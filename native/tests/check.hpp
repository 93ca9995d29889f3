// A test harness in a page: CHECK counts failures and goes on, finish() says how it went.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

#include "ktsolve/common/graph.hpp"

inline int checks = 0;
inline int failures = 0;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        ++checks;                                                                                            \
        if (!(condition)) {                                                                                  \
            ++failures;                                                                                      \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                     \
        }                                                                                                    \
    } while (false)

#define CHECK_THROWS(expression, exception)                                                                  \
    do {                                                                                                     \
        bool thrown = false;                                                                                 \
        try {                                                                                                \
            (void)(expression);                                                                              \
        } catch (const exception&) {                                                                         \
            thrown = true;                                                                                   \
        }                                                                                                    \
        CHECK(thrown);                                                                                       \
    } while (false)

inline int finish(const char* name) {
    std::printf("%s: %d passed, %d failed\n", name, checks - failures, failures);
    return failures == 0 ? 0 : 1;
}

// The move graph of an (r, s) leaper on a rectangle, cells numbered row by row.
inline ktsolve::Graph leaper_graph(int rows, int columns, int r, int s) {
    ktsolve::Graph graph;
    graph.vertices = rows * columns;
    std::set<std::pair<int, int>> edges;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            for (const auto& [down, right] : {std::pair{r, s}, {r, -s}, {s, r}, {s, -r}}) {
                const int to_row = row + down, to_column = column + right;
                if (to_row >= rows || to_column < 0 || to_column >= columns) continue;
                const int u = row * columns + column, v = to_row * columns + to_column;
                if (u != v) edges.insert({std::min(u, v), std::max(u, v)});
            }
    graph.edges.assign(edges.begin(), edges.end());
    graph.required.assign(graph.edges.size(), 0);
    return graph;
}

inline ktsolve::Graph knight_graph(int rows, int columns) {
    return leaper_graph(rows, columns, 1, 2);
}

// The graph whose cycles are the paths of another: one more vertex, joined to all.
inline ktsolve::Graph with_extra(ktsolve::Graph graph) {
    for (int v = 0; v < graph.vertices; ++v) {
        graph.edges.emplace_back(v, graph.vertices);
        graph.required.push_back(0);
    }
    ++graph.vertices;
    return graph;
}

inline ktsolve::Graph random_graph(std::mt19937& random, int vertices, double density, double required) {
    ktsolve::Graph graph;
    graph.vertices = vertices;
    std::uniform_real_distribution<double> unit(0, 1);
    for (int u = 0; u < vertices; ++u)
        for (int v = u + 1; v < vertices; ++v)
            if (unit(random) < density) {
                graph.edges.emplace_back(u, v);
                graph.required.push_back(unit(random) < required);
            }
    return graph;
}

// A graph of vertices in pairs, each joined by a required edge, in a random order; of a directed graph if
// `directed`: edges lead from the second vertex of a pair to the first of another. `more` vertices are alone.
inline ktsolve::Graph random_pairs(std::mt19937& random, int pairs, int more, double density, bool directed) {
    ktsolve::Graph graph;
    graph.vertices = 2 * pairs + more;
    std::vector<int> place(graph.vertices);
    for (int v = 0; v < graph.vertices; ++v) place[v] = v;
    std::shuffle(place.begin(), place.end(), random);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int u = 0; u < graph.vertices; ++u)
        for (int v = u + 1; v < graph.vertices; ++v) {
            const bool pair = v < 2 * pairs && u / 2 == v / 2;
            const bool along = !directed || v >= 2 * pairs || u % 2 != v % 2;
            if (!pair && !(along && unit(random) < density)) continue;
            graph.edges.emplace_back(std::min(place[u], place[v]), std::max(place[u], place[v]));
            graph.required.push_back(pair);
        }
    return graph;
}

// Every Hamiltonian cycle with all required edges, by trying all permutations that start at vertex 0. As the
// definition says, and nothing cleverer: the engines are held against this.
inline std::set<std::vector<int>> cycles_by_definition(const ktsolve::Graph& graph) {
    const int n = graph.vertices;
    std::set<std::vector<int>> cycles; // each as the sorted list of its edge numbers
    if (n < 3) return cycles;
    std::vector<std::vector<int>> edge(n, std::vector<int>(n, -1));
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        edge[u][v] = edge[v][u] = static_cast<int>(e);
    }
    std::vector<int> order;
    for (int v = 1; v < n; ++v) order.push_back(v);
    do {
        std::vector<int> used{edge[0][order[0]]};
        for (int i = 1; i < n - 1; ++i) used.push_back(edge[order[i - 1]][order[i]]);
        used.push_back(edge[order[n - 2]][0]);
        std::sort(used.begin(), used.end());
        if (used.front() < 0) continue;
        bool complete = true;
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            if (graph.required[e] && !std::binary_search(used.begin(), used.end(), static_cast<int>(e)))
                complete = false;
        if (complete) cycles.insert(used);
    } while (std::next_permutation(order.begin(), order.end()));
    return cycles;
}
