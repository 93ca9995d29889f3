// The states of one new group are added up in a dense array over ranks.
//
// Afterwards the array is read line by line. Most places of a group of many pairs stay empty: then a byte for
// each line tells whether it is used. Groups of 9 pairs (34 million matchings) with few entries, and all of
// more pairs, are lists: entries are collected, sorted and merged; those of 8 pairs too, where memory is
// short and they are few.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>
#include <vector>

#include "join/groups.hpp"
#include "join/line_scan.hpp"
#include "join/rank_map.hpp"

namespace ktsolve::join {

// The remainder of numbers by one modulus, by a multiplication: with divisions a half of 8x10 modulo a prime
// takes 5 % more time. The quotient is at most 2 too small (Granlund and Montgomery, Division by invariant
// integers, 1994).
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
    static constexpr int kMostDense = 9;

    // The arrays count against the pool's budget.
    explicit Accumulator(ChunkPool& pool) : reserved_(pool) {}

    // Begins a group of `pairs`; `entries` will be added at most, and `sum_bound` bounds their sum. From
    // kWideSum on each count that is formed has to fit 63 bits: finish() throws CountTooWide where one does
    // not.
    void begin(int pairs, u64 sum_bound, u64 entries) {
        pairs_ = pairs;
        wide_ = sum_bound >= kWideSum;
        added_ = 0;
        narrow_ = sum_bound < (u64{1} << 32);
        const u64 size = kMatchings[static_cast<std::size_t>(pairs)];
        by_list_ = pairs > kMostDense || (pairs == kMostDense && entries < size / kThin) ||
                   (pairs >= kMostDense - 1 && prefers_list(size, entries));
        if (by_list_) {
            if (listed_.capacity() < entries) {
                const u64 room = entries + entries / 4;
                reserved_.add((room - listed_.capacity()) * sizeof(listed_[0]));
                listed_.clear();
                listed_.reserve(room);
            }
            listed_.clear();
            return;
        }
        marked_ = entries * kThin < size;
        if (narrow_)
            small_.make_room(size, entries, reserved_);
        else
            large_.make_room(size, entries, reserved_);
    }

    // Adds a source group of `pairs` pairs.
    void add(const u8* at, u64 count, int width, int pairs, const RankMap& map) {
        if (by_list_) {
            with_map(map, pairs, [&](auto rank) {
                for_each_entry(at, count, width, pairs, [&](u64 r, u64 c) {
                    const u64 then = rank(r);
                    if (then < kMatchings[static_cast<std::size_t>(pairs_)]) listed_.emplace_back(then, c);
                });
            });
        } else if (narrow_) {
            small_.add(at, count, width, pairs, map, marked_);
        } else {
            if (wide_) for_each_entry(at, count, width, pairs, [&](u64, u64 c) { added_ += c; });
            large_.add(at, count, width, pairs, map, marked_);
        }
    }

    // Writes the group out, and leaves the arrays zero. With `modulus`, counts are reduced by it.
    void finish(u64 pattern, u64 modulus, Writer& writer) {
        if (by_list_) {
            finish_listed(pattern, modulus, writer);
        } else if (narrow_) {
            small_.finish(pattern, pairs_, marked_, wide_, modulus, *scan_, writer);
        } else {
            // Places from which a number was lost, as it needed more than 64 bits, have less than was added.
            // The spare place may be the only such: then the group is refused needlessly.
            if (wide_ && large_.sum(pairs_) != added_) throw CountTooWide{};
            large_.finish(pattern, pairs_, marked_, wide_, modulus, *scan_, writer);
        }
    }

  private:
    // Groups of fewer entries than one in kThin places have their lines marked.
    static constexpr u64 kThin = 4;

    // Whether a list takes less memory than an array that has to grow, and the array much of what is left.
    bool prefers_list(u64 size, u64 entries) const {
        const u64 more = narrow_ ? small_.missing(size, entries) : large_.missing(size, entries);
        return more > entries * sizeof(listed_[0]) && more > reserved_.left() / 16;
    }

