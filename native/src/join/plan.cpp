// Checks that a plan fits a graph.
#include <algorithm>
#include <stdexcept>

#include "join/pattern.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/tables.hpp"

namespace ktsolve {

namespace {

// `counts` selects the edges that must be mapped to each other, with equal marks; the others are not checked.
template <class Counts>
void check_automorphism(const Graph& graph, const std::vector<u8>& marks, const std::vector<int>& image,
                        const char* name, Counts&& counts) {
    const auto refuse = [name](const char* what) {
        throw std::invalid_argument(std::string("the ") + name + " of a join plan " + what);
    };
    if (image.size() != static_cast<std::size_t>(graph.vertices)) refuse("must have an image per vertex");
    std::vector<char> reached(image.size());
    for (const int v : image) {
        if (v < 0 || v >= graph.vertices || reached[static_cast<std::size_t>(v)] != 0)
            refuse("must be a permutation");
        reached[static_cast<std::size_t>(v)] = 1;
    }
    std::vector<std::pair<std::pair<int, int>, u8>> edges, images;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        if (!counts(u, v)) continue;
        const int a = image[static_cast<std::size_t>(u)], b = image[static_cast<std::size_t>(v)];
        edges.push_back({{u, v}, marks[e]});
        images.push_back({{std::min(a, b), std::max(a, b)}, marks[e]});
    }
    std::sort(edges.begin(), edges.end());
    std::sort(images.begin(), images.end());
    if (edges != images) refuse("must be an automorphism of the graph");
}

template <class Counts>
void check_involution(const Graph& graph, const std::vector<u8>& marks, const std::vector<int>& image,
                      const char* name, Counts&& counts) {
    check_automorphism(graph, marks, image, name, counts);
    for (std::size_t v = 0; v < image.size(); ++v)
        if (image[static_cast<std::size_t>(image[v])] != static_cast<int>(v))
            throw std::invalid_argument(std::string("the ") + name + " of a join plan must be an involution");
}

// What a symmetry must keep of each edge: whether it is required.
std::vector<u8> required_marks(const Graph& graph) {
    return {graph.required.begin(), graph.required.end()};
}

} // namespace

