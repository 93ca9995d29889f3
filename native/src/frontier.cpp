// See ktsolve/frontier.hpp.
#include "ktsolve/frontier.hpp"

#include "frontier_sweep.hpp"
#include "ktsolve/wide.hpp"

namespace ktsolve {

FrontierReport count_cycles_by_frontier(const Graph& graph, const Limits& limits, Monitor* monitor) {
    FrontierReport report;
    const frontier::Plan plan = frontier::make_plan(graph);
    if (graph.vertices < 3) {
        report.count = {0};
        return report;
    }
    frontier::sweep_all<Wide>(plan, limits, monitor, report, [&report](const auto& total) {
        report.count.assign(total.limb.begin(), total.limb.end());
    });
    return report;
}

} // namespace ktsolve
