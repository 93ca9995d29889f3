// See ktsolve/join.hpp.
#include "ktsolve/join.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "join/half.hpp"
#include "join/join_step.hpp"
#include "join/separator.hpp"

namespace ktsolve {

namespace {

using namespace join;

void run(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings, const Limits& limits,
         Watch& watch, ChunkPool& pool, JoinReport& report) {
    Workers workers(std::max(1, settings.threads), watch);
    Transitions transitions(limits.bytes / 8); // its share of the limit
    const int slots = static_cast<int>(plan.separator.size());
    const int split_slot = plan.split < 0 ? -1 : slots - 1;
    std::vector<char> tallied;
    if (!plan.tallied.empty()) {
        tallied.resize(graph.edges.size());
        for (const int e : plan.tallied) tallied[static_cast<std::size_t>(e)] = 1;
    }
    const bool tallies = !tallied.empty();
    Context context{pool, transitions, workers, EndsOf(split_slot, tallies), settings.modulus, {}, 0};
    for (int w = 0; w < workers.threads(); ++w) context.accumulators.emplace_back(pool);
    const auto swaps = [&](const std::vector<int>& images) { return swaps_colours(plan, images); };
    workers.progress().total = plan.top.size() + plan.top_preapplied.size() + 1000 +
                               (plan.flip.empty() ? plan.bottom.size() + plan.bottom_preapplied.size() : 0);

    // The split vertex has the same slot during the sweep as in the separator, so one `ends` serves both.
    double at = watch.elapsed();
    const auto lap = [&] {
        const double now = watch.elapsed();
        return now - std::exchange(at, now);
    };
    const auto note = [&] {
        report.transitions = context.transitions_done;
        report.tables = transitions.tables();
        report.table_bytes = transitions.bytes();
    };
    try {
        const auto half = [&](bool upper, const std::vector<int>& sums, std::vector<LayerReport>& log) {
            const std::string files =
                settings.spill.empty() ? ""
                                       : settings.spill + "/" + settings.key + (upper ? "-top" : "-bottom");
            const std::vector<int>& mirror = upper ? plan.top_mirror : plan.bottom_mirror;
            return make_half({graph, upper ? plan.top : plan.bottom, plan.separator,
                              upper ? plan.top_preapplied : plan.bottom_preapplied, mirror, plan.colour,
                              plan.split, swaps(mirror), plan.blocks, sums, files,
                              tallies ? &tallied : nullptr},
                             context, log);
        };
        const bool flipped = !plan.flip.empty();
        const bool same = flipped && settings.top_block == settings.bottom_block;
        Half top = half(true, settings.top_block, report.top);
        report.seconds_top = lap();
        std::optional<Half> bottom;
        if (!same) {
            bottom = half(flipped, settings.bottom_block, report.bottom);
            report.seconds_bottom = lap();
        }
        (void)pool.trim(); // joining needs other arrays
        const Numbering numbering(slots, plan.split >= 0);
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
        const JoinStep step{
            {&top_side}, other,   flip ? &*flip : nullptr, same,          mirror ? &*mirror : nullptr,
            numbering,   context, settings.part,           settings.parts};
        const JoinResult result = tallies ? run_tally_step(step) : run_join_step(step);
        report.seconds_join = lap();
        report.patterns = result.patterns;
        report.extended = result.extended;
        report.overflow = result.overflow;
        const auto limbs = [](u128 total) {
            return std::vector<u64>{static_cast<u64>(total), static_cast<u64>(total >> 64)};
        };
        u128 sum = 0;
        for (const u128 total : result.totals)
            report.overflow = add_overflows(sum, total, &sum) || report.overflow;
        report.count = limbs(settings.modulus == 0 ? sum : sum % settings.modulus);
        if (tallies) {
            for (const u128 total : result.totals) report.tally.push_back(limbs(total));
            while (!report.tally.empty() && result.totals[report.tally.size() - 1] == 0)
                report.tally.pop_back();
        }
        report.divisor = (top_side.half().folded ? 2u : 1u) * (other.half().folded ? 2u : 1u);
        note();
    } catch (...) {
        note();
        throw;
    }
}

} // namespace

JoinReport count_cycles_by_join(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                                const Limits& limits, Monitor* monitor) {
    graph.validate();
    plan.validate(graph);
    if (settings.modulus >> 40 != 0 || settings.modulus == 1)
        throw std::invalid_argument("the modulus must be from 2 to 2^40 - 1, or 0 for none");
    for (const auto* sums : {&settings.top_block, &settings.bottom_block})
        if (!sums->empty() && sums->size() != plan.blocks.size())
            throw std::invalid_argument("a block has one sum for each set of the plan");
    if (settings.top_block.empty() != settings.bottom_block.empty())
        throw std::invalid_argument("blocks are given for both sides or for none");
    if (settings.parts == 0 || settings.part >= settings.parts)
        throw std::invalid_argument("a part is one of 0 ... parts - 1");
    JoinReport report;
    report.modulus = settings.modulus;
    ChunkPool pool(limits.bytes - limits.bytes / 8);
    Watch watch(limits, monitor);
    try {
        report.status = status_of([&] { run(graph, plan, settings, limits, watch, pool, report); });
    } catch (const CountTooWide&) {
        report.overflow = true;
    }
    report.peak_bytes = pool.peak() + report.table_bytes;
    return report;
}

} // namespace ktsolve