void JoinPlan::validate(const Graph& graph) const {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    std::vector<int> side(static_cast<std::size_t>(graph.vertices), -1);
    int which = 0;
    std::size_t given = 0;
    for (const auto* vertices : {&top, &bottom, &separator}) {
        for (const int v : *vertices) {
            if (v < 0 || v >= graph.vertices || side[static_cast<std::size_t>(v)] != -1)
                refuse("a join plan names every vertex once");
            side[static_cast<std::size_t>(v)] = which;
            ++given;
        }
        ++which;
    }
    if (given != side.size()) refuse("a join plan names every vertex once");
    if (top.empty() || bottom.empty() || separator.empty()) refuse("no part of a join plan may be empty");
    if (separator.size() > static_cast<std::size_t>(group.empty() ? kWidestSeparator : kWidestWithGroup))
        throw std::length_error("the separator has too many vertices for the join");
    if (split >= 0 && (separator.back() != split || colour.size() != side.size()))
        refuse("the split vertex is the last of the separator, and every vertex has a colour");
    std::vector<char> seen(graph.edges.size(), 0);
    const auto take = [&](const std::vector<int>& edges, bool deferred) {
        for (const int e : edges) {
            if (e < 0 || static_cast<std::size_t>(e) >= graph.edges.size() ||
                seen[static_cast<std::size_t>(e)])
                refuse("a join plan names every separator edge once");
            seen[static_cast<std::size_t>(e)] = 1;
            const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
            if (side[static_cast<std::size_t>(u)] != 2 || side[static_cast<std::size_t>(v)] != 2)
                refuse("pre-applied and deferred edges join separator vertices");
            if (deferred && (u == split || v == split))
                refuse("edges at the split vertex must be pre-applied");
        }
    };
    for (const auto& edges : top_preapplied) take(edges, false);
    for (const auto& edges : bottom_preapplied) take(edges, false);
    take(top_deferred, true);
    take(bottom_deferred, true);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        const int a = side[static_cast<std::size_t>(u)], b = side[static_cast<std::size_t>(v)];
        if (a + b == 1) refuse("an edge joins the two sides of a join plan");
        if (a == 2 && b == 2 && !seen[e]) refuse("a join plan names every separator edge once");
        if (split >= 0 && u != split && v != split &&
            colour[static_cast<std::size_t>(u)] == colour[static_cast<std::size_t>(v)])
            refuse("an edge joins vertices of one colour in a split plan");
    }
    std::vector<u8> marks = required_marks(graph);
    for (const int e : tallied) {
        if (e < 0 || static_cast<std::size_t>(e) >= marks.size() ||
            (marks[static_cast<std::size_t>(e)] & 2) != 0)
            refuse("a tally names every edge once");
        marks[static_cast<std::size_t>(e)] |= 2;
    }
    if (std::min(tallied.size(), side.size()) > join::kMostUses)
        throw std::length_error("a cycle may use too many tallied edges for the join");
    const auto keeps = [&](const std::vector<int>& image, const std::vector<int>& from,
                           const std::vector<int>& to) { // edges, as sets, with their marks
        std::vector<std::pair<std::pair<int, int>, u8>> a, b;
        for (const int e : from) {
            const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
            const int p = image[static_cast<std::size_t>(u)], q = image[static_cast<std::size_t>(v)];
            a.push_back({{std::min(p, q), std::max(p, q)}, marks[static_cast<std::size_t>(e)]});
        }
        for (const int e : to)
            b.push_back({graph.edges[static_cast<std::size_t>(e)], marks[static_cast<std::size_t>(e)]});
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        return a == b;
    };
    for (const int half : {0, 1}) {
        const std::vector<int>& mirror = half == 0 ? top_mirror : bottom_mirror;
        if (mirror.empty()) continue;
        check_involution(graph, marks, mirror, "mirror", [&](int u, int v) {
            return side[static_cast<std::size_t>(u)] == half || side[static_cast<std::size_t>(v)] == half;
        });
        for (std::size_t v = 0; v < side.size(); ++v)
            if (side[v] != side[static_cast<std::size_t>(mirror[v])]) refuse("a mirror must keep the sides");
        for (const auto& edges : half == 0 ? top_preapplied : bottom_preapplied)
            if (!keeps(mirror, edges, edges)) refuse("a mirror must keep pre-applied edges");
        if (mirror_joins && !keeps(mirror, half == 0 ? top_deferred : bottom_deferred,
                                   half == 0 ? top_deferred : bottom_deferred))
            refuse("the mirror does not keep the sides of separator edges");
        if (split >= 0 && mirror[static_cast<std::size_t>(split)] != split)
            refuse("a mirror must fix the split vertex");
    }
    if (mirror_joins && (top_mirror.empty() || top_mirror != bottom_mirror))
        refuse("a mirror that joins is that of both sides");
    for (const auto& cells : blocks)
        for (const int v : cells) {
            if (v < 0 || v >= graph.vertices || v == split || side[static_cast<std::size_t>(v)] != 2)
                refuse("the sets of blocks consist of separator vertices");
            for (const auto* mirror : {&top_mirror, &bottom_mirror})
                if (!mirror->empty() && std::find(cells.begin(), cells.end(),
                                                  (*mirror)[static_cast<std::size_t>(v)]) == cells.end())
                    refuse("mirrors must keep the sets of blocks");
        }
    for (const int half : {0, 1}) {
        const std::vector<int>& mirror = half == 0 ? top_mirror : bottom_mirror;
        int before = 0;
        for (const JoinStage& stage : half == 0 ? top_stages : bottom_stages) {
            if (blocks.empty()) refuse("stages are for blocks");
            if (stage.steps <= before ||
                static_cast<std::size_t>(stage.steps) >= (half == 0 ? top : bottom).size())
                refuse("stages come one after the other within a half");
            before = stage.steps;
            for (const auto& sums : stage.sums)
                if (sums.size() != stage.cells.size())
                    refuse("a block has one sum for each set of its stage");
            for (const auto& cells : stage.cells)
                for (const int v : cells) {
                    if (v < 0 || v >= graph.vertices || v == split ||
                        side[static_cast<std::size_t>(v)] == 1 - half)
                        refuse("the sets of a stage consist of vertices of its side and the separator");
                    if (!mirror.empty() && std::find(cells.begin(), cells.end(),
                                                     mirror[static_cast<std::size_t>(v)]) == cells.end())
                        refuse("mirrors must keep the sets of stages");
                }
        }
    }
    if (!group.empty() &&
        (!top_mirror.empty() || !bottom_mirror.empty() || !top_deferred.empty() || !bottom_deferred.empty() ||
         !top_stages.empty() || !bottom_stages.empty() || !tallied.empty()))
        refuse("a plan with a group has no mirrors, deferred edges, stages and tallied edges");
    for (const auto& image : group) {
        check_automorphism(graph, marks, image, "group", [](int, int) { return true; });
        for (std::size_t v = 0; v < side.size(); ++v) {
            const auto there = static_cast<std::size_t>(image[v]);
            if (side[v] != side[there]) refuse("the group of a join plan must keep the sides");
            if (split >= 0 && (static_cast<int>(v) == split || static_cast<int>(there) == split
                                   ? v != there
                                   : colour[v] != colour[there]))
                refuse("the group of a split plan must keep the colours");
        }
        for (const auto* sets : {&top_preapplied, &bottom_preapplied}) {
            std::vector<int> all;
            for (const auto& edges : *sets) all.insert(all.end(), edges.begin(), edges.end());
            if (!keeps(image, all, all)) refuse("the group must keep the pre-applied edges of a side");
        }
    }
    if (turned >= 0) {
        if (!flip.empty() || !group.empty()) refuse("a plan with ends turned has no flip and no group");
        if (turned >= graph.vertices || side[static_cast<std::size_t>(turned)] != 2)
            refuse("ends that are turned are those of a separator vertex");
        const auto of_ends = [&](int e) {
            const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
            return u == turned || v == turned;
        };
        if (top_preapplied.empty() ||
            !std::all_of(top_preapplied.back().begin(), top_preapplied.back().end(), of_ends))
            refuse("the last edges pre-applied to the top are those of ends that are turned");
        for (const auto& edges : bottom_preapplied)
            if (std::any_of(edges.begin(), edges.end(), of_ends))
                refuse("ends that are turned are those of the top");
        for (const auto* edges : {&top_deferred, &bottom_deferred})
            if (std::any_of(edges->begin(), edges->end(), of_ends))
                refuse("ends that are turned are pre-applied");
    }
    if (single_pairs >= 0 && (group.empty() || split >= 0))
        refuse("single patterns are for plans with a group and without a split vertex");
    if (!bottom_blocks.empty() && (group.empty() || !flip.empty() || bottom_blocks.size() != blocks.size()))
        refuse("blocks of the bottom are for plans with a group and without a flip");
    for (const auto& cells : bottom_blocks)
        for (const int v : cells)
            if (v < 0 || v >= graph.vertices || v == split || side[static_cast<std::size_t>(v)] != 2)
                refuse("the sets of blocks consist of separator vertices");
    if (split >= 0 && !flip.empty() && flip[static_cast<std::size_t>(split)] != split)
        refuse("the flip must fix the split vertex");
    if (!flip.empty()) {
        check_involution(graph, marks, flip, "flip", [](int, int) { return true; });
        for (std::size_t v = 0; v < side.size(); ++v) {
            const int there = side[static_cast<std::size_t>(flip[v])];
            if (side[v] == 2 ? there != 2 : there != 1 - side[v]) refuse("the flip must exchange the sides");
        }
        std::vector<int> top_all, bottom_all;
        for (const auto& edges : top_preapplied) top_all.insert(top_all.end(), edges.begin(), edges.end());
        for (const auto& edges : bottom_preapplied)
            bottom_all.insert(bottom_all.end(), edges.begin(), edges.end());
        if (!keeps(flip, top_all, bottom_all) || !keeps(flip, top_deferred, bottom_deferred))
            refuse("the flip must exchange the sides of separator edges");
        if (top_mirror != bottom_mirror) refuse("with a flip both mirrors are the same");
        if (!top_mirror.empty())
            for (std::size_t v = 0; v < side.size(); ++v)
                if (top_mirror[static_cast<std::size_t>(flip[v])] !=
                    flip[static_cast<std::size_t>(top_mirror[v])])
                    refuse("mirror and flip must commute");
    }
}

