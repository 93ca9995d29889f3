// Drops states from which no cycle is reached, and lumps those with equal counts.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "common/integers.hpp"
#include "strip/layers.hpp"

namespace ktsolve {

namespace {

using Layers = StripTransfer::Layers;

u64 mixed(u64 x) {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ull;
    return x ^ (x >> 32);
}

std::size_t different(std::vector<u64> values) {
    std::sort(values.begin(), values.end());
    return static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

constexpr u32 kNone = UINT32_MAX;

template <class T> u64 bytes_of(const std::vector<std::vector<T>>& rows) {
    u64 bytes = 0;
    for (const std::vector<T>& row : rows) bytes += row.capacity() * sizeof(T);
    return bytes;
}

// The layers with those states only that have a number, by a function that gives the state for each number.
// `held` bytes are held besides what is made here.
template <class StateOf>
Layers renumbered(const Layers& layers, const std::vector<std::vector<u32>>& number,
                  const std::vector<std::size_t>& sizes, StateOf&& state_of, StripWork& work, u64 held) {
    Layers made;
    made.next.resize(layers.next.size());
    for (std::size_t i = 0; i < layers.next.size(); ++i) {
        const std::vector<u32>& later = number[layers.after(i)];
        Lists& lists = made.next[i];
        work.poll(layers.next[i].size());
        u64 kept = 0;
        for (std::size_t n = 0; n < sizes[i]; ++n)
            for (const u32 *to = layers.next[i].begin(state_of(i, n)),
                           *end = layers.next[i].end(state_of(i, n));
                 to != end; ++to)
                kept += later[*to] != kNone;
        held += (sizes[i] + 1) * sizeof(u64) + kept * sizeof(u32);
        work.holds(held);
        lists.first.reserve(sizes[i] + 1);
        lists.to.reserve(kept);
        for (std::size_t n = 0; n < sizes[i]; ++n) {
            const std::size_t state = state_of(i, n);
            for (const u32* to = layers.next[i].begin(state); to != layers.next[i].end(state); ++to)
                if (later[*to] != kNone) lists.to.push_back(later[*to]);
            lists.close();
        }
    }
    return made;
}

} // namespace

Layers trimmed(const Layers& layers, StripWork& work) {
    const std::size_t count = layers.next.size();
    std::vector<std::vector<char>> live(count);
    for (std::size_t i = 0; i < count; ++i) live[i].assign(layers.next[i].size(), 0);
    for (std::size_t n = 0; n < layers.end.size(); ++n) live[0][n] = layers.end[n] != 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = count; i-- > 0;) {
            work.poll(layers.next[i].size());
            const std::vector<char>& later = live[layers.after(i)];
            for (std::size_t n = 0; n < live[i].size(); ++n)
                if (!live[i][n] && std::any_of(layers.next[i].begin(n), layers.next[i].end(n),
                                               [&](u32 to) { return later[to] != 0; }))
                    live[i][n] = 1, changed = true;
        }
    }
    live[0][layers.start] = 1; // the count is 0 if it leads nowhere
    u64 held = layers.bytes() + bytes_of(live);
    for (const std::vector<char>& each : live)
        held += each.size() * sizeof(u32) +
                static_cast<u64>(std::count(each.begin(), each.end(), char{1})) * sizeof(u32);
    work.holds(held);
    std::vector<std::vector<u32>> number(count), kept(count);
    std::vector<std::size_t> sizes(count);
    for (std::size_t i = 0; i < count; ++i) {
        number[i].assign(live[i].size(), kNone);
        kept[i].reserve(static_cast<std::size_t>(std::count(live[i].begin(), live[i].end(), char{1})));
        for (std::size_t n = 0; n < live[i].size(); ++n)
            if (live[i][n]) {
                number[i][n] = static_cast<u32>(kept[i].size());
                kept[i].push_back(static_cast<u32>(n));
            }
        sizes[i] = kept[i].size();
    }
    Layers made = renumbered(
        layers, number, sizes, [&](std::size_t i, std::size_t n) { return kept[i][n]; }, work, held);
    for (const u32 n : kept[0]) made.end.push_back(layers.end[n]);
    made.start = number[0][layers.start];
    return made;
}

Layers turned(const Layers& layers, StripWork& work) {
    Layers made;
    made.end = layers.end;
    made.start = layers.start;
    const std::size_t count = layers.next.size();
    made.next.resize(count);
    u64 held = layers.bytes() + made.end.capacity() * sizeof(u64);
    for (std::size_t i = 0; i < count; ++i) {
        work.poll(layers.next[i].size());
        const Lists& lists = layers.next[i];
        const std::size_t later = layers.next[layers.after(i)].size();
        held += (later + 1) * sizeof(u64) + lists.to.size() * sizeof(u32);
        work.holds(held + later * sizeof(u64)); // and the places
        Lists& back = made.next[count - 1 - i];
        back.first.assign(later + 1, 0);
        for (const u32 to : lists.to) ++back.first[to + 1];
        for (std::size_t n = 0; n < later; ++n) back.first[n + 1] += back.first[n];
        std::vector<u64> place(back.first.begin(), back.first.end() - 1);
        back.to.resize(lists.to.size());
        for (std::size_t n = 0; n < lists.size(); ++n)
            for (const u32* to = lists.begin(n); to != lists.end(n); ++to)
                back.to[place[*to]++] = static_cast<u32>(n);
    }
    return made;
}

