#include "ktsolve/join.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "join/half.hpp"
#include "join/meeting.hpp"

namespace ktsolve {

namespace {

using namespace join;

// `counts` tells which edges must be mapped to each other; nothing is asked of the others.
template <class Counts>
void check_involution(const Graph& graph, const std::vector<int>& image, const char* name, Counts&& counts) {
    const auto refuse = [name](const char* what) {
        throw std::invalid_argument(std::string("the ") + name + " of a join plan " + what);
    };
    if (image.size() != static_cast<std::size_t>(graph.vertices)) refuse("must have an image per vertex");
    for (std::size_t v = 0; v < image.size(); ++v)
        if (image[v] < 0 || image[v] >= graph.vertices ||
            image[static_cast<std::size_t>(image[v])] != static_cast<int>(v))
            refuse("must be an involution");
    std::vector<std::pair<std::pair<int, int>, u8>> edges, images;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        if (!counts(u, v)) continue;
        const int a = image[static_cast<std::size_t>(u)], b = image[static_cast<std::size_t>(v)];
        edges.push_back({{u, v}, graph.required[e]});
        images.push_back({{std::min(a, b), std::max(a, b)}, graph.required[e]});
    }
    std::sort(edges.begin(), edges.end());
    std::sort(images.begin(), images.end());
    if (edges != images) refuse("must be an automorphism of the graph");
}

// Does the symmetry exchange the colours? Throws if it does neither.
bool swaps_colours(const std::vector<int>& colour, const std::vector<int>& image, int split) {
    std::optional<bool> swaps;
    for (std::size_t v = 0; v < image.size(); ++v) {
        if (static_cast<int>(v) == split) continue;
        const bool here = colour[v] != colour[static_cast<std::size_t>(image[v])];
        if (swaps.value_or(here) != here)
            throw std::invalid_argument("a symmetry of a split plan must keep or exchange the colours");
        swaps = here;
    }
    return swaps.value_or(false);
}

std::vector<PortEdge> middle_ports(const Graph& graph, const JoinPlan& plan, const std::vector<int>& edges) {
    std::vector<int> slot(static_cast<std::size_t>(graph.vertices), -1);
    for (std::size_t i = 0; i < plan.middle.size(); ++i)
        slot[static_cast<std::size_t>(plan.middle[i])] = static_cast<int>(i);
    std::vector<PortEdge> ports;
    for (const int e : edges) {
        const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
        ports.push_back({{slot[static_cast<std::size_t>(u)], 1},
                         {slot[static_cast<std::size_t>(v)], 1},
                         graph.required[static_cast<std::size_t>(e)] != 0});
    }
    return ports;
}

FieldPermutation middle_permutation(const JoinPlan& plan, const std::vector<int>& image, bool swaps) {
    std::array<int, 32> to;
    for (int s = 0; s < 32; ++s) to[static_cast<std::size_t>(s)] = s;
    for (std::size_t i = 0; i < plan.middle.size(); ++i)
        for (std::size_t j = 0; j < plan.middle.size(); ++j)
            if (plan.middle[j] == image[static_cast<std::size_t>(plan.middle[i])])
                to[i] = static_cast<int>(j);
    return FieldPermutation(to, swaps && plan.split >= 0 ? static_cast<int>(plan.middle.size()) - 1 : -1);
}

void run(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings, const Limits& limits,
         Watch& watch, ChunkPool& pool, JoinReport& report) {
    Workers workers(std::max(1, settings.threads), watch);
    Transitions transitions(limits.bytes / 8); // its share of the limit
    const int slots = static_cast<int>(plan.middle.size());
    const int split_slot = plan.split < 0 ? -1 : slots - 1;
    Workshop shop{pool, transitions, workers, EndsOf(split_slot), settings.modulus, {}, 0};
    for (int w = 0; w < workers.threads(); ++w) shop.accumulators.emplace_back(pool);
    const auto swaps = [&](const std::vector<int>& images) {
        return plan.split >= 0 && !images.empty() && swaps_colours(plan.colour, images, plan.split);
    };
    workers.progress().total = plan.top.size() + plan.top_absorbed.size() + 1000 +
                               (plan.flip.empty() ? plan.bottom.size() + plan.bottom_absorbed.size() : 0);

    // During the sweep the split vertex has the slot of its place in the middle, so `ends` serves throughout.
    double at = watch.elapsed();
    const auto lap = [&] {
        const double now = watch.elapsed();
        return now - std::exchange(at, now);
    };
    const auto note = [&] {
        report.transitions = shop.transitions_done;
        report.tables = transitions.tables();
        report.table_bytes = transitions.bytes();
    };
    try {
        const auto half = [&](bool upper, const std::vector<int>& sums, std::vector<LayerReport>& log) {
            const std::string files =
                settings.spill.empty() ? ""
                                       : settings.spill + "/" + settings.key + (upper ? "-top" : "-bottom");
            const std::vector<int>& mirror = upper ? plan.top_mirror : plan.bottom_mirror;
            return make_half({graph, upper ? plan.top : plan.bottom, plan.middle,
                              upper ? plan.top_absorbed : plan.bottom_absorbed, mirror, plan.colour,
                              plan.split, swaps(mirror), plan.classes, sums, files},
                             shop, log);
        };
        const bool flipped = !plan.flip.empty();
        const bool same = flipped && settings.top_class == settings.bottom_class;
        const Half top = half(true, settings.top_class, report.top);
        report.seconds_top = lap();
        std::optional<Half> bottom;
        if (!same) {
            bottom = half(flipped, settings.bottom_class, report.bottom);
            report.seconds_bottom = lap();
        }
        const Numbering numbering(slots, plan.split >= 0);
        const Side top_side(top, middle_ports(graph, plan, plan.top_pulled), numbering, split_slot, workers);
        std::optional<Side> bottom_side;
        if (bottom)
            bottom_side.emplace(*bottom,
                                middle_ports(graph, plan, flipped ? plan.top_pulled : plan.bottom_pulled),
                                numbering, split_slot, workers);
        std::optional<FieldPermutation> flip, mirror;
        if (flipped) flip = middle_permutation(plan, plan.flip, swaps(plan.flip));
        if (plan.mirror_joins) mirror = middle_permutation(plan, plan.top_mirror, swaps(plan.top_mirror));
        const Met met = meet({top_side, bottom_side ? *bottom_side : top_side, flip ? &*flip : nullptr, same,
                              mirror ? &*mirror : nullptr, numbering, shop, settings.part, settings.parts});
        report.seconds_join = lap();
        report.patterns = met.patterns;
        report.extended = met.extended;
        report.overflow = met.overflow;
        report.count = {static_cast<u64>(met.total), static_cast<u64>(met.total >> 64)};
        report.divisor = (top.folded ? 2u : 1u) * ((bottom ? bottom->folded : top.folded) ? 2u : 1u);
        note();
    } catch (...) {
        note();
        throw;
    }
}

} // namespace

