// One side of the join: the table of a half, and its deferred edges, added on demand.
//
// The table with all deferred edges added would be several times the table itself (10^8 states a side on
// 8x8). It is not stored: for one pattern at a time, each subset of the deferred edges leads back to one
// source pattern, found by the index, whose entries pass through the tables of the subset's runs.
//
// A folded table holds only the smaller of two mirror patterns. When the source is the larger one, the mirror
// images of the edges are applied to the mirror image of the source, and the sum of all these is mirrored
// once, at the end. A source that is its own mirror image counts in both ways.
//
// Tables that differ in the ends of an open tour are one side: they have one index, and a source is looked
// for once. Each is joined with *endings*, edges to the extra vertex from ends in the separator; each pair of
// a table and an ending has a total of its own.
#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "common/eight.hpp"
#include "join/edge_choices.hpp"
#include "join/half.hpp"
#include "join/index.hpp"
#include "join/kept.hpp"
#include "join/rank_map.hpp"
#include "join/thin_join.hpp"

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
    u64 uses; // of tallied edges
    u64 delta, number_delta;
    std::vector<Run> runs;
    std::vector<int> chosen; // the edges, by their places in the list
    u64 mirror_delta, mirror_number_delta;
    std::vector<Run> mirror_runs;
    int ending = 0; // -1: nothing is joined with the subset by itself, only with what follows
};

// Which patterns a choice leads to. Thousands of these are tried for each pattern, so they lie by themselves.
struct ChoiceTest {
    u64 need_some, need_full; // as in EdgeChoice
    u32 next;                 // the first choice behind this one that does not contain it
    bool joined;              // whether the choice has an ending
};

// Required edges with which some tables of a side are joined.
struct Ending {
    std::vector<PortEdge> edges;
    std::vector<int> totals; // by tables: the number of the total, -1 for those that are not joined with it
};

struct Source {
    GroupRef group;
    u64 pattern;        // of the group
    std::size_t choice; // the subset of deferred edges
    const std::vector<Run>* runs;
    bool mirrored; // the result belongs to the mirror pattern
    u32 uses = 0;  // in a tally: of the group and of the deferred edges
    u32 total = 0; // to which the products with its entries belong
    u64 place = 0; // of the group in the index, if there is one
};

// A subset of the deferred edges that may lead to a pattern, and the pattern that it leads from.
struct Candidate {
    u64 number, source;
    u32 choice;
    bool mirrored;
};

class Side {
  public:
    // `edges` are the deferred ones, as ports in separator slots.
    Side(const Table& table, const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot)
        : Side({&table.half}, &table.index, nullptr, edges, {{{}, {0}}}, numbering, split_slot) {}
    // Groups are found by the index, else in the kept layer. Several tables, of which all or
    // none are folded, by the same mirror, have an index of their layers in this order.
    Side(std::vector<const Half*> tables, const PatternIndex* index, const KeptLayer* kept,
         const std::vector<PortEdge>& edges, const std::vector<Ending>& endings, const Numbering& numbering,
         int split_slot);

    bool folded() const { return tables_.front()->folded; }
    const FieldPermutation& mirror() const { return tables_.front()->mirror; }
    const std::vector<DeferredChoice>& choices() const { return choices_; }
    void use_index(const PatternIndex& index) { index_ = &index; }

    // Sets the bits of the numbers of all patterns that the side can reach.
    void mark_reached(PagedVector<u64>& bits, Workers& workers) const;

    // Appends all sources of the pattern; returns a bound on the sum of their counts, at most kWideSum.
    u64 sources(u64 pattern, std::vector<Source>& found) const;
    // The same in steps, between which memory has time to come: where sources may be, which of these are
    // there, the sources.
    void candidates(u64 pattern, std::vector<Candidate>& found) const;
    void keep_present(std::vector<Candidate>& candidates) const;
    u64 sources_of(const std::vector<Candidate>& candidates, std::vector<Source>& found) const;

  private:
    std::vector<const Half*> tables_;
    const PatternIndex* index_;
    const KeptLayer* kept_;
    const Numbering* numbering_;
    EndsOf ends_;
    std::vector<std::vector<int>> totals_; // by endings and tables
    std::vector<EdgeChoice> forward_;
    std::vector<DeferredChoice> choices_;
    std::vector<ChoiceTest> tests_; // of the choices
};