    // The bits of the sum of the counts, each of which must fit 63.
    template <class Count> static int bits_of_sum(const Scanned& found, Count&& count) {
        if (found.any >> 63 != 0) throw CountTooWide{};
        u128 sum = 0;
        for (u64 n = 0; n < found.many; ++n) sum += count(n);
        const u64 high = static_cast<u64>(sum >> 64);
        return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                          : std::bit_width(static_cast<u64>(sum)));
    }

    // Numbers by rank, in whole lines, and one place more for states in which an edge would have closed a
    // cycle.
    template <class Sum> class Dense {
      public:
        void make_room(u64 size, u64 entries, Reservation& reserved) {
            const u64 lines = size / kLine<Sum> + 1;
            grow(sums_, lines * kLine<Sum>, reserved);
            grow(marks_, (lines + 7) / 8 * 8, reserved);
            const u64 most = std::min(size, entries) + kLine<Sum>;
            grow(ranks_, most, reserved);
            grow(counts_, most, reserved);
        }
        // Bytes by which make_room() would grow at least.
        u64 missing(u64 size, u64 entries) const {
            if (sums_.size() >= size) return 0;
            return (size - sums_.size() + std::min(size, entries)) * sizeof(Sum);
        }

        void add(const u8* at, u64 count, int width, int pairs, const RankMap& map, bool marked) {
            if (marked)
                add_to(at, count, width, pairs, map,
                       [sums = sums_.data(), marks = marks_.data()](u64 r, u64 c) {
                           sums[r] += static_cast<Sum>(c);
                           marks[r / kLine<Sum>] = 1;
                       });
            else
                add_to(at, count, width, pairs, map,
                       [sums = sums_.data()](u64 r, u64 c) { sums[r] += static_cast<Sum>(c); });
        }

        // Of all places, the spare one too.
        u128 sum(int pairs) const {
            u128 all = 0;
            for (u64 r = 0; r <= kMatchings[static_cast<std::size_t>(pairs)]; ++r) all += sums_[r];
            return all;
        }

        void finish(u64 pattern, int pairs, bool marked, bool wide, u64 modulus, const ScanKernel& scan,
                    Writer& writer) {
            const u64 size = kMatchings[static_cast<std::size_t>(pairs)];
            sums_[size] = 0;
            Scanned found = collect(size / kLine<Sum> + 1, marked, scan);
            if (modulus != 0 && found.any >= modulus) found = reduced(found.many, modulus);
            if (found.many == 0) return;
            const int width = entry_width(pairs, static_cast<int>(std::bit_width(found.any)));
            const int sum_bits = wide ? bits_of_sum(found, [&](u64 n) { return counts_[n]; })
                                      : static_cast<int>(std::bit_width(found.sum));
            u8* const to = writer.append(pattern, found.many, width, sum_bits);
            store_entries(to, found.many, width, pairs,
                          [ranks = ranks_.data(), counts = counts_.data()](u64 n) {
                              return std::pair<u64, u64>{ranks[n], counts[n]};
                          });
        }

      private:
        template <class T> static void grow(std::vector<T>& array, u64 size, Reservation& reserved) {
            if (array.size() >= size) return;
            reserved.add((size - array.size()) * sizeof(T));
            array.resize(size);
        }

        // A function of its own for each map and way of adding, so that all of it lives in registers.
        template <class Add>
        static void add_to(const u8* at, u64 count, int width, int pairs, const RankMap& map, Add add) {
            with_map(map, pairs, [&](auto rank) { add_all(at, count, width, pairs, rank, add); });
        }
        template <class Rank, class Add>
        [[gnu::noinline]] static void add_all(const u8* at, u64 count, int width, int pairs, Rank rank,
                                              Add add) {
            for_each_entry(at, count, width, pairs, [rank, add](u64 r, u64 c) { add(rank(r), c); });
        }

        Scanned collect(u64 lines, bool marked, const ScanKernel& scan) {
            u8* const marks = marked ? marks_.data() : nullptr;
            if constexpr (sizeof(Sum) == 4)
                return scan.narrow(sums_.data(), marks, lines, ranks_.data(), counts_.data());
            else
                return scan.wide(sums_.data(), marks, lines, ranks_.data(), counts_.data());
        }
        Scanned reduced(u64 many, u64 modulus) {
            const Remainder of(modulus);
            Scanned found;
            for (u64 n = 0; n < many; ++n) {
                const u64 count = of(counts_[n]);
                ranks_[found.many] = ranks_[n];
                counts_[found.many] = static_cast<Sum>(count);
                found.many += count != 0;
                found.any |= count;
                found.sum += count;
            }
            return found;
        }

        std::vector<Sum> sums_;
        std::vector<u8> marks_; // of the lines used
        std::vector<u32> ranks_;
        std::vector<Sum> counts_;
    };

    void finish_listed(u64 pattern, u64 modulus, Writer& writer) {
        std::sort(listed_.begin(), listed_.end());
        std::size_t n = 0;
        for (const auto& [rank, count] : listed_) {
            if (n == 0 || listed_[n - 1].first != rank)
                listed_[n++] = {rank, count};
            else if (add_overflows(listed_[n - 1].second, count, &listed_[n - 1].second))
                throw CountTooWide{};
        }
        listed_.resize(n);
        if (modulus != 0)
            for (auto& [rank, count] : listed_) count %= modulus;
        std::erase_if(listed_, [](const auto& entry) { return entry.second == 0; });
        if (listed_.empty()) return;
        Scanned found{.many = listed_.size()};
        for (const auto& [rank, count] : listed_) found.any |= count;
        const int width = entry_width(pairs_, static_cast<int>(std::bit_width(found.any)));
        u8* const to = writer.append(pattern, found.many, width,
                                     bits_of_sum(found, [&](u64 at) { return listed_[at].second; }));
        store_entries(to, listed_.size(), width, pairs_, [&](u64 at) { return listed_[at]; });
    }

    Reservation reserved_;
    const ScanKernel* scan_ = &scan_kernel();
    int pairs_ = 0;
    bool narrow_ = true, marked_ = false, by_list_ = false, wide_ = false;
    u128 added_ = 0; // where sums are wide: all counts so far
    Dense<u32> small_;
    Dense<u64> large_;
    std::vector<std::pair<u64, u64>> listed_;
};

} // namespace ktsolve::join