// Refines the lumps from one layer to the layer before it until their number at the boundary stays the same.
// A lump is a hash of 64 bits of the lumps in the list; in the end the lists are compared.
Layers lumped(const Layers& layers, Alike alike, StripWork& work) {
    const std::size_t count = layers.next.size();
    const auto label = [&](std::size_t n) {
        return alike == Alike::end ? mixed(layers.end[n] + 1) : mixed(n == layers.start ? 2 : 1);
    };
    std::vector<std::vector<u64>> lump(count);
    u64 states = 0, widest = 0;
    for (const Lists& lists : layers.next) {
        states += lists.size();
        widest = std::max<u64>(widest, lists.size());
    }
    // The lumps, those of a layer made anew or sorted, and then the numbers of the lumps beside them with a
    // hash table for a layer. Nodes of the table take some 40 bytes.
    work.holds(layers.bytes() + (states + widest) * sizeof(u64));
    for (std::size_t n = 0; n < layers.end.size(); ++n) lump[0].push_back(label(n));
    for (std::size_t before = 0;;) {
        for (std::size_t i = count; i-- > 0;) {
            work.poll(layers.next[i].size());
            const std::vector<u64>& later = lump[layers.after(i)];
            std::vector<u64> made(layers.next[i].size());
            for (std::size_t n = 0; n < made.size(); ++n) {
                u64 sum = 1; // of the list, in any order; not 0, of which the hash is 0
                for (const u32* to = layers.next[i].begin(n); to != layers.next[i].end(n); ++to)
                    sum += mixed(later[*to]);
                made[n] = mixed(sum + (i == 0 ? label(n) : 0));
            }
            lump[i] = std::move(made);
        }
        const std::size_t found = different(lump[0]);
        if (found == before) break;
        before = found;
    }
    std::vector<std::vector<u32>> number(count), first(count);
    std::vector<std::size_t> sizes(count);
    for (std::size_t i = 0; i < count; ++i) {
        work.holds(layers.bytes() + bytes_of(lump) + bytes_of(number) + bytes_of(first) +
                   lump[i].size() * (2 * sizeof(u32)));
        std::unordered_map<u64, u32> known;
        number[i].reserve(lump[i].size());
        for (std::size_t n = 0; n < lump[i].size(); ++n) {
            const auto [at, fresh] = known.emplace(lump[i][n], static_cast<u32>(first[i].size()));
            if (fresh) {
                first[i].push_back(static_cast<u32>(n));
                if (first[i].size() % 4096 == 0)
                    work.holds(layers.bytes() + bytes_of(lump) + bytes_of(number) + bytes_of(first) +
                               first[i].size() * 40);
            }
            number[i].push_back(at->second);
        }
        sizes[i] = first[i].size();
    }
    lump.clear();
    std::vector<u32> here, there;
    for (std::size_t i = 0; i < count; ++i) {
        work.poll(layers.next[i].size());
        const std::vector<u32>& later = number[layers.after(i)];
        const auto lumps_of = [&](std::size_t n, std::vector<u32>& into) {
            into.clear();
            for (const u32* to = layers.next[i].begin(n); to != layers.next[i].end(n); ++to)
                into.push_back(later[*to]);
            std::sort(into.begin(), into.end());
        };
        for (std::size_t n = 0; n < number[i].size(); ++n) {
            const u32 other = first[i][number[i][n]];
            if (other == n) continue;
            lumps_of(n, here);
            lumps_of(other, there);
            if (here != there || (i == 0 && label(n) != label(other)))
                throw std::logic_error("two different lumps of states have one hash");
        }
    }
    Layers made = renumbered(
        layers, number, sizes, [&](std::size_t i, std::size_t n) { return first[i][n]; }, work,
        layers.bytes() + bytes_of(number) + bytes_of(first));
    made.start = number[0][layers.start];
    made.end.assign(sizes[0], 0);
    for (std::size_t n = 0; n < layers.end.size(); ++n) {
        u64& end = made.end[number[0][n]];
        if (alike == Alike::end)
            end = layers.end[n];
        else if (add_overflows(end, layers.end[n], &end))
            throw std::length_error("a column has too many vertices");
    }
    return made;
}

} // namespace ktsolve
