// All Hamiltonian cycles of a graph in a fixed order, by the tables of the two-sided join
// (ktsolve/join/count.hpp).
//
// The join adds up, over the orbits of pairs of patterns, products of counts of two matchings; and the count
// of a state is the sum over its predecessors. With a fixed order of all summands this is a mixed-radix
// number system:
//
//     index  ->  orbit of patterns        by binary search in the running totals
//            ->  symmetry of the orbit    the orbit's total is a multiple of the number of its patterns
//            ->  matching of the top      its entries in order, each weighted by the cycles that it closes
//            ->  number of the top's ways times that of the bottom's
//            ->  way to each of the two states, layer by layer backwards (join/predecessors.hpp)
//
// and the index of a cycle is found by adding up what comes before it at each of these places. The order
// depends on the graph and the plan, not on threads, memory or the layers that are kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ktsolve/common/checked_bytes.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve {

struct RankingReport {
    Status status = Status::done;
    bool overflow = false;            // counts did not fit 63 bits, or their sum 128
    std::vector<std::uint64_t> count; // limbs of the number of cycles
    std::vector<LayerReport> top, bottom;
    std::uint64_t orbits = 0; // of pairs of patterns that some cycle has
    std::uint64_t peak_bytes = 0;
    double seconds_halves = 0, seconds_join = 0;
};

// How unranking or ranking ended. Its results are complete when `status` is done.
struct RankedReport {
    Status status = Status::done;
    std::vector<std::int32_t> cycles;   // of unrank: one after the other
    std::vector<std::uint64_t> indices; // of rank: low and high half of each
};

class JoinRanking {
  public:
    struct Inside; // join/ranking.hpp

    // `bytes` bounds all memory, that of answers included. Throws std::invalid_argument for a plan that does
    // not fit, std::length_error for a frontier too wide. A plan with blocks is refused.
    JoinRanking(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t bytes);
    ~JoinRanking();

    // Makes the tables. With a folder, layers are kept in files there; throws SpillFailed. Only every `gap`th
    // layer is kept from the start (1, 2 or 4).
    RankingReport prepare(const std::string& folder, double seconds, Monitor* monitor = nullptr, int gap = 1);

    // The tables as bytes, for a file: where everything lies (to be called first); the layers, one by one (no
    // bytes for one that is not kept); patterns and running totals of the orbits.
    std::vector<std::uint64_t> directory() const;
    std::vector<std::uint8_t> packed_layer(bool upper, std::size_t number) const;
    std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>> totals() const;
    // Takes the tables from such bytes, which must outlive this, for the same graph and plan: the layers that
    // are kept, those of the top first. Little is read now; the rest is checked when it is read, so that all
    // functions may throw DamagedBytes.
    void restore(const std::vector<std::uint64_t>& directory, std::vector<CheckedBytes> layers,
                 CheckedBytes patterns, CheckedBytes ends);

    // Limbs of the number of cycles.
    std::vector<std::uint64_t> count() const;

    // The cycles with these indices (low and high half of each), each from vertex `start` on and towards the
    // smaller of its neighbours. Throws std::out_of_range.
    RankedReport unrank(const std::vector<std::uint64_t>& indices, int start, int threads, double seconds,
                        Monitor* monitor = nullptr);

    // The indices of cycles, which are given as their vertices in order, one after the other. Throws
    // std::invalid_argument for one that the graph does not have.
    RankedReport rank(const std::int32_t* cycles, std::uint64_t number, int threads, double seconds,
                      Monitor* monitor = nullptr);

    // Bytes of the layers that are kept, and how many of them are.
    std::pair<std::uint64_t, std::uint64_t> kept() const;

  private:
    std::unique_ptr<Inside> inside_;
};

} // namespace ktsolve
