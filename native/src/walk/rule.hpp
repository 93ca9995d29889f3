// Warnsdorff's rule as a state: visited cells, the number of onward moves from each cell, and the next
// choices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "ktsolve/walk/walk.hpp"

namespace ktsolve {

struct Choice {
    int cell;
    int onward;
    std::int64_t tie;
    std::uint32_t last; // decides between equal ties
};

class Rule {
  public:
    Rule(const Walker& walker, std::uint64_t seed)
        : walker_(walker), random_(seed), chance_(seed != 0 || walker.ties_.kind == Ties::Kind::random),
          visited_(static_cast<std::size_t>(walker.cells_)),
          onward_(static_cast<std::size_t>(walker.cells_)) {
        for (int v = 0; v < walker.cells_; ++v) onward_[at(v)] = static_cast<int>(around(v).size());
    }

    static std::size_t at(int v) { return static_cast<std::size_t>(v); }

    std::span<const std::int32_t> around(int v) const {
        const auto from = walker_.first_[at(v)], to = walker_.first_[at(v) + 1];
        return {walker_.around_.data() + from, static_cast<std::size_t>(to - from)};
    }

    // The unvisited cell that a required move leads to, or -1.
    int required_next(int v) const {
        if (!walker_.required_.empty())
            for (const int w : walker_.required_[at(v)])
                if (w >= 0 && !visited(w)) return w;
        return -1;
    }
    // A cell to which a required move leads, other than `before`; -1 if none exists.
    int required_after(int v, int before) const {
        if (walker_.required_.empty()) return -1;
        const auto& others = walker_.required_[at(v)];
        return others[0] != before ? others[0] : others[1];
    }
    std::size_t required_moves(int v) const {
        if (walker_.required_.empty()) return 0;
        const auto& others = walker_.required_[at(v)];
        return static_cast<std::size_t>((others[0] >= 0) + (others[1] >= 0));
    }
    bool required(int u, int v) const {
        if (walker_.required_.empty()) return false;
        const auto& others = walker_.required_[at(u)];
        return others[0] == v || others[1] == v;
    }

    bool visited(int v) const { return visited_[at(v)] != 0; }
    int onward(int v) const { return onward_[at(v)]; }
    bool adjacent(int u, int v) const {
        const auto others = around(u);
        return std::binary_search(others.begin(), others.end(), v);
    }

    void visit(int v) {
        visited_[at(v)] = 1;
        for (const int w : around(v)) --onward_[at(w)];
    }
    void leave(int v) {
        visited_[at(v)] = 0;
        for (const int w : around(v)) ++onward_[at(w)];
    }

    // The order of moves that holds on a cell, if it was `stage` before.
    int stage_on(int v, int stage) const {
        const auto& orders = walker_.ties_.orders;
        const bool next = !orders.empty() && orders[at(stage)].until == v && at(stage) + 1 < orders.size();
        return stage + next;
    }

    // Appends the cells to go to, best first.
    void choices(int v, int stage, std::vector<Choice>& into) {
        const std::size_t before = into.size();
        const auto others = around(v);
        for (std::size_t i = 0; i < others.size(); ++i)
            if (!visited(others[i])) {
                const std::uint32_t last =
                    chance_ ? static_cast<std::uint32_t>(random_()) : static_cast<std::uint32_t>(i);
                into.push_back({others[i], onward(others[i]), tie(v, i, stage), last});
            }
        std::sort(into.begin() + static_cast<std::ptrdiff_t>(before), into.end(),
                  [](const Choice& a, const Choice& b) {
                      if (a.onward != b.onward) return a.onward < b.onward;
                      return a.tie != b.tie ? a.tie < b.tie : a.last < b.last;
                  });
    }

  private:
    std::int64_t tie(int from, std::size_t way, int stage) const {
        const Ties& ties = walker_.ties_;
        const int to = around(from)[way];
        switch (ties.kind) {
        case Ties::Kind::keys:
            return ties.keys[at(to)];
        case Ties::Kind::orders: {
            const auto heading = walker_.headings_[static_cast<std::size_t>(walker_.first_[at(from)]) + way];
            return ties.orders[at(stage)].rank[heading];
        }
        case Ties::Kind::lookahead: {
            std::int64_t sum = 0;
            for (const int w : around(to))
                if (!visited(w)) sum += onward(w);
            return sum;
        }
        default:
            return 0;
        }
    }

    const Walker& walker_;
    std::mt19937_64 random_;
    bool chance_;
    std::vector<std::uint8_t> visited_;
    std::vector<int> onward_; // unvisited cells a move away
};

} // namespace ktsolve
