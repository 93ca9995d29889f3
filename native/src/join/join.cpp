// Counts cycles by two halves: sweeps both, then joins their tables in parallel.
#include "ktsolve/join/count.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "join/half.hpp"
#include "join/join_step.hpp"
#include "join/orbit_join.hpp"
#include "join/separator.hpp"
#include "join/single_join.hpp"

namespace ktsolve {

namespace {

using namespace join;

// The halves of a plan, and what is needed to make them.
class Halves {
  public:
    Halves(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings, Watch& watch,
           ChunkPool& pool)
        : graph_(graph), plan_(plan), settings_(settings), watch_(watch),
          tallied_(plan.tallied.empty() ? 0 : graph.edges.size()),
          workers_(std::max(1, settings.threads), watch), transitions_(&pool),
          // The split vertex has the same slot during the sweep as in the separator: one `ends` serves both.
          context_{
              pool, transitions_, workers_, EndsOf(split_slot(), !plan.tallied.empty()), settings.modulus, {},
              0},
          at_(watch.elapsed()) {
        for (const int e : plan.tallied) tallied_[static_cast<std::size_t>(e)] = 1;
        for (int w = 0; w < workers_.threads(); ++w) context_.accumulators.emplace_back(pool);
        context_.disk_left = settings.disk;
        context_.wide_sums = plan.group.empty() && plan.tallied.empty();
        if (plan.group.empty()) return;
        groups_[0].emplace(pattern_group(plan, task(true, {})));
        if (plan.flip.empty()) groups_[1].emplace(pattern_group(plan, task(false, {})));
    }

    // The states of these blocks, or of all.
    Half make(bool upper, const std::vector<std::vector<int>>& blocks, std::vector<LayerReport>& log) {
        return make_blocks(
            blocks, [&](const std::vector<int>& sums) { return task(upper, sums); }, context_, log);
    }
    // Makes a file of each block, one after the other, as far as there is disk; notes their bytes.
    void make_files(bool upper, const std::vector<std::vector<int>>& blocks, JoinReport& report) {
        std::vector<HalfTask> tasks;
        for (const std::vector<int>& sums : blocks) tasks.push_back(task(upper, sums));
        make_files(tasks, upper ? report.top : report.bottom, &report.file_bytes);
    }
    // The number of steps that make_files() reports at most.
    u64 steps_of_files(bool upper, const std::vector<std::vector<int>>& blocks) const {
        u64 files = blocks.size();
        for (const JoinStage& stage : upper ? plan_.top_stages : plan_.bottom_stages)
            files += blocks.empty() ? 0 : 2 * stage.sums.size(); // made, and divided
        return files * plain_task(graph_, plan_, upper).all_steps();
    }

    // Of the patterns of a half, those of the top with a flip; none if the plan has none.
    const PatternGroup* group(bool upper) const {
        const auto& own = groups_[upper || !plan_.flip.empty() ? 0 : 1];
        return own ? &*own : nullptr;
    }
    Workers& workers() { return workers_; }
    Context& context() { return context_; }
    const std::vector<char>& tallied() const { return tallied_; }
    int split_slot() const { return plan_.split < 0 ? -1 : static_cast<int>(plan_.separator.size()) - 1; }
    // Seconds since the last call.
    double lap() {
        const double now = watch_.elapsed();
        return now - std::exchange(at_, now);
    }
    void note(JoinReport& report) const {
        report.transitions = context_.transitions_done;
        report.tables = transitions_.tables();
        report.table_bytes = transitions_.bytes();
    }

