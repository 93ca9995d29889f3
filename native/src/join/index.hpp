// From a pattern on the separator to its group, in two memory accesses.
//
// The *number* of a pattern is its fields read in base 3 (a split extra vertex comes last, with digit 0 to
// 3). A bit set over all numbers with running totals turns it into the place of the group. Edges add
// constants to numbers as they do to patterns.
#pragma once

#include <span>
#include <stdexcept>

#include "common/pages.hpp"
#include "common/prefetch.hpp"
#include "common/workers.hpp"
#include "join/groups.hpp"

namespace ktsolve::join {

// Numbers of patterns on `slots` slots, the last of which may be split.
class Numbering {
  public:
    Numbering() = default;
    Numbering(int slots, bool split) : slots_(slots) {
        u64 weight = 1;
        for (int s = 0; s < slots; ++s) {
            weights_[static_cast<std::size_t>(s)] = weight;
            weight *= s == slots - 1 && split ? 4 : 3;
        }
        size_ = weight;
        const int chunks = (slots + 5) / 6;
        for (int c = 0; c < chunks; ++c)
            for (u64 v = 0; v < 4096; ++v)
                for (int f = 0; f < 6 && 6 * c + f < slots; ++f)
                    number_[static_cast<std::size_t>(c)][v] += static_cast<u32>(
                        ((v >> (2 * f)) & 3) * (weights_[static_cast<std::size_t>(6 * c + f)] /
                                                weights_[static_cast<std::size_t>(6 * c)]));
        for (u64 v = 0; v < 729; ++v) {
            u64 rest = v;
            for (int f = 0; f < 6; ++f, rest /= 3) pattern_[v] |= static_cast<u16>((rest % 3) << (2 * f));
        }
        u64 all = 0; // every vertex full
        for (int s = 0; s < slots; ++s) all |= field(s, s == slots - 1 && split ? 3 : 2);
        full_ = all;
    }
    u64 size() const { return size_; }
    u64 full() const { return full_; }
    u64 of(u64 pattern) const {
        u64 number = 0, scale = 1;
        for (std::size_t c = 0; 6 * c < static_cast<std::size_t>(slots_); ++c, scale *= 729)
            number += scale * number_[c][(pattern >> (12 * c)) & 4095];
        return number;
    }
    // Whether a pattern has a number: fields on the slots only, each with a value that it can have.
    bool has(u64 pattern) const {
        const u64 number = of(pattern);
        return number < size_ && this->pattern(number) == pattern;
    }
    u64 pattern(u64 number) const {
        u64 pattern = 0;
        // The last slot takes what is left, which may be 3.
        const u64 top = weights_[static_cast<std::size_t>(slots_ - 1)];
        pattern = field(slots_ - 1, number / top);
        number %= top;
        for (int c = 0; number != 0; ++c, number /= 729)
            pattern |= static_cast<u64>(pattern_[number % 729]) << (12 * c);
        return pattern;
    }

  private:
    int slots_ = 0;
    u64 size_ = 0, full_ = 0;
    std::array<u64, 32> weights_{};
    std::array<std::array<u32, 4096>, 6> number_{};
    std::array<u16, 729> pattern_{};
};

// A group as the join reads it.
struct GroupRef {
    const u8* entries = nullptr;
    u32 count = 0;
    u8 width = 0, sum_bits = 0;
    u16 label = 0; // in a tally, the uses of the group's pattern; else the place of its layer

