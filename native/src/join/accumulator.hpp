// The states of one new group are added up in a dense array over ranks, with a bitmap of the places used.
//
// Most places of a group stay empty. From 4 pairs on (105 matchings) the bitmap finds the used places without
// reading the rest; with 5 pairs as the threshold the sweep of 8x8 took a fourteenth more time. Below 4 pairs
// reading all places costs as little. Beyond 8 pairs (34 million matchings) an array would not fit a cache:
// entries are collected, sorted and merged.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <vector>

#include "join/groups.hpp"
#include "join/rank_map.hpp"

namespace ktsolve::join {

// The remainder of numbers by one modulus: a multiplication takes a third of the time of a division. The
// quotient is at most 2 too small (Granlund and Montgomery, Division by invariant integers, 1994).
class Remainder {
  public:
    explicit Remainder(u64 modulus) : modulus_(modulus), inverse_(~u64{0} / modulus) {}
    u64 operator()(u64 number) const {
        const u64 quotient = static_cast<u64>(static_cast<u128>(number) * inverse_ >> 64);
        u64 rest = number - quotient * modulus_;
        rest = rest >= modulus_ ? rest - modulus_ : rest;
        return rest >= modulus_ ? rest - modulus_ : rest;
    }

  private:
    u64 modulus_, inverse_;
};

class Accumulator {
  public:
    static constexpr int kMostDense = 8;

    // The arrays count against the pool's budget.
    explicit Accumulator(ChunkPool& pool) : reserved_(pool) {}

    // Begins a group of `pairs`; `sum_bound` bounds the sum of all that will be added.
    void begin(int pairs, u64 sum_bound) {
        pairs_ = pairs;
        narrow_ = sum_bound < (u64{1} << 32);
        if (pairs > kMostDense) {
            listed_.clear();
            return;
        }
        const std::size_t size = kMatchings[static_cast<std::size_t>(pairs)] + 1;
        if (narrow_)
            grow(small_, size);
        else
            grow(large_, size);
        grow(used_, size / 64 + 1);
        grow(ranks_, size);
        grow(counts_, size);
    }

    // Adds a source group of `pairs` pairs.
    void add(const u8* at, u64 count, int width, int pairs, const RankMap& map) {
        if (pairs_ > kMostDense) {
            if (listed_.capacity() < listed_.size() + count) {
                const std::size_t more = listed_.size() + count;
                reserved_.add((more * 2 - listed_.capacity()) * sizeof(listed_[0]));
                listed_.reserve(2 * more);
            }
            with_map(map, pairs, [&](auto rank) {
                for_each_entry(at, count, width, pairs, [&](u64 r, u64 c) {
                    const u64 then = rank(r);
                    if (then < kMatchings[static_cast<std::size_t>(pairs_)]) listed_.emplace_back(then, c);
                });
            });
        } else if (narrow_) {
            dense(small_.data(), at, count, width, pairs, map);
        } else {
            dense(large_.data(), at, count, width, pairs, map);
        }
    }

    // Writes the group out, and leaves the arrays zero. With `modulus`, counts are reduced by it.
    void finish(u64 pattern, u64 modulus, Writer& writer) {
        std::size_t kept;
        if (pairs_ > kMostDense)
            kept = collect_listed();
        else if (narrow_)
            kept = collect(small_.data());
        else
            kept = collect(large_.data());
        if (modulus != 0) {
            const std::size_t all = std::exchange(kept, 0);
            const Remainder of(modulus);
            for (std::size_t n = 0; n < all; ++n) {
                const u64 c = of(counts_[n]);
                ranks_[kept] = ranks_[n];
                counts_[kept] = c;
                kept += c != 0;
            }
        }
        if (kept == 0) return;
        if (modulus != 0 || pairs_ > kMostDense) {
            any_ = sum_ = 0;
            for (std::size_t n = 0; n < kept; ++n) {
                any_ |= counts_[n];
                sum_ += counts_[n];
            }
        }
        const int width = entry_width(pairs_, static_cast<int>(std::bit_width(any_)));
        u8* to = writer.append(pattern, kept, width, static_cast<int>(std::bit_width(sum_)));
        if (width == 16) {
            for (std::size_t n = 0; n < kept; ++n)
                store_entry(to + 16 * n, 16, pairs_, ranks_[n], counts_[n]);
            return;
        }
        // Eight bytes at a time: the bytes beyond an entry are overwritten by the next one. The last entry
        // overwrites the first bytes of the group before, which are restored.
        const int shift = kRankBits[static_cast<std::size_t>(pairs_)];
        u8* const end = to + kept * static_cast<u64>(width);
        const u64 behind = load8(end);
        for (std::size_t n = 0; n < kept; ++n, to += width) {
            const u64 e = ranks_[n] | (counts_[n] << shift);
            std::memcpy(to, &e, 8);
        }
        std::memcpy(end, &behind, 8);
    }