  private:
    // Of tasks with the same stages.
    void make_files(const std::vector<HalfTask>& tasks, std::vector<LayerReport>& log,
                    std::vector<u64>* bytes) {
        const bool whole = std::all_of(tasks.begin(), tasks.end(),
                                       [](const HalfTask& task) { return bytes_on_disk(task).has_value(); });
        if (!whole && !tasks.front().stages.empty()) {
            std::vector<HalfTask> stages;
            for (std::size_t block = 0; block < tasks.front().stages.back().sums.size(); ++block)
                stages.push_back(tasks.front().stage(block));
            make_files(stages, log, nullptr);
            for (const HalfTask& stage : stages) {
                divide_stage(stage, tasks, context_, log);
                workers_.progress().step += stage.all_steps();
                shorten(log);
            }
            for (const HalfTask& task : tasks) put_together(task, stages, context_, log);
        }
        for (const HalfTask& task : tasks) {
            const u64 made = make_file(task, log);
            if (bytes != nullptr) bytes->push_back(made);
        }
    }
    // The bytes of the file; without one half of what the table takes in memory, as files do.
    u64 make_file(const HalfTask& task, std::vector<LayerReport>& log) {
        const u64 next = workers_.progress().step + task.all_steps();
        std::optional<u64> bytes = bytes_on_disk(task);
        if (!bytes) {
            const u64 in_memory = make_half(task, context_, log).layer.bytes();
            bytes = bytes_on_disk(task).value_or(in_memory / 2);
            shorten(log);
        }
        workers_.progress().step = next;
        return *bytes;
    }
    HalfTask task(bool upper, const std::vector<int>& sums) const {
        const std::string files = settings_.spill.empty()
                                      ? ""
                                      : settings_.spill + "/" + settings_.key + (upper ? "-top" : "-bottom");
        const std::vector<int>& mirror = upper ? plan_.top_mirror : plan_.bottom_mirror;
        return {graph_,
                upper ? plan_.top : plan_.bottom,
                plan_.separator,
                upper ? plan_.top_preapplied : plan_.bottom_preapplied,
                mirror,
                plan_.colour,
                plan_.split,
                swaps_colours(plan_, mirror),
                upper || plan_.bottom_blocks.empty() ? plan_.blocks : plan_.bottom_blocks,
                sums,
                files,
                tallied_.empty() ? nullptr : &tallied_,
                upper ? plan_.top_stages : plan_.bottom_stages,
                0,
                group(upper),
                plan_.group.empty() ? nullptr : &plan_.group,
                plan_.group.empty() ? -1 : sum_of_degrees(graph_, plan_, upper),
                plan_.single_pairs < 0 || sums.size() == plan_.separator.size() ? -1
                                                                                : 2 * plan_.single_pairs - 2,
                nullptr,
                plan_.turned,
                upper};
    }

