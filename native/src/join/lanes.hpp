// Values of the matchings of one pattern, or of eight patterns side by side, and what is done with them while
// joining: the bottom's extended groups are added up, renamed to the top's ends, and seen in the mirror.
#pragma once

#include <optional>
#include <type_traits>

#include "common/prefetch.hpp"
#include "join/join_step.hpp"

namespace ktsolve::join {

template <class V> Number<V>* numbers(V* values) {
    return reinterpret_cast<Number<V>*>(values);
}
template <class V> const Number<V>* numbers(const V* values) {
    return reinterpret_cast<const Number<V>*>(values);
}

// Finds the sources of up to eight patterns at a time, in steps: what the index has about a pattern comes
// from memory while the others are looked up.
class SourceSearch {
  public:
    // Calls each(lane, bound) after found[lane] got the sources of pattern[lane]; the bound is one on the sum
    // of their counts, at most kWideSum.
    template <class Each>
    void run(const Side& side, const u64* pattern, std::size_t lanes, std::vector<Source>* found,
             Each&& each) {
        for (std::size_t l = 0; l < lanes; ++l) {
            candidates_[l].clear();
            side.candidates(pattern[l], candidates_[l]);
        }
        for (std::size_t l = 0; l < lanes; ++l) side.keep_present(candidates_[l]);
        for (std::size_t l = 0; l < lanes; ++l) {
            found[l].clear();
            const u64 bound = side.sources_of(candidates_[l], found[l]);
            for (const Source& source : found[l]) prefetch_to_read(source.group.entries);
            each(l, bound);
        }
    }

  private:
    std::array<std::vector<Candidate>, 8> candidates_;
};

// Fetches the entries of the source that is read next.
inline void prefetch_entries(const std::vector<Source>& sources, std::size_t next) {
    constexpr u64 kLine = 64, kMost = 2048;
    if (next >= sources.size()) return;
    const GroupRef& group = sources[next].group;
    const u64 bytes = std::min(kMost, static_cast<u64>(group.count) * group.width);
    for (u64 at = kLine; at < bytes; at += kLine) prefetch_to_read(group.entries + at);
}

// Arrays of one thread. Each holds a value per matching and one more, that of states in which an edge has
// closed a cycle.
class Lanes {
  public:
    Lanes(const JoinStep& step, const ContractionLists& lists, int worker)
        : step_(step), lists_(lists), worker_(worker), reserved_(step.context.pool) {
        space_.pause = [this] { step_.context.workers.tick(worker_); };
        for (const Side* top : step_.tops)
            if (top->folded()) mirror_ = &top->mirror();
    }
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

  protected:
    // Each lane is added up in a column of its own, an eighth of the size of the rows: of six pairs a column
    // fits L1 and the rows fill a third of L2. add_source() takes columns that begin() has cleared.
    template <class V> void begin(int pairs) {
        clear_columns<V>(0, pairs);
        image_used_ = false;
    }
    template <class V>
    void add_source(const Source& source, int pairs, std::size_t lane,
                    const std::optional<CountBits>& bits = {}) {
        if (source.mirrored && !image_used_) {
            clear_columns<V>(1, pairs);
            image_used_ = true;
        }
        Number<V>* const sums = column<V>(source.mirrored ? 1 : 0, pairs, lane);
        if constexpr (std::is_same_v<V, Wide8>)
            if (bits) {
                AddBits sink{sums, *bits};
                extend(source, step_.context.transitions, step_.context.ends, sink);
                return;
            }
        AddTo<Number<V>> sink{sums};
        extend(source, step_.context.transitions, step_.context.ends, sink);
    }

    // The number of cycles that each matching of the top's pattern closes with what was added, in each lane.
    // `opposite` is the bottom's pattern, or one whose ends the symmetries rename alike.
    template <class V> V* closed(u64 opposite, int pairs) {
        V* own = rows<V>(0, pairs, 2);
        if (image_used_) {
            // The sums belong to the mirror pattern; the mirror maps them back.
            const FieldPermutation& mirror = step_.bottom.mirror();
            const V* const image = rows<V>(1, pairs, 0); // the columns there are rows by now
            add_permuted(mirror, step_.context.ends(mirror(opposite)), pairs, image, own);
        }
        if (step_.flip != nullptr) { // in the order of the top's ends
            own = permuted(*step_.flip, step_.context.ends(opposite), pairs, own, 1 - place_of_closed<V>());
        }
        V* const closed = placed<V>(place_of_closed<V>(), pairs);
        close_cycles(pairs, own, closed, lists_, space_);
        closed[kMatchings[static_cast<std::size_t>(pairs)]] = V{};
        return closed;
    }

