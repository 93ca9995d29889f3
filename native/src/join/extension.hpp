// One side of the join: the table of a half, and its deferred edges, added on demand.
//
// The table with all deferred edges added would be several times the table itself (10^8 states a side on
// 8x8). It is not stored: for one pattern at a time, each subset of the deferred edges leads back to one
// source pattern, found by the index, whose entries pass through the tables of the subset's runs.
//
// A folded table holds only the smaller of two mirror patterns. When the source is the larger one, the mirror
// images of the edges are applied to the mirror image of the source, and the sum of all these is mirrored
// once, at the end.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "join/contraction.hpp"
#include "join/edge_choices.hpp"
#include "join/half.hpp"
#include "join/index.hpp"
#include "join/kept.hpp"
#include "join/rank_map.hpp"

namespace ktsolve::join {

// A half with an index of its patterns.
struct Table {
    Table(Half&& of, const Numbering& numbering, Workers& workers)
        : half(std::move(of)), index(half.layer, numbering, workers) {}
    Half half;
    PatternIndex index;
};

// A subset of the deferred edges, by the pattern that it leads to.
struct DeferredChoice {
    u64 need_some, need_full; // as in EdgeChoice
    u64 uses;                 // of tallied edges
    u64 delta, number_delta;
    std::vector<Run> runs;
    std::vector<int> chosen; // the edges, by their places in the list
    u64 mirror_delta, mirror_number_delta;
    std::vector<Run> mirror_runs;
};

struct Source {
    GroupRef group;
    u64 pattern;        // of the group
    std::size_t choice; // the subset of deferred edges
    const std::vector<Run>* runs;
    bool mirrored; // the result belongs to the mirror pattern
    u32 uses = 0;  // in a tally: of the group and of the deferred edges
    u64 place = 0; // of the group in the index, if there is one
};

class Side {
  public:
    // `edges` are the deferred ones, as ports in separator slots.
    Side(const Table& table, const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot)
        : Side(table.half, &table.index, nullptr, edges, numbering, split_slot) {}
    // Groups are found by the index, or in the kept layer if there is none.
    Side(const Half& half, const PatternIndex* index, const KeptLayer* kept,
         const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot);

    const Half& half() const { return *half_; }
    const std::vector<DeferredChoice>& choices() const { return choices_; }
    void use_index(const PatternIndex& index) { index_ = &index; }

    // Sets the bits of the numbers of all patterns that the side can reach.
    void mark_reached(std::vector<u64>& bits, Workers& workers) const;

    // Appends all sources of the pattern; returns a bound on the sum of their counts, at most 2^63.
    u64 sources(u64 pattern, std::vector<Source>& found) const;

  private:
    // The groups of a pattern; `one` holds that of a kept layer.
    std::span<const GroupRef> find(u64 number, u64 pattern, GroupRef& one) const {
        if (index_ != nullptr) return index_->find(number);
        one = kept_->find_whole(pattern, ends_);
        return {&one, one.entries == nullptr ? 0u : 1u};
    }

    const Half* half_;
    const PatternIndex* index_;
    const KeptLayer* kept_;
    const Numbering* numbering_;
    EndsOf ends_;
    std::vector<EdgeChoice> forward_;
    std::vector<DeferredChoice> choices_;
};

// Sinks for the entries of a source. AddTo adds each count to the sum of its rank; Weigh multiplies each
// count by the value of its rank and adds the products up. `Stride` sums or values of different patterns lie
// side by side. The rank one past the last is that of states in which an edge has closed a cycle.
template <class Sum, int Stride> struct AddTo {
    Sum* sums;
    void operator()(u64 rank, u64 count) { sums[rank * Stride] += static_cast<Sum>(count); }
};
template <class Value, int Stride, class Total> struct Weigh {
    const Value* values;
    Total total = 0;
    void operator()(u64 rank, u64 count) { total += static_cast<Total>(values[rank * Stride]) * count; }
};

// As Weigh, for all lanes at once.
template <class V, class Total> struct WeighLanes {
    static constexpr int lanes = std::is_same_v<V, u64> ? 1 : 8;
    const V* values;
    std::array<Total, lanes> total{};
    void operator()(u64 rank, u64 count) {
        if constexpr (lanes == 1)
            total[0] += static_cast<Total>(values[rank]) * count;
        else
            for (std::size_t i = 0; i < lanes; ++i) total[i] += static_cast<Total>(values[rank][i]) * count;
    }
};

// One edge after another, where one has no table of 16 bits or there are more than four.
u64 rank_after_all(const std::array<RankMap, 16>& maps, const std::array<u8, 17>& pairs, int count, u64 rank);

template <class Sink>
void extend(const Source& source, Transitions& transitions, const EndsOf& ends_of, Sink& sink) {
    u64 ends = ends_of(source.pattern);
    const int first_pairs = pairs_of(ends);
    const GroupRef& group = source.group;
    std::array<RankMap, 16> maps;
    std::array<u8, 17> pairs{};
    int count = 0;
    bool narrow = true;
    for (const Run& run : *source.runs) {
        const int k = pairs_of(ends);
        const RankMap map = map_of_run(transitions, run, ends, k, group.count);
        ends ^= field(run.p, 1) ^ field(run.q, 1);
        if (map.what == RankMap::What::same) continue;
        pairs[static_cast<std::size_t>(count)] = static_cast<u8>(k);
        maps[static_cast<std::size_t>(count++)] = map;
        narrow = narrow && map.what == RankMap::What::table && map.table.narrow != nullptr;
    }
    pairs[static_cast<std::size_t>(count)] = static_cast<u8>(pairs_of(ends));
    const auto each = [&](auto rank) {
        Sink own = sink; // so that it can live in registers
        for_each_entry(group.entries, group.count, group.width, first_pairs,
                       [&](u64 r, u64 c) { own(rank(r), c); });
        sink = own;
    };
    if (count == 0)
        each([](u64 r) { return r; });
    else if (narrow && count == 1)
        each([t = maps[0].table.narrow](u64 r) -> u64 { return t[r]; });
    else if (narrow && count == 2)
        each([t = maps[0].table.narrow, u = maps[1].table.narrow](u64 r) -> u64 { return u[t[r]]; });
    else if (narrow && count == 3)
        each([t = maps[0].table.narrow, u = maps[1].table.narrow, v = maps[2].table.narrow](u64 r) -> u64 {
            return v[u[t[r]]];
        });
    else if (narrow && count == 4)
        each([t = maps[0].table.narrow, u = maps[1].table.narrow, v = maps[2].table.narrow,
              w = maps[3].table.narrow](u64 r) -> u64 { return w[v[u[t[r]]]]; });
    else
        each([&](u64 r) { return rank_after_all(maps, pairs, count, r); });
}

extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u32, 8>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 8>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 1>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u128>&);

} // namespace ktsolve::join
