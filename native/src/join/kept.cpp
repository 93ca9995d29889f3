// Keeps the layers of a half, and counts the ways to reach each state of the last one.
#include "join/kept.hpp"

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/files.hpp"
#include "join/half.hpp"

namespace ktsolve::join {

namespace {

constexpr std::size_t kWidestGap = 4;

} // namespace

KeptLayer::KeptLayer(ChunkPool& pool, CheckedBytes&& bytes, const std::vector<Block>& blocks) {
    std::vector<Segment> segments;
    u64 before = 0; // patterns are stored plus one here, so that the first is above it
    for (const Block& block : blocks) {
        if (block.offset % 16 != 0 || block.offset > bytes.size() ||
            block.bytes > bytes.size() - block.offset || block.groups == 0 || block.groups >> 32 != 0 ||
            reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Group) != 0 ||
            block.groups > block.bytes / sizeof(Group) || block.last >= ~u64{0} || block.last + 1 <= before)
            throw DamagedBytes();
        before = block.last + 1;
        Segment segment;
        // Not read yet, and never written: the layer borrows it.
        segment.chunk = const_cast<u8*>(bytes.data()) + block.offset;
        segment.bytes = block.bytes;
        segment.groups = static_cast<u32>(block.groups);
        segment.states = block.states;
        segment.last = block.last;
        segments.push_back(segment);
        offsets_.push_back(block.offset);
    }
    layer_.emplace(pool, std::move(segments));
    bytes_ = std::move(bytes);
}

GroupRef KeptLayer::find(u64 pattern) const {
    const std::size_t number = layer_->segment_of(pattern);
    if (number == segments().size()) return {};
    const Segment& segment = segments()[number];
    if (bytes_) {
        (void)bytes_->read(offsets_[number], segment.groups * sizeof(Group));
        if ((segment.end() - 1)->pattern != segment.last) throw DamagedBytes();
    }
    const Group* group = std::partition_point(segment.begin(), segment.end(),
                                              [&](const Group& g) { return g.pattern < pattern; });
    if (group->pattern != pattern) return {};
    if (bytes_) check(number, *group);
    return {segment, *group};
}

GroupRef KeptLayer::find_whole(u64 pattern, const EndsOf& ends) const {
    const GroupRef group = find(pattern);
    if (bytes_ && group.entries != nullptr && !sound(group, pattern, ends)) throw DamagedBytes();
    return group;
}

void KeptLayer::check(std::size_t number, const Group& group) const {
    const u64 bytes = group.count() * static_cast<u64>(group.width()) + ChunkPool::kSlack;
    if (group.count() == 0 || group.count() >> 32 != 0 || group.width() == 0 ||
        group.offset() + bytes > segments()[number].bytes)
        throw DamagedBytes();
    (void)bytes_->read(offsets_[number] + group.offset(), bytes);
}

void KeptLayer::check(Workers& workers) const {
    if (!bytes_) return;
    workers.run(segments().size(), [&](int worker, u64 number) {
        const Segment& segment = segments()[number];
        (void)bytes_->read(offsets_[number], segment.groups * sizeof(Group));
        for (const Group& group : segment) check(number, group);
        workers.tick(worker);
    });
}

void KeptLayer::check(Workers& workers, const Numbering& numbering, const EndsOf& ends) const {
    check(workers);
    if (!bytes_) return;
    workers.run(segments().size(), [&](int worker, u64 number) {
        const Segment& segment = segments()[number];
        for (const Group& group : segment)
            if (!numbering.has(group.pattern) || !sound({segment, group}, group.pattern, ends))
                throw DamagedBytes();
        workers.tick(worker);
    });
}

bool sound(const GroupRef& group, u64 pattern, const EndsOf& ends_of) {
    const u64 ends = ends_of(pattern);
    if (std::popcount(ends) % 2 != 0 || pairs_of(ends) > kMostPairs) return false;
    const int pairs = pairs_of(ends);
    const u64 ranks = kMatchings[static_cast<std::size_t>(pairs)];
    u64 next = 0;
    u128 sum = 0;
    bool good = true;
    for_each_entry(group.entries, group.count, group.width, pairs, [&](u64 rank, u64 count) {
        good = good && rank >= next && rank < ranks && count != 0;
        sum += count;
        next = rank + 1;
    });
    return good && sum >> group.sum_bits == 0;
}

bool Keeper::wanted(const KeptHalf& half, std::size_t number) const {
    return number % gap_ == 0 || half.layers[number].bytes() <= small_;
}

