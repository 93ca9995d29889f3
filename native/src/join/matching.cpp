// Ranks and unranks perfect matchings, and builds their tables.
#include "join/matching.hpp"

namespace ktsolve::join {

namespace {

// Up to 8 pairs: the ends that are left stand in order in the 4-bit digits of one word, and dividing by
// constants is multiplying.
template <int K> inline void unrank_packed(u64 rank, u64 left, Mates& mates) {
    if constexpr (K > 0) {
        constexpr u64 block = kMatchings[K - 1];
        const int at = static_cast<int>(rank / block) + 1;
        const auto first = static_cast<u8>(left & 15), second = static_cast<u8>((left >> (4 * at)) & 15);
        mates[first] = second;
        mates[second] = first;
        const u64 below = left & ((u64{1} << (4 * at)) - 1);
        const u64 above = at == 15 ? 0 : left >> (4 * at + 4);
        unrank_packed<K - 1>(rank % block, (below >> 4) | (above << (4 * at - 4)), mates);
    }
}

constexpr u64 kAllEnds = 0xFEDCBA9876543210ull;

} // namespace

Mates mates_of_rank(int pairs, u64 rank) {
    Mates mates;
    switch (pairs) {
    case 8:
        unrank_packed<8>(rank, kAllEnds, mates);
        return mates;
    case 7:
        unrank_packed<7>(rank, kAllEnds, mates);
        return mates;
    case 6:
        unrank_packed<6>(rank, kAllEnds, mates);
        return mates;
    case 5:
        unrank_packed<5>(rank, kAllEnds, mates);
        return mates;
    default:
        break;
    }
    std::array<u8, kMostEnds> left;
    int count = 2 * pairs;
    for (int i = 0; i < count; ++i) left[static_cast<std::size_t>(i)] = static_cast<u8>(i);
    for (int k = pairs; k > 0; --k) {
        const u64 block = kMatchings[static_cast<std::size_t>(k - 1)];
        const auto at = static_cast<int>(rank / block) + 1;
        rank %= block;
        const u8 first = left[0], second = left[static_cast<std::size_t>(at)];
        mates[first] = second;
        mates[second] = first;
        for (int i = 1; i < at; ++i)
            left[static_cast<std::size_t>(i - 1)] = left[static_cast<std::size_t>(i)];
        for (int i = at + 1; i < count; ++i)
            left[static_cast<std::size_t>(i - 2)] = left[static_cast<std::size_t>(i)];
        count -= 2;
    }
    return mates;
}

u64 rank_of_mates(int pairs, const Mates& mates) {
    // In each round the first end that is left is paired off. Its mate's place among the ends that are left
    // is the mate's number less the number of taken ends below it.
    u64 rank = 0;
    u32 taken = 0;
    for (int k = pairs; k > 0; --k) {
        const int first = std::countr_one(taken);
        const int mate = mates[static_cast<std::size_t>(first)];
        const int place = mate - std::popcount(taken & ((1u << mate) - 1));
        rank += static_cast<u64>(place - 1) * kMatchings[static_cast<std::size_t>(k - 1)];
        taken |= (1u << first) | (1u << mate);
    }
    return rank;
}

void places_after(Kind kind, int pairs, int i, int j, std::array<u8, kMostEnds>& place) {
    for (int e = 0; e < 2 * pairs; ++e) {
        int p = e;
        switch (kind) {
        case Kind::insert:
            if (p >= i) ++p;
            if (p >= j) ++p;
            break;
        case Kind::move:
            if (e == i) {
                p = j;
            } else {
                if (e > i) --p;
                if (p >= j) ++p;
            }
            break;
        case Kind::connect:
            p = e - (e > i) - (e > j);
            break;
        }
        place[static_cast<std::size_t>(e)] = static_cast<u8>(p);
    }
}

EdgeOnMates::EdgeOnMates(Kind kind, int pairs, int i, int j)
    : kind_(kind), pairs_(pairs), i_(static_cast<u8>(i)), j_(static_cast<u8>(j)) {
    places_after(kind, pairs, i, j, place_);
}

u64 EdgeOnMates::rank_after(const Mates& old) const {
    Mates now;
    const auto ends = static_cast<std::size_t>(2 * pairs_);
    switch (kind_) {
    case Kind::insert:
        for (std::size_t e = 0; e < ends; ++e) now[place_[e]] = place_[old[e]];
        now[i_] = j_;
        now[j_] = i_;
        return rank_of_mates(pairs_ + 1, now);
    case Kind::move:
        for (std::size_t e = 0; e < ends; ++e) now[place_[e]] = place_[old[e]];
        return rank_of_mates(pairs_, now);
    case Kind::connect:
    default:
        if (old[i_] == j_) return kMatchings[static_cast<std::size_t>(pairs_ - 1)];
        for (std::size_t e = 0; e < ends; ++e) now[place_[e]] = place_[old[e]];
        // Places of i and j are written too, and overwritten or never read.
        now[place_[old[i_]]] = place_[old[j_]];
        now[place_[old[j_]]] = place_[old[i_]];
        return rank_of_mates(pairs_ - 1, now);
    }
}

u64 rank_after(Kind kind, int pairs, int i, int j, u64 rank) {
    return EdgeOnMates(kind, pairs, i, j).rank_after(mates_of_rank(pairs, rank));
}

u64 rank_permuted(int pairs, const u8* to, u64 rank) {
    const Mates old = mates_of_rank(pairs, rank);
    Mates now;
    for (int e = 0; e < 2 * pairs; ++e) now[to[e]] = to[old[static_cast<std::size_t>(e)]];
    return rank_of_mates(pairs, now);
}

} // namespace ktsolve::join
