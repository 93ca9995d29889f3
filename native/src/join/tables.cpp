// Keeps half tables in memory and joins one with many others.
#include "ktsolve/join/tables.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <tuple>

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
        Half half;
        u64 extra; // degree of the extra vertex, equal in all states
    };

    Inside(int separator_cells, int number_of_threads, std::uint64_t bytes)
        : separator(separator_cells), threads(number_of_threads), pool(budget_of_pool(bytes)),
          transitions(&pool) {}

    int separator, threads;
    ChunkPool pool;
    Transitions transitions;
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

    PortEdge port(const TableSide::Edge& edge) const {
        const auto& [p, q, required] = edge;
        if (p < 0 || q < 0 || p == q || p > separator || q > separator) refuse("an edge joins two slots");
        if (has_extra(edge) && !required) refuse("edges to the extra vertex must be required");
        return {{p, 1}, {q, 1}, required};
    }
    bool has_extra(const TableSide::Edge& edge) const { return edge.p == separator || edge.q == separator; }

    // The degree of the extra vertex on that side.
    u64 extra(const TableSide& given) const {
        u64 edges = kept(given.table).extra;
        for (const auto& edge : given.deferred) edges += has_extra(edge);
        return edges;
    }
};

// Tables that are joined together. Those of equal deferred edges, of which all or none are folded, become one
// side, so that their patterns are looked up together; they may differ in which edges lead to the extra
// vertex, not in how many.
struct JoinTables::Joined {
    Joined(const Inside& inside, const std::vector<TableSide>& given, const Numbering& numbering,
           Workers& workers) {
        using Slots = std::vector<std::tuple<int, int, bool>>;
        struct Alike {
            std::vector<const Half*> tables;
            std::vector<PortEdge> edges;
            std::map<Slots, Ending> endings;
        };
        std::map<std::tuple<bool, Slots, std::size_t>, Alike> groups;
        for (std::size_t n = 0; n < given.size(); ++n) {
            const Half& half = inside.kept(given[n].table).half;
            Slots common, own;
            std::vector<PortEdge> edges, own_edges;
            for (const TableSide::Edge& edge : given[n].deferred) {
                const bool ends = inside.has_extra(edge);
                (ends ? own : common).emplace_back(edge.p, edge.q, edge.required);
                (ends ? own_edges : edges).push_back(inside.port(edge));
            }
            Alike& alike = groups[{half.folded, common, own.size()}];
            alike.edges = edges;
            auto table = std::find(alike.tables.begin(), alike.tables.end(), &half);
            if (table == alike.tables.end()) table = alike.tables.insert(table, &half);
            Ending& ending = alike.endings[own];
            ending.edges = own_edges;
            ending.totals.resize(given.size(), -1);
            int& total = ending.totals[static_cast<std::size_t>(table - alike.tables.begin())];
            if (total < 0) total = static_cast<int>(n); // else it is given twice
            total_of.push_back(static_cast<std::size_t>(total));
        }
        for (auto& [key, alike] : groups) {
            std::vector<const Layer*> layers;
            for (const Half* half : alike.tables) layers.push_back(&half->layer);
            std::vector<Ending> endings;
            for (auto& [own, ending] : alike.endings) endings.push_back(std::move(ending));
            indices.emplace_back(layers, numbering, workers);
            sides.emplace_back(alike.tables, &indices.back(), nullptr, alike.edges, endings, numbering, -1);
        }
    }
    std::deque<PatternIndex> indices;
    std::deque<Side> sides;
    std::vector<std::size_t> total_of; // number of the total of each that was given
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
        inside_->tables.emplace(inside_->next, Inside::Kept{std::move(half), extra});
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
        const Numbering numbering(inside_->separator, false);
        const Joined below(*inside_, {bottom}, numbering, context.workers),
            above(*inside_, tops, numbering, context.workers);
        std::vector<const Side*> sides;
        for (const Side& side : above.sides) sides.push_back(&side);
        const JoinResult result = run_join_step({.tops = sides,
                                                 .bottom = below.sides.front(),
                                                 .flip = nullptr,
                                                 .same = false,
                                                 .mirror = nullptr,
                                                 .numbering = numbering,
                                                 .context = context,
                                                 .beyond = field(inside_->separator, extra),
                                                 .full_beyond = field(inside_->separator, 2),
                                                 .totals = tops.size()});
        report.patterns = result.patterns;
        report.extended = result.extended;
        report.overflow = result.overflow;
        for (std::size_t n = 0; n < tops.size(); ++n) {
            const u128 total = result.totals[above.total_of[n]];
            report.counts.push_back({static_cast<u64>(total), static_cast<u64>(total >> 64)});
            report.divisors.push_back((inside_->kept(tops[n].table).half.folded ? 2u : 1u) *
                                      (below.sides.front().folded() ? 2u : 1u));
        }
    });
    return report;
}

std::uint64_t JoinTables::peak_bytes() const {
    return inside_->pool.peak();
}

} // namespace ktsolve
