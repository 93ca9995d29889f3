// Counts Hamiltonian cycles of a quotient whose voltages add up to an odd number.
#include "ktsolve/quotient/voltage.hpp"

#include <stdexcept>

#include "frontier/sweep.hpp"

namespace ktsolve {

VoltageReport count_cycles_by_voltage(const Graph& graph, const std::vector<Parallel>& parallel,
                                      const Limits& limits, Monitor* monitor, int threads) {
    using namespace frontier;
    if (parallel.size() != graph.edges.size())
        throw std::invalid_argument("there is one number of parallel edges per edge");
    for (const Parallel& edges : parallel)
        if (edges.even == 0 && edges.odd == 0)
            throw std::invalid_argument("an edge stands for at least one parallel edge");
    VoltageReport report;
    const Plan plan = make_plan(graph, parallel);
    if (graph.vertices < 3) {
        report.count = report.odd = {0};
        return report;
    }
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    report.status = status_of([&] {
        with_key(plan, [&](auto key) {
            const std::vector<u64> total = count_by_sweep<decltype(key), 2>(plan, limits, workers, report);
            const auto middle = total.begin() + static_cast<std::ptrdiff_t>(total.size() / 2);
            report.count.assign(total.begin(), middle);
            report.odd.assign(middle, total.end());
        });
    });
    return report;
}

} // namespace ktsolve
