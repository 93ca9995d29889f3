// The states from which a step leads to a given state, in a fixed order: the tables followed backwards.
//
// An edge choice fixes the pattern before it. The effect of its run on the matching is inverted: an inserted
// or moved end has one origin; when two ends were connected, their mates were one of the pairs that are left,
// either way round. The counts of these states are found by binary search, since entries are sorted by rank.
// The order is by choice and then by origin. It depends on the plan alone, not on how layers are stored.
#pragma once

#include <unordered_map>

#include "join/kept.hpp"
#include "join/rank_map.hpp"

namespace ktsolve::join {

struct State {
    u64 pattern = 0, rank = 0;
};

// The place of a rank among the entries of a group; the number of entries if it is not there.
inline u64 place_of_rank(const GroupRef& group, int pairs, u64 rank) {
    const auto width = static_cast<u64>(group.width);
    const u64 ranks = (u64{1} << kRankBits[static_cast<std::size_t>(pairs)]) - 1;
    u64 low = 0, many = group.count;
    while (many > 0) {
        const u64 half = many / 2;
        if ((load8(group.entries + (low + half) * width) & ranks) < rank) {
            low += half + 1;
            many -= half + 1;
        } else {
            many = half;
        }
    }
    return low < group.count && (load8(group.entries + low * width) & ranks) == rank ? low : group.count;
}

struct Entry {
    u64 rank, count;
};

inline Entry entry_at(const GroupRef& group, int pairs, u64 place) {
    Entry entry{0, 0};
    for_each_entry(group.entries + place * static_cast<u64>(group.width), 1, group.width, pairs,
                   [&](u64 rank, u64 count) { entry = {rank, count}; });
    return entry;
}

// Calls visit(rank) for each matching that the effect turns into `after`, until it returns true.
template <class Visit>
bool each_origin(const RunEffect& effect, int pairs, const Mates& after, Visit&& visit) {
    std::array<u8, kMostEnds> place, origin{};
    places_after(effect.kind, pairs, effect.i, effect.j, place);
    const auto i = static_cast<std::size_t>(effect.i), j = static_cast<std::size_t>(effect.j);
    const auto ends = static_cast<std::size_t>(2 * pairs);
    const bool connects = effect.kind == Kind::connect;
    for (std::size_t e = 0; e < ends; ++e)
        if (!connects || (e != i && e != j)) origin[place[e]] = static_cast<u8>(e);
    if (effect.kind == Kind::insert && after[i] != j) return false;
    Mates before;
    for (std::size_t e = 0; e < ends; ++e)
        if (!connects || (e != i && e != j)) before[e] = origin[after[place[e]]];
    if (!connects) return visit(rank_of_mates(pairs, before));
    for (std::size_t a = 0; a + 2 < ends; ++a) {
        const std::size_t b = after[a];
        const std::size_t one = origin[a], other = origin[b];
        // Each pair is met from both of its ends, once for each way round.
        before[one] = static_cast<u8>(i);
        before[i] = static_cast<u8>(one);
        before[other] = static_cast<u8>(j);
        before[j] = static_cast<u8>(other);
        if (visit(rank_of_mates(pairs, before))) return true;
        before[one] = static_cast<u8>(other);
        before[other] = static_cast<u8>(one);
    }
    return false;
}

class Tracer {
  public:
    Tracer(const KeptHalf& half, const EndsOf& ends) : half_(&half), ends_(ends) {}

    // Calls visit(choice, state, count) for each state before the step from which the choice leads to
    // `after`, until it returns true; returns whether it did. All counts are above 0.
    template <class Visit> bool each(std::size_t step, const State& after, Visit&& visit) {
        const Mates mates = mates_of_rank(pairs_of(ends_(after.pattern)), after.rank);
        const auto& choices = half_->steps[step].choices;
        const KeptLayer& layer = half_->layers[step];
        for (std::size_t c = 0; c < choices.size(); ++c) {
            const EdgeChoice& choice = choices[c];
            const u64 pattern = after.pattern - choice.delta;
            if (!choice.applies(pattern)) continue;
            GroupRef group;
            if (layer.kept()) {
                group = layer.find(pattern);
                if (group.entries == nullptr) continue;
            }
            const u64 ends = ends_(pattern);
            const int pairs = pairs_of(ends);
            const auto try_rank = [&](u64 rank) {
                u64 count;
                if (layer.kept()) {
                    const u64 place = place_of_rank(group, pairs, rank);
                    if (place == group.count) return false;
                    count = entry_at(group, pairs, place).count;
                } else {
                    count = count_of(step, {pattern, rank});
                    if (count == 0) return false;
                }
                return static_cast<bool>(visit(c, State{pattern, rank}, count));
            };
            // An elimination has one run at most, and so has a set of pre-applied edges.
            const RunEffect effect = choice.runs.empty() ? RunEffect{} : effect_of_run(choice.runs[0], ends);
            if (effect.same ? try_rank(after.rank) : each_origin(effect, pairs, mates, try_rank)) return true;
        }
        return false;
    }

    // The count of a state before a step whose layer is missing: the sum over its predecessors. Sums are
    // remembered, since different states have predecessors in common.
    u64 count_of(std::size_t step, const State& state) {
        const Missing key{step, state.pattern, state.rank};
        if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
        u64 sum = 0; // fits: sums of groups have 63 bits where tours are numbered
        (void)each(step - 1, state, [&](std::size_t, const State&, u64 count) {
            sum += count;
            return false;
        });
        if (counts_.size() >= kMostRemembered) counts_.clear();
        counts_.emplace(key, sum);
        return sum;
    }

  private:
    static constexpr std::size_t kMostRemembered = 1 << 18;

    struct Missing {
        std::size_t step;
        u64 pattern, rank;
        bool operator==(const Missing&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Missing& m) const {
            u64 mixed = (m.pattern ^ (m.rank * 0x9E3779B97F4A7C15ull)) + m.step;
            mixed = (mixed ^ (mixed >> 31)) * 0xD6E8FEB86659FD93ull;
            return mixed ^ (mixed >> 32);
        }
    };

    const KeptHalf* half_;
    EndsOf ends_;
    std::unordered_map<Missing, u64, Hash> counts_; // in layers that are missing
};

} // namespace ktsolve::join
