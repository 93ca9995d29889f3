// See ktsolve/join_tables.hpp.
#include "ktsolve/join_tables.hpp"

#include <deque>
#include <map>
#include <stdexcept>

#include "join/half.hpp"
#include "join/join_step.hpp"

namespace ktsolve {

using namespace join;

namespace {

void refuse(const char* what) {
    throw std::invalid_argument(what);
}

} // namespace

struct JoinTables::Inside {
    struct Kept {
        Kept(Half&& half, const Numbering& numbering, Workers& workers, u64 degree)
            : table(std::move(half), numbering, workers), extra(degree) {}
        Table table;
        u64 extra; // degree of the extra vertex, equal in all states
    };

    Inside(int separator_cells, int number_of_threads, std::uint64_t bytes)
        : separator(separator_cells), threads(number_of_threads), pool(bytes - bytes / 8),
          transitions(bytes / 8), numbering(separator_cells, false) {}

    int separator, threads;
    ChunkPool pool;
    Transitions transitions;
    Numbering numbering;
    std::map<int, Kept> tables;
    int next = 0;

    // Runs the work in a context; returns how it ended.
    template <class Work> Status watched(double seconds, Monitor* monitor, bool& overflow, Work&& work) {
        Watch watch({seconds, ~std::uint64_t{0}}, monitor);
        Workers workers(threads, watch);
        Context context{pool, transitions, workers, EndsOf(-1), 0, {}, 0};
        for (int w = 0; w < workers.threads(); ++w) context.accumulators.emplace_back(pool);
        try {
            return status_of([&] { work(context); });
        } catch (const CountTooWide&) {
            overflow = true;
            return Status::done;
        }
    }

    const Kept& kept(int number) const {
        const auto found = tables.find(number);
        if (found == tables.end()) refuse("there is no such table");
        return found->second;
    }

    Side side(const TableSide& given) const {
        std::vector<PortEdge> edges;
        for (const auto& [p, q, required] : given.deferred) {
            if (p < 0 || q < 0 || p == q || p > separator || q > separator) refuse("an edge joins two slots");
            if ((p == separator || q == separator) && !required)
                refuse("edges to the extra vertex must be required");
            edges.push_back({{p, 1}, {q, 1}, required});
        }
        return {kept(given.table).table, edges, numbering, -1};
    }

    // The degree of the extra vertex on that side.
    u64 extra(const TableSide& given) const {
        u64 edges = kept(given.table).extra;
        for (const auto& edge : given.deferred) edges += edge.p == separator || edge.q == separator;
        return edges;
    }
};

JoinTables::JoinTables(int separator, int threads, std::uint64_t bytes) {
    if (separator < 1) refuse("the separator is empty");
    if (separator >= kWidestSeparator)
        throw std::length_error("the separator has too many vertices for the join");
    inside_ = std::make_unique<Inside>(separator, std::max(1, threads), bytes);
}

JoinTables::~JoinTables() = default;

TableReport JoinTables::make(const Graph& graph, const HalfPlan& plan, double seconds, Monitor* monitor) {
    plan.validate(graph);
    if (plan.separator.size() != static_cast<std::size_t>(inside_->separator) + 1)
        refuse("tables that are joined have the same separator");
    TableReport report;
    const std::vector<std::vector<int>> none;
    const std::vector<int> no_sums, no_colour;
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Context& context) {
        context.workers.progress().total = plan.eliminate.size();
        Half half = make_half({graph, plan.eliminate, plan.separator, none, plan.mirror, no_colour, -1, false,
                               none, no_sums, ""},
                              context, report.layers);
        report.folded = half.folded;
        report.bytes = half.layer.bytes();
        report.transitions = context.transitions_done;
        u64 extra = 0; // all its edges are required
        for (const auto& [u, v] : graph.edges)
            extra += u == plan.separator.back() || v == plan.separator.back();
        inside_->tables.try_emplace(inside_->next, std::move(half), inside_->numbering, context.workers,
                                    extra);
        report.table = inside_->next++;
    });
    return report;
}

void JoinTables::drop(int table) {
    inside_->tables.erase(table);
}

TablesReport JoinTables::join(const std::vector<TableSide>& tops, const TableSide& bottom, double seconds,
                              Monitor* monitor) {
    TablesReport report;
    if (tops.empty()) return report;
    const u64 extra = inside_->extra(tops[0]);
    for (const TableSide& top : tops)
        if (inside_->extra(top) != extra) refuse("all tops must give the extra vertex the same degree");
    if (extra + inside_->extra(bottom) != 2) refuse("the extra vertex has two edges");
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Context& context) {
        context.workers.progress().total = 1000;
        const Side below = inside_->side(bottom);
        std::deque<Side> above;
        std::vector<const Side*> each;
        for (const TableSide& top : tops) {
            above.push_back(inside_->side(top));
            each.push_back(&above.back());
            report.divisors.push_back((above.back().half().folded ? 2u : 1u) *
                                      (below.half().folded ? 2u : 1u));
        }
        const JoinResult result =
            run_join_step({each, below, nullptr, false, nullptr, inside_->numbering, context, 0, 1,
                           field(inside_->separator, extra), field(inside_->separator, 2)});
        report.patterns = result.patterns;
        report.extended = result.extended;
        report.overflow = result.overflow;
        for (const u128 total : result.totals)
            report.counts.push_back({static_cast<u64>(total), static_cast<u64>(total >> 64)});
    });
    return report;
}

std::uint64_t JoinTables::peak_bytes() const {
    return inside_->pool.peak() + inside_->transitions.bytes();
}

} // namespace ktsolve