    GroupRef() = default;
    GroupRef(const Segment& segment, const Group& group, u16 label_ = 0)
        : entries(segment.entries(group)), count(static_cast<u32>(group.count())),
          width(static_cast<u8>(group.width())), sum_bits(static_cast<u8>(group.sum_bits())), label(label_) {}
};

class PatternIndex {
  public:
    PatternIndex(const Layer& layer, const Numbering& numbering, Workers& workers)
        : PatternIndex(std::vector<const Layer*>{&layer}, numbering, workers) {}
    // Of several layers, of which none is a tally's. At most 65,536.
    PatternIndex(const std::vector<const Layer*>& layers, const Numbering& numbering, Workers& workers)
        : reserved_(layers.front()->pool()) {
        u64 groups = 0;
        for (const Layer* layer : layers) groups += layer->groups();
        const auto each = [&](auto&& visit) {
            for (std::size_t at = 0; at < layers.size(); ++at)
                for (const Segment& segment : layers[at]->segments()) {
                    workers.poll();
                    for (const Group& group : segment) visit(at, segment, group);
                }
        };
        const u64 words = numbering.size() / 64 + 1;
        reserved_.add(words * sizeof(Word) + groups * sizeof(GroupRef));
        words_.resize(words);
        groups_.resize(groups);
        bool in_order = true;
        u64 least = 0; // the least number that keeps the order
        each([&](std::size_t, const Segment&, const Group& group) {
            const u64 number = numbering.of(group.pattern);
            in_order = in_order && number >= least;
            least = number + 1;
            words_[number >> 6].bits |= u64{1} << (number & 63);
        });
        u64 numbers = 0;
        for (Word& word : words_) {
            word.before = numbers;
            numbers += static_cast<u64>(std::popcount(word.bits));
        }
        // In a tally a pattern has a group for each number of uses; layers are sorted by uses first. Else it
        // has one in each of several layers. One layer without uses is out of order if it has several blocks.
        if (numbers < groups) {
            reserved_.add((numbers + 1) * sizeof(u32));
            first_.resize(numbers + 1);
            each([&](std::size_t, const Segment&, const Group& group) {
                ++first_[place(numbering.of(group.pattern))];
            });
            u32 before = 0;
            for (u32& first : first_) {
                const u32 many = first;
                first = before;
                before += many;
            }
        }
        u64 next = 0;
        each([&](std::size_t layer, const Segment& segment, const Group& group) {
            u64 at = next++;
            if (!in_order) {
                at = place(numbering.of(group.pattern));
                if (!first_.empty()) at = first_[at]++;
            }
            const u64 uses = group.pattern >> kUsesShift;
            groups_[at] = GroupRef(segment, group, static_cast<u16>(layers.size() > 1 ? layer : uses));
        });
        // Each first place has moved to the next number's.
        for (u64 n = first_.size(); n-- > 1;) first_[n] = first_[n - 1];
        if (!first_.empty()) first_[0] = 0;
    }

    // The groups of that number, by uses in a tally, else by layers.
    std::span<const GroupRef> find(u64 number) const {
        if (!has(number)) return {};
        const u64 at = place(number);
        if (first_.empty()) return {&groups_[at], 1};
        return {&groups_[first_[at]], &groups_[0] + first_[at + 1]};
    }
    // The index is larger than any cache: what find() reads is fetched in two steps, for many numbers at
    // once.
    void prefetch(u64 number) const { prefetch_to_read(&words_[number >> 6]); }
    bool has(u64 number) const { return (words_[number >> 6].bits >> (number & 63) & 1) != 0; }
    void prefetch_group(u64 number) const { // of a number that occurs
        if (first_.empty())
            prefetch_to_read(&groups_[place(number)]);
        else
            prefetch_to_read(&first_[place(number)]);
    }

    // The place of one of these groups among all; without a tally, in the order of the patterns.
    u64 place_of(const GroupRef& group) const { return static_cast<u64>(&group - groups_.data()); }

  private:
    struct Word {
        u64 bits = 0, before = 0;
    };
    // Of a number that occurs, among those that do.
    u64 place(u64 number) const {
        const Word& word = words_[number >> 6];
        return word.before + static_cast<u64>(std::popcount(word.bits & ((u64{1} << (number & 63)) - 1)));
    }

    Reservation reserved_;
    PagedVector<Word> words_;
    PagedVector<u32> first_; // place of the first group of each number that occurs, if some have several
    PagedVector<GroupRef> groups_;
};

} // namespace ktsolve::join
