// Tables of states, grouped by pattern.
//
//     Layer     segments in pattern order
//     Segment   one chunk of memory:   | header | header | ...  free  ... | entries | entries |
//                                        group 0  group 1                    group 1   group 0
//     Group     16 bytes: pattern; where its entries are, how many, how wide, bits of their sum
//     entry     `width` bytes, little endian: rank in the low kRankBits[pairs] bits, count above
//
// Entries of a group are sorted by rank and take as few bytes each as its largest count allows (1 to 15).
// States stored one by one take 12 bytes or more; here those of three rows of 8x8 take 4.2. Fewer bytes
// still, on disk, are those of compressed_groups.hpp, where each entry can be read only after the one before.
//
// Each group holds a bound on the sum of its counts. Where the sum of what is added up may pass 63 bits, each
// number that is formed is checked (accumulator.hpp): no count wraps round.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "common/stopped.hpp"
#include "join/matching.hpp"
#include "join/pattern.hpp"

namespace ktsolve::join {

// Some count may pass 63 bits, or a sum what it is kept in: count modulo primes instead.
struct CountTooWide {};

// The bound of sums that may have more than 63 bits.
inline constexpr u64 kWideSum = u64{1} << 63;

// What a pool may take of a budget: vectors that nobody counts, and what the heap wastes, take the rest.
inline u64 budget_of_pool(u64 bytes) {
    return bytes - bytes / 16;
}

// Chunks of one size, handed out and taken back; memory is got from the system in slabs and never returned
// before memory is short, since touching fresh pages is what costs.
//
// Memory is short where the pool holds what it may, and where the process comes near a limit that a guard
// keeps: what heap, libraries and other threads take beside the pool is not known beforehand. The guard is
// asked again each time that half of what the process had left is taken.
class ChunkPool {
  public:
    static constexpr u64 kChunk = u64{1} << 18;
    static constexpr u64 kSlack = 16; // bytes past the last entry that may be read

    // Slabs of 8 MiB, smaller when there is little to be had.
    explicit ChunkPool(u64 most_bytes)
        : most_(most_bytes), slab_(std::clamp(most_bytes / 16 / kChunk * kChunk, kChunk, u64{8} << 20)) {}
    ~ChunkPool();
    ChunkPool(const ChunkPool&) = delete;
    ChunkPool& operator=(const ChunkPool&) = delete;

    u8* take(u64 bytes); // kChunk, or more for a group that needs it; throws Stopped
    void give_back(u8* chunk, u64 bytes);
    // Returns slabs to the system whose chunks are all free; whether there were any.
    bool trim();

    // Memory held for other purposes counts too.
    void reserve(u64 bytes);
    void release(u64 bytes);

    u64 peak() const { return peak_; }
    u64 left(); // what the pool may still hold by its own limit
    u64 room(); // the same, and the free chunks

  private:
    // For these the lock is held.
    void account(u64 bytes); // throws Stopped
    void return_account(u64 bytes);
    bool process_has(u64 bytes);
    bool return_slabs();

    u64 most_, slab_, held_ = 0, peak_ = 0;
    u64 granted_ = 0; // up to here the process has memory, by its last answer
    std::mutex mutex_;
    std::vector<u8*> free_;
    std::vector<void*> slabs_;
};

// Memory held for other purposes than chunks, for as long as this lives.
class Reservation {
  public:
    explicit Reservation(ChunkPool& pool, u64 bytes = 0) : pool_(&pool) { add(bytes); }
    ~Reservation() { pool_->release(bytes_); }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    void add(u64 bytes) { // throws Stopped
        pool_->reserve(bytes);
        bytes_ += bytes;
    }
    u64 left() const { return pool_->left(); } // what may still be added

  private:
    ChunkPool* pool_;
    u64 bytes_ = 0;
};

struct Group {
    u64 pattern;
    u64 packed; // offset 20 | count 33 | width 4 | sum bits 7

    static Group make(u64 pattern, u64 offset, u64 count, int width, int sum_bits) {
        return {pattern, offset | (count << 20) | (static_cast<u64>(width) << 53) |
                             (static_cast<u64>(sum_bits) << 57)};
    }
    u64 offset() const { return packed & 0xFFFFF; }
    u64 count() const { return (packed >> 20) & 0x1FFFFFFFF; }
    int width() const { return static_cast<int>((packed >> 53) & 15); }
    int sum_bits() const { return static_cast<int>(packed >> 57); } // sum of counts < 2^sum_bits
};

struct Segment {
    u8* chunk = nullptr;
    u64 bytes = 0;
    u32 groups = 0;
    u64 states = 0;
    u64 last = 0; // pattern of the last group

    const Group* begin() const { return reinterpret_cast<const Group*>(chunk); }
    const Group* end() const { return begin() + groups; }
    const u8* entries(const Group& group) const { return chunk + group.offset(); }
};

// All states after some vertices.
class Layer {
  public:
    explicit Layer(ChunkPool& pool) : pool_(&pool) {}
    // Segments whose memory belongs to something else, which must outlive this.
    Layer(ChunkPool& pool, std::vector<Segment> borrowed)
        : pool_(&pool), owns_(false), segments_(std::move(borrowed)) {}
    ~Layer() { clear(); }
    Layer(Layer&& other) noexcept
        : pool_(other.pool_), owns_(other.owns_), segments_(std::move(other.segments_)) {
        other.segments_.clear();
    }
    Layer& operator=(Layer&& other) noexcept {
        clear();
        pool_ = other.pool_;
        owns_ = other.owns_;
        segments_ = std::move(other.segments_);
        other.segments_.clear();
        return *this;
    }

