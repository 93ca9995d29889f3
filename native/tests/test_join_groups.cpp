// Tests of what tables of states are made of: lists of entries, pools of memory, groups and their streams.
#include "join/groups.hpp"

#include <algorithm>
#include <random>

#include "check.hpp"
#include "common/process_room.hpp"
#include "join/accumulator.hpp"
#include "join/compressed_groups.hpp"
#include "join/contraction.hpp"
#include "join/kept.hpp"
#include "join/matching.hpp"
#include "join/thin_join.hpp"
#include "ktsolve/common/checked_bytes.hpp"

using namespace ktsolve;
using namespace ktsolve::join;

namespace {

// Of more entries than a list has at first, equal ones are added up.
void lists_of_entries_are_added_up() {
    ChunkPool pool(u64{1} << 26);
    EntryList<WeighedEntry> list(pool);
    std::vector<u64> sums(3 * 5000);
    std::mt19937_64 random(5);
    for (int n = 0; n < 200'000; ++n) {
        const u64 rank = random() % 5000, count = random() % 9;
        const u32 total = static_cast<u32>(random() % 3);
        list.add({rank, count, total});
        sums[3 * rank + total] += count;
    }
    const std::vector<WeighedEntry>& merged = list.merged();
    CHECK(merged.capacity() < 100'000);
    CHECK(merged.size() <= sums.size());
    for (std::size_t n = 0; n < merged.size(); ++n) {
        CHECK(sums[3 * merged[n].rank + merged[n].total] == merged[n].count);
        CHECK(n == 0 || merged[n - 1].before(merged[n]));
        sums[3 * merged[n].rank + merged[n].total] = 0;
    }
    CHECK(std::all_of(sums.begin(), sums.end(), [](u64 left) { return left == 0; }));
}

// A pool takes less than its budget where the process has less, and gives free slabs back first.
void pools_keep_the_limit_of_the_process() {
    constexpr u64 kBudget = u64{1} << 28, kOfProcess = u64{1} << 26;
    u64 elsewhere = 0, asked = 0;
    ChunkPool pool(kBudget);
    u64 reserved = 0;
    set_room_of_process([&] {
        ++asked;
        const u64 taken = elsewhere + reserved;
        return kOfProcess - std::min(taken, kOfProcess);
    });
    const auto reserve = [&] {
        const u64 bytes = u64{1} << 20;
        pool.reserve(bytes);
        reserved += bytes;
    };
    const auto until_it_stops = [&] {
        try {
            for (;;) reserve();
        } catch (const Stopped& stopped) {
            CHECK(stopped.status == Status::out_of_memory);
        }
    };
    until_it_stops();
    CHECK(reserved < kOfProcess && reserved > kOfProcess / 2);
    CHECK(asked < 40); // not each time
    pool.release(reserved);
    reserved = 0;
    // Free chunks are given back when something else takes the room.
    std::vector<u8*> chunks;
    for (int n = 0; n < 64; ++n) chunks.push_back(pool.take(ChunkPool::kChunk));
    for (u8* chunk : chunks) pool.give_back(chunk, ChunkPool::kChunk);
    CHECK(pool.room() > pool.left());
    elsewhere = kOfProcess - (u64{1} << 20);
    until_it_stops();
    CHECK(pool.room() == pool.left());
    CHECK(reserved <= kOfProcess / 4); // nothing of what was granted before
    set_room_of_process({});
    elsewhere = 0;
    pool.release(reserved);
    reserved = 0;
    until_it_stops();
    CHECK(reserved == kBudget);
    pool.release(reserved);
}

// A pattern with a number of pairs of ends in its lowest slots; those with a greater number have greater
// patterns.
u64 numbered_pattern(u64 number, int pairs) {
    u64 pattern = 0;
    for (int slot = 0; slot < 2 * pairs; ++slot) pattern |= field(slot, 1);
    for (int slot = 18; number >> (slot - 18) != 0; ++slot)
        pattern |= field(slot, 2 * ((number >> (slot - 18)) & 1));
    return pattern;
}

// All groups and entries, as numbers.
std::vector<u64> contents(const Layer& layer, const EndsOf& ends) {
    std::vector<u64> all;
    for (const Segment& segment : layer.segments())
        for (const Group& group : segment) {
            all.insert(all.end(), {group.pattern, group.count(), static_cast<u64>(group.width()),
                                   static_cast<u64>(group.sum_bits())});
            for_each_entry(segment.entries(group), group.count(), group.width(),
                           pairs_of(ends(group.pattern)),
                           [&](u64 rank, u64 count) { all.insert(all.end(), {rank, count}); });
        }
    return all;
}

// Compressed segments come back as they were; changed ones are refused, or are groups as there may be.
void compressed_round_trip(const Layer& layer, ChunkPool& pool) {
    const EndsOf ends;
    const auto restored = [&](const std::vector<u8>& stream, u64 bytes, u64 groups) {
        Writer writer(pool);
        decompress(stream.data(), bytes, groups, ends, writer);
        Layer again(pool);
        again.append(writer.finish());
        return again;
    };
    Layer all(pool);
    for (const Segment& segment : layer.segments()) {
        const std::vector<u8> stream = compressed(segment, ends);
        CHECK(stream.size() < segment.bytes);
        all.append(restored(stream, stream.size() - ChunkPool::kSlack, segment.groups));
    }
    CHECK(contents(all, ends) == contents(layer, ends));

    std::mt19937_64 random(5);
    int refused = 0;
    const Segment& last = layer.segments().back();
    const std::vector<u8> sound = compressed(last, ends);
    for (int n = 0; n < 300; ++n) {
        std::vector<u8> stream = sound;
        u64 bytes = stream.size() - ChunkPool::kSlack, groups = last.groups;
        // Near the beginning, so that all that follows is read at another place.
        const u64 at = random() % std::min<u64>(bytes, n % 2 == 0 ? 64 : bytes);
        switch (random() % 4) {
        case 0:
            stream[at] ^= static_cast<u8>(1u << random() % 8);
            break;
        case 1:
            stream[at] = static_cast<u8>(random());
            break;
        case 2:
            bytes = at;
            stream.resize(bytes + ChunkPool::kSlack);
            break;
        default:
            groups = random() % 2 == 0 ? groups + 1 : random() >> random() % 64;
        }
        try {
            const Layer changed = restored(stream, bytes, groups);
            for (const Segment& segment : changed.segments())
                for (const Group& group : segment) CHECK(join::sound({segment, group}, group.pattern, ends));
        } catch (const DamagedBytes&) {
            ++refused;
        }
    }
    CHECK(refused > 100);
}

// Groups of every width come back as they were written.
void groups_round_trip() {
    std::mt19937_64 random(4);
    ChunkPool pool(u64{1} << 30);
    Layer layer(pool);
    struct Written {
        u64 pattern;
        int pairs;
        std::vector<std::pair<u64, u64>> entries;
    };
    std::vector<Written> all;
    int wide = 0;
    {
        Writer writer(pool);
        for (u64 i = 0; i < 3000; ++i) {
            Written w{0, static_cast<int>(random() % 9), {}};
            w.pattern = numbered_pattern(i, w.pairs);
            // Each seventh group may have a sum of more than 63 bits.
            const u64 most = i % 7 == 0 ? u64{1} << 63 : (u64{1} << 60) / 200;
            const int bits = i % 7 == 0 ? 63 : static_cast<int>(random() % 60) + 1;
            const u64 size = kMatchings[static_cast<std::size_t>(w.pairs)];
            u128 sum = 0;
            for (u64 r = 0; r < size && w.entries.size() < 200; r += 1 + random() % (1 + size / 100)) {
                const u64 count = (random() >> (64 - bits)) % (most - 1) + 1;
                w.entries.emplace_back(r, count);
                sum += count;
            }
            Accumulator sums(pool);
            sums.begin(w.pairs, sum < kWideSum ? static_cast<u64>(sum) : kWideSum, w.entries.size());
            wide += sum >= kWideSum;
            std::vector<u8> source(w.entries.size() * kMostWidth + 16);
            store_entries(source.data(), w.entries.size(), kMostWidth, w.pairs,
                          [&](u64 n) { return w.entries[n]; });
            sums.add(source.data(), w.entries.size(), kMostWidth, w.pairs, {});
            sums.finish(w.pattern, 0, writer);
            all.push_back(std::move(w));
        }
        layer.append(writer.finish());
    }
    CHECK(layer.groups() == all.size() && wide > 100);
    std::size_t i = 0;
    for (const Segment& segment : layer.segments())
        for (const Group& group : segment) {
            const Written& w = all[i++];
            CHECK(group.pattern == w.pattern);
            std::vector<std::pair<u64, u64>> read;
            u128 sum = 0;
            for_each_entry(segment.entries(group), group.count(), group.width(), w.pairs, [&](u64 r, u64 c) {
                read.emplace_back(r, c);
                sum += c;
            });
            CHECK(read == w.entries);
            CHECK(sum >> group.sum_bits() == 0 && sum >> (group.sum_bits() - 1) != 0);
        }
    for (std::size_t n = 0; n < all.size(); n += 97) {
        const Cursor at = lower_bound(layer, all[n].pattern - (n > 0 ? 3 : 0));
        CHECK((layer.segments()[at.segment].begin() + at.group)->pattern == all[n].pattern);
    }
    compressed_round_trip(layer, pool);
}

} // namespace

int main() {
    lists_of_entries_are_added_up();
    pools_keep_the_limit_of_the_process();
    groups_round_trip();
    return finish("join groups");
}
