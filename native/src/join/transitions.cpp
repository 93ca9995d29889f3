// Builds the tables from rank to rank that an edge needs, when they are first used.
#include "join/transitions.hpp"

#include <algorithm>
#include <optional>

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

using Places = std::array<u8, kMostEnds>;

// The place among the ends that are left when 0 and `gone` are not there.
int less(int at, int gone) {
    return at - 1 - (gone < at ? 1 : 0);
}

// What an edge does to the matchings whose first end, 0, has the mate x, where that is what an edge does to
// the rest: one of the same kind, if it leaves the pair 0-x alone.
struct OnRest {
    Kind kind;
    u64 first; // rank of the first matching after the edge
    int i, j;
};
std::optional<OnRest> on_rest(Kind kind, int pairs, int i, int j, const Places& place, int x) {
    const int x_then = place[static_cast<std::size_t>(x)], then = pairs_after(kind, pairs);
    if (kind == Kind::connect) {
        if (i == 0 && x == j) return {};
        if (i == 0) return OnRest{Kind::move, 0, less(j, x), x_then}; // x takes the place of j
        if (x == i || x == j) return OnRest{Kind::move, 0, less(x == i ? j : i, x), 0}; // and 0 of the other
    } else if (i == 0 || j == 0 || (kind == Kind::move && x == i)) {
        return {};
    }
    // An end that is new has its place in the new order.
    const int seen = kind == Kind::insert ? x_then : x;
    return OnRest{kind, static_cast<u64>(x_then - 1) * (then > 0 ? matchings(then - 1) : 1), less(i, seen),
                  less(j, kind == Kind::connect ? x : x_then)};
}

} // namespace

void Transitions::count(u64 bytes) {
    if (reserved_) reserved_->add(bytes);
    bytes_ += bytes;
}

