// Disjoint walks over all cells: neighbours on the walks, mates of ends, and exchanges.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sequences.hpp"

namespace ktsolve {

class Links {
  public:
    explicit Links(int cells)
        : next_(static_cast<std::size_t>(cells), {kNone, kNone}), mate_(static_cast<std::size_t>(cells)),
          order_(cells) {}

    static constexpr std::int32_t kNone = -1;

    void add_walk(const std::vector<std::int32_t>& walk) {
        ++walks_;
        for (std::size_t i = 1; i < walk.size(); ++i) link(walk[i - 1], walk[i]);
        mates(walk.front(), walk.back());
        order_.build(walk);
    }

    int walks() const { return walks_; }
    const std::array<std::int32_t, 2>& next(int v) const { return next_[at(v)]; }
    bool linked(int u, int v) const { return next(u)[0] == v || next(u)[1] == v; }
    bool is_end(int v) const { return next(v)[0] == kNone || next(v)[1] == kNone; }
    int mate(int end) const { return mate_[at(end)]; } // the other end of its walk

    // Joins two ends of different walks.
    void join(int a, int b) {
        const int far_a = mate(a), far_b = mate(b);
        link(a, b);
        order_.join(a, b);
        mates(far_a, far_b);
        --walks_;
    }

    // Exchanges the link v-w for e-v, so that w is an end in place of e. Where that would close a walk, or
    // leave `apart` as the other end of w's walk, nothing is done.
    bool exchange(int e, int v, int w, int apart) {
        order_.cut(v, w);
        if (order_.together(e, v)) {
            order_.join(v, w);
            return false;
        }
        const int far = mate(e);
        if (order_.together(e, w)) { // a reversal of the part from w to e
            relink(e, v, w);
            mates(far, w);
            return true;
        }
        const int ours = order_.far_end(v), theirs = order_.far_end(w);
        if (theirs == apart) {
            order_.join(v, w);
            return false;
        }
        relink(e, v, w);
        mates(far, ours);
        mates(theirs, w);
        return true;
    }

  private:
    static std::size_t at(int v) { return static_cast<std::size_t>(v); }

    void link(int u, int v) {
        for (const auto& [from, to] : {std::pair{u, v}, std::pair{v, u}}) replace(from, kNone, to);
    }
    void replace(int v, int before, int after) {
        auto& links = next_[at(v)];
        links[links[0] == before ? 0 : 1] = after;
    }
    void relink(int e, int v, int w) {
        replace(v, w, e);
        replace(w, v, kNone);
        replace(e, kNone, v);
        order_.join(v, e);
    }
    void mates(int a, int b) {
        mate_[at(a)] = b;
        mate_[at(b)] = a;
    }

    std::vector<std::array<std::int32_t, 2>> next_;
    std::vector<std::int32_t> mate_; // of ends only
    Sequences order_;
    int walks_ = 0;
};

} // namespace ktsolve
