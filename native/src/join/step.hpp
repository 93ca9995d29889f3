// One vertex: the layer after it from the layer before it, by merging.
//
// Every way adds one constant to the pattern, so the results of a way come in pattern order when the sources
// are walked in pattern order. One cursor per way walks the old layer; the smallest new pattern among them is
// the next group, and all cursors that stand on it add their entries, through the tables, to one accumulator.
// No hashing and no sorting; memory is read and written in order. Threads take ranges of new patterns.
//
// Hashing states one by one took twenty times as long in a trial of the same plan.
#pragma once

#include <deque>
#include <unordered_map>

#include "join/accumulator.hpp"
#include "join/restriction.hpp"
#include "join/ways.hpp"
#include "join/workers.hpp"

namespace ktsolve::join {

// What the half needs at every step.
struct Workshop {
    ChunkPool& pool;
    Transitions& transitions;
    Workers& workers;
    EndsOf ends;
    u64 modulus;
    std::deque<Accumulator> accumulators; // one per worker
    u64 transitions_done = 0;
};

// The map that a single edge p-q means for groups with these ends.
inline RankMap map_of_run(Transitions& transitions, const Run& run, u64 ends, int pairs, u64 asked) {
    const bool p_end = (ends & field(run.p, 1)) != 0, q_end = (ends & field(run.q, 1)) != 0;
    Kind kind;
    int i, j;
    if (p_end && q_end) {
        kind = Kind::connect;
        i = place_of(ends, std::min(run.p, run.q));
        j = place_of(ends, std::max(run.p, run.q));
    } else if (!p_end && !q_end) {
        kind = Kind::insert;
        const int low = std::min(run.p, run.q), high = std::max(run.p, run.q);
        i = place_of(ends, low);
        j = place_of(ends, high) + 1;
    } else {
        kind = Kind::move;
        const int from = p_end ? run.p : run.q, to = p_end ? run.q : run.p;
        i = place_of(ends, from);
        j = place_of(ends, to) - (from < to);
        if (i == j) return {};
    }
    RankMap map;
    map.table = transitions.edge(kind, pairs, i, j, asked);
    map.what = map.table.made() ? RankMap::What::table : RankMap::What::edge;
    map.kind = kind;
    map.i = static_cast<u8>(i);
    map.j = static_cast<u8>(j);
    return map;
}

// Tables of permutations, by pairs and key, without asking the shared store each time.
class PermutationCache {
  public:
    // `to` must outlive the map.
    RankMap map(Transitions& transitions, int pairs, const std::array<u8, kMostEnds>& to, u64 asked) {
        RankMap map;
        if (pairs <= Transitions::kMostTabled) {
            const u64 key = permutation_key(to, 2 * pairs);
            if (key == kIdentityKey[static_cast<std::size_t>(pairs)]) return map;
            Lookup& known = known_[static_cast<std::size_t>(pairs)][key];
            if (!known.made()) known = transitions.permutation(pairs, key, asked);
            map.table = known;
            if (known.made()) {
                map.what = RankMap::What::table;
                return map;
            }
        }
        map.what = RankMap::What::permuted;
        map.to = &to;
        return map;
    }

  private:
    std::array<std::unordered_map<u64, Lookup>, Transitions::kMostTabled + 1> known_;
};

Layer take_step(const Layer& old, const std::vector<Way>& ways, const Restriction& restriction,
                Workshop& shop);

// Adds to each group the mirror image of its mirror pattern, and keeps one of the two. With `whole`, groups
// that are their own mirror image get theirs as well, so that afterwards all counts are doubled ones.
Layer fold(const Layer& old, const FieldPermutation& mirror, bool whole, Workshop& shop);

// Where to cut the new patterns so that each range means about equal work.
struct Ranges {
    std::vector<u64> cuts; // range i is cuts[i] <= pattern < cuts[i + 1]
    u64 size() const { return cuts.size() - 1; }
};
Ranges ranges_for(const Layer& old, const std::vector<Way>& ways);

} // namespace ktsolve::join
