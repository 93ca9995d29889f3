// For every pattern P that the top can reach and whose complement the bottom can reach, the two extended
// groups are put together and contracted. The mirror takes P to a pattern with the same number of pairs of
// states, and so does the flip with the complement: of each orbit one pattern is done, and weighted.
//
// Eight patterns go side by side if the symmetries renumber their ends alike (on a board: as many ends in
// each row), because then one permutation of ranks serves all eight. Groups of more than 7 pairs, and those
// whose sums might pass what eight lanes hold, are done singly.
#include "join/meeting.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

namespace ktsolve::join {

namespace {

constexpr u64 kWordsPerTask = 512;
constexpr u64 kBlockOfPart = 64; // words of the bit set that stay in one part

// Patterns waiting for company, and the place where eight of them are worked on.
class Desk {
  public:
    Desk(const Meeting& meeting, const ContractionLists& lists, int worker)
        : m_(meeting), lists_(lists), worker_(worker) {
        single_space_.pause = [this] { m_.shop.workers.tick(worker_); };
    }

    Met met;

    void take(u64 pattern, u64 opposite, u64 weight) {
        ++met.patterns;
        const u64 ends = m_.shop.ends(pattern);
        const int pairs = pairs_of(ends);
        if (pairs > ContractionLists::kMostListed) {
            Waiting one{{pattern}, {opposite}, {weight}, 1};
            singly(one, 0, pairs);
            return;
        }
        // What the permutations depend on.
        u64 keys[3] = {0, 0, 0};
        std::array<u8, kMostEnds> to{};
        if (m_.top.half().folded) {
            keys[0] = permutation_key(to, m_.top.half().mirror.ends_to(ends, to));
        }
        const u64 other = m_.shop.ends(opposite);
        if (m_.bottom.half().folded)
            keys[1] = permutation_key(to, m_.bottom.half().mirror.ends_to(other, to));
        if (m_.flip != nullptr) keys[2] = permutation_key(to, m_.flip->ends_to(other, to));
        Waiting& waiting = waiting_[{pairs, keys[0], keys[1], keys[2]}];
        const auto lane = static_cast<std::size_t>(waiting.count++);
        waiting.pattern[lane] = pattern;
        waiting.opposite[lane] = opposite;
        waiting.weight[lane] = weight;
        if (waiting.count == 8) together(waiting, pairs);
    }

    // Does what is still waiting, by whichever thread.
    void finish(int worker) {
        worker_ = worker;
        for (auto& [key, waiting] : waiting_)
            if (waiting.count > 0) together(waiting, std::get<0>(key));
    }

  private:
    struct Waiting {
        std::array<u64, 8> pattern{}, opposite{}, weight{};
        int count = 0;
    };
    struct Sums {
        std::vector<u64> own, image; // as u32 or u64, with one spare row
    };

    template <class Sum, int Stride> Sum* cleared(std::vector<u64>& memory, int pairs) {
        const std::size_t words = (kMatchings[pairs] + 1) * Stride * sizeof(Sum) / sizeof(u64) + 8;
        if (memory.size() < words + 8) {
            m_.shop.pool.reserve(8 * (words + 8 - memory.size()));
            memory.resize(words + 8);
        }
        // Vectors of 64 bytes want their alignment.
        auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        at = (at + 63) / 64 * 64;
        auto* sums = reinterpret_cast<Sum*>(at);
        std::fill(sums, sums + kMatchings[pairs] * Stride, Sum{});
        return sums;
    }

    // sums[to(r)] += image[r] for all ranks; Stride sums each.
    template <class Sum, int Stride>
    void add_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const Sum* image, Sum* sums) {
        (void)symmetry.ends_to(ends, to_);
        u64 used = kMatchings[pairs];
        if (Stride == 1) used -= static_cast<u64>(std::count(image, image + kMatchings[pairs], Sum{}));
        const RankMap map = cache_.map(m_.shop.transitions, pairs, to_, used);
        for (u64 r = 0; r < kMatchings[pairs]; ++r) {
            if (Stride == 1 && image[r] == 0) continue; // large groups are thin
            u64 then = r;
            if (map.what == RankMap::What::table)
                then = map.table.narrow != nullptr ? map.table.narrow[r] : map.table.wide[r];
            else if (map.what == RankMap::What::permuted)
                then = rank_permuted(pairs, to_.data(), r);
            for (int l = 0; l < Stride; ++l) sums[then * Stride + l] += image[r * Stride + l];
        }
    }

