// Readers of graph6, sparse6 and digraph6 into sets of neighbours.
#include "lists/small_graph.hpp"

namespace ktsolve {

namespace {

// The six bits of each character, the highest first.
class Bits {
  public:
    explicit Bits(std::string_view text) : text_(text) {}
    std::size_t left() const { return 6 * text_.size() - at_; }
    unsigned one() {
        const unsigned code = static_cast<unsigned char>(text_[at_ / 6]) - 63u;
        const unsigned found = code >> (5 - at_ % 6) & 1;
        ++at_;
        return found;
    }
    int number(int bits) {
        unsigned found = 0;
        for (int i = 0; i < bits; ++i) found = found << 1 | one();
        return static_cast<int>(found);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

void read_pairs(std::string_view text, SmallGraph& graph) {
    // The pairs (u, v) with u < v in the order of v: the column of v is read from up to 11 characters.
    std::size_t at = 0;
    unsigned held = 0; // bits that are left of the last character
    int left = 0;
    for (int v = 1; v < graph.vertices; ++v)
        for (int u = 0; u < v;) {
            if (left == 0) {
                held = static_cast<unsigned char>(text[at++]) - 63u;
                left = 6;
            }
            const int now = left < v - u ? left : v - u;
            unsigned ones = held >> (left - now) & ((1u << now) - 1);
            left -= now;
            while (ones != 0) {
                const int k = std::countr_zero(ones);
                ones &= ones - 1;
                graph.join(u + now - 1 - k, v);
            }
            u += now;
        }
}

void read_arcs(std::string_view text, SmallGraph& graph) {
    Bits bits(text);
    for (int u = 0; u < graph.vertices; ++u)
        for (int v = 0; v < graph.vertices; ++v) {
            if (bits.one() == 0) continue;
            if (u == v)
                graph.simple = false;
            else
                graph.next[u] |= bit(v);
        }
}

void read_sparse(std::string_view text, SmallGraph& graph) {
    const int n = graph.vertices;
    const int k = n > 1 ? std::bit_width(static_cast<unsigned>(n - 1)) : 1;
    Bits bits(text);
    // Bits that fill up the last character may spell pairs past the last vertex.
    for (int v = 0; bits.left() >= static_cast<std::size_t>(k + 1);) {
        v += static_cast<int>(bits.one());
        const int x = bits.number(k);
        if (x > v)
            v = x;
        else if (v < n) {
            if (x == v || (graph.next[v] & bit(x)) != 0) graph.simple = false;
            if (x != v) graph.join(x, v);
        }
    }
}

} // namespace

bool read_small_graph(std::string_view line, SmallGraph& graph) {
    graph = SmallGraph{};
    const char mark = line.empty() ? '\0' : line.front();
    if (mark == ':' || mark == '&') line.remove_prefix(1);
    for (const char c : line)
        if (c < '?' || c > '~') return false;
    if (line.empty()) return false;
    int n = line.front() - 63;
    line.remove_prefix(1);
    if (n == 63) {
        if (line.size() < 3 || line.front() == '~') return false;
        n = 0;
        for (int i = 0; i < 3; ++i) n = n << 6 | (line[static_cast<std::size_t>(i)] - 63);
        line.remove_prefix(3);
    }
    if (n < 1 || n > kMostVertices) return false;
    graph.vertices = n;
    if (mark == ':') {
        read_sparse(line, graph);
        return true;
    }
    graph.directed = mark == '&';
    const int pairs = graph.directed ? n * n : n * (n - 1) / 2;
    if (line.size() != static_cast<std::size_t>((pairs + 5) / 6)) return false;
    if (graph.directed)
        read_arcs(line, graph);
    else
        read_pairs(line, graph);
    return true;
}

bool undirected(const SmallGraph& graph, SmallGraph& made) {
    if (3 * graph.vertices > kMostVertices) return false;
    made = SmallGraph{};
    made.vertices = 3 * graph.vertices;
    for (int v = 0; v < graph.vertices; ++v) {
        made.join(3 * v, 3 * v + 1);
        made.join(3 * v + 1, 3 * v + 2);
        for (u64 to = graph.next[v]; to != 0;) made.join(3 * v + 2, 3 * take(to));
    }
    return true;
}

bool is_cycle(const SmallGraph& graph, const std::array<u8, kMostVertices>& order) {
    const int n = graph.vertices;
    if (n < 3) return false;
    u64 seen = 0;
    for (int i = 0; i < n; ++i) {
        const int v = order[i], after = order[i + 1 < n ? i + 1 : 0];
        if (v >= n || after >= n || (graph.next[v] & bit(after)) == 0) return false;
        seen |= bit(v);
    }
    return seen == all_of(n);
}

} // namespace ktsolve
