// Keeps half tables in memory and joins one with many others.
#include "ktsolve/join/tables.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
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
        std::vector<int> eliminated, separator;
    };

    Inside(int separator_cells, int number_of_threads, std::uint64_t bytes, std::uint64_t of_counts)
        : separator(separator_cells), threads(number_of_threads), modulus(of_counts),
          pool(budget_of_pool(bytes)), transitions(&pool) {}

    int separator, threads;
    u64 modulus;
    ChunkPool pool;
    Transitions transitions;
    std::map<int, Kept> tables;
    int next = 0;

    // Runs the work in a context; returns how it ended.
    template <class Work> Status watched(double seconds, Monitor* monitor, bool& overflow, Work&& work) {
        Watch watch({seconds, ~std::uint64_t{0}}, monitor);
        Workers workers(threads, watch);
        Context context{pool, transitions, workers, EndsOf(-1), modulus, {}, 0};
        context.wide_sums = true;
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

    // The images of the slots; that of the extra vertex stays.
    std::optional<FieldPermutation> permutation(const std::vector<int>& images) const {
        if (images.empty()) return std::nullopt;
        std::array<int, 32> to;
        std::iota(to.begin(), to.end(), 0);
        if (images.size() != static_cast<std::size_t>(separator) ||
            !std::is_permutation(images.begin(), images.end(), to.begin()))
            refuse("a symmetry permutes the slots of the separator");
        std::copy(images.begin(), images.end(), to.begin());
        return FieldPermutation(to, -1);
    }
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

JoinTables::JoinTables(int separator, int threads, std::uint64_t bytes, std::uint64_t modulus) {
    if (separator < 1) refuse("the separator is empty");
    if (separator >= kWidestSeparator)
        throw std::length_error("the separator has too many vertices for the join");
    check_modulus(modulus);
    inside_ = std::make_unique<Inside>(separator, std::max(1, threads), bytes, modulus);
}

JoinTables::~JoinTables() = default;

TableReport JoinTables::make(const Graph& graph, const HalfPlan& plan, double seconds, Monitor* monitor) {
    plan.validate(graph);
    if (plan.separator.size() != static_cast<std::size_t>(inside_->separator) + 1)
        refuse("tables that are joined have the same separator");
    const Inside::Kept* from = plan.grown_from < 0 ? nullptr : &inside_->kept(plan.grown_from);
    if (from != nullptr &&
        (from->eliminated.size() >= plan.eliminate.size() ||
         !std::equal(from->eliminated.begin(), from->eliminated.end(), plan.eliminate.begin())))
        refuse("a table is made from one whose vertices are eliminated first");
    TableReport report;
    const std::vector<std::vector<int>> none;
    const std::vector<int> no_colour;
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Context& context) {
        context.disk_left = plan.disk;
        const auto task = [&](const std::vector<int>& sums) {
            return HalfTask{graph, plan.eliminate, plan.separator, none, plan.mirror, no_colour,
                            -1,    false,          plan.cells,     sums, plan.files};
        };
        const std::vector<int> no_sums;
        const std::size_t before = from == nullptr ? 0 : from->eliminated.size();
        context.workers.progress().total =
            (plan.eliminate.size() - before) * std::max<std::size_t>(1, plan.blocks.size());
        Half half = from == nullptr ? make_blocks(plan.blocks, task, context, report.layers)
                                    : grow_half(task(no_sums), from->half, before, from->separator, context,
                                                report.layers);
        report.folded = half.folded;
        report.bytes = half.layer.bytes();
        report.transitions = context.transitions_done;
        u64 extra = 0; // all its edges are required
        for (const auto& [u, v] : graph.edges)
            extra += u == plan.separator.back() || v == plan.separator.back();
        inside_->tables.emplace(inside_->next,
                                Inside::Kept{std::move(half), extra, plan.eliminate, plan.separator});
        report.table = inside_->next++;
    });
    return report;
}

void JoinTables::drop(int table) {
    inside_->tables.erase(table);
}

TablesReport JoinTables::join(const std::vector<TableSide>& tops, const TableSide& bottom, double seconds,
                              Monitor* monitor, const TableSymmetries& symmetries) {
    TablesReport report;
    if (tops.empty()) return report;
    const std::optional<FieldPermutation> flip = inside_->permutation(symmetries.flip),
                                          mirror = inside_->permutation(symmetries.mirror);
    if ((flip || mirror) && tops.size() > 1) refuse("one top is joined with symmetries");
    const bool same = flip && tops[0].table == bottom.table && tops[0].deferred == bottom.deferred;
    const u64 extra = inside_->extra(tops[0]);
    for (const TableSide& top : tops)
        if (inside_->extra(top) != extra) refuse("all tops must give the extra vertex the same degree");
    const u64 all_extra = extra + inside_->extra(bottom);
    if (all_extra != 2 && all_extra != 0) refuse("the extra vertex has two edges, or none");
    report.status = inside_->watched(seconds, monitor, report.overflow, [&](Context& context) {
        context.workers.progress().total = 1000;
        const Numbering numbering(inside_->separator, false);
        const Joined below(*inside_, {bottom}, numbering, context.workers),
            above(*inside_, tops, numbering, context.workers);
        std::vector<const Side*> sides;
        for (const Side& side : above.sides) sides.push_back(&side);
        const JoinResult result = run_join_step({.tops = sides,
                                                 .bottom = below.sides.front(),
                                                 .flip = flip ? &*flip : nullptr,
                                                 .same = same,
                                                 .mirror = mirror ? &*mirror : nullptr,
                                                 .numbering = numbering,
                                                 .context = context,
                                                 .beyond = field(inside_->separator, extra),
                                                 .full_beyond = field(inside_->separator, all_extra),
                                                 .totals = tops.size()});
        report.patterns = result.patterns;
        report.extended = result.extended;
        report.overflow = result.overflow;
        for (std::size_t n = 0; n < tops.size(); ++n) {
            const Total& total = result.totals[above.total_of[n]];
            report.counts.emplace_back(total.begin(), total.end());
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
