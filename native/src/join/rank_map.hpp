// The effect of an edge or a symmetry on all ranks of a group: a table, or a computation.
#pragma once

#include <unordered_map>

#include "join/edge_choices.hpp"
#include "join/pattern.hpp"
#include "join/transitions.hpp"

namespace ktsolve::join {

struct RankMap {
    enum class What : u8 { same, table, edge, permuted } what = What::same;
    Lookup table;
    Kind kind = Kind::insert; // for `edge`
    u8 i = 0, j = 0;
    const EdgeByBlocks* blocks = nullptr;          // for `edge`, of 8 pairs
    const std::array<u8, kMostEnds>* to = nullptr; // for `permuted`
};

// Calls use(rank), where rank(r) is the image of rank r of `pairs` pairs.
template <class Use> void with_map(const RankMap& map, int pairs, Use&& use) {
    switch (map.what) {
    case RankMap::What::same:
        use([](u64 r) { return r; });
        break;
    case RankMap::What::table:
        if (map.table.narrow != nullptr)
            use([t = map.table.narrow](u64 r) -> u64 { return t[r]; });
        else
            use([t = map.table.wide](u64 r) -> u64 { return t[r]; });
        break;
    case RankMap::What::edge:
        if (map.blocks != nullptr)
            use([blocks = map.blocks](u64 r) { return blocks->rank_after(r); });
        else
            use([edge = EdgeOnMates(map.kind, pairs, map.i, map.j), pairs](u64 r) {
                return edge.rank_after(mates_of_rank(pairs, r));
            });
        break;
    case RankMap::What::permuted:
        use([&map, pairs](u64 r) { return rank_permuted(pairs, map.to->data(), r); });
        break;
    }
}

// What a run does to groups with these ends: an edge between places, or nothing.
struct RunEffect {
    bool same = true; // every matching keeps its rank
    Kind kind = Kind::insert;
    int i = 0, j = 0;
};

inline RunEffect effect_of_run(const Run& run, u64 ends) {
    const bool p_end = (ends & field(run.p, 1)) != 0, q_end = (ends & field(run.q, 1)) != 0;
    const int low = std::min(run.p, run.q), high = std::max(run.p, run.q);
    if (p_end && q_end) return {false, Kind::connect, place_of(ends, low), place_of(ends, high)};
    if (!p_end && !q_end) return {false, Kind::insert, place_of(ends, low), place_of(ends, high) + 1};
    const int from = p_end ? run.p : run.q, to = p_end ? run.q : run.p;
    const int i = place_of(ends, from), j = place_of(ends, to) - (from < to);
    return {i == j, Kind::move, i, j};
}

// The map of a run, an edge p-q, for groups with these ends.
inline RankMap map_of_run(Transitions& transitions, const Run& run, u64 ends, int pairs, u64 lookups) {
    const RunEffect effect = effect_of_run(run, ends);
    if (effect.same) return {};
    RankMap map;
    map.table = transitions.edge(effect.kind, pairs, effect.i, effect.j, lookups);
    map.what = map.table.made() ? RankMap::What::table : RankMap::What::edge;
    if (!map.table.made() && pairs == EdgeByBlocks::kPairs)
        map.blocks = &transitions.by_blocks(effect.kind, effect.i, effect.j);
    map.kind = effect.kind;
    map.i = static_cast<u8>(effect.i);
    map.j = static_cast<u8>(effect.j);
    return map;
}

// Tables of permutations, by pairs and key, so that the shared store is not locked for each group.
class PermutationCache {
  public:
    // `to` must outlive the map.
    RankMap map(Transitions& transitions, int pairs, const std::array<u8, kMostEnds>& to, u64 lookups) {
        RankMap map;
        if (pairs <= Transitions::kMostTabled) {
            const u64 key = permutation_key(to, 2 * pairs);
            if (key == kIdentityKey[static_cast<std::size_t>(pairs)]) return map;
            Lookup& known = known_[static_cast<std::size_t>(pairs)][key];
            if (!known.made()) known = transitions.permutation(pairs, key, lookups);
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

} // namespace ktsolve::join
