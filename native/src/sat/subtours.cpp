// Finds the subtours of a solution and joins them by exchanges of two edges.
#include "ktsolve/sat/subtours.hpp"

#include <array>
#include <numeric>
#include <stdexcept>

namespace ktsolve {

namespace {

class Parts {
  public:
    explicit Parts(int nodes) : above_(static_cast<std::size_t>(nodes)), parts_(nodes) {
        std::iota(above_.begin(), above_.end(), 0);
    }
    int of(int v) {
        while (above(v) != v) v = above(v) = above(above(v)); // path halving
        return v;
    }
    bool join(int u, int v) {
        u = of(u);
        v = of(v);
        if (u == v) return false;
        above(std::max(u, v)) = std::min(u, v); // the root is the first node
        --parts_;
        return true;
    }
    int parts() const { return parts_; }

  private:
    int& above(int v) { return above_[static_cast<std::size_t>(v)]; }
    std::vector<int> above_;
    int parts_;
};

class Joiner {
  public:
    Joiner(int nodes, const std::vector<std::pair<int, int>>& arcs, const std::vector<std::uint8_t>& used,
           const std::vector<std::uint8_t>& free, Parts& parts)
        : arcs_(arcs), used_(used), free_(free), parts_(parts), first_(static_cast<std::size_t>(nodes) + 1),
          around_(2 * arcs.size()) {
        for (const auto& [u, v] : arcs) {
            ++first_[at(u) + 1];
            ++first_[at(v) + 1];
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t e = 0; e < arcs.size(); ++e)
            for (const int v : {arcs[e].first, arcs[e].second}) around_[next[at(v)]++] = static_cast<int>(e);
    }

    // Whether every node has two used arcs; they are noted for join_all().
    bool two_used_everywhere() {
        used_at_.resize(first_.size() - 1);
        for (std::size_t v = 0; v + 1 < first_.size(); ++v) {
            std::size_t used = 0;
            for (std::size_t i = first_[v]; i < first_[v + 1]; ++i)
                if (used_[at(around_[i])] != 0 && used++ < 2) used_at_[v][used - 1] = around_[i];
            if (used != 2) return false;
        }
        return true;
    }

    void join_all() {
        for (bool changed = true; changed && parts_.parts() > 1;) {
            changed = false;
            for (std::size_t a = 0; a + 1 < first_.size(); ++a)
                while (join_at(static_cast<int>(a))) changed = true;
        }
    }

    const std::vector<std::uint8_t>& used() const { return used_; }

  private:
    static std::size_t at(int v) { return static_cast<std::size_t>(v); }

    int other(int e, int v) const {
        const auto [p, q] = arcs_[at(e)];
        return p == v ? q : p;
    }
    std::size_t degree(int v) const { return first_[at(v) + 1] - first_[at(v)]; }

    // The free unused arc between two nodes, or -1. The node that stands for the ends of a path has an arc to
    // all others: the arcs of the other one are looked at.
    int unused_between(int u, int v) const {
        if (degree(v) < degree(u)) std::swap(u, v);
        for (std::size_t i = first_[at(u)]; i < first_[at(u) + 1]; ++i) {
            const int e = around_[i];
            if (other(e, u) == v && free_[at(e)] != 0 && used_[at(e)] == 0) return e;
        }
        return -1;
    }

    void exchange(int v, int out, int in) {
        auto& [first, second] = used_at_[at(v)];
        (first == out ? first : second) = in;
        if (first > second) std::swap(first, second);
    }

    // Joins the cycle of a with another by an exchange at a, if there is one.
    bool join_at(int a) {
        for (std::size_t i = first_[at(a)]; i < first_[at(a) + 1]; ++i) {
            const int in = around_[i], c = other(in, a);
            if (free_[at(in)] == 0 || used_[at(in)] != 0 || parts_.of(a) == parts_.of(c)) continue;
            for (const int out : used_at_[at(a)]) {
                for (const int other_out : used_at_[at(c)]) {
                    if (free_[at(out)] == 0 || free_[at(other_out)] == 0) continue;
                    const int b = other(out, a), d = other(other_out, c), other_in = unused_between(b, d);
                    if (other_in < 0) continue;
                    used_[at(out)] = used_[at(other_out)] = 0;
                    used_[at(in)] = used_[at(other_in)] = 1;
                    exchange(a, out, in);
                    exchange(c, other_out, in);
                    exchange(b, out, other_in);
                    exchange(d, other_out, other_in);
                    return parts_.join(a, c);
                }
            }
        }
        return false;
    }

    const std::vector<std::pair<int, int>>& arcs_;
    std::vector<std::uint8_t> used_;
    const std::vector<std::uint8_t>& free_;
    Parts& parts_;
    std::vector<std::size_t> first_; // of the arcs around each node
    std::vector<int> around_;
    std::vector<std::array<int, 2>> used_at_; // in ascending order
};

} // namespace

Subtours find_subtours(int nodes, const std::vector<std::pair<int, int>>& arcs,
                       const std::vector<std::uint8_t>& used, const std::vector<std::uint8_t>& free) {
    if (nodes < 0 || used.size() != arcs.size() || (!free.empty() && free.size() != arcs.size()))
        throw std::invalid_argument("there is one flag per arc");
    Parts parts(nodes);
    for (std::size_t e = 0; e < arcs.size(); ++e) {
        const auto [u, v] = arcs[e];
        if (u < 0 || v < 0 || u >= nodes || v >= nodes || u == v)
            throw std::invalid_argument("an arc joins two nodes");
        if (used[e] != 0) parts.join(u, v);
    }
    Subtours found;
    if (!free.empty() && parts.parts() > 1) {
        Joiner joiner(nodes, arcs, used, free, parts);
        if (joiner.two_used_everywhere()) {
            joiner.join_all();
            for (std::size_t e = 0; e < arcs.size(); ++e)
                if ((joiner.used()[e] != 0) != (used[e] != 0))
                    found.toggled.push_back(static_cast<std::int32_t>(e));
        }
    }
    found.parts = 0;
    found.part.resize(static_cast<std::size_t>(nodes));
    for (int v = 0; v < nodes; ++v)
        found.part[static_cast<std::size_t>(v)] =
            parts.of(v) == v ? found.parts++ : found.part[static_cast<std::size_t>(parts.of(v))];
    return found;
}

} // namespace ktsolve