bool Keeper::thin() {
    bool dropped = false;
    while (!dropped && gap_ < kWidestGap) {
        gap_ *= 2;
        for (KeptHalf* half : halves_)
            for (std::size_t n = 0; n + 1 < half->layers.size(); ++n) // the last is still to be read
                if (half->layers[n].kept() && !wanted(*half, n)) {
                    half->layers[n] = KeptLayer();
                    dropped = true;
                }
    }
    return dropped;
}

void Keeper::settle(KeptHalf& half, std::size_t number, Context& context) const {
    KeptLayer& layer = half.layers[number];
    const bool last = number == half.steps.size();
    if (!last && !wanted(half, number)) {
        layer = KeptLayer();
        return;
    }
    if (folder_.empty() || layer.bytes() <= small_) return;
    // The file has no name once it is mapped, so nothing is left behind.
    const std::string path = folder_ + "/ktsolve-layer-" + process_number() + "-" +
                             std::to_string(reinterpret_cast<std::uintptr_t>(&half)) + "-" +
                             std::to_string(number);
    struct Unfinished {
        const std::string& name;
        ~Unfinished() { remove_file(name); }
    } const unfinished{path};
    const std::vector<Block> blocks = blocks_of(layer.segments());
    {
        const File file = open_to_write(path);
        if (!file) throw SpillFailed(path + ": " + std::strerror(errno));
        std::vector<u8> packed;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            packed.resize(blocks[b].bytes);
            pack(layer.segments()[b], blocks[b], packed.data());
            if (!packed.empty() && std::fwrite(packed.data(), 1, packed.size(), file.get()) != packed.size())
                throw SpillFailed(path + ": " + std::strerror(errno));
            context.workers.poll();
        }
        if (std::fflush(file.get()) != 0) throw SpillFailed(path + ": " + std::strerror(errno));
    }
    layer = KeptLayer(context.pool, std::make_unique<MappedFile>(path), blocks);
}

void keep_half(const HalfTask& task, Context& context, Keeper& keeper, KeptHalf& half,
               std::vector<LayerReport>& log) {
    HalfSteps steps(task);
    half.layers.emplace_back(empty_layer(context.pool));
    for (std::size_t n = 0; n < steps.count(); ++n) {
        half.steps.push_back(steps.next());
        const HalfStep& step = half.steps.back();
        keeper.with_memory(context.pool, [&] {
            // After a failure they may hold what was added before it.
            context.accumulators.clear();
            for (int w = 0; w < context.workers.threads(); ++w)
                context.accumulators.emplace_back(context.pool);
            half.layers.emplace_back(take_step(half.layers.back().layer(), step.choices, {}, context));
        });
        const Layer& made = half.layers.back().layer();
        log.push_back({step.vertex, made.states(), made.states(), made.groups(), made.bytes()});
        Progress& progress = context.workers.progress();
        ++progress.step;
        progress.states = made.states();
        keeper.settle(half, n, context);
        context.workers.poll();
    }
    keeper.settle(half, steps.count(), context);
}

namespace {

// Entries lie from the back to the front of a segment; the last group's come first.
struct Extent {
    u64 headers, low, end;
    explicit Extent(const Segment& segment)
        : headers(segment.groups * sizeof(Group)), low((segment.end() - 1)->offset()),
          end(segment.begin()->offset() +
              segment.begin()->count() * static_cast<u64>(segment.begin()->width())) {
        if (low < headers || end < low || end > segment.bytes) throw DamagedBytes();
    }
};

} // namespace

std::vector<Block> blocks_of(const std::vector<Segment>& segments) {
    std::vector<Block> blocks;
    u64 at = 0;
    for (const Segment& segment : segments) {
        const Extent extent(segment);
        const u64 bytes = (extent.headers + extent.end - extent.low + ChunkPool::kSlack + 15) / 16 * 16;
        blocks.push_back({at, bytes, segment.groups, segment.states, (segment.end() - 1)->pattern});
        at += bytes;
    }
    return blocks;
}

void pack(const Segment& segment, const Block& block, u8* to) {
    const Extent extent(segment);
    for (u64 g = 0; g < segment.groups; ++g) {
        const Group& group = segment.begin()[g];
        const Group moved = Group::make(group.pattern, group.offset() - extent.low + extent.headers,
                                        group.count(), group.width(), group.sum_bits());
        std::memcpy(to + g * sizeof(Group), &moved, sizeof moved);
    }
    std::memcpy(to + extent.headers, segment.chunk + extent.low, extent.end - extent.low);
    const u64 used = extent.headers + extent.end - extent.low;
    std::memset(to + used, 0, block.bytes - used);
}

} // namespace ktsolve::join
