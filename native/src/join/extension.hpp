// One side of the join: the table of a half, and its middle edges added on demand.
//
// The table with all middle edges added would be several times the table itself (10^8 states a side on
// 8x8). It is never stored: for one pattern at a time, each subset of the middle edges leads back to one
// source pattern, found by the index, whose entries pass through the tables of the subset's runs.
//
// A folded table holds only the smaller of two mirror patterns. When the source is the other one, the mirror
// images of the edges are applied to the mirror image of the source, and the sum of all these is mirrored at
// the end, once.
#pragma once

#include <array>
#include <vector>

#include "join/half.hpp"
#include "join/index.hpp"
#include "join/rank_map.hpp"
#include "join/ways.hpp"

namespace ktsolve::join {

// A half in which patterns are found.
struct Table {
    Table(Half&& of, const Numbering& numbering, Workers& workers)
        : half(std::move(of)), index(half.layer, numbering, workers) {}
    Half half;
    PatternIndex index;
};

// A subset of middle edges, seen from the pattern that it leads to.
struct PullWay {
    u64 need_some, need_full; // the fields that it fills
    u64 delta, number_delta;
    std::vector<Run> runs;
    u64 mirror_delta, mirror_number_delta;
    std::vector<Run> mirror_runs;
};

struct Source {
    const GroupRef* group;
    u64 pattern; // of the group
    const std::vector<Run>* runs;
    bool mirrored; // what comes out belongs to the mirror pattern
};

class Side {
  public:
    // `edges` are the pulled ones, as ports in middle slots.
    Side(const Table& table, const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot);

    const Half& half() const { return *half_; }
    const std::vector<PullWay>& ways() const { return ways_; }

    // Marks the numbers of all patterns that can come out.
    void mark_reached(std::vector<u64>& bits, Workers& workers) const;

    // Everything that leads to the pattern, appended; returns a bound on the sum of counts, or 2^63 if it may
    // be more.
    u64 sources(u64 pattern, std::vector<Source>& found) const;

  private:
    const Half* half_;
    const PatternIndex* index_;
    const Numbering* numbering_;
    std::vector<Way> forward_;
    std::vector<PullWay> ways_;
};

// What becomes of the entries of a source: they are added to sums, `Stride` of which lie side by side, or
// multiplied by what stands there, and added up. Ranks go up to one past the last: the edge closed a cycle.
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
