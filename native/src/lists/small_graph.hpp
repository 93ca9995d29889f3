// A graph of up to 64 vertices as a set of neighbours for each, read from and written to graph6.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "common/integers.hpp"

namespace ktsolve {

constexpr int kMostVertices = 64;

constexpr u64 bit(int v) {
    return u64{1} << v;
}
constexpr u64 all_of(int vertices) {
    return vertices < 64 ? bit(vertices) - 1 : ~u64{0};
}

// Removes the lowest member of a set and returns it.
inline int take(u64& set) {
    const int v = std::countr_zero(set);
    set &= set - 1;
    return v;
}

struct SmallGraph {
    int vertices = 0;
    bool directed = false;
    bool simple = true;                    // whether the text had neither loops nor parallel edges
    std::array<u64, kMostVertices> next{}; // out-neighbours; of an undirected graph both ways

    void join(int u, int v) {
        next[u] |= bit(v);
        next[v] |= bit(u);
    }
    int edges() const {
        int ends = 0;
        for (int v = 0; v < vertices; ++v) ends += std::popcount(next[v]);
        return directed ? ends : ends / 2;
    }
};

// Reads a line without white space; false if it is not a graph of 1 to 64 vertices.
bool read_small_graph(std::string_view line, SmallGraph& graph);

// The cycles of a directed graph as those of an undirected one with three vertices for each: an arc enters at
// the first and leaves at the third. False if these are more than 64.
bool undirected(const SmallGraph& graph, SmallGraph& made);

// Whether these are all vertices of the graph in the order of a cycle.
bool is_cycle(const SmallGraph& graph, const std::array<u8, kMostVertices>& order);

} // namespace ktsolve
