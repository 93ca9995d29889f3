// Allocates, grows and merges the segments in which states are grouped by pattern.
#include "join/groups.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "common/pages.hpp"
#include "common/process_room.hpp"
#include "common/return_memory.hpp"

namespace ktsolve::join {

ChunkPool::~ChunkPool() {
    for (void* slab : slabs_) free_pages(slab, slab_);
    // What comes next may need the memory of large groups elsewhere. Small tables leave little behind.
    if (peak_ > u64{4} << 20) return_memory();
}

void ChunkPool::account(u64 bytes) {
    const auto lacks = [&] { return bytes > most_ - std::min(held_, most_) || !process_has(bytes); };
    if (lacks()) {
        (void)return_slabs();
        if (!process_has(bytes)) return_memory();
    }
    if (lacks()) throw Stopped{Status::out_of_memory};
    held_ += bytes;
    peak_ = std::max(peak_, held_);
}

bool ChunkPool::process_has(u64 bytes) {
    if (held_ + bytes <= granted_) return true;
    // What heap and other threads take while the grant is in use.
    const u64 spare = (u64{1} << 20) + most_ / 32;
    const u64 room = room_of_process();
    if (room < spare || bytes > room - spare) return false;
    granted_ = held_ + bytes + (room - spare - bytes) / 2;
    return true;
}

void ChunkPool::return_account(u64 bytes) {
    held_ -= bytes;
    granted_ -= std::min(granted_, bytes);
}

void ChunkPool::reserve(u64 bytes) {
    const std::lock_guard lock(mutex_);
    account(bytes);
}

void ChunkPool::release(u64 bytes) {
    const std::lock_guard lock(mutex_);
    return_account(bytes);
}

u64 ChunkPool::left() {
    const std::lock_guard lock(mutex_);
    return most_ - std::min(held_, most_);
}

u64 ChunkPool::room() {
    const std::lock_guard lock(mutex_);
    return most_ - std::min(held_, most_) + free_.size() * kChunk;
}

u8* ChunkPool::take(u64 bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kChunk) {
        // Not in huge pages: most such groups have less than a megabyte, and are read from end to end.
        account(bytes);
        auto* const memory = static_cast<u8*>(std::malloc(bytes));
        if (memory == nullptr) {
            return_account(bytes);
            throw Stopped{Status::out_of_memory};
        }
        return memory;
    }
    if (free_.empty()) {
        account(slab_);
        auto* slab = static_cast<u8*>(allocate_pages(slab_));
        if (slab == nullptr) {
            return_account(slab_);
            throw Stopped{Status::out_of_memory};
        }
        slabs_.push_back(slab);
        for (u64 at = slab_; at > 0; at -= kChunk) free_.push_back(slab + at - kChunk);
    }
    u8* chunk = free_.back();
    free_.pop_back();
    return chunk;
}

void ChunkPool::give_back(u8* chunk, u64 bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kChunk) {
        return_account(bytes);
        std::free(chunk);
    } else {
        free_.push_back(chunk);
    }
}

bool ChunkPool::trim() {
    const std::lock_guard lock(mutex_);
    return return_slabs();
}

bool ChunkPool::return_slabs() {
    std::sort(free_.begin(), free_.end(), std::less<>());
    std::vector<u8*> kept;
    auto chunk = free_.begin();
    const std::size_t before = slabs_.size();
    std::sort(slabs_.begin(), slabs_.end(), std::less<>());
    std::erase_if(slabs_, [&](void* memory) {
        auto* const slab = static_cast<u8*>(memory);
        const auto first = chunk;
        while (chunk != free_.end() && std::less<>()(*chunk, slab + slab_)) ++chunk;
        if (static_cast<u64>(chunk - first) < slab_ / kChunk) {
            kept.insert(kept.end(), first, chunk);
            return false;
        }
        return_account(slab_);
        free_pages(memory, slab_);
        return true;
    });
    free_.swap(kept);
    return slabs_.size() < before;
}

Cursor lower_bound(const Layer& layer, u64 pattern) {
    const std::size_t number = layer.segment_of(pattern);
    if (number == layer.segments().size()) return {number, 0};
    const Segment& segment = layer.segments()[number];
    const Group* group = std::partition_point(segment.begin(), segment.end(),
                                              [&](const Group& g) { return g.pattern < pattern; });
    return {number, static_cast<u32>(group - segment.begin())};
}

u8* Writer::append(u64 pattern, u64 count, int width, int sum_bits) {
    const u64 bytes = count * static_cast<u64>(width);
    if (open_.chunk == nullptr || front_ + sizeof(Group) + bytes > back_) {
        close();
        // A group too large for a chunk gets its own memory: header, entries, slack.
        const u64 needed = sizeof(Group) + bytes + ChunkPool::kSlack;
        const u64 size = std::max(needed, ChunkPool::kChunk);
        open_.chunk = pool_->take(size);
        open_.bytes = size;
        front_ = 0;
        back_ = size > ChunkPool::kChunk ? sizeof(Group) + bytes : size - ChunkPool::kSlack;
    }
    back_ -= bytes;
    *reinterpret_cast<Group*>(open_.chunk + front_) = Group::make(pattern, back_, count, width, sum_bits);
    front_ += sizeof(Group);
    open_.last = pattern;
    ++open_.groups;
    open_.states += count;
    return open_.chunk + back_;
}

void Writer::close() {
    if (open_.chunk != nullptr) done_.push_back(open_);
    open_ = Segment{};
}

std::vector<Segment> Writer::finish() {
    close();
    return std::exchange(done_, {});
}

} // namespace ktsolve::join