template <class Fill> const Transitions::Table* Transitions::build(int pairs, int pairs_then, Fill fill) {
    auto table = std::make_unique<Table>();
    const u64 size = matchings(pairs);
    count((is_narrow(pairs_then) ? 2 : 4) * size);
    if (is_narrow(pairs_then)) {
        table->narrow.resize(size + 1, static_cast<u16>(matchings(pairs_then)));
        fill(table->narrow.data());
        table->lookup.narrow = table->narrow.data();
    } else {
        table->wide.resize(size + 1, static_cast<u32>(matchings(pairs_then)));
        fill(table->wide.data());
        table->lookup.wide = table->wide.data();
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
    return edge_table(kind, pairs, i, j);
}

Lookup Transitions::edge_table(Kind kind, int pairs, int i, int j) {
    const int then = pairs_after(kind, pairs);
    std::atomic<const void*>& made = made_[number(kind, pairs, i, j)];
    if (const void* table = made.load(std::memory_order_acquire)) return lookup_in(table, then);
    const Lookup lookup = build(pairs, then, [&](auto* after) { compose(kind, pairs, i, j, after); })->lookup;
    if (is_narrow(then))
        made.store(lookup.narrow, std::memory_order_release);
    else
        made.store(lookup.wide, std::memory_order_release);
    return lookup;
}

// The matchings whose first end, 0, has the mate x form a block; the ranks in it are those of the rest, the
// matchings of all other ends. Where the edge leaves the pair 0-x alone it acts on the rest as an edge does.
// Where it takes one of the two, what is left of the rest has the ranks of some other edge. Places in the
// rest and in the new order differ by the ends that are not there.
template <class T> void Transitions::compose(Kind kind, int pairs, int i, int j, T* after) {
    const int then = pairs_after(kind, pairs);
    Places place{};
    places_after(kind, pairs, i, j, place);
    const u64 block = pairs > 0 ? matchings(pairs - 1) : 1;
    const auto same = [&](T* to, u64 many, u64 first) {
        for (u64 r = 0; r < many; ++r) to[r] = static_cast<T>(first + r);
    };
    // The ranks of `rest` pairs after an edge, from `first` on.
    const auto edge = [&](T* to, u64 first, Kind of, int rest, int p, int q) {
        const u64 many = matchings(rest);
        if (of == Kind::move && p == q) return same(to, many, first);
        const u64 closed = of == Kind::connect ? matchings(rest - 1) : ~u64{0};
        with_table(edge_table(of, rest, p, q), [&](auto rank) {
            for (u64 r = 0; r < many; ++r) {
                const u64 at = rank(r);
                to[r] = static_cast<T>(at == closed ? matchings(then) : first + at);
            }
        });
    };
    if (kind == Kind::insert && i == 0)
        return same(after, matchings(pairs), static_cast<u64>(j - 1) * matchings(pairs));
    if (kind == Kind::move && i == j) return same(after, matchings(pairs), 0);
    for (int x = 1; x < 2 * pairs; ++x) {
        T* const to = after + static_cast<u64>(x - 1) * block;
        const int x_then = place[static_cast<std::size_t>(x)];
        if (const auto rest = on_rest(kind, pairs, i, j, place, x)) {
            edge(to, rest->first, rest->kind, pairs - 1, rest->i, rest->j);
        } else if (kind == Kind::connect) {
            std::fill(to, to + block, static_cast<T>(matchings(then)));
        } else if (x == i || (i == 0 && x == 1)) {
            // The pair 0-x is the first again, with the other end at j.
            same(to, block, static_cast<u64>(j > 0 ? j - 1 : 0) * block);
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

const EdgeByBlocks& Transitions::build_blocks(Place& place, Kind kind, int i, int j) {
    constexpr int pairs = EdgeByBlocks::kPairs;
    const std::lock_guard lock(building_);
    if (const EdgeByBlocks* known = place.blocks.load(std::memory_order_acquire)) return *known;
    Places where{};
    places_after(kind, pairs, i, j, where);
    std::array<EdgeByBlocks::Block, 2 * pairs - 1> blocks;
    for (int x = 1; x < 2 * pairs; ++x)
        if (const auto rest = on_rest(kind, pairs, i, j, where, x); rest && fits(pairs - 1))
            blocks[static_cast<std::size_t>(x - 1)] = {
                edge_table(rest->kind, pairs - 1, rest->i, rest->j), rest->first,
                rest->kind == Kind::connect ? matchings(pairs - 2) : ~u64{0}};
    kept_blocks_.push_back(std::make_unique<const EdgeByBlocks>(kind, i, j, blocks));
    place.blocks.store(kept_blocks_.back().get(), std::memory_order_release);
    return *kept_blocks_.back();
}

Lookup Transitions::permutation(int pairs, u64 key, u64 lookups) {
    if (pairs > kMostTabled) return {};
    const std::lock_guard lock(building_);
    Permutation& known = permutations_[static_cast<std::size_t>(pairs)][key];
    if (!known.table.made() && pairs >= 7) {
        known.lookups += lookups;
        // Smaller tables that it is made of come on top, as large together.
        if (known.lookups < soon(pairs) || !fits(pairs, 4)) return {};
    }
    return permutation_table(pairs, key);
}

Lookup Transitions::permutation_table(int pairs, u64 key) {
    // Elements of such a map stay where they are.
    Permutation& known = permutations_[static_cast<std::size_t>(pairs)][key];
    if (!known.table.made())
        known.table =
            build(pairs, pairs, [&](auto* after) { compose_permutation(pairs, key, after); })->lookup;
    return known.table;
}

// Below the mate x of the first end, 0, the rest of the ends is permuted, and then the pair is put back where
// the ends 0 and x go.
template <class T> void Transitions::compose_permutation(int pairs, u64 key, T* after) {
    const auto to = [key](int e) { return static_cast<int>(key >> (4 * e) & 15); };
    if (pairs < 2) {
        after[0] = 0;
        return;
    }
    const u64 block = matchings(pairs - 1);
    for (int x = 1; x < 2 * pairs; ++x, after += block) {
        const int p = std::min(to(0), to(x)), q = std::max(to(0), to(x));
        u64 rest = 0;
        for (int e = 1, at = 0; e < 2 * pairs; ++e)
            if (e != x) rest |= static_cast<u64>(to(e) - (to(e) > p) - (to(e) > q)) << (4 * at++);
        with_table(permutation_table(pairs - 1, rest), [&](auto rank) {
            with_table(edge_table(Kind::insert, pairs - 1, p, q), [&](auto then) {
                for (u64 r = 0; r < block; ++r) after[r] = static_cast<T>(then(rank(r)));
            });
        });
    }
}

} // namespace ktsolve::join