void JoinPlan::validate(const Graph& graph) const {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    std::vector<int> side(static_cast<std::size_t>(graph.vertices), -1);
    int which = 0;
    std::size_t given = 0;
    for (const auto* vertices : {&top, &bottom, &middle}) {
        for (const int v : *vertices) {
            if (v < 0 || v >= graph.vertices || side[static_cast<std::size_t>(v)] != -1)
                refuse("a join plan names every vertex once");
            side[static_cast<std::size_t>(v)] = which;
            ++given;
        }
        ++which;
    }
    if (given != side.size()) refuse("a join plan names every vertex once");
    if (top.empty() || bottom.empty() || middle.empty()) refuse("no part of a join plan may be empty");
    if (middle.size() > static_cast<std::size_t>(kMostMiddle))
        throw std::length_error("too many middle vertices for the join");
    if (split >= 0 && (middle.back() != split || colour.size() != side.size()))
        refuse("the split vertex is the last of the middle, and every vertex has a colour");
    std::vector<char> seen(graph.edges.size(), 0);
    const auto take = [&](const std::vector<int>& edges, bool pulled) {
        for (const int e : edges) {
            if (e < 0 || static_cast<std::size_t>(e) >= graph.edges.size() ||
                seen[static_cast<std::size_t>(e)])
                refuse("a join plan names every middle edge once");
            seen[static_cast<std::size_t>(e)] = 1;
            const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
            if (side[static_cast<std::size_t>(u)] != 2 || side[static_cast<std::size_t>(v)] != 2)
                refuse("a join plan shares out edges between middle vertices");
            if (pulled && (u == split || v == split)) refuse("edges at the split vertex must be absorbed");
        }
    };
    for (const auto& edges : top_absorbed) take(edges, false);
    for (const auto& edges : bottom_absorbed) take(edges, false);
    take(top_pulled, true);
    take(bottom_pulled, true);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        const int a = side[static_cast<std::size_t>(u)], b = side[static_cast<std::size_t>(v)];
        if (a + b == 1) refuse("an edge joins the two sides of a join plan");
        if (a == 2 && b == 2 && !seen[e]) refuse("a join plan names every middle edge once");
        if (split >= 0 && u != split && v != split &&
            colour[static_cast<std::size_t>(u)] == colour[static_cast<std::size_t>(v)])
            refuse("an edge joins vertices of one colour in a split plan");
    }
    const auto keeps = [&](const std::vector<int>& image, const std::vector<int>& from,
                           const std::vector<int>& to) { // edges, as sets, with what is required of them
        std::vector<std::pair<std::pair<int, int>, u8>> a, b;
        for (const int e : from) {
            const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
            const int p = image[static_cast<std::size_t>(u)], q = image[static_cast<std::size_t>(v)];
            a.push_back({{std::min(p, q), std::max(p, q)}, graph.required[static_cast<std::size_t>(e)]});
        }
        for (const int e : to)
            b.push_back(
                {graph.edges[static_cast<std::size_t>(e)], graph.required[static_cast<std::size_t>(e)]});
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        return a == b;
    };
    for (const int half : {0, 1}) {
        const std::vector<int>& mirror = half == 0 ? top_mirror : bottom_mirror;
        if (mirror.empty()) continue;
        check_involution(graph, mirror, "mirror", [&](int u, int v) {
            return side[static_cast<std::size_t>(u)] == half || side[static_cast<std::size_t>(v)] == half;
        });
        for (std::size_t v = 0; v < side.size(); ++v)
            if (side[v] != side[static_cast<std::size_t>(mirror[v])]) refuse("a mirror must keep the sides");
        for (const auto& edges : half == 0 ? top_absorbed : bottom_absorbed)
            if (!keeps(mirror, edges, edges)) refuse("a mirror must keep absorbed edges");
        if (mirror_joins &&
            !keeps(mirror, half == 0 ? top_pulled : bottom_pulled, half == 0 ? top_pulled : bottom_pulled))
            refuse("the mirror does not keep the sides of middle edges");
        if (split >= 0 && mirror[static_cast<std::size_t>(split)] != split)
            refuse("a mirror must fix the split vertex");
    }
    if (mirror_joins && (top_mirror.empty() || top_mirror != bottom_mirror))
        refuse("a mirror that joins is that of both sides");
    for (const auto& cells : classes)
        for (const int v : cells) {
            if (v < 0 || v >= graph.vertices || v == split || side[static_cast<std::size_t>(v)] != 2)
                refuse("classes are told by middle vertices");
            for (const auto* mirror : {&top_mirror, &bottom_mirror})
                if (!mirror->empty() && std::find(cells.begin(), cells.end(),
                                                  (*mirror)[static_cast<std::size_t>(v)]) == cells.end())
                    refuse("mirrors must keep the sets of the classes");
        }
    if (split >= 0 && !flip.empty() && flip[static_cast<std::size_t>(split)] != split)
        refuse("the flip must fix the split vertex");
    if (!flip.empty()) {
        check_involution(graph, flip, "flip", [](int, int) { return true; });
        for (std::size_t v = 0; v < side.size(); ++v) {
            const int there = side[static_cast<std::size_t>(flip[v])];
            if (side[v] == 2 ? there != 2 : there != 1 - side[v]) refuse("the flip must exchange the sides");
        }
        std::vector<int> top_all, bottom_all;
        for (const auto& edges : top_absorbed) top_all.insert(top_all.end(), edges.begin(), edges.end());
        for (const auto& edges : bottom_absorbed)
            bottom_all.insert(bottom_all.end(), edges.begin(), edges.end());
        if (!keeps(flip, top_all, bottom_all) || !keeps(flip, top_pulled, bottom_pulled))
            refuse("the flip must exchange the sides of middle edges");
        if (top_mirror != bottom_mirror) refuse("with a flip both mirrors are the same");
        if (!top_mirror.empty())
            for (std::size_t v = 0; v < side.size(); ++v)
                if (top_mirror[static_cast<std::size_t>(flip[v])] !=
                    flip[static_cast<std::size_t>(top_mirror[v])])
                    refuse("mirror and flip must commute");
    }
}

