// The steps from a position: walks of one piece over empty cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ktsolve/swap/swap.hpp"
#include "swap/positions.hpp"

namespace ktsolve::swap {

class Steps {
  public:
    explicit Steps(const SwapProblem& problem) : problem_(problem), seen_(problem.cells, 0) {}

    // Calls visit(kind, from, to) for every place that a step takes a piece to, with the position changed
    // accordingly; the visit must leave it alone. A colour below 0 means that any may move.
    template <class Visit> void each_end(Cells& position, int colour, Visit&& visit) {
        for (int from = 0; from < problem_.cells; ++from) {
            const int kind = position[from];
            if (kind == 0 || (colour >= 0 && problem_.colours[kind - 1] != colour)) continue;
            const std::vector<int>& near = problem_.jumps[kind - 1][from];
            // On a crowded board most pieces cannot move at all.
            if (std::none_of(near.begin(), near.end(), [&](int to) { return position[to] == 0; })) continue;
            position[from] = 0;
            ends_.assign(1, from);
            seen_[from] = 1;
            std::size_t done = 0, layer = 1;
            for (int jumps = 0; jumps < problem_.longest && done < ends_.size(); ++jumps) {
                for (; done < layer; ++done)
                    for (const int to : problem_.jumps[kind - 1][ends_[done]])
                        if (!seen_[to] && position[to] == 0) {
                            seen_[to] = 1;
                            if (quiet(position, kind, to))
                                ends_.push_back(to);
                            else
                                looked_.push_back(to);
                        }
                layer = ends_.size();
            }
            for (const int cell : ends_) seen_[cell] = 0;
            for (const int cell : looked_) seen_[cell] = 0;
            looked_.clear();
            for (std::size_t i = 1; i < ends_.size(); ++i) {
                position[ends_[i]] = static_cast<std::uint8_t>(kind);
                visit(kind, from, ends_[i]);
                position[ends_[i]] = 0;
            }
            position[from] = static_cast<std::uint8_t>(kind);
        }
    }

    // Calls visit(to) at the end of every walk of the piece that stands on `from`: each walk is one way.
    // `visit` returns whether to continue.
    template <class Visit> bool each_walk(Cells& position, int from, Visit&& visit) {
        const int kind = position[from];
        position[from] = 0;
        const bool finished = walk(position, kind, from, from, problem_.longest, visit);
        position[from] = static_cast<std::uint8_t>(kind);
        return finished;
    }

  private:
    template <class Visit> bool walk(Cells& position, int kind, int from, int here, int left, Visit&& visit) {
        seen_[here] = 1;
        bool finished = true;
        for (const int to : problem_.jumps[kind - 1][here]) {
            if (to == from || seen_[to] || position[to] != 0 || !quiet(position, kind, to)) continue;
            finished = visit(to) && (left == 1 || walk(position, kind, from, to, left - 1, visit));
            if (!finished) break;
        }
        seen_[here] = 0;
        return finished;
    }

    // May a piece of this kind stand there, as far as enemies go? It is not on the board now.
    bool quiet(const Cells& position, int kind, int cell) const {
        if (!problem_.peaceful) return true;
        for (std::size_t other = 0; other < problem_.jumps.size(); ++other) {
            if (problem_.colours[other] == problem_.colours[kind - 1]) continue;
            const auto holds = [&](int there) { return position[there] == other + 1; };
            const auto &mine = problem_.jumps[kind - 1][cell], &theirs = problem_.jumps[other][cell];
            if (std::any_of(mine.begin(), mine.end(), holds)) return false;
            if (std::any_of(theirs.begin(), theirs.end(), holds)) return false;
        }
        return true;
    }

    const SwapProblem& problem_;
    std::vector<std::uint8_t> seen_;
    std::vector<int> ends_, looked_;
};

} // namespace ktsolve::swap
