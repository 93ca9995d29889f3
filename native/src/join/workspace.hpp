// The workspace of one thread: pairs of patterns are joined, eight at a time.
//
// For a pattern P of the tops and its complement, the bottom's extended group is added up (extension.hpp) and
// turned into the number of cycles that each matching of P closes with it (contraction.hpp). The entries of
// each top's extended group are multiplied by these numbers and added, without being collected first: a
// hundred tops with different ends cost one contraction.
//
// Eight patterns share vector lanes if the symmetries renumber their ends alike (on a board: as many ends in
// each row), because then one permutation of ranks serves all eight. Groups of more pairs are joined
// one by one, as lists (thin_join.hpp).
#pragma once

#include <map>
#include <tuple>

#include "join/lanes.hpp"
#include "join/thin_join.hpp"

namespace ktsolve::join {

// The pairs up to which groups share lanes: 6 where the arrays for 7 would take much of the memory left.
int most_in_lanes(Context& context);

class Workspace : Lanes {
  public:
    // Groups of more than `in_lanes` pairs are joined as lists.
    Workspace(const JoinStep& step, const ContractionLists& lists, int worker,
              int in_lanes = ContractionLists::kMostListed);

    JoinResult result;

    // Adds a pair of patterns to a batch; `opposite` is the bottom's, in its own slots.
    void take(u64 pattern, u64 opposite, u64 weight, u64 tag = 0);

    // Joins the batches that are not full; any thread may do so.
    void finish(int worker);

  private:
    struct Batch {
        std::array<u64, 8> pattern{}, opposite{}, weight{}, tag{};
        int count = 0;
    };

    void join_batch(Batch& batch, int pairs);
    void find_bottom_sources(const Batch& batch);
    template <class Join> void in_words(Join&& join);
    template <class V> void work(const Batch& batch, int pairs);
    template <class V> void weigh(const Batch& batch, int pairs, const V* closed);
    void join_thin(const Batch& one, int pairs);
    void add_sums(const Batch& batch);

    std::map<std::tuple<int, u64, u64, u64>, Batch> batches_;
    int in_lanes_;
    SourceSearch search_;
    std::array<std::vector<Source>, 8> bottom_, top_; // of each lane
    u64 most_ = 0;                                    // bounds the sum of the bottom's counts in a lane
    u64 entries_ = 0;                                 // the most of them in a lane
    std::optional<CountBits> word_; // of the bottom's counts, where they are joined in words
    u64 factor_ = 1;                // what the bits of the word are multiplied by
    std::vector<u128> sums_;        // by lanes and totals
    ThinJoin thin_;
};

} // namespace ktsolve::join
