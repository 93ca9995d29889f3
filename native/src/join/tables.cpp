#include "ktsolve/join_tables.hpp"

#include <deque>
#include <map>
#include <stdexcept>

#include "join/half.hpp"
#include "join/meeting.hpp"

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
        u64 extra; // degree of the extra vertex, the same in all states
    };

    Inside(int middle_cells, int number_of_threads, std::uint64_t bytes)
        : middle(middle_cells), threads(number_of_threads), pool(bytes - bytes / 8), transitions(bytes / 8),
          numbering(middle_cells, false) {}

    int middle, threads;
    ChunkPool pool;
    Transitions transitions;
    Numbering numbering;
    std::map<int, Kept> tables;
    int next = 0;

    // Runs the work with what it needs; returns how it ended.
    template <class Work> Status watched(double seconds, Monitor* monitor, bool& overflow, Work&& work) {
        Watch watch({seconds, ~std::uint64_t{0}}, monitor);
        Workers workers(threads, watch);
        Workshop shop{pool, transitions, workers, EndsOf(-1), 0, {}, 0};
        for (int w = 0; w < workers.threads(); ++w) shop.accumulators.emplace_back(pool);
        try {
            return ending_of([&] { work(shop); });
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
        for (const auto& [p, q, required] : given.pulled) {
            if (p < 0 || q < 0 || p == q || p > middle || q > middle) refuse("an edge joins two slots");
            if ((p == middle || q == middle) && !required)
                refuse("edges to the extra vertex must be required");
            edges.push_back({{p, 1}, {q, 1}, required});
        }
        return {kept(given.table).table, edges, numbering, -1};
    }

    // Edges that the extra vertex has on that side.
    u64 extra(const TableSide& given) const {
        u64 edges = kept(given.table).extra;
        for (const auto& edge : given.pulled) edges += edge.p == middle || edge.q == middle;
        return edges;
    }
};

JoinTables::JoinTables(int middle, int threads, std::uint64_t bytes) {
    if (middle < 1) refuse("no part of a cut may be empty");
    if (middle >= kMostMiddle) throw std::length_error("too many middle vertices for the join");
    inside_ = std::make_unique<Inside>(middle, std::max(1, threads), bytes);
}

JoinTables::~JoinTables() = default;

TableReport JoinTables::make(const Graph& graph, const HalfPlan& plan, double seconds, Monitor* monitor) {
    plan.validate(graph);
    if (plan.middle.size() != static_cast<std::size_t>(inside_->middle) + 1)
        refuse("tables that meet have the same middle");
    TableReport report;
    const std::vector<std::vector<int>> none;
    const std::vector<int> no_sums, no_colour;
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Workshop& shop) {
        shop.workers.progress().total = plan.eliminate.size();
        Half half = make_half(
            {graph, plan.eliminate, plan.middle, none, plan.mirror, no_colour, -1, false, none, no_sums, ""},
            shop, report.layers);
        report.folded = half.folded;
        report.bytes = half.layer.bytes();
        report.transitions = shop.transitions_done;
        u64 extra = 0; // all its edges are required
        for (const auto& [u, v] : graph.edges) extra += u == plan.middle.back() || v == plan.middle.back();
        inside_->tables.try_emplace(inside_->next, std::move(half), inside_->numbering, shop.workers, extra);
        report.table = inside_->next++;
    });
    return report;
}

void JoinTables::drop(int table) {
    inside_->tables.erase(table);
}

TablesReport JoinTables::meet(const std::vector<TableSide>& tops, const TableSide& bottom, double seconds,
                              Monitor* monitor) {
    TablesReport report;
    if (tops.empty()) return report;
    const u64 extra = inside_->extra(tops[0]);
    for (const TableSide& top : tops)
        if (inside_->extra(top) != extra) refuse("all tops bring the extra vertex as many edges");
    if (extra + inside_->extra(bottom) != 2) refuse("the extra vertex has two edges");
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Workshop& shop) {
        shop.workers.progress().total = 1000;
        const Side below = inside_->side(bottom);
        std::deque<Side> above;
        std::vector<const Side*> each;
        for (const TableSide& top : tops) {
            above.push_back(inside_->side(top));
            each.push_back(&above.back());
            report.divisors.push_back((above.back().half().folded ? 2u : 1u) *
                                      (below.half().folded ? 2u : 1u));
        }
        const Met met = join::meet({each, below, nullptr, false, nullptr, inside_->numbering, shop, 0, 1,
                                    field(inside_->middle, extra), field(inside_->middle, 2)});
        report.patterns = met.patterns;
        report.extended = met.extended;
        report.overflow = met.overflow;
        for (const u128 total : met.totals)
            report.counts.push_back({static_cast<u64>(total), static_cast<u64>(total >> 64)});
    });
    return report;
}

std::uint64_t JoinTables::peak_bytes() const {
    return inside_->pool.peak() + inside_->transitions.bytes();
}

} // namespace ktsolve
