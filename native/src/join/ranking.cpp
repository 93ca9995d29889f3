// Prepares a ranking: both halves with their layers, the sums of the join, and the file that keeps them.
#include "join/ranking.hpp"

#include <cstring>
#include <deque>

#include "join/workspace.hpp"

namespace ktsolve {

namespace join {

namespace {

constexpr u64 kOrbitsPerTask = task_size(256);

} // namespace

u64 OrbitTotals::of_index(u128 index) const {
    u64 low = 0, high = size();
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
    u64 low = 0, high = size();
    while (low < high) {
        const u64 middle = low + (high - low) / 2;
        if (pattern(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size() && pattern(low) == wanted ? low : size();
}

void OrbitTotals::fill(ChunkPool& pool, const std::vector<u64>& patterns, const std::vector<u128>& totals,
                       const std::vector<u8>& weights) {
    u64 size = 0;
    for (const u128 total : totals) size += total != 0;
    reserved_ = std::make_unique<Reservation>(pool, 24 * size);
    own_patterns_.reserve(size);
    own_ends_.reserve(2 * size);
    u128 sum = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        if (totals[i] == 0) continue;
        u128 whole;
        if (multiply_overflows(totals[i], static_cast<u128>(weights[i]), &whole) ||
            add_overflows(sum, whole, &sum))
            throw CountTooWide{};
        own_patterns_.push_back(patterns[i]);
        own_ends_.push_back(static_cast<u64>(sum));
        own_ends_.push_back(static_cast<u64>(sum >> 64));
    }
    patterns_ = CheckedBytes(reinterpret_cast<const u8*>(own_patterns_.data()), 8 * size, nullptr);
    ends_ = CheckedBytes(reinterpret_cast<const u8*>(own_ends_.data()), 16 * size, nullptr);
}

void OrbitTotals::map(CheckedBytes&& patterns, CheckedBytes&& ends) {
    if (patterns.size() % 8 != 0 || ends.size() != 2 * patterns.size()) throw DamagedBytes();
    patterns_ = std::move(patterns);
    ends_ = std::move(ends);
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
    : graph(of), plan(along), threads(std::max(1, number)), pool(budget_of_pool(bytes)), transitions(&pool),
      numbering(static_cast<int>(along.separator.size()), along.split >= 0),
      ends(along.split < 0 ? -1 : static_cast<int>(along.separator.size()) - 1),
      symmetries(along, numbering) {}

void JoinRanking::Inside::open_sides() {
    const int split_slot = plan.split < 0 ? -1 : static_cast<int>(plan.separator.size()) - 1;
    const auto open = [&](RankedSide& side, const std::vector<int>& deferred) {
        const KeptLayer& last = side.half.layers.back();
        side.index.reset();
        side.end = std::make_unique<Half>(Half{Layer(pool, last.segments()), false, {}});
        side.side = std::make_unique<Side>(std::vector<const Half*>{side.end.get()}, nullptr, &last,
                                           separator_ports(graph, plan, deferred),
                                           std::vector<Ending>{{{}, {0}}}, numbering, split_slot);
        side.deferred.clear();
        for (const int e : deferred) side.deferred.push_back(graph.edges[static_cast<std::size_t>(e)]);
    };
    open(top, plan.top_deferred);
    if (!flipped()) open(bottom, plan.bottom_deferred);
}

void JoinRanking::Inside::check_orbit(u64 pattern) const {
    const u64 open = ends(pattern);
    if (!numbering.has(pattern) || std::popcount(open) % 2 != 0 || pairs_of(open) > kMostClosed)
        throw DamagedBytes();
}

void JoinRanking::Inside::make_index(RankedSide& side, Workers& workers) {
    if (side.index) return;
    side.half.layers.back().check(workers, numbering, ends);
    side.index = std::make_unique<PatternIndex>(side.end->layer, numbering, workers);
    side.side->use_index(*side.index);
}

JoinStep JoinRanking::Inside::step(Context& context) {
    return {.tops = {top.side.get()},
            .bottom = *lower().side,
            .flip = symmetries.flip(),
            .same = flipped(),
            .mirror = symmetries.mirror(),
            .numbering = numbering,
            .context = context};
}

JoinRanking::JoinRanking(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t bytes) {
    graph.validate();
    plan.validate(graph);
    if (!plan.blocks.empty()) throw std::invalid_argument("a ranking takes no plan with blocks");
    inside_ = std::make_unique<Inside>(graph, plan, threads, bytes);
}

JoinRanking::~JoinRanking() = default;

RankingReport JoinRanking::prepare(const std::string& folder, double seconds, Monitor* monitor, int gap) {
    if (gap != 1 && gap != 2 && gap != 4) throw std::invalid_argument("a gap is 1, 2 or 4 layers");
    Inside& in = *inside_;
    RankingReport report;
    try {
        report.status = in.watched(in.threads, seconds, monitor, [&](Context& context) {
            Workers& workers = context.workers;
            workers.progress().total = in.plan.top.size() + in.plan.top_preapplied.size() + 1000;
            if (!in.flipped())
                workers.progress().total += in.plan.bottom.size() + in.plan.bottom_preapplied.size();
            Keeper keeper(folder, static_cast<std::size_t>(gap));
            keeper.add(in.top.half);
            if (!in.flipped()) keeper.add(in.bottom.half);
            Watch watch({}, nullptr);
            keep_half(plain_task(in.graph, in.plan, true), context, keeper, in.top.half, report.top);
            if (!in.flipped())
                keep_half(plain_task(in.graph, in.plan, false), context, keeper, in.bottom.half,
                          report.bottom);
            context.accumulators.clear();
            report.seconds_halves = watch.elapsed();
            keeper.with_memory(in.pool, [&] {
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
                in.lists.prepare(orbits.most_pairs(ContractionLists::kMostListed), workers);
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
    report.peak_bytes = in.pool.peak();
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

std::vector<u64> JoinRanking::directory() const {
    std::vector<u64> directory;
    Watch watch({}, nullptr);
    Workers workers(inside_->threads, watch);
    for (const RankedSide* side : {&inside_->top, &inside_->bottom}) {
        directory.push_back(side->half.layers.size());
        for (const KeptLayer& layer : side->half.layers) {
            directory.push_back(layer.kept());
            if (!layer.kept()) continue;
            layer.check(workers);
            const std::vector<Block> blocks = blocks_of(layer.segments());
            directory.push_back(blocks.size());
            for (const Block& b : blocks)
                directory.insert(directory.end(), {b.offset, b.bytes, b.groups, b.states, b.last});
        }
    }
    return directory;
}

std::vector<std::uint8_t> JoinRanking::packed_layer(bool upper, std::size_t number) const {
    const KeptHalf& half = (upper ? inside_->top : inside_->bottom).half;
    if (number >= half.layers.size() || !half.layers[number].kept()) return {};
    const KeptLayer& layer = half.layers[number];
    const std::vector<Block> blocks = blocks_of(layer.segments());
    std::vector<u8> bytes(blocks.empty() ? 0 : blocks.back().offset + blocks.back().bytes);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        pack(layer.segments()[b], blocks[b], bytes.data() + blocks[b].offset);
    return bytes;
}

std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>> JoinRanking::totals() const {
    const auto copied = [](const CheckedBytes& bytes) {
        const u8* const at = bytes.read(0, bytes.size());
        return std::vector<u8>(at, at + bytes.size());
    };
    return {copied(inside_->totals.pattern_bytes()), copied(inside_->totals.end_bytes())};
}

void JoinRanking::restore(const std::vector<std::uint64_t>& directory, std::vector<CheckedBytes> layers,
                          CheckedBytes patterns, CheckedBytes ends) {
    Inside& in = *inside_;
    const std::lock_guard lock(in.mutex);
    std::size_t next = 0, bytes = 0;
    const auto take = [&] {
        if (next == directory.size()) throw DamagedBytes();
        return directory[next++];
    };
    for (const bool upper : {true, false}) {
        RankedSide& side = upper ? in.top : in.bottom;
        const u64 many = take();
        if (!upper && in.flipped()) {
            if (many != 0) throw DamagedBytes();
            continue;
        }
        const HalfTask task = plain_task(in.graph, in.plan, upper);
        HalfSteps steps(task);
        if (many != steps.count() + 1) throw DamagedBytes();
        for (std::size_t n = 0; n < steps.count(); ++n) side.half.steps.push_back(steps.next());
        for (u64 n = 0; n < many; ++n) {
            const u64 kept = take();
            if (kept > 1) throw DamagedBytes();
            if (kept == 0) {
                if (n == 0 || n + 1 == many) throw DamagedBytes();
                side.half.layers.emplace_back();
                continue;
            }
            const u64 segments = take();
            if (segments > (directory.size() - next) / 5 || bytes == layers.size()) throw DamagedBytes();
            std::vector<Block> blocks;
            for (u64 b = 0; b < segments; ++b) blocks.push_back({take(), take(), take(), take(), take()});
            side.half.layers.emplace_back(in.pool, std::move(layers[bytes++]), blocks);
        }
    }
    if (next != directory.size() || bytes != layers.size()) throw DamagedBytes();
    in.totals.map(std::move(patterns), std::move(ends));
    in.open_sides();
}

} // namespace ktsolve