// Sinks for the entries of a source. AddTo adds each count to the sum of its rank; Weigh multiplies each
// count by the value of its rank and adds the products up. `Stride` values of different patterns lie side by
// side. The rank one past the last is that of states in which an edge has closed a cycle.
template <class Sum> struct AddTo {
    Sum* sums;
    void operator()(u64 rank, u64 count) { sums[rank] += static_cast<Sum>(count); }
};
// Some bits of a count, or all.
struct CountBits {
    int from = 0;
    u64 mask = ~u64{0};
    u64 operator()(u64 count) const { return count >> from & mask; }
};
struct AddBits {
    u64* sums;
    CountBits bits;
    void operator()(u64 rank, u64 count) { sums[rank] += bits(count); }
};
template <class Value, int Stride, class Total> struct Weigh {
    const Value* values;
    Total total = 0;
    void operator()(u64 rank, u64 count) { total += static_cast<Total>(values[rank * Stride]) * count; }
};

// Appends each entry to a list; `to`, if there is one, renames the ends.
template <class Entry> struct Collect {
    EntryList<Entry>* list;
    const u8* to;
    int pairs;
    u64 none; // rank of states with a closed cycle
    u32 total;
    CountBits bits;
    void operator()(u64 rank, u64 count) {
        count = bits(count);
        if (rank != none && count != 0)
            list->add({to == nullptr ? rank : rank_permuted(pairs, to, rank), count, total});
    }
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

// The same for groups that have many edges, or edges without a table of 16 bits: a block of entries at a time
// passes one edge after another.
template <class Sink>
void extend_in_blocks(const Source& source, Transitions& transitions, const EndsOf& ends_of, Sink& sink) {
    constexpr std::size_t kBlock = 256;
    struct Step {
        RankMap map;
        int pairs;
        u64 none, none_after; // the ranks of states with a closed cycle
    };
    std::vector<Step> steps;
    u64 ends = ends_of(source.pattern);
    const int first_pairs = pairs_of(ends);
    const GroupRef& group = source.group;
    for (const Run& run : *source.runs) {
        const int k = pairs_of(ends);
        const RankMap map = map_of_run(transitions, run, ends, k, group.count);
        ends ^= field(run.p, 1) ^ field(run.q, 1);
        if (map.what != RankMap::What::same)
            steps.push_back({map, k, kMatchings[static_cast<std::size_t>(k)],
                             kMatchings[static_cast<std::size_t>(pairs_of(ends))]});
    }
    std::array<u64, kBlock> ranks, counts;
    std::size_t n = 0;
    const auto flush = [&] {
        for (const Step& step : steps)
            with_map(step.map, step.pairs, [&](auto rank) {
                for (std::size_t i = 0; i < n; ++i)
                    ranks[i] = ranks[i] == step.none ? step.none_after : rank(ranks[i]);
            });
        Sink own = sink;
        for (std::size_t i = 0; i < n; ++i) own(ranks[i], counts[i]);
        sink = own;
        n = 0;
    };
    for_each_entry(group.entries, group.count, group.width, first_pairs, [&](u64 r, u64 c) {
        ranks[n] = r;
        counts[n++] = c;
        if (n == kBlock) flush();
    });
    flush();
}

template <class Sink>
void extend(const Source& source, Transitions& transitions, const EndsOf& ends_of, Sink& sink) {
    u64 ends = ends_of(source.pattern);
    const int first_pairs = pairs_of(ends);
    const GroupRef& group = source.group;
    const u16* tables[4]; // left as they are: a group has a hundred entries
    int count = 0;
    for (const Run& run : *source.runs) {
        const RunEffect effect = effect_of_run(run, ends);
        const int k = pairs_of(ends);
        ends ^= field(run.p, 1) ^ field(run.q, 1);
        if (effect.same) continue;
        const u16* const table =
            count == 4 ? nullptr : transitions.edge(effect.kind, k, effect.i, effect.j, group.count).narrow;
        if (table == nullptr) {
            extend_in_blocks(source, transitions, ends_of, sink);
            return;
        }
        tables[count++] = table;
    }
    const auto each = [&](auto rank) {
        Sink own = sink; // so that it can live in registers
        for_each_entry(group.entries, group.count, group.width, first_pairs,
                       [&](u64 r, u64 c) { own(rank(r), c); });
        sink = own;
    };
    const u16 *const t = tables[0], *const u = tables[1], *const v = tables[2], *const w = tables[3];
    switch (count) {
    case 0:
        each([](u64 r) { return r; });
        break;
    case 1:
        each([t](u64 r) -> u64 { return t[r]; });
        break;
    case 2:
        each([t, u](u64 r) -> u64 { return u[t[r]]; });
        break;
    case 3:
        each([t, u, v](u64 r) -> u64 { return v[u[t[r]]]; });
        break;
    default:
        each([t, u, v, w](u64 r) -> u64 { return w[v[u[t[r]]]]; });
        break;
    }
}

extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u32>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddBits&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Collect<ThinEntry>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Collect<WeighedEntry>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u128>&);

} // namespace ktsolve::join
