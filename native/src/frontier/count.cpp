// Counts Hamiltonian cycles by a sweep over the vertices that merges equal states.
#include "ktsolve/frontier/count.hpp"

#include "frontier/sweep.hpp"

namespace ktsolve {

using namespace frontier;

FrontierReport count_cycles_by_frontier(const Graph& graph, const Limits& limits, Monitor* monitor) {
    FrontierReport report;
    const Plan plan = make_plan(graph);
    if (graph.vertices < 3) {
        report.count = {0};
        return report;
    }
    Watch watch(limits, monitor);
    report.status = status_of([&] {
        with_key(plan, [&](auto key) {
            Counter<decltype(key), 1> counter(
                plan, limits.bytes, [&](const Progress& progress) { poll_or_throw(watch, progress); },
                report);
            counter.run(graph.vertices);
            report.count = counter.total();
        });
    });
    return report;
}

} // namespace ktsolve
