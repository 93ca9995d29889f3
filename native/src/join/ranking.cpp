// Preparing a ranking, and keeping it in a file. See ktsolve/join_ranking.hpp.
#include "join/ranking.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>

#include "join/checksum.hpp"
#include "join/workspace.hpp"

namespace ktsolve {

namespace join {

namespace {

constexpr u64 kMagic = 0x314B4E415254544Bull; // "KTTRANK1"; byte order included
constexpr u64 kOrbitsPerTask = 256;

// The first bytes of a file. Then come the text and the directory, the totals, and the layers' blocks.
struct Preamble {
    u64 magic = kMagic, bytes = 0; // of the whole file
    u64 text_bytes = 0, directory_offset = 0, directory_bytes = 0;
    u64 orbits = 0, orbits_offset = 0;
    u64 checksum = 0; // of all this, the text and the directory
};

u64 checksum_of(Preamble preamble, const u8* text, const u8* directory) {
    preamble.checksum = 0;
    return mixed(mixed(mixed(0, &preamble, sizeof preamble), text, preamble.text_bytes), directory,
                 preamble.directory_bytes);
}

// The beginning of a file, checked.
Preamble preamble_of(const MappedFile& file) {
    const auto fail = [&](const char* what) { throw PreparedDamaged(file.path() + ": " + what); };
    Preamble preamble;
    if (file.bytes() < sizeof preamble) fail("is no file of prepared tables");
    std::memcpy(&preamble, file.data(), sizeof preamble);
    if (preamble.magic != kMagic) fail("is no file of prepared tables");
    if (preamble.bytes != file.bytes()) fail("is cut short or damaged");
    const auto inside = [&](u64 offset, u64 bytes) {
        return offset <= file.bytes() && bytes <= file.bytes() - offset;
    };
    if (!inside(sizeof preamble, preamble.text_bytes) ||
        !inside(preamble.directory_offset, preamble.directory_bytes) ||
        checksum_of(preamble, file.data() + sizeof preamble, file.data() + preamble.directory_offset) !=
            preamble.checksum)
        fail("is damaged at its beginning");
    return preamble;
}

void put(std::FILE* file, const std::string& path, const void* data, u64 bytes, u64& at) {
    if (bytes != 0 && std::fwrite(data, 1, bytes, file) != bytes)
        throw SpillFailed(path + ": " + std::strerror(errno));
    at += bytes;
}

void pad(std::FILE* file, const std::string& path, u64& at) {
    const std::array<u8, 16> zeros{};
    put(file, path, zeros.data(), (16 - at % 16) % 16, at);
}

} // namespace

u64 OrbitTotals::of_index(u128 index) const {
    u64 low = 0, high = size_;
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (end(middle) <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

u64 OrbitTotals::of_pattern(u64 wanted) const {
    u64 low = 0, high = size_;
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (pattern(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size_ && pattern(low) == wanted ? low : size_;
}

void OrbitTotals::fill(ChunkPool& pool, const std::vector<u64>& patterns, const std::vector<u128>& totals,
                       const std::vector<u8>& weights) {
    for (const u128 total : totals) size_ += total != 0;
    reserved_ = std::make_unique<Reservation>(pool, 24 * size_);
    own_patterns_.reserve(size_);
    own_ends_.reserve(2 * size_);
    u128 sum = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i] == 0) continue;
        u128 whole;
        if (__builtin_mul_overflow(totals[i], static_cast<u128>(weights[i]), &whole) ||
            __builtin_add_overflow(sum, whole, &sum))
            throw CountTooWide{};
        own_patterns_.push_back(patterns[i]);
        own_ends_.push_back(static_cast<u64>(sum));
        own_ends_.push_back(static_cast<u64>(sum >> 64));
    }
    patterns_ = own_patterns_.data();
    ends_ = own_ends_.data();
}

void OrbitTotals::map(std::shared_ptr<const MappedFile> file, u64 offset, u64 size,
                      std::vector<u64> checksums) {
    if (offset % 16 != 0 || offset > file->bytes() || size > (file->bytes() - offset) / 24 ||
        checksums.size() != (size + kBlock - 1) / kBlock)
        throw PreparedDamaged(file->path() + ": is damaged at its beginning");
    size_ = size;
    patterns_ = reinterpret_cast<const u64*>(file->data() + offset);
    ends_ = patterns_ + size;
    file_ = std::move(file);
    checksums_ = std::move(checksums);
    sound_.reset(new std::atomic<u8>[checksums_.size()]());
}

u64 OrbitTotals::checksum(u64 block) const {
    const u64 first = block * kBlock, many = std::min(kBlock, size_ - first);
    return mixed(mixed(0, patterns_ + first, 8 * many), ends_ + 2 * first, 16 * many);
}

void OrbitTotals::read(u64 block) const {
    if (checksum(block) != checksums_[block])
        throw PreparedDamaged(file_->path() + ": is damaged among its totals");
    sound_[block].store(1, std::memory_order_release);
}

std::vector<u64> OrbitTotals::write(std::FILE* file, const std::string& path, u64& at) const {
    std::vector<u64> checksums;
    for (u64 block = 0; block * kBlock < size_; ++block) {
        check(block * kBlock);
        checksums.push_back(checksum(block));
    }
    put(file, path, patterns_, 8 * size_, at);
    put(file, path, ends_, 16 * size_, at);
    return checksums;
}

OrbitSymmetries::OrbitSymmetries(const JoinPlan& plan, const Numbering& numbering)
    : each_{{false, false, {}}}, full_(numbering.full()) {
    if (plan.mirror_joins) {
        mirror_ = separator_permutation(plan, plan.top_mirror);
        each_.push_back({true, false, plan.top_mirror});
    }
    if (plan.flip.empty()) return;
    flip_ = separator_permutation(plan, plan.flip);
    each_.push_back({false, true, plan.flip});
    if (!plan.mirror_joins) return;
    std::vector<int> both;
    for (const int image : plan.flip) both.push_back(plan.top_mirror[static_cast<std::size_t>(image)]);
    for (std::size_t v = 0; v < both.size(); ++v)
        if (both[static_cast<std::size_t>(both[v])] != static_cast<int>(v))
            throw std::invalid_argument("the flip and the mirror of a ranking must commute");
    each_.push_back({true, true, std::move(both)});
}

u64 OrbitSymmetries::pattern(int symmetry, u64 pattern) const {
    const Symmetry& each = each_[static_cast<std::size_t>(symmetry)];
    if (each.flips) pattern = (*flip_)(full_ - pattern);
    return each.mirrors ? (*mirror_)(pattern) : pattern;
}

u64 OrbitSymmetries::least(u64 of) const {
    u64 least = of;
    for (int s = 1; s < size(); ++s) least = std::min(least, pattern(s, of));
    return least;
}

OrbitSymmetries::Members OrbitSymmetries::members(u64 least) const {
    Members members;
    for (int s = 0; s < size(); ++s) {
        const u64 image = pattern(s, least);
        const auto end = members.pattern.begin() + members.count;
        if (std::find(members.pattern.begin(), end, image) != end) continue;
        members.symmetry[static_cast<std::size_t>(members.count)] = s;
        members.pattern[static_cast<std::size_t>(members.count++)] = image;
    }
    return members;
}

} // namespace join

using namespace join;

JoinRanking::Inside::Inside(const Graph& of, const JoinPlan& along, int number, std::uint64_t bytes)
    : graph(of), plan(along), threads(std::max(1, number)), pool(bytes - bytes / 8), transitions(bytes / 8),
      numbering(static_cast<int>(along.separator.size()), along.split >= 0),
      ends(along.split < 0 ? -1 : static_cast<int>(along.separator.size()) - 1),
      symmetries(along, numbering) {}

HalfTask JoinRanking::Inside::task(bool upper) const {
    return {graph,
            upper ? plan.top : plan.bottom,
            plan.separator,
            upper ? plan.top_preapplied : plan.bottom_preapplied,
            none,
            plan.colour,
            plan.split,
            false,
            no_sets,
            none,
            ""};
}

void JoinRanking::Inside::open_sides() {
    const int split_slot = plan.split < 0 ? -1 : static_cast<int>(plan.separator.size()) - 1;
    const auto open = [&](RankedSide& side, const std::vector<int>& deferred) {
        const KeptLayer& last = side.half.layers.back();
        side.index.reset();
        side.end = std::make_unique<Half>(Half{Layer(pool, last.segments()), false, {}});
        side.side = std::make_unique<Side>(*side.end, nullptr, &last, separator_ports(graph, plan, deferred),
                                           numbering, split_slot);
        side.deferred.clear();
        for (const int e : deferred) side.deferred.push_back(graph.edges[static_cast<std::size_t>(e)]);
    };
    open(top, plan.top_deferred);
    if (!flipped()) open(bottom, plan.bottom_deferred);
}

void JoinRanking::Inside::make_index(RankedSide& side, Workers& workers) {
    if (side.index) return;
    side.half.layers.back().check(workers);
    side.index = std::make_unique<PatternIndex>(side.end->layer, numbering, workers);
    side.side->use_index(*side.index);
}

JoinStep JoinRanking::Inside::step(Context& context) {
    return {{top.side.get()},
            *lower().side,
            symmetries.flip(),
            flipped(),
            symmetries.mirror(),
            numbering,
            context,
            0,
            1,
            0,
            0,
            nullptr,
            {}};
}

JoinRanking::JoinRanking(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t bytes) {
    graph.validate();
    plan.validate(graph);
    if (!plan.blocks.empty()) throw std::invalid_argument("a ranking takes no plan with blocks");
    inside_ = std::make_unique<Inside>(graph, plan, threads, bytes);
}

JoinRanking::~JoinRanking() = default;

RankingReport JoinRanking::prepare(const std::string& folder, double seconds, Monitor* monitor) {
    Inside& in = *inside_;
    RankingReport report;
    try {
        report.status = in.watched(seconds, monitor, [&](Context& context) {
            Workers& workers = context.workers;
            workers.progress().total = in.plan.top.size() + in.plan.top_preapplied.size() + 1000;
            if (!in.flipped())
                workers.progress().total += in.plan.bottom.size() + in.plan.bottom_preapplied.size();
            Keeper keeper(folder);
            keeper.add(in.top.half);
            if (!in.flipped()) keeper.add(in.bottom.half);
            Watch watch({}, nullptr);
            keep_half(in.task(true), context, keeper, in.top.half, report.top);
            if (!in.flipped()) keep_half(in.task(false), context, keeper, in.bottom.half, report.bottom);
            context.accumulators.clear();
            report.seconds_halves = watch.elapsed();
            keeper.with_memory([&] {
                in.open_sides();
                in.make_index(in.top, workers);
                if (!in.flipped()) in.make_index(in.bottom, workers);
                JoinStep step = in.step(context);
                const PatternOrbits orbits(step);
                Reservation reserved(in.pool);
                std::vector<u64> patterns, opposites;
                std::vector<u8> weights;
                for (u64 w = 0; w < orbits.words(); ++w) {
                    orbits.each(w, w + 1, [&](u64 pattern, u64 opposite, u64 weight) {
                        if (patterns.size() == patterns.capacity()) {
                            const std::size_t more = std::max<std::size_t>(1 << 14, 2 * patterns.size());
                            reserved.add((more - patterns.capacity()) * (17 + sizeof(u128)));
                            patterns.reserve(more);
                            opposites.reserve(more);
                            weights.reserve(more);
                        }
                        patterns.push_back(pattern);
                        opposites.push_back(opposite);
                        weights.push_back(static_cast<u8>(weight));
                    });
                    if (w % 65536 == 0) workers.poll();
                }
                std::vector<u128> totals(patterns.size());
                step.each = &totals;
                in.lists.prepare(orbits.most_pairs(ContractionLists::kMostListed));
                std::deque<Workspace> workspaces;
                for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, in.lists, w);
                const u64 tasks = (patterns.size() + kOrbitsPerTask - 1) / kOrbitsPerTask;
                std::atomic<u64> done{0};
                const u64 before = workers.progress().total - 1000;
                workers.run(tasks, [&](int worker, u64 task) {
                    const u64 end = std::min<u64>(patterns.size(), (task + 1) * kOrbitsPerTask);
                    for (u64 o = task * kOrbitsPerTask; o < end; ++o) {
                        workspaces[static_cast<std::size_t>(worker)].take(patterns[o], opposites[o],
                                                                          weights[o], o);
                        workers.tick(worker);
                    }
                    const u64 n = ++done;
                    if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
                });
                workers.run(workspaces.size(), [&](int worker, u64 d) { workspaces[d].finish(worker); });
                for (const Workspace& workspace : workspaces)
                    if (workspace.result.overflow) throw CountTooWide{};
                in.totals = OrbitTotals();
                in.totals.fill(in.pool, patterns, totals, weights);
            });
            report.seconds_join = watch.elapsed() - report.seconds_halves;
        });
    } catch (const CountTooWide&) {
        report.overflow = true;
    }
    report.orbits = in.totals.size();
    report.count = count();
    report.peak_bytes = in.pool.peak() + in.transitions.bytes();
    return report;
}

std::vector<std::uint64_t> JoinRanking::count() const {
    const u128 count = inside_->totals.count();
    return {static_cast<u64>(count), static_cast<u64>(count >> 64)};
}

std::pair<std::uint64_t, std::uint64_t> JoinRanking::kept() const {
    std::pair<std::uint64_t, std::uint64_t> kept;
    for (const RankedSide* side : {&inside_->top, &inside_->bottom})
        for (const KeptLayer& layer : side->half.layers) {
            kept.first += layer.bytes();
            kept.second += layer.kept();
        }
    return kept;
}

void JoinRanking::save(const std::string& path, const std::string& text) const {
    Inside& in = *inside_;
    const std::lock_guard lock(in.mutex);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file) throw SpillFailed(path + ": " + std::strerror(errno));
    Preamble preamble;
    preamble.text_bytes = text.size();
    u64 at = 0;
    put(file.get(), path, &preamble, sizeof preamble, at);
    put(file.get(), path, text.data(), text.size(), at);
    pad(file.get(), path, at);
    preamble.orbits = in.totals.size();
    preamble.orbits_offset = at;
    const std::vector<u64> checksums = in.totals.write(file.get(), path, at);
    pad(file.get(), path, at);
    Watch watch({}, nullptr);
    Workers workers(in.threads, watch);
    // For each side the number of its layers, for each layer whether it is kept and its blocks; then the
    // checksums of the totals.
    std::vector<u64> directory;
    for (const RankedSide* side : {&in.top, &in.bottom}) {
        directory.push_back(side->half.layers.size());
        for (const KeptLayer& layer : side->half.layers) {
            directory.push_back(layer.kept());
            if (!layer.kept()) continue;
            layer.check(workers);
            const std::vector<Block> blocks = write_blocks(file.get(), path, layer.segments(), at);
            directory.push_back(blocks.size());
            for (const Block& b : blocks)
                directory.insert(directory.end(),
                                 {b.offset, b.bytes, b.groups, b.states, b.last, b.checksum});
        }
    }
    directory.insert(directory.end(), checksums.begin(), checksums.end());
    preamble.directory_offset = at;
    preamble.directory_bytes = 8 * directory.size();
    put(file.get(), path, directory.data(), preamble.directory_bytes, at);
    preamble.bytes = at;
    preamble.checksum = checksum_of(preamble, reinterpret_cast<const u8*>(text.data()),
                                    reinterpret_cast<const u8*>(directory.data()));
    if (std::fseek(file.get(), 0, SEEK_SET) != 0) throw SpillFailed(path + ": " + std::strerror(errno));
    put(file.get(), path, &preamble, sizeof preamble, at);
    if (std::fflush(file.get()) != 0) throw SpillFailed(path + ": " + std::strerror(errno));
}