    // The extended groups of all lanes on one side, added up in sources_'s order.
    template <class Sum, int Stride>
    Sum* extended(const Side& side, const std::array<std::vector<Source>, 8>& sources, int lanes, u64 pattern,
                  int pairs, Sums& memory) {
        Sum* const own = cleared<Sum, Stride>(memory.own, pairs);
        Sum* image = nullptr;
        for (int lane = 0; lane < lanes; ++lane)
            for (const Source& source : sources[static_cast<std::size_t>(lane)]) {
                if (source.mirrored && image == nullptr) image = cleared<Sum, Stride>(memory.image, pairs);
                add_source<Sum, Stride>(source, m_.shop.transitions, m_.shop.ends,
                                        (source.mirrored ? image : own) + lane);
                met.extended += source.group->count;
            }
        if (image != nullptr) {
            const FieldPermutation& mirror = side.half().mirror;
            // What was added up belongs to the mirror pattern, which the mirror takes back.
            add_permuted<Sum, Stride>(mirror, m_.shop.ends(mirror(pattern)), pairs, image, own);
        }
        return own;
    }

    // The bottom's sums in the order of the top's ends.
    template <class Sum, int Stride> Sum* turned(Sum* sums, u64 opposite, int pairs) {
        if (m_.flip == nullptr) return sums;
        Sum* const turned = cleared<Sum, Stride>(turned_, pairs);
        add_permuted<Sum, Stride>(*m_.flip, m_.shop.ends(opposite), pairs, sums, turned);
        return turned;
    }

    void add(u128 value, u64 weight) {
        u128 product;
        if (m_.shop.modulus != 0) {
            met.total = (met.total + value % m_.shop.modulus * weight) % m_.shop.modulus;
            return;
        }
        met.overflow = met.overflow || __builtin_mul_overflow(value, static_cast<u128>(weight), &product) ||
                       __builtin_add_overflow(met.total, product, &met.total);
    }

    void together(Waiting& waiting, int pairs) {
        const int lanes = std::exchange(waiting.count, 0);
        u64 most_a = 0, most_b = 0;
        bool wide = false;
        for (int lane = 0; lane < lanes; ++lane) {
            const auto l = static_cast<std::size_t>(lane);
            top_[l].clear();
            bottom_[l].clear();
            const u64 a = m_.top.sources(waiting.pattern[l], top_[l]);
            const u64 b = m_.bottom.sources(waiting.opposite[l], bottom_[l]);
            most_a = std::max(most_a, a);
            most_b = std::max(most_b, b);
            wide = wide || std::bit_width(a) + std::bit_width(b) > 64;
        }
        for (int lane = 0; lane < lanes; ++lane)
            for (const auto* side : {&top_, &bottom_})
                for (const Source& source : (*side)[static_cast<std::size_t>(lane)])
                    __builtin_prefetch(source.group->entries);
        if (wide) {
            for (int lane = 0; lane < lanes; ++lane) singly(waiting, lane, pairs);
        } else if ((most_a | most_b) < (u64{1} << 32)) {
            in_lanes<u32, Narrow8>(waiting, lanes, pairs, narrow_space_);
        } else {
            in_lanes<u64, Wide8>(waiting, lanes, pairs, wide_space_);
        }
    }

    template <class Sum, class Vector>
    void in_lanes(const Waiting& waiting, int lanes, int pairs, ContractionSpace<Vector>& space) {
        const Sum* const a = extended<Sum, 8>(m_.top, top_, lanes, waiting.pattern[0], pairs, top_sums_);
        const Sum* const b = turned<Sum, 8>(
            extended<Sum, 8>(m_.bottom, bottom_, lanes, waiting.opposite[0], pairs, bottom_sums_),
            waiting.opposite[0], pairs);
        Wide8 totals;
        join_groups(pairs, reinterpret_cast<const Vector*>(a), reinterpret_cast<const Vector*>(b), lists_,
                    m_.shop.transitions, space, totals);
        for (int lane = 0; lane < lanes; ++lane)
            add(totals[lane], waiting.weight[static_cast<std::size_t>(lane)]);
    }

    void singly(const Waiting& waiting, int lane, int pairs) {
        const auto l = static_cast<std::size_t>(lane);
        std::array<std::vector<Source>, 8> a, b;
        const u64 bound_a = m_.top.sources(waiting.pattern[l], a[0]);
        const u64 bound_b = m_.bottom.sources(waiting.opposite[l], b[0]);
        if (a[0].empty() || b[0].empty()) return;
        if ((bound_a | bound_b) >> 63 != 0) throw CountTooWide{};
        const u64* const left = extended<u64, 1>(m_.top, a, 1, waiting.pattern[l], pairs, top_sums_);
        const u64* const right =
            turned<u64, 1>(extended<u64, 1>(m_.bottom, b, 1, waiting.opposite[l], pairs, bottom_sums_),
                           waiting.opposite[l], pairs);
        u128 total;
        join_groups(pairs, left, right, lists_, m_.shop.transitions, single_space_, total);
        add(total, waiting.weight[l]);
    }

