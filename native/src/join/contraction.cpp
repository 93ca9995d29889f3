// See join/contraction.hpp.
#include "join/contraction.hpp"

#include <stdexcept>

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

void ContractionLists::prepare(int pairs) {
    for (int k = 4; k <= std::min(pairs, kMostListed); ++k) {
        auto& list = lists_[static_cast<std::size_t>(k)];
        if (!list.empty()) continue;
        const u64 many = static_cast<u64>(2 * k - 2), block = kMatchings[k - 1];
        list.resize(static_cast<std::size_t>(2 * k - 1) * block * many);
        std::vector<u8> filled(block);
        for (int x = 1; x < 2 * k; ++x) {
            u32* const at = list.data() + static_cast<std::size_t>(x - 1) * block * many;
            std::fill(filled.begin(), filled.end(), u8{0});
            const EdgeOnMates edge(Kind::connect, k, 0, x);
            MatchingWalk(k, [&](u64 rank, const Mates& mates) {
                const u64 then = edge.rank_after(mates);
                if (then < block) at[then * many + filled[then]++] = static_cast<u32>(rank);
            });
        }
    }
}

u64 ContractionLists::bytes() const {
    u64 bytes = 0;
    for (const auto& list : lists_) bytes += 4 * list.size();
    return bytes;
}

namespace {

template <class V> bool any(const V& v) {
    if constexpr (sizeof(V) == sizeof(u64)) {
        return v != 0;
    } else {
        bool found = false;
        for (std::size_t i = 0; i < 8; ++i) found = found || v[i] != 0;
        return found;
    }
}

template <class V> class Contractor {
  public:
    Contractor(const ContractionLists& lists, Transitions& transitions, ContractionSpace<V>& space)
        : lists_(lists), transitions_(transitions), space_(space) {}

    template <int K> void run(const V* b, V* closed) {
        if constexpr (K == 1) {
            closed[0] = b[0];
        } else if constexpr (K == 2) {
            closed[0] = b[1] + b[2];
            closed[1] = b[0] + b[2];
            closed[2] = b[0] + b[1];
        } else if constexpr (K == 3) {
            for (int m = 0; m < 15; ++m) {
                const u8* n = lists_.completions(m);
                closed[m] =
                    ((b[n[0]] + b[n[1]]) + (b[n[2]] + b[n[3]])) + ((b[n[4]] + b[n[5]]) + (b[n[6]] + b[n[7]]));
            }
        } else {
            constexpr u64 block = kMatchings[K - 1];
            auto& level = space_.level[K - 1];
            if (level.size() < block + 1) level.resize(block + 1);
            V* const contracted = level.data();
            for (int x = 1; x < 2 * K; ++x) {
                if (K >= 7 && space_.pause) space_.pause();
                contract<K>(x, b, contracted);
                run<K - 1>(contracted, closed + static_cast<u64>(x - 1) * block);
            }
        }
    }

    // The number of pairs is known to the compiler in every loop.
    template <int K = 1> void run(int pairs, const V* b, V* closed) {
        if constexpr (K <= (sizeof(V) == sizeof(u64) ? kMostClosed : ContractionLists::kMostListed)) {
            if (pairs == K)
                run<K>(b, closed);
            else
                run<K + 1>(pairs, b, closed);
        } else {
            throw std::length_error("a pattern has more ends than can be joined");
        }
    }

  private:
    template <int K> void contract(int x, const V* b, V* contracted) {
        constexpr u64 block = kMatchings[K - 1];
        if constexpr (K <= ContractionLists::kMostListed) {
            constexpr int many = 2 * K - 2;
            const u32* n = lists_.places(K, x);
            for (u64 r = 0; r < block; ++r, n += many) {
                V sum = b[n[0]];
                for (int i = 1; i < many; ++i) sum += b[n[i]];
                contracted[r] = sum;
            }
        } else {
            for (u64 r = 0; r <= block; ++r) contracted[r] = V{};
            u64 used = 0;
            for (u64 r = 0; r < kMatchings[K]; ++r) used += any(b[r]) ? 1 : 0;
            const Lookup table = transitions_.edge(Kind::connect, K, 0, x, used);
            const EdgeOnMates edge(Kind::connect, K, 0, x);
            for (u64 r = 0; r < kMatchings[K]; ++r) {
                if (r % (u64{1} << 20) == 0 && space_.pause) space_.pause();
                const V value = b[r];
                if (!any(value)) continue;
                const u64 then = table.made() ? table.wide[r] : edge.rank_after(mates_of_rank(K, r));
                contracted[then] += value;
            }
        }
    }

    const ContractionLists& lists_;
    Transitions& transitions_;
    ContractionSpace<V>& space_;
};

} // namespace

template <class V>
void close_cycles(int pairs, const V* b, V* closed, const ContractionLists& lists, Transitions& transitions,
                  ContractionSpace<V>& space) {
    if (pairs == 0)
        closed[0] = V{}; // no path, so no cycle
    else
        Contractor<V>(lists, transitions, space).run(pairs, b, closed);
}

template void close_cycles<Narrow8>(int, const Narrow8*, Narrow8*, const ContractionLists&, Transitions&,
                                    ContractionSpace<Narrow8>&);
template void close_cycles<Wide8>(int, const Wide8*, Wide8*, const ContractionLists&, Transitions&,
                                  ContractionSpace<Wide8>&);
template void close_cycles<u64>(int, const u64*, u64*, const ContractionLists&, Transitions&,
                                ContractionSpace<u64>&);

} // namespace ktsolve::join
