// Contracts a vector over matchings, pair by pair, to the number of cycles that each matching closes.
#include "join/contraction.hpp"

#include <algorithm>
#include <stdexcept>

#include "ktsolve/common/vectors.hpp"

namespace ktsolve::join {

ContractionLists::ContractionLists() {
    // By definition: the union of two matchings, followed from end 0, visits all ends.
    for (int m = 0; m < 15; ++m) {
        int found = 0;
        const Mates a = mates_of_rank(3, static_cast<u64>(m));
        for (int n = 0; n < 15; ++n) {
            const Mates b = mates_of_rank(3, static_cast<u64>(n));
            int at = 0, length = 0;
            do {
                at = b[a[static_cast<std::size_t>(at)]];
                ++length;
            } while (at != 0);
            if (length == 3) three_[static_cast<std::size_t>(8 * m + found++)] = static_cast<u8>(n);
        }
    }
}

void ContractionLists::prepare(int pairs, Workers& workers) {
    const auto list = [&](auto& places, int k) {
        if (!places.empty()) return;
        using Place = typename std::decay_t<decltype(places)>::value_type;
        const u64 many = static_cast<u64>(2 * k - 2), block = kMatchings[k - 1];
        places.resize(static_cast<std::size_t>(2 * k - 1) * block * many);
        workers.run(static_cast<u64>(2 * k - 1), [&](int, u64 task) {
            const int x = static_cast<int>(task) + 1;
            Place* const at = places.data() + task * block * many;
            std::vector<u8> filled(block);
            const EdgeOnMates edge(Kind::connect, k, 0, x);
            MatchingWalk(k, [&](u64 rank, const Mates& mates) {
                const u64 then = edge.rank_after(mates);
                if (then < block) at[then * many + filled[then]++] = static_cast<Place>(rank);
            });
        });
    };
    for (int k = 4; k <= std::min(pairs, 6); ++k) list(short_[static_cast<std::size_t>(k - 4)], k);
    if (pairs >= 7) list(long_, 7);
    places_ = {short_[0].data(), short_[1].data(), short_[2].data(), long_.data()};
}

u64 ContractionLists::bytes(int threads) const {
    u64 bytes = 4 * long_.size();
    for (const auto& list : short_) bytes += 2 * list.size();
    // Scratch, and rows of six pairs before and after they are closed.
    const u64 rows = short_[2].empty() ? 0 : 2 * kMatchings[6];
    return bytes + static_cast<u64>(threads) * 8 * words_of_rows<Wide8>(kContractionScratch + rows);
}

namespace {

const ContractionKernel& kernel() {
#if defined(KTSOLVE_X86_64_LEVELS)
    if (vector_level() == VectorLevel::v4) return kContractionV4;
    if (vector_level() == VectorLevel::v3) return kContractionV3;
#endif
    return kContractionPlain;
}

// One count for each matching, mostly 0: contracted from the entries other than 0, down to 7 pairs. There the
// 13 blocks of the result are contracted by themselves, and eight of them share vector lanes.
class SingleContractor {
    static constexpr std::size_t kEntries = std::size_t{1} << 15; // 1.25 MiB

  public:
    SingleContractor(const ContractionLists& lists, ContractionSpace& space) : lists_(lists), space_(space) {}

    void run(int pairs, const u64* b, u64* closed) {
        if (pairs > kMostClosed) throw std::length_error("a pattern has more ends than can be joined");
        if (pairs <= 6) {
            in_lanes<Wide8>(pairs, b, closed);
            return;
        }
        if (pairs == 7) {
            u64 sum = 0;
            for (u64 r = 0; r < kMatchings[7]; ++r) sum += b[r];
            if (sum < u64{1} << 32)
                seven<Narrow8>(b, closed);
            else
                seven<Wide8>(b, closed);
            return;
        }
        // The contraction by (0, x) is added up in block x of `closed`.
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)],
                  block = kMatchings[static_cast<std::size_t>(pairs - 1)];
        std::fill(closed, closed + many, u64{0});
        for (u64 r = 0; r < many;) {
            pause();
            auto& entries = space_.entries;
            for (entries.clear(); r < many && entries.size() < kEntries; ++r)
                if (b[r] != 0) entries.emplace_back(mates_of_rank(pairs, r), b[r]);
            for (int x = 1; x < 2 * pairs; ++x) {
                const EdgeOnMates edge(Kind::connect, pairs, 0, x);
                u64* const left = closed + static_cast<u64>(x - 1) * block;
                for (const auto& [mates, count] : entries)
                    if (const u64 then = edge.rank_after(mates); then < block) left[then] += count;
            }
        }
        auto& level = space_.level[static_cast<std::size_t>(pairs - 8)];
        for (int x = 1; x < 2 * pairs; ++x) {
            pause();
            u64* const left = closed + static_cast<u64>(x - 1) * block;
            level.assign(left, left + block);
            run(pairs - 1, level.data(), left);
        }
    }

