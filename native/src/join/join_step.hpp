// The join of two sides: which pairs of patterns are joined, and with which weights.
#pragma once

#include <functional>

#include "common/limbs.hpp"
#include "common/prefetch.hpp"
#include "join/contraction.hpp"
#include "join/extension.hpp"

namespace ktsolve::join {

// The number of cycles that each matching closes with the bottom (contraction.hpp), for one pattern: value r
// is at r * stride in the array that is not null.
struct ClosedLane {
    const u32* narrow = nullptr;
    const u64* wide = nullptr;
    u64 stride = 1;
};

struct JoinStep {
    // Each of these is joined with the bottom; those that are folded have the same mirror. More than one, or
    // more than one total, only without `same` and `mirror`.
    std::vector<const Side*> tops;
    const Side& bottom;
    const FieldPermutation* flip; // of separator slots, when the bottom's table is made as a top, or nullptr
    bool same; // with a flip: both sides are the same table, so that the flip maps pairs to pairs
    const FieldPermutation* mirror; // when each side's deferred edges are kept by it, or nullptr
    const Numbering& numbering;
    Context& context;
    u64 part = 0, parts = 1;
    // Fields behind those of the numbering: what each top has there, and the sum with the bottom's.
    u64 beyond = 0, full_beyond = 0;
    std::size_t totals = 1; // of all tops
    // Instead of the sum over all pairs of patterns: the number of each pair that is taken, by its tag, or
    // use(worker, tag, the numbers that its matchings close).
    std::vector<u128>* each = nullptr;
    std::function<void(int, u64, const ClosedLane&)> use = {};
};

// The pairs of patterns that are joined, in order of the top's pattern.
class PatternOrbits {
  public:
    // Marks the patterns that the sides reach. The step must outlive this.
    explicit PatternOrbits(const JoinStep& step);

    // Words of the bit set of patterns.
    u64 words() const { return reached_top_.size(); }
    // The most pairs of ends in a pattern; `enough` if there are at least as many.
    int most_pairs(int enough) const;
    // visit(pattern, opposite, weight) for the orbits whose least pattern lies in these words; `opposite` is
    // the bottom's pattern in its own slots, the weight is the number of pairs in the orbit.
    template <class Visit> void each(u64 word, u64 end, Visit&& visit) const {
        std::array<Orbit, 64> orbits;
        for (; word < end; ++word) {
            std::size_t many = 0;
            for (u64 bits = reached_top_[word]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * word + static_cast<u64>(std::countr_zero(bits));
                const u64 pattern = step_.numbering.pattern(number) | step_.beyond;
                u64 opposite = (step_.numbering.full() | step_.full_beyond) - pattern;
                if (step_.flip != nullptr) opposite = (*step_.flip)(opposite);
                const u64 weight = weight_of(pattern, opposite);
                if (weight == 0) continue;
                const u64 other = step_.numbering.of(opposite);
                prefetch_to_read(&reached_opposite()[other >> 6]);
                orbits[many++] = {pattern, opposite, other, weight};
            }
            for (std::size_t n = 0; n < many; ++n) {
                const Orbit& orbit = orbits[n];
                if ((reached_opposite()[orbit.number >> 6] >> (orbit.number & 63) & 1) != 0)
                    visit(orbit.pattern, orbit.opposite, orbit.weight);
            }
        }
    }

  private:
    struct Orbit {
        u64 pattern, opposite;
        u64 number; // of the opposite pattern
        u64 weight;
    };

    const PagedVector<u64>& reached_opposite() const { return step_.same ? reached_top_ : reached_bottom_; }
    u64 weight_of(u64 pattern, u64 opposite) const; // 0: not joined, or not in the part

    const JoinStep& step_;
    Reservation reserved_;
    PagedVector<u64> reached_top_, reached_bottom_;
};

// Calls take(worker, pattern, opposite, weight) for all orbits, on all threads.
void each_orbit(const JoinStep& step, const PatternOrbits& orbits,
                const std::function<void(int, u64, u64, u64)>& take);

// A sum over pairs of patterns. Each adds less than 2^192, and there are fewer than 2^64 of them.
using Total = std::array<u64, 4>;

struct JoinResult {
    std::vector<Total> totals; // or their residues; in a tally, one per number of uses
    u64 patterns = 0;
    u64 extended = 0;
    bool overflow = false;

    void add(const JoinResult& other, u64 modulus);
    void add(std::size_t total, u128 value, u64 factor, u64 modulus);
    Total sum(u64 modulus) const; // of all totals, or its residue
};

JoinResult run_join_step(const JoinStep& step);

// The same for tables of a tally: totals[u] is the number of cycles that use u tallied edges. One top.
JoinResult run_tally_step(const JoinStep& step);

} // namespace ktsolve::join
