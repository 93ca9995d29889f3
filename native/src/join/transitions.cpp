// See join/transitions.hpp.
#include "join/transitions.hpp"

#include <algorithm>

namespace ktsolve::join {

namespace {

// Look-ups after which a table of 7 or 8 pairs is made.
constexpr u64 soon(int pairs) {
    return kMatchings[static_cast<std::size_t>(pairs)] / (pairs == 7 ? 32 : 1);
}

// Calls use(rank), where rank(r) is what the table has for r.
template <class Use> void with_table(const Lookup& table, Use use) {
    if (table.narrow != nullptr)
        use([t = table.narrow](u64 r) -> u64 { return t[r]; });
    else
        use([t = table.wide](u64 r) -> u64 { return t[r]; });
}

u64 matchings(int pairs) {
    return kMatchings[static_cast<std::size_t>(pairs)];
}

} // namespace

template <class Fill> const Transitions::Table* Transitions::build(int pairs, int pairs_then, Fill fill) {
    auto table = std::make_unique<Table>();
    const u64 size = matchings(pairs);
    if (matchings(pairs_then) < (1u << 16)) {
        table->narrow.resize(size + 1, static_cast<u16>(matchings(pairs_then)));
        fill(table->narrow.data());
        table->lookup.narrow = table->narrow.data();
        bytes_ += 2 * size;
    } else {
        table->wide.resize(size + 1, static_cast<u32>(matchings(pairs_then)));
        fill(table->wide.data());
        table->lookup.wide = table->wide.data();
        bytes_ += 4 * size;
    }
    ++tables_;
    kept_.push_back(std::move(table));
    return kept_.back().get();
}

Lookup Transitions::build_edge(Place& place, Kind kind, int pairs, int i, int j, u64 lookups) {
    if (pairs >= 7) {
        const u64 before = place.lookups.fetch_add(lookups, std::memory_order_relaxed);
        if (before + lookups < soon(pairs) || !fits(pairs)) return {};
    }
    const std::lock_guard lock(building_);
    return edge_table(kind, pairs, i, j).lookup;
}

const Transitions::Table& Transitions::edge_table(Kind kind, int pairs, int i, int j) {
    Place& place = places_[number(kind, pairs, i, j)];
    if (const Table* table = place.table.load(std::memory_order_acquire)) return *table;
    const Table* const table =
        build(pairs, pairs_after(kind, pairs), [&](auto* after) { compose(kind, pairs, i, j, after); });
    place.table.store(table, std::memory_order_release);
    return *table;
}

// The matchings whose first end, 0, has the mate x form a block; the ranks in it are those of the rest, the
// matchings of all other ends. Where the edge leaves the pair 0-x alone it acts on the rest as an edge does.
// Where it takes one of the two, what is left of the rest has the ranks of some other edge. Places in the
// rest and in the new order differ by the ends that are not there.
template <class T> void Transitions::compose(Kind kind, int pairs, int i, int j, T* after) {
    const int then = pairs_after(kind, pairs);
    std::array<u8, kMostEnds> place{};
    places_after(kind, pairs, i, j, place);
    const auto less = [](int at, int gone) { return at - 1 - (gone < at ? 1 : 0); }; // without 0 and `gone`
    const u64 block = pairs > 0 ? matchings(pairs - 1) : 1;
    const auto same = [&](T* to, u64 many, u64 first) {
        for (u64 r = 0; r < many; ++r) to[r] = static_cast<T>(first + r);
    };
    // The ranks of `rest` pairs after an edge, from `first` on.
    const auto edge = [&](T* to, u64 first, Kind of, int rest, int p, int q) {
        const u64 many = matchings(rest);
        if (of == Kind::move && p == q) return same(to, many, first);
        with_table(edge_table(of, rest, p, q).lookup, [&](auto rank) {
            if (of == Kind::connect) {
                const u64 closed = matchings(rest - 1);
                for (u64 r = 0; r < many; ++r) {
                    const u64 at = rank(r);
                    to[r] = static_cast<T>(at == closed ? matchings(then) : first + at);
                }
            } else {
                for (u64 r = 0; r < many; ++r) to[r] = static_cast<T>(first + rank(r));
            }
        });
    };
    if (kind == Kind::insert && i == 0)
        return same(after, matchings(pairs), static_cast<u64>(j - 1) * matchings(pairs));
    if (kind == Kind::move && i == j) return same(after, matchings(pairs), 0);
    for (int x = 1; x < 2 * pairs; ++x) {
        T* const to = after + static_cast<u64>(x - 1) * block;
        const int x_then = place[static_cast<std::size_t>(x)];
        if (kind == Kind::insert) {
            edge(to, static_cast<u64>(x_then - 1) * matchings(pairs), kind, pairs - 1, less(i, x_then),
                 less(j, x_then));
        } else if (kind == Kind::connect) {
            const u64 first = static_cast<u64>(x_then - 1) * (pairs > 1 ? matchings(pairs - 2) : 1);
            if (i == 0 && x == j)
                std::fill(to, to + block, static_cast<T>(matchings(then)));
            else if (i == 0) // x takes the place of j
                edge(to, 0, Kind::move, pairs - 1, less(j, x), x_then);
            else if (x == i || x == j) // 0 takes the place of the other
                edge(to, 0, Kind::move, pairs - 1, less(x == i ? j : i, x), 0);
            else
                edge(to, first, kind, pairs - 1, less(i, x), less(j, x));
        } else if (x == i || (i == 0 && x == 1)) {
            // The pair 0-x is the first again, with the other end at j.
            same(to, block, static_cast<u64>(i == 0 || j > 0 ? j - 1 : 0) * block);
        } else if (i > 0 && j > 0) {
            edge(to, static_cast<u64>(x_then - 1) * block, kind, pairs - 1, less(i, x), less(j, x_then));
        } else if (j == 0) {
            // End i is the first, 0 the second. What moves i to the front of the rest tells its mate.
            const u64 below = matchings(pairs - 2);
            edge(to, 0, Kind::move, pairs - 1, less(i, x), 0);
            for (u64 r = 0; r < block; ++r) {
                const u64 at = to[r];
                const int mate = static_cast<int>(at / below) + 2;
                const int mate_then = mate + (mate >= x_then ? 1 : 0);
                const int x_second = x_then - 2 - (mate_then < x_then ? 1 : 0);
                to[r] = static_cast<T>(static_cast<u64>(mate_then - 1) * block +
                                       static_cast<u64>(x_second) * below + at % below);
            }
        } else {
            // End 1 is the first. Below its mate y, the pair 0-x is inserted into the rest of the rest.
            const u64 below = matchings(pairs - 2);
            for (int y = 1; y < 2 * pairs - 2; ++y) {
                const int y_then = place[static_cast<std::size_t>(y + 1 + (y + 1 >= x ? 1 : 0))];
                const int p = less(x_then, y_then), q = less(j, y_then);
                edge(to + static_cast<u64>(y - 1) * below, static_cast<u64>(y_then - 1) * block, Kind::insert,
                     pairs - 2, std::min(p, q), std::max(p, q));
            }
        }
    }
}

Lookup Transitions::permutation(int pairs, u64 key, u64 lookups) {
    if (pairs > kMostTabled) return {};
    const std::lock_guard lock(building_);
    auto& place = permutations_[pairs][key];
    if (!place) place = std::make_unique<Place>();
    if (const Table* table = place->table.load(std::memory_order_relaxed)) return table->lookup;
    const u64 before = place->lookups.fetch_add(lookups, std::memory_order_relaxed);
    if (pairs >= 7 && (before + lookups < kMatchings[pairs] || !fits(pairs))) return {};
    std::array<u8, 2 * kMostTabled> to{};
    for (int e = 0; e < 2 * pairs; ++e) to[e] = static_cast<u8>((key >> (4 * e)) & 15);
    const Table* table = build(pairs, pairs, [&]<class T>(T* after) {
        MatchingWalk(pairs, [&](u64 rank, const Mates& mates) {
            after[rank] = static_cast<T>(rank_permuted(pairs, to.data(), mates));
        });
    });
    place->table.store(table, std::memory_order_relaxed);
    return table->lookup;
}

} // namespace ktsolve::join