    const Graph& graph_;
    const JoinPlan& plan_;
    const JoinSettings& settings_;
    Watch& watch_;
    std::vector<char> tallied_;
    Workers workers_;
    Transitions transitions_;
    Context context_;
    double at_;
    std::array<std::optional<PatternGroup>, 2> groups_;
};

// The join of one pattern of each orbit of the plan's group.
JoinResult join_orbits(const JoinPlan& plan, const JoinSettings& settings, Halves& halves, const Half& top,
                       const Half& bottom) {
    std::optional<FieldPermutation> flip;
    if (!plan.flip.empty()) flip = separator_permutation(plan, plan.flip);
    const Numbering numbering(static_cast<int>(plan.separator.size()), plan.split >= 0);
    const bool single =
        !settings.top_blocks.empty() && settings.top_blocks.front().size() == plan.separator.size();
    return (single ? run_single_join : run_orbit_join)({.top = top.layer,
                                                        .bottom = bottom.layer,
                                                        .top_group = *halves.group(true),
                                                        .bottom_group = *halves.group(false),
                                                        .flip = flip ? &*flip : nullptr,
                                                        .same = &top == &bottom,
                                                        .full = numbering.full(),
                                                        .context = halves.context(),
                                                        .part = settings.part,
                                                        .parts = settings.parts});
}

std::vector<u64> limbs(const Total& total) {
    return {total.begin(), total.end()};
}

void run(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings, Watch& watch,
         ChunkPool& pool, JoinReport& report) {
    Halves halves(graph, plan, settings, watch, pool);
    Workers& workers = halves.workers();
    const std::vector<char>& tallied = halves.tallied();
    const int split_slot = halves.split_slot();
    const bool tallies = !tallied.empty();
    workers.progress().total = plan.top.size() + plan.top_preapplied.size() + 1000 +
                               (plan.flip.empty() ? plan.bottom.size() + plan.bottom_preapplied.size() : 0);
    try {
        const bool flipped = !plan.flip.empty();
        const bool same = flipped && settings.top_blocks == settings.bottom_blocks;
        Half top = halves.make(true, settings.top_blocks, report.top);
        report.seconds_top = halves.lap();
        std::optional<Half> bottom;
        if (!same) {
            bottom = halves.make(flipped, settings.bottom_blocks, report.bottom);
            report.seconds_bottom = halves.lap();
        }
        halves.context().accumulators.clear(); // joining needs other arrays
        (void)pool.trim();
        if (!plan.group.empty()) {
            const JoinResult result = join_orbits(plan, settings, halves, top, bottom ? *bottom : top);
            report.seconds_join = halves.lap();
            report.patterns = result.patterns;
            report.extended = result.extended;
            report.overflow = result.overflow;
            for (const Total& total : result.totals) report.by_pairs.push_back(limbs(total));
            report.count = limbs(result.sum(settings.modulus));
            halves.note(report);
            return;
        }
        const Numbering numbering(static_cast<int>(plan.separator.size()), plan.split >= 0);
        const Table top_table(std::move(top), numbering, workers);
        const Side top_side(top_table, separator_ports(graph, plan, plan.top_deferred, tallied), numbering,
                            split_slot);
        std::optional<Table> bottom_table;
        std::optional<Side> bottom_side;
        if (bottom) {
            bottom_table.emplace(std::move(*bottom), numbering, workers);
            bottom_side.emplace(
                *bottom_table,
                separator_ports(graph, plan, flipped ? plan.top_deferred : plan.bottom_deferred, tallied),
                numbering, split_slot);
        }
        std::optional<FieldPermutation> flip, mirror;
        if (flipped) flip = separator_permutation(plan, plan.flip);
        if (plan.mirror_joins) mirror = separator_permutation(plan, plan.top_mirror);
        const Side& other = bottom_side ? *bottom_side : top_side;
        const JoinStep step{.tops = {&top_side},
                            .bottom = other,
                            .flip = flip ? &*flip : nullptr,
                            .same = same,
                            .mirror = mirror ? &*mirror : nullptr,
                            .numbering = numbering,
                            .context = halves.context(),
                            .part = settings.part,
                            .parts = settings.parts};
        const JoinResult result = tallies ? run_tally_step(step) : run_join_step(step);
        report.seconds_join = halves.lap();
        report.patterns = result.patterns;
        report.extended = result.extended;
        report.overflow = result.overflow;
        report.count = limbs(result.sum(settings.modulus));
        if (tallies) {
            for (const Total& total : result.totals) report.tally.push_back(limbs(total));
            while (!report.tally.empty() && result.totals[report.tally.size() - 1] == Total{})
                report.tally.pop_back();
        }
        report.divisor = (top_side.folded() ? 2u : 1u) * (other.folded() ? 2u : 1u);
        halves.note(report);
    } catch (...) {
        halves.note(report);
        throw;
    }
}

void check(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings, bool joined) {
    graph.validate();
    plan.validate(graph);
    check_modulus(settings.modulus);
    std::size_t singles = 0, others = 0;
    for (const auto* blocks : {&settings.top_blocks, &settings.bottom_blocks})
        for (const auto& sums : *blocks) {
            if (sums.empty() || sums.size() > plan.blocks.size())
                throw std::invalid_argument("a block has a sum for each of the first sets of the plan");
            ++(sums.size() == plan.separator.size() ? singles : others);
        }
    if (joined && !plan.group.empty() && singles != 0 && others != 0)
        throw std::invalid_argument("blocks of one pattern are joined with others of one pattern");
    if (settings.parts == 0 || settings.part >= settings.parts)
        throw std::invalid_argument("a part is one of 0 ... parts - 1");
}

// work(report, watch, pool), with its end in the report.
template <class Work>
JoinReport reported(const JoinSettings& settings, const Limits& limits, Monitor* monitor, Work&& work) {
    JoinReport report;
    report.modulus = settings.modulus;
    ChunkPool pool(budget_of_pool(limits.bytes));
    Watch watch(limits, monitor);
    try {
        report.status = status_of([&] { work(report, watch, pool); });
    } catch (const CountTooWide&) {
        report.overflow = true;
    }
    report.peak_bytes = pool.peak();
    return report;
}

} // namespace

JoinBlocks leading_blocks(const Graph& graph, const JoinPlan& plan, bool upper, int vertices) {
    graph.validate();
    plan.validate(graph);
    if (plan.group.empty()) throw std::invalid_argument("the plan has no group");
    const HalfTask task = plain_task(graph, plan, upper);
    const PatternGroup group = pattern_group(plan, task);
    const std::vector<u8>& slots = group.order();
    const bool singles = plan.single_pairs >= 0;
    // Of single patterns at most so many vertices are no ends, of all others more.
    const int most_others = singles ? static_cast<int>(slots.size()) - 2 * plan.single_pairs : -1;
    JoinBlocks found;
    std::vector<DegreeRange> ranges;
    for (const u8 slot : slots) {
        const int v = plan.separator[slot];
        ranges.push_back(degree_range(task, v));
        if (v == plan.split) ranges.back().least = 0; // of either colour
        if ((singles || static_cast<int>(found.vertices.size()) < vertices) && v != plan.split)
            found.vertices.push_back(v);
    }
    const std::size_t depths = std::min(found.vertices.size(), static_cast<std::size_t>(vertices));
    const int known = sum_of_degrees(graph, plan, upper);
    const int least = std::max(known, sum_by_colours(task).least);
    std::vector<int> degrees;
    // Whether a pattern with these first degrees may lead, with some sum of all degrees that is right.
    const auto may_lead = [&](u64 pattern, std::size_t depth, int sum) {
        const int left = static_cast<int>(slots.size() - depth);
        return group.may_lead(pattern, depth) && sum + 2 * left >= least && (known < 0 || sum <= known);
    };
    // Whether the other vertices can have degrees with which that holds.
    const std::function<bool(u64, std::size_t, int, int)> completes = [&](u64 pattern, std::size_t depth,
                                                                          int sum, int others) {
        if (!may_lead(pattern, depth, sum) || others + static_cast<int>(slots.size() - depth) <= most_others)
            return false;
        if (depth == slots.size()) return true;
        if (plan.separator[slots[depth]] == plan.split) return completes(pattern, depth + 1, sum, others);
        for (int degree = ranges[depth].most; degree >= ranges[depth].least; --degree)
            if (completes(pattern | field(slots[depth], static_cast<u64>(degree)), depth + 1, sum + degree,
                          others + (degree != 1)))
                return true;
        return false;
    };
    const std::function<void(u64, int, int, bool)> choose = [&](u64 pattern, int sum, int others,
                                                                bool single) {
        const std::size_t depth = degrees.size();
        if (!may_lead(pattern, depth, sum) || (single && others > most_others)) return;
        if (depth == (single ? slots.size() : depths)) {
            // The number of ends is even.
            if (single ? (static_cast<int>(depth) - others) % 2 == 0 : completes(pattern, depth, sum, others))
                found.degrees.push_back(degrees);
            return;
        }
        for (int degree = ranges[depth].most; degree >= ranges[depth].least;
             --degree) { // patterns of many ends come last
            degrees.push_back(degree);
            choose(pattern | field(slots[depth], static_cast<u64>(degree)), sum + degree,
                   others + (degree != 1), single);
            degrees.pop_back();
        }
    };
    choose(0, 0, 0, false);
    if (singles) choose(0, 0, 0, true);
    return found;
}

JoinReport count_cycles_by_join(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                                const Limits& limits, Monitor* monitor) {
    check(graph, plan, settings, true);
    if (settings.top_blocks.empty() != settings.bottom_blocks.empty())
        throw std::invalid_argument("blocks are given for both sides or for none");
    return reported(settings, limits, monitor, [&](JoinReport& report, Watch& watch, ChunkPool& pool) {
        run(graph, plan, settings, watch, pool, report);
    });
}

JoinReport make_join_tables(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                            const Limits& limits, Monitor* monitor) {
    check(graph, plan, settings, false);
    if (settings.spill.empty()) throw std::invalid_argument("tables are kept in a folder: none is given");
    return reported(settings, limits, monitor, [&](JoinReport& report, Watch& watch, ChunkPool& pool) {
        Halves halves(graph, plan, settings, watch, pool);
        halves.workers().progress().total = halves.steps_of_files(true, settings.top_blocks) +
                                            halves.steps_of_files(false, settings.bottom_blocks);
        try {
            halves.make_files(true, settings.top_blocks, report);
            report.seconds_top = halves.lap();
            halves.make_files(false, settings.bottom_blocks, report);
            report.seconds_bottom = halves.lap();
            halves.note(report);
        } catch (...) {
            halves.note(report);
            throw;
        }
    });
}

} // namespace ktsolve