JoinReport count_cycles_by_join(const Graph& graph, const JoinPlan& plan, const JoinSettings& settings,
                                const Limits& limits, Monitor* monitor) {
    graph.validate();
    plan.validate(graph);
    if (settings.modulus >> 31 != 0 || settings.modulus == 1)
        throw std::invalid_argument("the modulus must be from 2 to 2^31 - 1, or 0 for none");
    for (const auto* sums : {&settings.top_class, &settings.bottom_class})
        if (!sums->empty() && sums->size() != plan.classes.size())
            throw std::invalid_argument("a class is a sum for each set of the plan");
    if (settings.top_class.empty() != settings.bottom_class.empty())
        throw std::invalid_argument("classes are given for both sides or for none");
    if (settings.parts == 0 || settings.part >= settings.parts)
        throw std::invalid_argument("a part is one of 0 ... parts - 1");
    JoinReport report;
    report.modulus = settings.modulus;
    ChunkPool pool(limits.bytes - limits.bytes / 8);
    Watch watch(limits, monitor);
    try {
        run(graph, plan, settings, limits, watch, pool, report);
    } catch (const Stopped& stopped) {
        report.status = stopped.status;
    } catch (const OutOfMemory&) {
        report.status = Status::out_of_memory;
    } catch (const std::bad_alloc&) {
        report.status = Status::out_of_memory;
    } catch (const CountTooWide&) {
        report.overflow = true;
    }
    report.peak_bytes = pool.peak() + report.table_bytes;
    return report;
}

} // namespace ktsolve
