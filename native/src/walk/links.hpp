// Disjoint walks and cycles over all cells: neighbours on them, mates of ends, and exchanges.
//
// A cycle is a sequence whose first and last cell are neighbours too.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "walk/sequences.hpp"

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
    int cycles() const { return cycles_; }
    bool on_cycle(int v) { return cycles_ > 0 && !is_end(order_.extreme(v, 0)); }
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

    // Removes a link of a walk, which becomes two.
    void cut(int v, int w) {
        order_.cut(v, w);
        for (const auto& [end, other] : {std::pair{v, w}, std::pair{w, v}}) {
            replace(end, other, kNone);
            mates(end, order_.far_end(end));
        }
        ++walks_;
    }

    // Removes a link of a cycle, which becomes a walk.
    void open(int v, int w) {
        break_cycle(v, w);
        replace(v, w, kNone);
        replace(w, v, kNone);
        mates(v, w);
        ++walks_;
        --cycles_;
    }

    // Exchanges the link v-w for e-v, so that w is an end in place of e; v may be on a cycle, which then
    // becomes a part of e's walk. Where that would leave `apart` as the other end of w's walk, or close a
    // part of the walk to a cycle and `split` does not allow it, nothing is done.
    bool exchange(int e, int v, int w, int apart, bool split) {
        const int far = mate(e);
        if (on_cycle(v)) {
            break_cycle(v, w);
            relink(e, v, w);
            order_.join(v, e);
            mates(far, w);
            --cycles_;
            return true;
        }
        order_.cut(v, w);
        if (order_.together(e, v)) {
            if (!split) {
                order_.join(v, w);
                return false;
            }
            relink(e, v, w);
            mates(far, w);
            ++cycles_;
            return true;
        }
        if (order_.together(e, w)) { // a reversal of the part from w to e
            relink(e, v, w);
            order_.join(v, e);
            mates(far, w);
            return true;
        }
        const int ours = order_.far_end(v), theirs = order_.far_end(w);
        if (theirs == apart) {
            order_.join(v, w);
            return false;
        }
        relink(e, v, w);
        order_.join(v, e);
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
    }
    // Makes neighbours v and w on a cycle the first and the last cell of its sequence.
    void break_cycle(int v, int w) {
        const int first = order_.extreme(v, 0), last = order_.extreme(v, 1);
        if (std::minmax(first, last) == std::minmax(v, w)) return;
        order_.cut(v, w);
        order_.join(first, last);
    }
    void mates(int a, int b) {
        mate_[at(a)] = b;
        mate_[at(b)] = a;
    }

    std::vector<std::array<std::int32_t, 2>> next_;
    std::vector<std::int32_t> mate_; // of ends only
    Sequences order_;
    int walks_ = 0;
    int cycles_ = 0;
};

} // namespace ktsolve
