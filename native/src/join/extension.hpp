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
#include <vector>

#include "join/edge_choices.hpp"
#include "join/half.hpp"
#include "join/index.hpp"
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
    u64 delta, number_delta;
    std::vector<Run> runs;
    u64 mirror_delta, mirror_number_delta;
    std::vector<Run> mirror_runs;
};

struct Source {
    const GroupRef* group;
    u64 pattern; // of the group
    const std::vector<Run>* runs;
    bool mirrored; // the result belongs to the mirror pattern
};

class Side {
  public:
    // `edges` are the deferred ones, as ports in separator slots.
    Side(const Table& table, const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot);

    const Half& half() const { return *half_; }
    const std::vector<DeferredChoice>& choices() const { return choices_; }

    // Sets the bits of the numbers of all patterns that the side can reach.
    void mark_reached(std::vector<u64>& bits, Workers& workers) const;

    // Appends all sources of the pattern; returns a bound on the sum of their counts, at most 2^63.
    u64 sources(u64 pattern, std::vector<Source>& found) const;

  private:
    const Half* half_;
    const PatternIndex* index_;
    const Numbering* numbering_;
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

template <class Sink>
void extend(const Source& source, Transitions& transitions, const EndsOf& ends_of, Sink& sink);

extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u32, 8>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 8>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 1>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u64>&);
extern template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u128>&);

} // namespace ktsolve::join
