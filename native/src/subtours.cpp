// See ktsolve/subtours.hpp.
#include "ktsolve/subtours.hpp"

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

    bool two_used_everywhere() const {
        for (std::size_t v = 0; v + 1 < first_.size(); ++v) {
            int used = 0;
            for (std::size_t i = first_[v]; i < first_[v + 1]; ++i) used += used_[at(around_[i])] != 0;
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

    template <class Use> bool any_arc(int v, bool used, Use&& use) {
        for (std::size_t i = first_[at(v)]; i < first_[at(v) + 1]; ++i) {
            const int e = around_[i];
            if (free_[at(e)] != 0 && (used_[at(e)] != 0) == used) {
                const auto [p, q] = arcs_[at(e)];
                if (use(e, p == v ? q : p)) return true;
            }
        }
        return false;
    }

    // Joins the cycle of a with another by an exchange at a, if there is one.
    bool join_at(int a) {
        return any_arc(a, false, [&](int in, int c) {
            if (parts_.of(a) == parts_.of(c)) return false;
            return any_arc(a, true, [&](int out, int b) {
                return any_arc(c, true, [&](int other_out, int d) {
                    return any_arc(b, false, [&](int other_in, int e) {
                        if (e != d) return false;
                        used_[at(out)] = used_[at(other_out)] = 0;
                        used_[at(in)] = used_[at(other_in)] = 1;
                        return parts_.join(a, c);
                    });
                });
            });
        });
    }

    const std::vector<std::pair<int, int>>& arcs_;
    std::vector<std::uint8_t> used_;
    const std::vector<std::uint8_t>& free_;
    Parts& parts_;
    std::vector<std::size_t> first_; // of the arcs around each node
    std::vector<int> around_;
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
