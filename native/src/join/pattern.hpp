// Patterns: the degree so far of every frontier vertex, two bits each.
//
//     bits  2s+1 2s      slot s      0 untouched, 1 an end of a path, 2 full (or slot not in use: 0)
//
// An extra vertex stands for the two ends of an open tour. It may be *split* by colour: on a bipartite board
// with as many black as white cells one end is black and one is white, so its field holds a bit for each (1:
// black end taken, 2: white end taken, 3: both), and patterns with two ends of one colour do not arise. It is
// an end of a path when its field is 1 or 2.
//
// Groups are sorted by the numeric value of their patterns. Adding an edge adds a constant, which keeps the
// order.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "join/matching.hpp"

namespace ktsolve::join {

inline constexpr int kMostSlots = 31; // so that patterns are positive as signed numbers
// In a tally (ktsolve/join/count.hpp) the bits from here on hold the number of tallied edges that a state
// uses.
inline constexpr int kUsesShift = 52;
inline constexpr int kMostTalliedSlots = kUsesShift / 2;
inline constexpr u64 kMostUses = (u64{1} << (2 * kMostSlots - kUsesShift)) - 1;
inline constexpr u64 kSlotBits = (u64{1} << kUsesShift) - 1;
static_assert(kMostSlots / 2 <= kMostPairs);
inline constexpr u64 kLow = 0x5555555555555555ull;

inline constexpr u64 field(int slot, u64 value) {
    return value << (2 * slot);
}

// Ends of paths as a mask of low bits.
class EndsOf {
  public:
    explicit EndsOf(int split_slot = -1, bool tallied = false)
        : split_(split_slot < 0 ? 0 : field(split_slot, 1)), slots_(tallied ? kLow & kSlotBits : kLow) {}
    u64 operator()(u64 pattern) const {
        const u64 low = pattern & slots_, high = (pattern >> 1) & slots_;
        return (low & ~high) | (high & ~low & split_);
    }

  private:
    u64 split_, slots_;
};

inline int pairs_of(u64 ends) {
    return std::popcount(ends) / 2;
}
// The number of ends in slots below this one.
inline int place_of(u64 ends, int slot) {
    return std::popcount(ends & (field(slot, 1) - 1));
}

// Moves every field to another slot: a symmetry of the frontier. Eight look-ups.
class FieldPermutation {
  public:
    FieldPermutation() = default;
    // to[s] = the slot that field s goes to. In slot `swapped` (-1: none) the values 1 and 2 change places,
    // as a symmetry that exchanges the colours does to the split vertex.
    FieldPermutation(const std::array<int, 32>& to, int swapped) : to_(to) {
        for (int byte = 0; byte < 8; ++byte)
            for (u64 value = 0; value < 256; ++value) {
                u64 image = 0;
                for (int f = 0; f < 4; ++f) {
                    const int slot = 4 * byte + f;
                    u64 v = (value >> (2 * f)) & 3;
                    if (slot == swapped) v = ((v & 1) << 1) | (v >> 1);
                    image |= field(to[slot], v);
                }
                table_[byte][value] = image;
            }
    }
    u64 operator()(u64 pattern) const {
        u64 image = 0;
        for (int byte = 0; byte < 8; ++byte) image |= table_[byte][(pattern >> (8 * byte)) & 255];
        return image;
    }
    int slot(int from) const { return to_[from]; }

    // Writes to[i], the place among the ends that end i of `ends` goes to. Returns the number of ends.
    int ends_to(u64 ends, std::array<u8, kMostEnds>& to) const {
        u64 image = 0;
        for (u64 rest = ends; rest != 0; rest &= rest - 1) image |= field(to_[std::countr_zero(rest) / 2], 1);
        int i = 0;
        for (u64 rest = ends; rest != 0; rest &= rest - 1)
            to[i++] = static_cast<u8>(place_of(image, to_[std::countr_zero(rest) / 2]));
        return i;
    }

  private:
    std::array<int, 32> to_{};
    std::array<std::array<u64, 256>, 8> table_{};
};

// A permutation of at most 16 ends as one number, 4 bits each.
inline u64 permutation_key(const std::array<u8, kMostEnds>& to, int ends) {
    u64 key = 0;
    for (int i = 0; i < ends && i < 16; ++i) key |= static_cast<u64>(to[i]) << (4 * i);
    return key;
}

inline constexpr std::array<u64, 9> kIdentityKey = [] {
    std::array<u64, 9> key{};
    for (int k = 0; k <= 8; ++k)
        for (int i = 0; i < 2 * k; ++i) key[k] |= static_cast<u64>(i) << (4 * i);
    return key;
}();

} // namespace ktsolve::join