    // The values for matchings of the mirror pattern of the top's, for entries that belong there.
    template <class V> V* seen_in_mirror(const V* closed, u64 pattern, int pairs) {
        V* const mirrored = placed<V>(1 - place_of_closed<V>(), pairs);
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
    ContractionSpace space_;

  private:
    // Columns of the pattern are in place 0, those of its mirror image in place 1. Rows of eight are made in
    // place 2, of the image in place 0; single counts are rows as they are. Places of what was added,
    // flipped, closed: 0, 1, 0 for single counts and 2, 0, 1 for eight. Without a flip 0, 1 and 2, 1. What is
    // seen in the mirror goes where it was before it was closed, or to place 0.
    template <class V> std::size_t place_of_closed() const {
        return kLanes<V> == 1 && step_.flip != nullptr ? 0 : 1;
    }
    template <class V> V* placed(std::size_t place, int pairs) {
        PagedVector<u64>& memory = memory_[place];
        const std::size_t words = words_of_rows<V>(kMatchings[static_cast<std::size_t>(pairs)] + 1);
        if (memory.size() < words) {
            reserved_.add(8 * (words - memory.size()));
            memory.resize(words);
        }
        return rows_in<V>(memory);
    }

    template <class V> Number<V>* column(std::size_t of, int pairs, std::size_t lane) {
        return numbers(placed<V>(of, pairs)) + lane * (kMatchings[static_cast<std::size_t>(pairs)] + 1);
    }
    template <class V> void clear_columns(std::size_t of, int pairs) {
        Number<V>* const first = column<V>(of, pairs, 0);
        std::fill(first, first + kLanes<V> * (kMatchings[static_cast<std::size_t>(pairs)] + 1), Number<V>{0});
    }
    template <class V> V* rows(std::size_t of, int pairs, std::size_t place) {
        Number<V>* const columns = column<V>(of, pairs, 0);
        if constexpr (kLanes<V> == 1) {
            return columns;
        } else {
            const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
            V* const rows = placed<V>(place, pairs);
            rows_of_columns(columns, many + 1, many, rows);
            return rows;
        }
    }

    template <class Visit>
    void each_in_inverse(const FieldPermutation& symmetry, u64 ends, int pairs, Visit&& visit) {
        std::array<u8, kMostEnds> to{};
        const int many = symmetry.ends_to(ends, to);
        for (int i = 0; i < many; ++i) to_[to[static_cast<std::size_t>(i)]] = static_cast<u8>(i);
        each_mapped(pairs, kMatchings[static_cast<std::size_t>(pairs)], visit);
    }
    // visit(r, then) for all ranks r: then() is the rank after the symmetry. `used` ranks have counts.
    template <class Visit>
    void each_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, u64 used, Visit&& visit) {
        (void)symmetry.ends_to(ends, to_);
        each_mapped(pairs, used, visit);
    }
    template <class Visit> void each_mapped(int pairs, u64 used, Visit&& visit) {
        const RankMap map = cache_.map(step_.context.transitions, pairs, to_, used);
        with_map(map, pairs, [&](auto then) {
            for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(pairs)]; ++r) visit(r, then);
        });
    }
    // sums[rank after the symmetry] += image[rank]. Of single counts most are 0; rows are read in the order
    // in which they are written, through the inverse.
    template <class V>
    void add_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const V* image, V* sums) {
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        if constexpr (kLanes<V> == 1) {
            const u64 used = many - static_cast<u64>(std::count(image, image + many, V{0}));
            each_permuted(symmetry, ends, pairs, used, [&](u64 r, auto then) {
                if (image[r] != 0) sums[then(r)] += image[r];
            });
        } else {
            each_in_inverse(symmetry, ends, pairs, [&](u64 r, auto before) { sums[r] += image[before(r)]; });
        }
    }
    // The same, in an array that was 0.
    template <class V>
    V* permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const V* values, std::size_t place) {
        V* const sums = placed<V>(place, pairs);
        if constexpr (kLanes<V> == 1) {
            std::fill(sums, sums + kMatchings[static_cast<std::size_t>(pairs)], V{0});
            add_permuted(symmetry, ends, pairs, values, sums);
        } else {
            each_in_inverse(symmetry, ends, pairs, [&](u64 r, auto before) { sums[r] = values[before(r)]; });
        }
        return sums;
    }

    Reservation reserved_; // for the vectors that follow
    std::array<PagedVector<u64>, 3> memory_;
    bool image_used_ = false;
    PermutationCache cache_;
};

} // namespace ktsolve::join