std::string JoinRanking::text_in(const std::string& path) {
    const MappedFile file(path);
    const Preamble preamble = preamble_of(file);
    return {reinterpret_cast<const char*>(file.data()) + sizeof preamble, preamble.text_bytes};
}

void JoinRanking::restore(const std::string& path) {
    Inside& in = *inside_;
    const std::lock_guard lock(in.mutex);
    const auto file = std::make_shared<const MappedFile>(path);
    const Preamble preamble = preamble_of(*file);
    const auto fail = [&]() -> u64 {
        throw PreparedDamaged(path + ": its tables are not those of the plan");
    };
    std::vector<u64> directory(preamble.directory_bytes / 8);
    std::memcpy(directory.data(), file->data() + preamble.directory_offset, 8 * directory.size());
    std::size_t next = 0;
    const auto take = [&] { return next < directory.size() ? directory[next++] : fail(); };
    for (const bool upper : {true, false}) {
        RankedSide& side = upper ? in.top : in.bottom;
        const u64 layers = take();
        if (!upper && in.flipped()) {
            if (layers != 0) fail();
            continue;
        }
        const HalfTask task = in.task(upper);
        HalfSteps steps(task);
        if (layers != steps.count() + 1) fail();
        for (std::size_t n = 0; n < steps.count(); ++n) side.half.steps.push_back(steps.next());
        for (u64 n = 0; n < layers; ++n) {
            const bool kept = take() != 0;
            if (!kept) {
                if (n == 0 || n + 1 == layers) fail();
                side.half.layers.emplace_back();
                continue;
            }
            const u64 many = take();
            if (many > (directory.size() - next) / 6) fail();
            std::vector<Block> blocks;
            for (u64 b = 0; b < many; ++b) {
                Block block{take(), take(), take(), take(), take(), take()};
                if (block.offset % 16 != 0 || block.offset > file->bytes() ||
                    block.bytes > file->bytes() - block.offset ||
                    block.groups > block.bytes / sizeof(Group) || block.groups == 0 ||
                    (b > 0 && block.last <= blocks.back().last))
                    fail();
                blocks.push_back(block);
            }
            side.half.layers.emplace_back(in.pool, file, std::move(blocks));
        }
    }
    in.totals.map(file, preamble.orbits_offset, preamble.orbits,
                  {directory.begin() + static_cast<std::ptrdiff_t>(next), directory.end()});
    in.open_sides();
}

} // namespace ktsolve