    const Meeting& m_;
    const ContractionLists& lists_;
    int worker_;
    std::map<std::tuple<int, u64, u64, u64>, Waiting> waiting_;
    std::array<std::vector<Source>, 8> top_, bottom_;
    Sums top_sums_, bottom_sums_;
    std::vector<u64> turned_;
    PermutationCache cache_;
    std::array<u8, kMostEnds> to_{};
    ContractionSpace<Narrow8> narrow_space_;
    ContractionSpace<Wide8> wide_space_;
    ContractionSpace<u64> single_space_;
};

} // namespace

Met meet(const Meeting& meeting) {
    const Numbering& numbering = meeting.numbering;
    Workers& workers = meeting.shop.workers;
    const u64 words = numbering.size() / 64 + 1;
    meeting.shop.pool.reserve(8 * words * (meeting.same ? 1 : 2));
    std::vector<u64> reached_top(words), reached_bottom;
    meeting.top.mark_reached(reached_top, workers);
    if (!meeting.same) {
        reached_bottom.resize(words);
        meeting.bottom.mark_reached(reached_bottom, workers);
    }
    struct Reserved {
        ChunkPool& pool;
        u64 bytes;
        ~Reserved() { pool.release(bytes); }
    } reserved{meeting.shop.pool, 8 * words * (meeting.same ? 1 : 2)};
    ContractionLists lists;
    {
        int most = 0;
        for (u64 w = 0; w < words && most < ContractionLists::kMostListed; ++w)
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                most = std::max(most, pairs_of(meeting.shop.ends(numbering.pattern(number))));
            }
        lists.prepare(most);
    }
    std::deque<Desk> desks; // their pauses hold addresses
    for (int w = 0; w < workers.threads(); ++w) desks.emplace_back(meeting, lists, w);
    const auto reached = [&](const std::vector<u64>& bits, u64 number) {
        return ((bits[number >> 6] >> (number & 63)) & 1) != 0;
    };
    const u64 tasks = (words + kWordsPerTask - 1) / kWordsPerTask;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks, [&](int worker, u64 task) {
        Desk& desk = desks[static_cast<std::size_t>(worker)];
        const u64 end = std::min(words, (task + 1) * kWordsPerTask);
        for (u64 w = task * kWordsPerTask; w < end; ++w) {
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                const u64 pattern = numbering.pattern(number);
                u64 opposite = numbering.full() - pattern;
                if (meeting.flip != nullptr) opposite = (*meeting.flip)(opposite);
                if (meeting.same && opposite < pattern) continue;
                if (!reached(meeting.same ? reached_top : reached_bottom, numbering.of(opposite))) continue;
                if (meeting.parts > 1) {
                    // The part is that of the least pattern of the orbit, whether or not the sides are one
                    // table.
                    u64 least = pattern;
                    if (meeting.flip != nullptr) least = std::min(least, opposite);
                    if (meeting.flip != nullptr && meeting.mirror != nullptr)
                        least = std::min(least, (*meeting.mirror)(opposite));
                    if (meeting.mirror != nullptr) least = std::min(least, (*meeting.mirror)(pattern));
                    if (numbering.of(least) / (64 * kBlockOfPart) % meeting.parts != meeting.part) continue;
                }
                u64 weight = 1;
                if (meeting.mirror != nullptr) {
                    const u64 image = (*meeting.mirror)(pattern);
                    if (image < pattern) continue;
                    if (meeting.same) {
                        if ((*meeting.mirror)(opposite) < pattern) continue;
                        // Distinct ones among pattern, image, opposite, image of opposite.
                        weight = image == pattern ? (opposite == pattern ? 1 : 2)
                                                  : (opposite == pattern || opposite == image ? 2 : 4);
                    } else {
                        weight = image == pattern ? 1 : 2;
                    }
                } else if (meeting.same) {
                    weight = opposite == pattern ? 1 : 2;
                }
                desk.take(pattern, opposite, weight);
            }
            workers.tick(worker);
        }
        const u64 n = ++done;
        if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
    });
    workers.run(desks.size(), [&](int worker, u64 d) { desks[d].finish(worker); });
    Met all;
    for (const Desk& desk : desks) {
        all.patterns += desk.met.patterns;
        all.extended += desk.met.extended;
        all.overflow = all.overflow || desk.met.overflow ||
                       __builtin_add_overflow(all.total, desk.met.total, &all.total);
    }
    if (meeting.shop.modulus != 0) all.total %= meeting.shop.modulus;
    return all;
}

} // namespace ktsolve::join