  private:
    void pause() {
        if (space_.pause) space_.pause();
    }

    template <class V> void seven(const u64* b, u64* closed) {
        constexpr u64 block = kMatchings[6], many = 12;
        space_.rows.resize(std::max(space_.rows.size(), words_of_rows<V>(block)));
        space_.done.resize(space_.rows.size());
        V *const rows = rows_in<V>(space_.rows), *const done = rows_in<V>(space_.done);
        for (int first = 1; first < 14; first += 8) {
            std::fill(rows, rows + block, V{});
            const int end = std::min(first + 8, 14);
            for (int x = first; x < end; ++x) {
                const u32* n = lists_.places().seven + static_cast<u64>(x - 1) * block * many;
                for (u64 r = 0; r < block; ++r, n += many) {
                    u64 sum = b[n[0]];
                    for (u64 i = 1; i < many; ++i) sum += b[n[i]];
                    rows[r][static_cast<std::size_t>(x - first)] = static_cast<Number<V>>(sum);
                }
            }
            close_cycles(6, rows, done, lists_, space_);
            for (int x = first; x < end; ++x)
                for (u64 r = 0; r < block; ++r)
                    closed[static_cast<u64>(x - 1) * block + r] =
                        done[r][static_cast<std::size_t>(x - first)];
        }
    }
    template <class V> void in_lanes(int pairs, const u64* b, u64* closed) {
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        space_.rows.resize(std::max(space_.rows.size(), words_of_rows<V>(many)));
        space_.done.resize(space_.rows.size());
        V *const rows = rows_in<V>(space_.rows), *const done = rows_in<V>(space_.done);
        std::fill(rows, rows + many, V{});
        for (u64 r = 0; r < many; ++r) rows[r][0] = b[r];
        close_cycles(pairs, rows, done, lists_, space_);
        for (u64 r = 0; r < many; ++r) closed[r] = done[r][0];
    }

    const ContractionLists& lists_;
    ContractionSpace& space_;
};

} // namespace

template <class V>
void close_cycles(int pairs, const V* b, V* closed, const ContractionLists& lists, ContractionSpace& space) {
    if (pairs == 0) {
        closed[0] = V{}; // no path, so no cycle
        return;
    }
    if constexpr (kLanes<V> == 1) {
        SingleContractor(lists, space).run(pairs, b, closed);
    } else {
        if (pairs > ContractionLists::kMostListed)
            throw std::length_error("a pattern has more ends than can share lanes");
        space.scratch.resize(std::max(space.scratch.size(), words_of_rows<V>(kContractionScratch)));
        V* const scratch = rows_in<V>(space.scratch);
        if constexpr (std::is_same_v<V, Narrow8>)
            kernel().close_narrow(pairs, b, closed, lists.places(), scratch);
        else
            kernel().close_wide(pairs, b, closed, lists.places(), scratch);
    }
}

template void close_cycles<Narrow8>(int, const Narrow8*, Narrow8*, const ContractionLists&,
                                    ContractionSpace&);
template void close_cycles<Wide8>(int, const Wide8*, Wide8*, const ContractionLists&, ContractionSpace&);
template void close_cycles<u64>(int, const u64*, u64*, const ContractionLists&, ContractionSpace&);

void rows_of_columns(const u32* columns, u64 stride, u64 many, Narrow8* rows) {
    kernel().rows_narrow(columns, stride, many, rows);
}

void rows_of_columns(const u64* columns, u64 stride, u64 many, Wide8* rows) {
    kernel().rows_wide(columns, stride, many, rows);
}

} // namespace ktsolve::join