  private:
    template <class T> void grow(std::vector<T>& array, std::size_t size) {
        if (array.size() >= size) return;
        reserved_.add((size - array.size()) * sizeof(T));
        array.resize(size);
    }
    template <class Sum>
    void dense(Sum* sums, const u8* at, u64 count, int width, int pairs, const RankMap& map) {
        u64* used = used_.data();
        const bool marked = pairs_ >= kMarkedFrom;
        with_map(map, pairs, [&](auto rank) {
            if (marked) {
                for_each_entry(at, count, width, pairs, [&](u64 r, u64 c) {
                    const u64 then = rank(r);
                    sums[then] += static_cast<Sum>(c);
                    used[then >> 6] |= u64{1} << (then & 63);
                });
            } else {
                for_each_entry(at, count, width, pairs,
                               [&](u64 r, u64 c) { sums[rank(r)] += static_cast<Sum>(c); });
            }
        });
    }

    // Moves the sums other than 0 to ranks_ and counts_; returns their number.
    template <class Sum> std::size_t collect(Sum* sums) {
        const u64 size = kMatchings[static_cast<std::size_t>(pairs_)];
        sums[size] = 0; // states in which an edge would have closed a cycle
        u64* const ranks = ranks_.data();
        u64* const counts = counts_.data();
        std::size_t n = 0;
        u64 any = 0, sum = 0;
        if (pairs_ < kMarkedFrom) {
            for (u64 r = 0; r < size; ++r) {
                const u64 count = sums[r];
                ranks[n] = r;
                counts[n] = count;
                any |= count;
                sum += count;
                n += count != 0;
                sums[r] = 0;
            }
            any_ = any;
            sum_ = sum;
            return n;
        }
        used_[size >> 6] &= ~(u64{1} << (size & 63));
        for (u64 w = 0; w <= size >> 6; ++w) {
            u64 bits = used_[w];
            if (bits == 0) continue;
            used_[w] = 0;
            for (; bits != 0; bits &= bits - 1, ++n) {
                const u64 r = 64 * w + static_cast<u64>(std::countr_zero(bits));
                const u64 count = sums[r];
                ranks[n] = r;
                counts[n] = count;
                any |= count;
                sum += count;
                sums[r] = 0;
            }
        }
        any_ = any;
        sum_ = sum;
        return n;
    }

    std::size_t collect_listed() {
        std::sort(listed_.begin(), listed_.end());
        grow(ranks_, listed_.size());
        grow(counts_, listed_.size());
        std::size_t n = 0;
        for (const auto& [rank, count] : listed_) {
            if (n > 0 && ranks_[n - 1] == rank) {
                counts_[n - 1] += count;
            } else {
                ranks_[n] = rank;
                counts_[n++] = count;
            }
        }
        return n;
    }

    static constexpr int kMarkedFrom = 4;

    Reservation reserved_;
    int pairs_ = 0;
    u64 any_ = 0, sum_ = 0; // of the counts collected: all their bits, and their sum
    bool narrow_ = true;
    std::vector<u32> small_;
    std::vector<u64> large_;
    std::vector<u64> used_;
    std::vector<std::pair<u64, u64>> listed_;
    std::vector<u64> ranks_, counts_;
};

} // namespace ktsolve::join