    void clear() {
        if (owns_)
            for (const Segment& s : segments_)
                if (s.chunk != nullptr) pool_->give_back(s.chunk, s.bytes);
        segments_.clear();
    }
    // Returns the memory of one segment, which is not read again.
    void clear(std::size_t segment) {
        if (!owns_) return;
        pool_->give_back(segments_[segment].chunk, segments_[segment].bytes);
        segments_[segment].chunk = nullptr;
    }
    void append(std::vector<Segment>&& more) {
        segments_.insert(segments_.end(), more.begin(), more.end());
        more.clear();
    }
    void append(Layer&& other) { append(std::move(other.segments_)); } // of the same pool
    const std::vector<Segment>& segments() const { return segments_; }
    // The first segment that has a pattern of at least this; else the number of segments.
    std::size_t segment_of(u64 pattern) const {
        return static_cast<std::size_t>(
            std::partition_point(segments_.begin(), segments_.end(),
                                 [&](const Segment& s) { return s.last < pattern; }) -
            segments_.begin());
    }
    u64 groups() const {
        u64 n = 0;
        for (const Segment& s : segments_) n += s.groups;
        return n;
    }
    u64 states() const {
        u64 n = 0;
        for (const Segment& s : segments_) n += s.states;
        return n;
    }
    u64 bytes() const {
        u64 n = 0;
        for (const Segment& s : segments_) n += s.bytes;
        return n;
    }
    ChunkPool& pool() const { return *pool_; }

  private:
    ChunkPool* pool_;
    bool owns_ = true;
    std::vector<Segment> segments_;
};

// A sum that is bounded, and the sum of counts of one group more, up to kWideSum.
inline u64 bound_with(u64 bound, int sum_bits) {
    return sum_bits >= 63 ? kWideSum : std::min(kWideSum, bound + (u64{1} << sum_bits));
}

// A position in a layer: segment and group.
struct Cursor {
    std::size_t segment = 0;
    u32 group = 0;
};

// The first group whose pattern is at least `pattern`.
Cursor lower_bound(const Layer& layer, u64 pattern);

// Appends groups in pattern order, opening segments as needed.
class Writer {
  public:
    explicit Writer(ChunkPool& pool) : pool_(&pool) {}
    ~Writer() {
        for (const Segment& s : done_) pool_->give_back(s.chunk, s.bytes);
        if (open_.chunk != nullptr) pool_->give_back(open_.chunk, open_.bytes);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Opens the next group; returns the place of its `count` entries of `width` bytes.
    u8* append(u64 pattern, u64 count, int width, int sum_bits);
    std::vector<Segment> finish();

  private:
    void close();

    ChunkPool* pool_;
    Segment open_;
    u64 front_ = 0, back_ = 0;
    std::vector<Segment> done_;
};

inline u64 load8(const u8* at) {
    u64 value;
    std::memcpy(&value, at, 8);
    return value;
}

// An entry is a rank and, in the bits above it, a count, in `width` bytes.
inline constexpr int kMostWidth = (kRankBits[kMostPairs] + 63 + 7) / 8;
static_assert(kMostWidth < 16, "a group has four bits for the width");

// Calls visit(rank, count) for every entry. Reads up to kSlack bytes past the end.
template <class Visit>
inline void for_each_entry(const u8* at, u64 count, int width, int pairs, Visit&& visit) {
    const int shift = kRankBits[pairs];
    const u64 ranks = (u64{1} << shift) - 1;
    if (width > 8) {
        const u64 beyond = (u64{1} << (8 * width - 64)) - 1;
        for (u64 n = 0; n < count; ++n, at += width) {
            const u64 low = load8(at), high = load8(at + 8) & beyond;
            visit(low & ranks, low >> shift | high << 1 << (63 - shift));
        }
        return;
    }
    const u64 entry = width == 8 ? ~u64{0} : (u64{1} << (8 * width)) - 1;
    for (u64 n = 0; n < count; ++n, at += width) {
        const u64 e = load8(at) & entry;
        visit(e & ranks, e >> shift);
    }
}

// The fewest bytes per entry for counts of at most `count_bits` bits, of which there are 63 at most.
inline int entry_width(int pairs, int count_bits) {
    return std::max(1, (kRankBits[pairs] + count_bits + 7) / 8);
}

// Writes `count` entries; entry(n) is the pair of rank and count of the next, asked for in this order. Reads
// and restores up to 8 bytes past the end.
template <class Entry> inline void store_entries(u8* to, u64 count, int width, int pairs, Entry&& entry) {
    // Eight bytes or sixteen at a time: the bytes beyond an entry are overwritten by the next one, and what
    // the last one overwrites is restored.
    u8* const end = to + count * static_cast<u64>(width);
    const u64 behind = load8(end);
    const int shift = kRankBits[static_cast<std::size_t>(pairs)];
    for (u64 n = 0; width <= 8 && n < count; ++n, to += width) {
        const std::pair<u64, u64> e = entry(n);
        const u64 both = e.first | (e.second << shift);
        std::memcpy(to, &both, 8);
    }
    for (u64 n = 0; width > 8 && n < count; ++n, to += width) {
        const std::pair<u64, u64> e = entry(n);
        const u64 low = e.first | (e.second << shift), high = e.second >> 1 >> (63 - shift);
        std::memcpy(to, &low, 8);
        std::memcpy(to + 8, &high, 8);
    }
    std::memcpy(end, &behind, 8);
}

} // namespace ktsolve::join
