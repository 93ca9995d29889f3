// Whether the union of two matchings is one cycle, for many matchings and one given: a few look-ups each.
//
// As in contraction.hpp: if x is the mate of the first end in the given matching, the other one is contracted
// by (0, x), and the rest of the given matching is to close a cycle with that. At three pairs a bit mask
// answers.
#pragma once

#include "join/contraction.hpp"
#include "join/transitions.hpp"

namespace ktsolve::join {

class Completions {
  public:
    Completions(int pairs, u64 given, const ContractionLists& lists, Transitions& transitions, u64 lookups)
        : pairs_(pairs) {
        for (; pairs > 3; --pairs) {
            const u64 block = kMatchings[static_cast<std::size_t>(pairs - 1)];
            const int x = static_cast<int>(given / block) + 1;
            given %= block;
            edges_[static_cast<std::size_t>(count_)] = x;
            tables_[static_cast<std::size_t>(count_++)] =
                transitions.edge(Kind::connect, pairs, 0, x, lookups);
        }
        if (pairs == 3) {
            const u8* const completions = lists.completions(static_cast<int>(given));
            for (int i = 0; i < 8; ++i) mask_ |= 1u << completions[i];
        } else if (pairs == 2) {
            mask_ = 7u & ~(1u << given);
        } else if (pairs == 1) {
            mask_ = 1;
        }
    }
    // `rank` may be the spare one, one past the last.
    bool operator()(u64 rank) const {
        int pairs = pairs_;
        for (int i = 0; i < count_; ++i, --pairs) {
            const Lookup& table = tables_[static_cast<std::size_t>(i)];
            if (table.narrow != nullptr)
                rank = table.narrow[rank];
            else if (table.wide != nullptr)
                rank = table.wide[rank];
            else if (rank == kMatchings[static_cast<std::size_t>(pairs)])
                return false;
            else
                rank = rank_after(Kind::connect, pairs, 0, edges_[static_cast<std::size_t>(i)], rank);
        }
        return ((mask_ >> rank) & 1) != 0; // the spare rank's bit is 0
    }

  private:
    int pairs_, count_ = 0;
    u32 mask_ = 0;
    std::array<int, kMostPairs> edges_{};
    std::array<Lookup, kMostPairs> tables_{};
};

} // namespace ktsolve::join
