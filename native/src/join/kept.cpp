// See join/kept.hpp.
#include "join/kept.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "join/checksum.hpp"
#include "join/half.hpp"
#include "ktsolve/join_ranking.hpp"
#if defined(_WIN32)
#include <process.h>
#define getpid _getpid
#else
#include <unistd.h>
#endif

namespace ktsolve::join {

namespace {

constexpr std::size_t kWidestGap = 4;
constexpr u64 kSmall = u64{1} << 20; // bytes of a layer that is never dropped

} // namespace

void CheckedBlocks::read(std::size_t number) const {
    const Block& block = blocks_[number];
    const u8* const at = file_->data() + block.offset;
    bool sound = mixed(0, at, block.bytes) == block.checksum && block.groups > 0;
    // A sound checksum is that of what was written; the rest is against a file made by something else.
    const auto* group = reinterpret_cast<const Group*>(at);
    u64 states = 0;
    for (u64 g = 0; sound && g < block.groups; ++g, ++group) {
        const u64 end = group->offset() + group->count() * static_cast<u64>(group->width());
        sound = group->offset() >= block.groups * sizeof(Group) && end + ChunkPool::kSlack <= block.bytes &&
                group->count() > 0 && (g == 0 || (group - 1)->pattern < group->pattern) &&
                (g + 1 < block.groups || group->pattern == block.last);
        states += group->count();
    }
    if (!sound || states != block.states)
        throw PreparedDamaged(file_->path() + ": is damaged at byte " + std::to_string(block.offset));
    sound_[number].store(1, std::memory_order_release);
}

KeptLayer::KeptLayer(Layer&& layer) : layer_(std::move(layer)) {
    for (const Segment& segment : layer_->segments()) last_.push_back((segment.end() - 1)->pattern);
}

KeptLayer::KeptLayer(ChunkPool& pool, std::shared_ptr<const MappedFile> file, std::vector<Block> blocks) {
    std::vector<Segment> segments;
    for (const Block& block : blocks) {
        Segment segment;
        segment.chunk = const_cast<u8*>(file->data() + block.offset); // never written: the layer borrows it
        segment.bytes = block.bytes;
        segment.groups = static_cast<u32>(block.groups);
        segment.states = block.states;
        segments.push_back(segment);
        last_.push_back(block.last);
    }
    layer_.emplace(pool, std::move(segments));
    file_ = std::make_unique<CheckedBlocks>(std::move(file), std::move(blocks));
}

GroupRef KeptLayer::find(u64 pattern) const {
    const auto place = std::lower_bound(last_.begin(), last_.end(), pattern);
    if (place == last_.end()) return {};
    const auto number = static_cast<std::size_t>(place - last_.begin());
    if (file_) file_->check(number);
    const Segment& segment = layer_->segments()[number];
    const Group* group = std::partition_point(segment.begin(), segment.end(),
                                              [&](const Group& g) { return g.pattern < pattern; });
    return group->pattern == pattern ? GroupRef(segment, *group) : GroupRef{};
}

void KeptLayer::check(Workers& workers) const {
    if (!file_) return;
    workers.run(segments().size(), [&](int worker, u64 block) {
        file_->check(block);
        workers.tick(worker);
    });
}

bool Keeper::wanted(const KeptHalf& half, std::size_t number) const {
    return number % gap_ == 0 || half.layers[number].bytes() <= kSmall;
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
    if (folder_.empty() || layer.bytes() <= kSmall) return;
    // The file has no name once it is mapped, so nothing is left behind.
    const std::string path = folder_ + "/ktsolve-layer-" + std::to_string(static_cast<long long>(getpid())) +
                             "-" + std::to_string(reinterpret_cast<std::uintptr_t>(&half)) + "-" +
                             std::to_string(number);
    struct Unfinished {
        const std::string& name;
        ~Unfinished() { std::remove(name.c_str()); }
    } const unfinished{path};
    std::vector<Block> blocks;
    {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                                   std::fclose);
        if (!file) throw SpillFailed(path + ": " + std::strerror(errno));
        u64 at = 0;
        blocks = write_blocks(file.get(), path, layer.segments(), at);
        if (std::fflush(file.get()) != 0) throw SpillFailed(path + ": " + std::strerror(errno));
    }
    context.workers.poll();
    layer = KeptLayer(context.pool, std::make_shared<const MappedFile>(path), std::move(blocks));
}

void keep_half(const HalfTask& task, Context& context, Keeper& keeper, KeptHalf& half,
               std::vector<LayerReport>& log) {
    HalfSteps steps(task);
    half.layers.emplace_back(empty_layer(context.pool));
    for (std::size_t n = 0; n < steps.count(); ++n) {
        half.steps.push_back(steps.next());
        const HalfStep& step = half.steps.back();
        keeper.with_memory([&] {
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

std::vector<Block> write_blocks(std::FILE* file, const std::string& path,
                                const std::vector<Segment>& segments, u64& at) {
    std::vector<Block> blocks;
    std::vector<u8> buffer;
    for (const Segment& segment : segments) {
        // Entries lie from the back to the front; the last group's come first.
        const Group& first = *segment.begin();
        const u64 low = (segment.end() - 1)->offset();
        const u64 end = first.offset() + first.count() * static_cast<u64>(first.width());
        const u64 headers = segment.groups * sizeof(Group);
        buffer.assign((headers + end - low + ChunkPool::kSlack + 15) / 16 * 16, 0);
        for (u64 g = 0; g < segment.groups; ++g) {
            const Group& group = segment.begin()[g];
            const Group moved = Group::make(group.pattern, group.offset() - low + headers, group.count(),
                                            group.width(), group.sum_bits());
            std::memcpy(buffer.data() + g * sizeof(Group), &moved, sizeof moved);
        }
        std::memcpy(buffer.data() + headers, segment.chunk + low, end - low);
        if (std::fwrite(buffer.data(), 1, buffer.size(), file) != buffer.size())
            throw SpillFailed(path + ": " + std::strerror(errno));
        blocks.push_back({at, buffer.size(), segment.groups, segment.states, (segment.end() - 1)->pattern,
                          mixed(0, buffer.data(), buffer.size())});
        at += buffer.size();
    }
    return blocks;
}

} // namespace ktsolve::join
