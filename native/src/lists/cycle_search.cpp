// Search for Hamiltonian cycles: what follows from each edge taken or dropped, and branching.
#include "lists/cycle_search.hpp"

#include <algorithm>

namespace ktsolve {

void CycleSearch::copy(const State& from, State& to) const {
    std::copy_n(from.open.begin(), n_, to.open.begin());
    std::copy_n(from.taken.begin(), n_, to.taken.begin());
    std::copy_n(from.used.begin(), n_, to.used.begin());
    std::copy_n(from.end.begin(), n_, to.end.begin());
    to.pending = from.pending;
    to.ends = from.ends;
    to.joined = from.joined;
}

// False if a vertex has too few edges left.
inline bool CycleSearch::touch(State& s, int v) const {
    const int left = s.used[v] + std::popcount(s.open[v]);
    if (left > 2) return true;
    if (left < 2) return false;
    if (s.open[v] != 0) s.pending |= bit(v);
    return true;
}

inline bool CycleSearch::drop(State& s, int u, int v) const {
    s.open[u] &= ~bit(v);
    s.open[v] &= ~bit(u);
    return touch(s, u) && touch(s, v);
}

// What follows when a vertex has one edge more.
inline bool CycleSearch::fill(State& s, int v) const {
    if (++s.used[v] == 1) {
        s.ends |= bit(v);
        return true;
    }
    s.ends &= ~bit(v);
    u64 others = s.open[v];
    s.open[v] = 0;
    while (others != 0) {
        const int w = take(others);
        s.open[w] &= ~bit(v);
        if (!touch(s, w)) return false;
    }
    return true;
}

inline bool CycleSearch::take_edge(State& s, int u, int v) const {
    s.open[u] &= ~bit(v);
    s.open[v] &= ~bit(u);
    s.taken[u] |= bit(v);
    s.taken[v] |= bit(u);
    ++s.joined;
    const int a = s.end[u], b = s.end[v];
    if (!fill(s, u) || !fill(s, v)) return false;
    if (a == v) return s.joined == n_; // a cycle
    s.end[a] = static_cast<u8>(b);
    s.end[b] = static_cast<u8>(a);
    // The edge that would close the path stays only if that is the whole cycle.
    return s.joined >= n_ - 1 || (s.open[a] & bit(b)) == 0 || drop(s, a, b);
}

inline bool CycleSearch::propagate(State& s) const {
    while (s.pending != 0) {
        const int v = take(s.pending);
        while (s.open[v] != 0)
            if (!take_edge(s, v, std::countr_zero(s.open[v]))) return false;
    }
    return true;
}

// Whether the graph of what is left is connected without any one vertex that may branch.
bool CycleSearch::biconnected(const State& s) const {
    for (int removed = 0; removed < n_; ++removed) {
        if (s.used[removed] == 2) continue;
        const u64 wanted = all_of(n_) & ~bit(removed);
        u64 seen = wanted & (~wanted + 1), edge = seen;
        while (edge != 0) {
            const int v = take(edge);
            const u64 fresh = (s.open[v] | s.taken[v]) & wanted & ~seen;
            seen |= fresh;
            edge |= fresh;
        }
        if (seen != wanted) return false;
    }
    return true;
}

void CycleSearch::keep(const State& s) {
    if (found_++ == 0) {
        int before = -1, v = 0;
        for (int i = 0; i < n_; ++i) {
            first_[i] = static_cast<u8>(v);
            u64 next = s.taken[v];
            if (before >= 0) next &= ~bit(before);
            before = v;
            v = std::countr_zero(next);
        }
    }
    if (found_ >= most_) stopped_ = true;
}

void CycleSearch::solve(int depth) {
    State& s = states_[depth];
    while (true) {
        if (s.joined == n_) {
            keep(s);
            return;
        }
        if (nodes_ == 0) {
            stopped_ = true;
            return;
        }
        --nodes_;
        int v = 0, least = kMostVertices + 1;
        for (u64 from = s.ends != 0 ? s.ends : all_of(n_); from != 0;) {
            const int w = take(from), left = std::popcount(s.open[w]);
            if (left < least) least = left, v = w;
            if (least == 2) break;
        }
        int u = 0;
        least = kMostVertices + 1;
        for (u64 to = s.open[v]; to != 0;) {
            const int w = take(to), left = std::popcount(s.open[w]);
            if (left < least) least = left, u = w;
        }
        State& with = states_[depth + 1];
        copy(s, with);
        if (take_edge(with, v, u) && propagate(with) && (!prune_ || with.joined == n_ || biconnected(with)))
            solve(depth + 1);
        if (stopped_ || !drop(s, v, u) || !propagate(s)) return;
        if (prune_ && s.joined < n_ && !biconnected(s)) return;
    }
}

bool CycleSearch::run(const SmallGraph& graph, u64 most, u64 nodes, bool prune) {
    n_ = graph.vertices;
    most_ = most;
    nodes_ = nodes;
    prune_ = prune;
    found_ = 0;
    stopped_ = false;
    State& s = states_[0];
    s.pending = s.ends = 0;
    s.joined = 0;
    for (int v = 0; v < n_; ++v) {
        s.open[v] = graph.next[v];
        s.taken[v] = 0;
        s.used[v] = 0;
        s.end[v] = static_cast<u8>(v);
    }
    for (int v = 0; v < n_; ++v)
        if (!touch(s, v)) return true;
    if (propagate(s) && (!prune || s.joined == n_ || biconnected(s))) solve(0);
    return !stopped_ || found_ >= most_;
}

} // namespace ktsolve
