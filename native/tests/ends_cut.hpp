// Random graphs with plans of joins whose ends are turned.
#pragma once

#include <algorithm>
#include <array>

#include "check.hpp"
#include "ktsolve/join/count.hpp"

// A random graph with an involution, for the ends of open tours: its last vertex is joined to orbits of
// others. The bottom is mapped into the top and the separator, and of these all but some vertices of the
// separator are images.
struct EndsCut {
    ktsolve::Graph graph;
    ktsolve::JoinPlan plan;
};
inline EndsCut ends_cut(std::mt19937& random, bool split) {
    const int images = 2 + static_cast<int>(random() % 2), middle = static_cast<int>(random() % 3);
    const int above = 1 + static_cast<int>(random() % static_cast<unsigned>(images));
    const int extra = 2 * images + middle;
    std::vector<int> image(static_cast<std::size_t>(extra + 1)), side(image.size(), 2), colour(image.size());
    for (int v = 0; v <= extra; ++v) image[static_cast<std::size_t>(v)] = v;
    for (int i = 0; i < images; ++i) {
        image[static_cast<std::size_t>(i)] = images + i;
        image[static_cast<std::size_t>(images + i)] = i;
        side[static_cast<std::size_t>(i)] = 1;
        if (i < above) side[static_cast<std::size_t>(images + i)] = 0;
    }
    if (middle == 2 && random() % 2 == 0)
        std::swap(image[static_cast<std::size_t>(extra - 2)], image[static_cast<std::size_t>(extra - 1)]);
    // The involution keeps the colours or exchanges them.
    const bool exchanges = random() % 2 == 0;
    for (int v = 0; v < extra; ++v) {
        const int there = image[static_cast<std::size_t>(v)];
        colour[static_cast<std::size_t>(v)] =
            there < v ? colour[static_cast<std::size_t>(there)] ^ static_cast<int>(exchanges)
                      : static_cast<int>(random() % 2);
    }
    EndsCut cut;
    cut.graph.vertices = extra + 1;
    const auto separated = [&](int u, int v) {
        return side[static_cast<std::size_t>(u)] + side[static_cast<std::size_t>(v)] == 1;
    };
    const auto one_colour = [&](int u, int v) {
        return colour[static_cast<std::size_t>(u)] == colour[static_cast<std::size_t>(v)];
    };
    for (int u = 0; u <= extra; ++u)
        for (int v = u + 1; v <= extra; ++v) {
            const int a = image[static_cast<std::size_t>(u)], b = image[static_cast<std::size_t>(v)];
            const std::pair<int, int> there = std::minmax(a, b);
            const auto known = std::find(cut.graph.edges.begin(), cut.graph.edges.end(), there);
            const bool first = there >= std::pair(u, v);
            if (first ? random() % 4 == 0 : known == cut.graph.edges.end()) continue;
            if (separated(u, v) || separated(a, b)) continue;
            if (split && v != extra && (one_colour(u, v) || one_colour(a, b))) continue;
            cut.graph.edges.emplace_back(u, v);
            cut.graph.required.push_back(0);
        }
    ktsolve::JoinPlan& plan = cut.plan;
    for (int v = 0; v <= extra; ++v)
        std::array{&plan.top, &plan.bottom,
                   &plan.separator}[static_cast<std::size_t>(side[static_cast<std::size_t>(v)])]
            ->push_back(v);
    if (split) {
        plan.split = extra;
        plan.colour = colour;
    }
    plan.turned = extra;
    plan.top_preapplied.resize(2);
    for (std::size_t e = 0; e < cut.graph.edges.size(); ++e) {
        const auto [u, v] = cut.graph.edges[e];
        if (side[static_cast<std::size_t>(u)] != 2 || side[static_cast<std::size_t>(v)] != 2) continue;
        if (v == extra)
            plan.top_preapplied[u < 2 * images ? 0 : 1].push_back(static_cast<int>(e));
        else
            (random() % 2 == 0 ? plan.top_deferred : plan.bottom_deferred).push_back(static_cast<int>(e));
    }
    return cut;
}
