// Perfect matchings of 2k ends, numbered.
//
// The k paths of a state join 2k ends in pairs. With the ends in slot order 0, 1, ..., 2k-1 there are
// (2k-1)!! = 1 * 3 * ... * (2k-1) matchings:
//
//     k          0  1  2   3    4    5      6       7        8         9          10
//     matchings  1  1  3  15  105  945  10395  135135  2027025  34459425  654729075
//
// and the rank of one is (mate of the first end - 1) * (2k-3)!! + the rank of the rest. The join uses two
// consequences: all matchings in which the first end has a given mate lie side by side, and the effect of an
// edge on a matching depends on positions among the ends only, not on vertices.
#pragma once

#include <array>
#include <bit>

#include "common/integers.hpp"

namespace ktsolve::join {

inline constexpr int kMostPairs = 15; // as 31 slots hold at most 30 ends
inline constexpr int kMostEnds = 2 * kMostPairs;

inline constexpr std::array<u64, kMostPairs + 1> kMatchings = [] {
    std::array<u64, kMostPairs + 1> n{};
    n[0] = 1;
    for (int k = 1; k <= kMostPairs; ++k) n[k] = n[k - 1] * static_cast<u64>(2 * k - 1);
    return n;
}();

// Bits that hold a rank of k pairs.
inline constexpr std::array<u8, kMostPairs + 1> kRankBits = [] {
    std::array<u8, kMostPairs + 1> bits{};
    for (int k = 0; k <= kMostPairs; ++k) bits[k] = static_cast<u8>(std::bit_width(kMatchings[k] - 1));
    return bits;
}();

// mate[i] = the end that end i is joined to.
using Mates = std::array<u8, kMostEnds>;

Mates mates_of_rank(int pairs, u64 rank);
u64 rank_of_mates(int pairs, const Mates& mates);

// The effect of an edge between two frontier vertices, by their degrees before it.
enum class Kind : u8 {
    insert,  // both untouched: a new pair at places i < j of the new order
    move,    // one an end, at place i of the old order; it leaves, and j in the new order takes its mate
    connect, // both ends, at places i < j of the old order: their mates become mates
};

inline constexpr int pairs_after(Kind kind, int pairs) {
    return kind == Kind::insert ? pairs + 1 : kind == Kind::move ? pairs : pairs - 1;
}

// Writes the place of each old end in the new order. Those of ends that leave are not read.
void places_after(Kind kind, int pairs, int i, int j, std::array<u8, kMostEnds>& place);

// One edge, prepared to act on many matchings.
class EdgeOnMates {
  public:
    EdgeOnMates(Kind kind, int pairs, int i, int j);
    // The rank after the edge, or kMatchings[pairs_after(...)] (one past the last) when it would close a
    // cycle.
    u64 rank_after(const Mates& old) const;

  private:
    Kind kind_;
    int pairs_;
    u8 i_, j_;
    std::array<u8, kMostEnds> place_; // of an old end in the new order
};

u64 rank_after(Kind kind, int pairs, int i, int j, u64 rank);

// The rank when end i is renamed to[i].
u64 rank_permuted(int pairs, const u8* to, u64 rank);

// Calls visit(rank, mates) for all matchings in order of rank, for less than unranking each.
template <class Visit> class MatchingWalk {
  public:
    MatchingWalk(int pairs, Visit visit) : visit_(visit) { walk(pairs, (1u << (2 * pairs)) - 1); }

  private:
    void walk(int pairs, u32 left) {
        if (pairs == 0) {
            visit_(rank_++, mates_);
            return;
        }
        const int first = std::countr_zero(left);
        left &= left - 1;
        for (u32 rest = left; rest != 0; rest &= rest - 1) {
            const int second = std::countr_zero(rest);
            mates_[static_cast<std::size_t>(first)] = static_cast<u8>(second);
            mates_[static_cast<std::size_t>(second)] = static_cast<u8>(first);
            walk(pairs - 1, left & ~(1u << second));
        }
    }
    Visit visit_;
    Mates mates_{};
    u64 rank_ = 0;
};

} // namespace ktsolve::join
