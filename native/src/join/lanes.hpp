// Values of the matchings of one pattern, or of eight patterns side by side, and what is done with them while
// joining: the bottom's extended groups are added up, renamed to the top's ends, and seen in the mirror.
#pragma once

#include <type_traits>

#include "common/prefetch.hpp"
#include "join/join_step.hpp"

namespace ktsolve::join {

// V is a value of one matching: eight numbers side by side, or one.
template <class V> constexpr int kLanes = std::is_same_v<V, u64> ? 1 : 8;
template <class V> using Number = std::conditional_t<std::is_same_v<V, Narrow8>, u32, u64>;

template <class V> Number<V>* numbers(V* values) {
    return reinterpret_cast<Number<V>*>(values);
}
template <class V> const Number<V>* numbers(const V* values) {
    return reinterpret_cast<const Number<V>*>(values);
}

// Finds all sources of a pattern; returns a bound on the sum of their counts. Throws CountTooWide.
inline u64 find_sources(const Side& side, u64 pattern, std::vector<Source>& found) {
    found.clear();
    const u64 bound = side.sources(pattern, found);
    if (bound >> 63 != 0) throw CountTooWide{};
    for (const Source& source : found) prefetch_to_read(source.group.entries);
    return bound;
}

// Arrays of one thread. Each holds a value per matching and one more, that of states in which an edge has
// closed a cycle.
class Lanes {
  public:
    Lanes(const JoinStep& step, const ContractionLists& lists, int worker)
        : step_(step), lists_(lists), worker_(worker), reserved_(step.context.pool) {
        std::get<ContractionSpace<u64>>(spaces_).pause = [this] { step_.context.workers.tick(worker_); };
        for (const Side* top : step_.tops)
            if (top->half().folded) mirror_ = &top->half().mirror;
    }
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

  protected:
    // Adds a source of the bottom to a lane of the sums that begin() has cleared.
    template <class V> void begin(int pairs) {
        (void)cleared<V>(own_, pairs);
        image_used_ = false;
    }
    template <class V> void add_source(const Source& source, int pairs, std::size_t lane) {
        if (source.mirrored && !image_used_) {
            (void)cleared<V>(image_, pairs);
            image_used_ = true;
        }
        V* const sums = placed<V>(source.mirrored ? image_ : own_, pairs);
        AddTo<Number<V>, kLanes<V>> sink{numbers(sums) + lane};
        extend(source, step_.context.transitions, step_.context.ends, sink);
    }

    // The number of cycles that each matching of the top's pattern closes with what was added, in each lane.
    // `opposite` is the bottom's pattern, or one whose ends the symmetries rename alike.
    template <class V> V* closed(u64 opposite, int pairs) {
        V* own = placed<V>(own_, pairs);
        if (image_used_) {
            const FieldPermutation& mirror = step_.bottom.half().mirror;
            // The sums belong to the mirror pattern; the mirror maps them back.
            add_permuted(mirror, step_.context.ends(mirror(opposite)), pairs, placed<V>(image_, pairs), own);
        }
        if (step_.flip != nullptr) { // in the order of the top's ends
            V* const turned = cleared<V>(turned_, pairs);
            add_permuted(*step_.flip, step_.context.ends(opposite), pairs, own, turned);
            own = turned;
        }
        V* const closed = placed<V>(closed_, pairs);
        close_cycles(pairs, own, closed, lists_, step_.context.transitions,
                     std::get<ContractionSpace<V>>(spaces_));
        closed[kMatchings[static_cast<std::size_t>(pairs)]] = V{};
        return closed;
    }

    // The values for matchings of the mirror pattern of the top's, for entries that belong there.
    template <class V> V* seen_in_mirror(const V* closed, u64 pattern, int pairs) {
        V* const mirrored = placed<V>(mirrored_, pairs);
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        each_permuted(*mirror_, step_.context.ends((*mirror_)(pattern)), pairs, many,
                      [&](u64 r, auto then) { mirrored[r] = closed[then(r)]; });
        mirrored[many] = V{};
        return mirrored;
    }

    const JoinStep& step_;
    const ContractionLists& lists_;
    int worker_;
    const FieldPermutation* mirror_ = nullptr; // of the folded tops
    std::array<u8, kMostEnds> to_{};

  private:
    static bool is_zero(const u64& value) { return value == 0; }
    template <class V> static bool is_zero(const V&) {
        return false; // a test of eight lanes would take longer than adding them
    }

    template <class V> V* placed(std::vector<u64>& memory, int pairs) {
        const std::size_t words =
            (kMatchings[static_cast<std::size_t>(pairs)] + 1) * (sizeof(V) / sizeof(u64)) + 8;
        if (memory.size() < words) {
            reserved_.add(8 * (words - memory.size()));
            memory.resize(words);
        }
        // Vectors of 64 bytes must be aligned.
        const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        return reinterpret_cast<V*>((at + 63) / 64 * 64);
    }
    template <class V> V* cleared(std::vector<u64>& memory, int pairs) {
        V* const sums = placed<V>(memory, pairs);
        std::fill(sums, sums + kMatchings[static_cast<std::size_t>(pairs)], V{});
        return sums;
    }

    // visit(r, then) for all ranks r: then() is the rank after the symmetry. `used` ranks have counts.
    template <class Visit>
    void each_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, u64 used, Visit&& visit) {
        (void)symmetry.ends_to(ends, to_);
        const RankMap map = cache_.map(step_.context.transitions, pairs, to_, used);
        with_map(map, pairs, [&](auto then) {
            for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(pairs)]; ++r) visit(r, then);
        });
    }
    // sums[rank after the symmetry] += image[rank].
    template <class V>
    void add_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const V* image, V* sums) {
        u64 used = kMatchings[static_cast<std::size_t>(pairs)];
        used -= static_cast<u64>(std::count_if(image, image + used, [](const V& v) { return is_zero(v); }));
        each_permuted(symmetry, ends, pairs, used, [&](u64 r, auto then) {
            if (!is_zero(image[r])) sums[then(r)] += image[r]; // in large groups most counts are 0
        });
    }

    Reservation reserved_; // for the vectors that follow
    std::vector<u64> own_, image_, turned_, closed_, mirrored_;
    bool image_used_ = false;
    PermutationCache cache_;
    std::tuple<ContractionSpace<Narrow8>, ContractionSpace<Wide8>, ContractionSpace<u64>> spaces_;
};

} // namespace ktsolve::join
