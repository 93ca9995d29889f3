// Tables rank -> rank, built on demand.
//
// An edge is one look-up: the table of (kind, pairs, i, j) gives the rank after it. 16 bits hold results of
// up to 6 pairs, 32 bits those of more. The *spare rank*, one past the last, stands for "would close a
// cycle", so that callers add into a spare place instead of branching; it leads to itself, so that tables can
// be chained. A table is made of tables of fewer pairs, block by block of the first end's mate, at a
// nanosecond an entry. Those of 7 pairs (0.5 MB each) are made after a thirty-second as many look-ups as they
// have entries, those of 8 (8 MB each) after as many; before that, and beyond 8 pairs, ranks are computed (a
// hundred nanoseconds instead of a few).
//
// A symmetry permutes the ends; its tables are kept by the permutation.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "join/groups.hpp"

namespace ktsolve::join {

// A table with one of two widths; with neither, ranks are computed.
struct Lookup {
    const u16* narrow = nullptr;
    const u32* wide = nullptr;
    bool made() const { return narrow != nullptr || wide != nullptr; }
};

// An edge on the matchings of 8 pairs, without their table: of most blocks of the first end's mate the ranks
// are those of an edge on the other 7 pairs.
class EdgeByBlocks {
  public:
    static constexpr int kPairs = 8;
    struct Block {
        Lookup rest; // not made: this block is computed
        u64 first = 0, closed = ~u64{0};
    };
    EdgeByBlocks(Kind kind, int i, int j, const std::array<Block, 2 * kPairs - 1>& blocks)
        : edge_(kind, kPairs, i, j), blocks_(blocks),
          closed_(kMatchings[static_cast<std::size_t>(pairs_after(kind, kPairs))]) {}

    u64 rank_after(u64 rank) const {
        constexpr u64 size = kMatchings[kPairs - 1];
        const Block& block = blocks_[rank / size];
        if (!block.rest.made()) return edge_.rank_after(mates_of_rank(kPairs, rank));
        const u64 at = rank % size;
        const u64 then = block.rest.narrow != nullptr ? block.rest.narrow[at] : block.rest.wide[at];
        return then == block.closed ? closed_ : block.first + then;
    }

  private:
    EdgeOnMates edge_;
    std::array<Block, 2 * kPairs - 1> blocks_;
    u64 closed_;
};

class Transitions {
  public:
    static constexpr int kMostTabled = 8; // pairs before the edge

    // Tables count against the pool's budget, if there is one; large ones take an eighth of it at most.
    explicit Transitions(ChunkPool* pool = nullptr)
        : most_bytes_(pool == nullptr ? ~u64{0} : pool->left() / 8) {
        if (pool != nullptr) reserved_.emplace(*pool);
    }

    // The table; an empty Lookup if with `lookups` more there were too few look-ups for a large one.
    Lookup edge(Kind kind, int pairs, int i, int j, u64 lookups) {
        if (pairs > kMostTabled || pairs_after(kind, pairs) > kMostTabled) return {};
        const std::size_t place = number(kind, pairs, i, j);
        if (const void* table = made_[place].load(std::memory_order_acquire))
            return lookup_in(table, pairs_after(kind, pairs));
        return build_edge(places_[place], kind, pairs, i, j, lookups);
    }

    // For 8 pairs, where there is no table.
    const EdgeByBlocks& by_blocks(Kind kind, int i, int j) {
        Place& place = places_[number(kind, EdgeByBlocks::kPairs, i, j)];
        if (const EdgeByBlocks* known = place.blocks.load(std::memory_order_acquire)) return *known;
        return build_blocks(place, kind, i, j);
    }

    // `key` holds to[e] in bits 4e..4e+3; pairs <= 8.
    Lookup permutation(int pairs, u64 key, u64 lookups);

    u64 bytes() const { return bytes_.load(std::memory_order_relaxed); }
    u64 tables() const { return tables_.load(std::memory_order_relaxed); }

  private:
    struct Table {
        std::vector<u16> narrow;
        std::vector<u32> wide;
        Lookup lookup;
    };
    struct Place {
        std::atomic<const EdgeByBlocks*> blocks{nullptr};
        std::atomic<u64> lookups{0};
    };
    struct Permutation {
        Lookup table;
        u64 lookups = 0;
    };
    // The numbers at `table` are ranks of `pairs` pairs.
    static Lookup lookup_in(const void* table, int pairs) {
        if (is_narrow(pairs)) return {static_cast<const u16*>(table), nullptr};
        return {nullptr, static_cast<const u32*>(table)};
    }
    static bool is_narrow(int pairs) { return kMatchings[static_cast<std::size_t>(pairs)] < (1u << 16); }
    Lookup build_edge(Place& place, Kind kind, int pairs, int i, int j, u64 lookups);
    // The table of an edge, which is made at first use; `building_` is held.
    Lookup edge_table(Kind kind, int pairs, int i, int j);
    const EdgeByBlocks& build_blocks(Place& place, Kind kind, int i, int j);
    Lookup permutation_table(int pairs, u64 key);
    // Writes the ranks after an edge, or a permutation of the ends.
    template <class T> void compose(Kind kind, int pairs, int i, int j, T* after);
    template <class T> void compose_permutation(int pairs, u64 key, T* after);
    // Keeps a table of ranks of `pairs_then` pairs that `fill` writes.
    template <class Fill> const Table* build(int pairs, int pairs_then, Fill fill);

    static constexpr int kSide = 2 * kMostTabled + 2;
    static std::size_t number(Kind kind, int pairs, int i, int j) {
        return ((static_cast<std::size_t>(kind) * (kMostTabled + 1) + static_cast<std::size_t>(pairs)) *
                    kSide +
                static_cast<std::size_t>(i)) *
                   kSide +
               static_cast<std::size_t>(j);
    }

    // So many tables of this size.
    bool fits(int pairs, u64 tables = 1) const {
        return bytes() + 4 * tables * kMatchings[static_cast<std::size_t>(pairs)] <= most_bytes_;
    }
    void count(u64 bytes); // throws Stopped

    u64 most_bytes_;
    std::optional<Reservation> reserved_;
    static constexpr std::size_t kPlaces = 3 * (kMostTabled + 1) * kSide * kSide;
    // The tables of edges by number(): by themselves they fit a cache.
    std::vector<std::atomic<const void*>> made_ = std::vector<std::atomic<const void*>>(kPlaces);
    std::vector<Place> places_ = std::vector<Place>(kPlaces);
    std::mutex building_;
    std::array<std::unordered_map<u64, Permutation>, kMostTabled + 1> permutations_;
    std::vector<std::unique_ptr<const Table>> kept_;
    std::vector<std::unique_ptr<const EdgeByBlocks>> kept_blocks_;
    std::atomic<u64> bytes_{0}, tables_{0};
};

} // namespace ktsolve::join
