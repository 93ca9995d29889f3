// Joins two groups of many pairs, most of whose matchings have no count: lists of entries instead of arrays
// over all matchings, which would take 16 MB each for 8 pairs, 0.3 GB for 9 and 5 GB for 10.
//
// Block x of C_k(b) is C_{k-1}(b contracted by (0, x)) (contraction.hpp). It is multiplied with the entries
// of the other group in which the first end has the mate x, and with no others. So for each x that occurs the
// list b is contracted to one of a pair less, down to an array over the matchings of six or seven pairs.
#pragma once

#include <vector>

#include "join/contraction.hpp"
#include "join/groups.hpp"
#include "join/transitions.hpp"

namespace ktsolve::join {

// Entries in any order; equal ones are added up when the list has grown to twice what it had.
template <class Entry> class EntryList {
  public:
    explicit EntryList(ChunkPool& pool) : reserved_(pool) {}
    void clear() {
        entries_.clear();
        merge_at_ = kLeast;
    }
    void add(const Entry& entry) {
        if (entries_.size() == entries_.capacity()) make_room();
        entries_.push_back(entry);
    }
    // The entries in order, equal ones added up.
    std::vector<Entry>& merged();

  private:
    static constexpr std::size_t kLeast = std::size_t{1} << 12;
    void make_room();

    Reservation reserved_;
    std::vector<Entry> entries_;
    std::size_t merge_at_ = kLeast;
};

// A count of the group that is contracted.
struct ThinEntry {
    u64 rank, count;
    ThinEntry(u64 of, u64 many, u32 = 0) : rank(of), count(many) {}
    bool same(const ThinEntry& other) const { return rank == other.rank; }
    bool before(const ThinEntry& other) const { return rank < other.rank; }
};

// A count of the other group, and the number of the total to which its products belong.
struct WeighedEntry {
    u64 rank, count;
    u32 total;
    bool same(const WeighedEntry& other) const { return rank == other.rank && total == other.total; }
    bool before(const WeighedEntry& other) const {
        return rank != other.rank ? rank < other.rank : total < other.total;
    }
};

extern template class EntryList<ThinEntry>;
extern template class EntryList<WeighedEntry>;

class ThinJoin {
  public:
    // Groups of more than `base` pairs are joined.
    ThinJoin(int base, ChunkPool& pool, Transitions& transitions, const ContractionLists& lists,
             ContractionSpace& space)
        : contracted(pool), weighed(pool), base_(base), transitions_(transitions), lists_(lists),
          space_(space), reserved_(pool) {}

    EntryList<ThinEntry> contracted;
    EntryList<WeighedEntry> weighed;

    // Adds to sums[t] the products of the entries of total t with the numbers of cycles that they close;
    // whether a sum overflowed.
    bool run(int pairs, std::vector<u128>& sums);

  private:
    struct Span {
        const WeighedEntry *begin, *end;
    };
    void close(int pairs, const std::vector<ThinEntry>& b, Span with, u64 first);
    void close_base(Span with, u64 first);
    // Calls add(rank, count) for the entries, contracted by the ends 0 and x, that leave no cycle.
    template <class Add> void contract(int pairs, int x, const std::vector<ThinEntry>& b, Add&& add) const;

    int base_;
    Transitions& transitions_;
    const ContractionLists& lists_;
    ContractionSpace& space_;
    Reservation reserved_;
    std::array<std::vector<ThinEntry>, kMostEnds / 2> level_; // by pairs
    std::vector<u64> sums_of_base_, closed_;
    u128* sums_ = nullptr;
    bool overflow_ = false;
};

} // namespace ktsolve::join