void HalfPlan::validate(const Graph& graph) const {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    graph.validate();
    if (eliminate.empty() || separator.empty()) refuse("no part of a half may be empty");
    std::vector<char> part(static_cast<std::size_t>(graph.vertices));
    for (const auto* vertices : {&eliminate, &separator})
        for (const int v : *vertices) {
            if (v < 0 || v >= graph.vertices || part[static_cast<std::size_t>(v)] != 0)
                refuse("a half names each of its vertices once");
            part[static_cast<std::size_t>(v)] = vertices == &separator ? 2 : 1;
        }
    const auto of_half = [&](int u, int v) {
        return part[static_cast<std::size_t>(u)] == 1 || part[static_cast<std::size_t>(v)] == 1;
    };
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [u, v] = graph.edges[e];
        if (!of_half(u, v)) continue;
        if (part[static_cast<std::size_t>(u)] == 0 || part[static_cast<std::size_t>(v)] == 0)
            refuse("an edge leaves the half");
        if ((u == separator.back() || v == separator.back()) && graph.required[e] == 0)
            refuse("edges to the extra vertex must be required");
    }
    if (grown_from >= 0 && !blocks.empty()) refuse("a table of blocks is not made from another");
    for (const auto& sums : blocks)
        if (sums.empty() || sums.size() != cells.size()) refuse("a block has one sum for each set of a half");
    for (const auto& set : cells)
        for (const int v : set)
            if (v < 0 || v >= graph.vertices || part[static_cast<std::size_t>(v)] != 2 ||
                v == separator.back())
                refuse("the sets of blocks consist of separator vertices");
    if (mirror.empty()) return;
    check_involution(graph, required_marks(graph), mirror, "mirror", of_half);
    for (const auto& set : cells)
        for (const int v : set)
            if (std::find(set.begin(), set.end(), mirror[static_cast<std::size_t>(v)]) == set.end())
                refuse("mirrors must keep the sets of blocks");
    for (std::size_t v = 0; v < part.size(); ++v)
        if (part[v] != part[static_cast<std::size_t>(mirror[v])]) refuse("a mirror must keep the half");
    if (mirror[static_cast<std::size_t>(separator.back())] != separator.back())
        refuse("a mirror must fix the extra vertex");
}

} // namespace ktsolve
