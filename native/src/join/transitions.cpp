// See join/transitions.hpp.
#include "join/transitions.hpp"

namespace ktsolve::join {

template <class Rank> const Transitions::Table* Transitions::build(int pairs, int pairs_then, Rank rank) {
    auto table = std::make_unique<Table>();
    const u64 size = kMatchings[pairs];
    if (kMatchings[pairs_then] < (1u << 16)) {
        table->narrow.resize(size + 1, static_cast<u16>(kMatchings[pairs_then]));
        MatchingWalk(pairs, [&](u64 r, const Mates& m) { table->narrow[r] = static_cast<u16>(rank(m)); });
        bytes_ += 2 * size;
    } else {
        table->wide.resize(size + 1, static_cast<u32>(kMatchings[pairs_then]));
        MatchingWalk(pairs, [&](u64 r, const Mates& m) { table->wide[r] = static_cast<u32>(rank(m)); });
        bytes_ += 4 * size;
    }
    if (table->narrow.empty())
        table->lookup.wide = table->wide.data();
    else
        table->lookup.narrow = table->narrow.data();
    ++tables_;
    kept_.push_back(std::move(table));
    return kept_.back().get();
}

Lookup Transitions::build_edge(Place& place, Kind kind, int pairs, int i, int j, u64 lookups) {
    if (pairs >= 7) {
        const u64 before = place.lookups.fetch_add(lookups, std::memory_order_relaxed);
        if (before + lookups < kMatchings[pairs] || !fits(pairs)) return {};
    }
    const std::lock_guard lock(building_);
    if (const Table* table = place.table.load(std::memory_order_acquire)) return table->lookup;
    const EdgeOnMates edge(kind, pairs, i, j);
    const Table* table =
        build(pairs, pairs_after(kind, pairs), [&](const Mates& m) { return edge.rank_after(m); });
    place.table.store(table, std::memory_order_release);
    return table->lookup;
}

Lookup Transitions::permutation(int pairs, u64 key, u64 lookups) {
    if (pairs > kMostTabled) return {};
    const std::lock_guard lock(building_);
    auto& place = permutations_[pairs][key];
    if (!place) place = std::make_unique<Place>();
    if (const Table* table = place->table.load(std::memory_order_relaxed)) return table->lookup;
    const u64 before = place->lookups.fetch_add(lookups, std::memory_order_relaxed);
    if (pairs >= 7 && (before + lookups < kMatchings[pairs] || !fits(pairs))) return {};
    std::array<u8, 2 * kMostTabled> to{};
    for (int e = 0; e < 2 * pairs; ++e) to[e] = static_cast<u8>((key >> (4 * e)) & 15);
    const Table* table =
        build(pairs, pairs, [&](const Mates& m) { return rank_permuted(pairs, to.data(), m); });
    place->table.store(table, std::memory_order_relaxed);
    return table->lookup;
}

} // namespace ktsolve::join
