// Gives the vertices of a separator their slots, its edges their ports, and checks its symmetries.
#include "join/separator.hpp"

#include <optional>
#include <stdexcept>

namespace ktsolve::join {

bool swaps_colours(const JoinPlan& plan, const std::vector<int>& image) {
    if (plan.split < 0) return false;
    std::optional<bool> swaps;
    for (std::size_t v = 0; v < image.size(); ++v) {
        if (static_cast<int>(v) == plan.split) continue;
        const bool here = plan.colour[v] != plan.colour[static_cast<std::size_t>(image[v])];
        if (swaps.value_or(here) != here)
            throw std::invalid_argument("a symmetry of a split plan must keep or exchange the colours");
        swaps = here;
    }
    return swaps.value_or(false);
}

std::vector<PortEdge> separator_ports(const Graph& graph, const JoinPlan& plan, const std::vector<int>& edges,
                                      const std::vector<char>& tallied) {
    std::vector<int> slot(static_cast<std::size_t>(graph.vertices), -1);
    for (std::size_t i = 0; i < plan.separator.size(); ++i)
        slot[static_cast<std::size_t>(plan.separator[i])] = static_cast<int>(i);
    std::vector<PortEdge> ports;
    for (const int e : edges) {
        const auto [u, v] = graph.edges[static_cast<std::size_t>(e)];
        ports.push_back({{slot[static_cast<std::size_t>(u)], 1},
                         {slot[static_cast<std::size_t>(v)], 1},
                         graph.required[static_cast<std::size_t>(e)] != 0,
                         !tallied.empty() && tallied[static_cast<std::size_t>(e)] != 0});
    }
    return ports;
}

FieldPermutation separator_permutation(const JoinPlan& plan, const std::vector<int>& image) {
    std::array<int, 32> to;
    for (int s = 0; s < 32; ++s) to[static_cast<std::size_t>(s)] = s;
    for (std::size_t i = 0; i < plan.separator.size(); ++i)
        for (std::size_t j = 0; j < plan.separator.size(); ++j)
            if (plan.separator[j] == image[static_cast<std::size_t>(plan.separator[i])])
                to[i] = static_cast<int>(j);
    return FieldPermutation(to,
                            swaps_colours(plan, image) ? static_cast<int>(plan.separator.size()) - 1 : -1);
}

} // namespace ktsolve::join
