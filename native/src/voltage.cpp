// See ktsolve/voltage.hpp.
#include "ktsolve/voltage.hpp"

#include <stdexcept>

#include "frontier_sweep.hpp"
#include "voltage_count.hpp"

namespace ktsolve {

VoltageReport count_cycles_by_voltage(const Graph& graph, const std::vector<Parallel>& parallel,
                                      const Limits& limits, Monitor* monitor) {
    if (parallel.size() != graph.edges.size())
        throw std::invalid_argument("there is one number of parallel edges per edge");
    for (const Parallel& edges : parallel)
        if (edges.even == 0 && edges.odd == 0)
            throw std::invalid_argument("an edge stands for at least one parallel edge");
    VoltageReport report;
    const frontier::Plan plan = frontier::make_plan(graph, parallel);
    if (graph.vertices < 3) {
        report.count = report.odd = {0};
        return report;
    }
    frontier::sweep_all<frontier::Graded>(plan, limits, monitor, report, [&report](const auto& total) {
        report.count.assign(total.even.limb.begin(), total.even.limb.end());
        report.odd.assign(total.odd.limb.begin(), total.odd.limb.end());
    });
    return report;
}

} // namespace ktsolve
