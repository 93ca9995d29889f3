// What a ranking by the join consists of: tables, running totals, symmetries.
#pragma once

#include <mutex>
#include <optional>

#include "join/join_step.hpp"
#include "join/separator.hpp"
#include "ktsolve/join/ranking.hpp"

namespace ktsolve::join {

// The running totals of the orbits, in memory or in a mapped file.
class OrbitTotals {
  public:
    u64 size() const { return patterns_.size() / 8; }
    u64 pattern(u64 orbit) const { return load8(patterns_.read(8 * orbit, 8)); }
    // The number of cycles up to the end of an orbit, and before it.
    u128 end(u64 orbit) const {
        const u8* const at = ends_.read(16 * orbit, 16);
        return static_cast<u128>(load8(at + 8)) << 64 | load8(at);
    }
    u128 begin(u64 orbit) const { return orbit == 0 ? 0 : end(orbit - 1); }
    u128 count() const { return size() == 0 ? 0 : end(size() - 1); }
    // The orbit in which an index lies, and that of a pattern; else size().
    u64 of_index(u128 index) const;
    u64 of_pattern(u64 pattern) const;

    // Takes the totals of orbits in order of pattern; those without cycles are left out. Throws CountTooWide.
    void fill(ChunkPool& pool, const std::vector<u64>& patterns, const std::vector<u128>& totals,
              const std::vector<u8>& weights);
    // Throws DamagedBytes when the sizes do not fit.
    void map(CheckedBytes&& patterns, CheckedBytes&& ends);
    // The bytes that `map` takes.
    const CheckedBytes& pattern_bytes() const { return patterns_; }
    const CheckedBytes& end_bytes() const { return ends_; }

  private:
    std::vector<u64> own_patterns_, own_ends_;
    std::unique_ptr<Reservation> reserved_;
    CheckedBytes patterns_, ends_;
};

// The symmetries that map pairs of patterns to each other: the identity, the mirror, the flip, both.
class OrbitSymmetries {
  public:
    OrbitSymmetries(const JoinPlan& plan, const Numbering& numbering);

    int size() const { return static_cast<int>(each_.size()); }
    u64 pattern(int symmetry, u64 pattern) const; // the top's pattern of the image
    int vertex(int symmetry, int vertex) const {
        const auto& images = each_[static_cast<std::size_t>(symmetry)].images;
        return images.empty() ? vertex : images[static_cast<std::size_t>(vertex)];
    }
    // The first symmetry that leads to each of the orbit's patterns, in order of symmetries.
    struct Members {
        int count = 0;
        std::array<int, 4> symmetry{};
        std::array<u64, 4> pattern{};
    };
    Members members(u64 least) const;
    u64 least(u64 pattern) const;

    const FieldPermutation* flip() const { return flip_ ? &*flip_ : nullptr; }
    const FieldPermutation* mirror() const { return mirror_ ? &*mirror_ : nullptr; }

  private:
    struct Symmetry {
        bool mirrors, flips;
        std::vector<int> images;
    };
    std::vector<Symmetry> each_;
    u64 full_;
    std::optional<FieldPermutation> flip_, mirror_;
};

// One side: its layers, and the table as the join reads it.
struct RankedSide {
    KeptHalf half;
    std::unique_ptr<Half> end; // borrows the last layer
    std::unique_ptr<PatternIndex> index;
    std::unique_ptr<Side> side;
    std::vector<std::pair<int, int>> deferred; // edges, as the side's choices number them
};

} // namespace ktsolve::join

namespace ktsolve {

struct JoinRanking::Inside {
    Inside(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t bytes);

    // Runs work(context) under limits and returns how it ended.
    template <class Work> Status watched(int most, double seconds, Monitor* monitor, Work&& work) {
        const std::lock_guard lock(mutex);
        Watch watch({seconds, ~std::uint64_t{0}}, monitor);
        Workers workers(std::max(1, most), watch);
        join::Context context{pool, transitions, workers, ends, 0, {}, 0};
        return status_of([&] { work(context); });
    }

    // Makes `end` and `side` of each side, of the last layers.
    void open_sides();
    void make_index(join::RankedSide& side, Workers& workers);
    // Throws DamagedBytes for anything but a pattern on the separator; a file may hold anything.
    void check_orbit(u64 pattern) const;
    bool flipped() const { return !plan.flip.empty(); }
    join::RankedSide& lower() { return flipped() ? top : bottom; }
    join::JoinStep step(join::Context& context);

    Graph graph;
    JoinPlan plan;
    int threads;
    mutable std::mutex mutex;
    join::ChunkPool pool;
    join::Transitions transitions;
    join::Numbering numbering;
    join::EndsOf ends;
    join::OrbitSymmetries symmetries;
    join::ContractionLists lists;
    join::RankedSide top, bottom;
    join::OrbitTotals totals;
};

} // namespace ktsolve
