// Counts Hamiltonian cycles by a sweep over the vertices that merges equal states.
#include "ktsolve/frontier/count.hpp"

#include "frontier/sweep.hpp"

namespace ktsolve {

using namespace frontier;

FrontierReport count_cycles_by_frontier(const Graph& graph, const Limits& limits, Monitor* monitor,
                                        int threads) {
    FrontierReport report;
    const Plan plan = make_plan(graph);
    if (graph.vertices < 3) {
        report.count = {0};
        return report;
    }
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    report.status = status_of([&] {
        with_key(plan, [&](auto key) {
            report.count = count_by_sweep<decltype(key), 1>(plan, limits, workers, report);
        });
    });
    return report;
}

} // namespace ktsolve
