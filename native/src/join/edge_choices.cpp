// Compiles the edge choices of a step to masks, constants and look-ups.
#include "join/edge_choices.hpp"

#include <bit>
#include <map>

namespace ktsolve::join {

namespace {

// The far end of an edge must not be full: its high bit is free, or its own bit at a split vertex.
u64 room_test(const Port& port, bool split) {
    return split ? field(port.slot, port.increment) : field(port.slot, 2);
}

} // namespace

std::vector<EdgeChoice> elimination_choices(int slot, const std::vector<PortEdge>& edges, int split_slot) {
    std::vector<EdgeChoice> choices;
    const auto make = [&](const std::vector<int>& chosen) {
        for (std::size_t e = 0; e < edges.size(); ++e) {
            bool taken = false;
            for (const int c : chosen) taken = taken || static_cast<std::size_t>(c) == e;
            if (edges[e].required && !taken) return;
        }
        EdgeChoice choice;
        choice.chosen = chosen;
        const u64 degree = 2 - chosen.size();
        choice.test = field(slot, 3);
        choice.value = field(slot, degree);
        choice.delta = 0 - field(slot, degree);
        for (const int c : chosen) {
            const PortEdge& edge = edges[static_cast<std::size_t>(c)];
            choice.test |= room_test(edge.p, edge.p.slot == split_slot);
            choice.delta += field(edge.p.slot, edge.p.increment);
            choice.delta += static_cast<u64>(edge.tallied) << kUsesShift;
        }
        if (chosen.size() == 1)
            choice.runs.push_back({slot, edges[static_cast<std::size_t>(chosen[0])].p.slot});
        if (chosen.size() == 2)
            choice.runs.push_back({edges[static_cast<std::size_t>(chosen[0])].p.slot,
                                   edges[static_cast<std::size_t>(chosen[1])].p.slot});
        choices.push_back(std::move(choice));
    };
    const int n = static_cast<int>(edges.size());
    make({});
    for (int a = 0; a < n; ++a) {
        make({a});
        for (int b = a + 1; b < n; ++b) make({a, b});
    }
    return choices;
}

std::vector<EdgeChoice> subset_choices(const std::vector<PortEdge>& edges, int split_slot) {
    std::vector<EdgeChoice> choices;
    std::vector<int> chosen;
    const int n = static_cast<int>(edges.size());

    const auto make = [&] {
        // Degrees that the subset gives, and the paths it forms.
        std::map<int, std::vector<int>> around; // slot -> neighbouring slots
        std::map<int, u64> added;
        for (const int c : chosen) {
            const PortEdge& e = edges[static_cast<std::size_t>(c)];
            around[e.p.slot].push_back(e.q.slot);
            around[e.q.slot].push_back(e.p.slot);
            for (const Port& port : {e.p, e.q}) {
                u64& sum = added[port.slot];
                if (port.slot == split_slot && (sum & port.increment) != 0) return; // this colour twice
                sum += port.increment;
            }
        }
        EdgeChoice choice;
        choice.chosen = chosen;
        for (const int c : chosen)
            choice.delta += static_cast<u64>(edges[static_cast<std::size_t>(c)].tallied) << kUsesShift;
        for (const auto& [slot, others] : around) {
            if (others.size() > 2) return;
            if (others.size() == 2) {
                choice.test |= field(slot, 3);
                choice.need_full |= field(slot, 1);
            } else {
                choice.test |= slot == split_slot ? field(slot, added[slot]) : field(slot, 2);
                choice.need_some |= field(slot, 1);
            }
            choice.delta += field(slot, added[slot]);
        }
        // Paths from their ends; what is left over then is a cycle.
        std::map<int, bool> seen;
        for (const auto& [slot, others] : around) {
            if (others.size() != 1 || seen[slot]) continue;
            int before = slot, at = others[0];
            seen[slot] = seen[at] = true;
            while (around[at].size() == 2) {
                const int next = around[at][0] == before ? around[at][1] : around[at][0];
                before = at;
                at = next;
                seen[at] = true;
            }
            choice.runs.push_back({slot, at});
        }
        for (const auto& [slot, others] : around)
            if (!seen[slot]) return;
        choices.push_back(std::move(choice));
    };
    const auto choose = [&](const auto& self, int e) -> void {
        if (e == n) {
            make();
            return;
        }
        if (!edges[static_cast<std::size_t>(e)].required) self(self, e + 1);
        chosen.push_back(e);
        // Pruned early: with many edges at one vertex most subsets give it a degree above 2.
        std::map<int, int> degree;
        bool fits = true;
        for (const int c : chosen)
            for (const Port& port :
                 {edges[static_cast<std::size_t>(c)].p, edges[static_cast<std::size_t>(c)].q})
                fits = fits && ++degree[port.slot] <= 2;
        if (fits) self(self, e + 1);
        chosen.pop_back();
    };
    choose(choose, 0);
    return choices;
}

std::vector<EdgeChoice> turned_choices(const std::vector<EdgeChoice>& subsets, int slot, int split_slot) {
    std::vector<EdgeChoice> choices;
    for (const EdgeChoice& subset : subsets)
        for (u64 before = 0; before < 4; ++before) {
            const u64 mask = field(slot, 3);
            if (before == 3 && slot != split_slot) continue;
            if ((field(slot, before) & subset.test & mask) != (subset.value & mask)) continue;
            const int ends = slot == split_slot ? std::popcount(before) : static_cast<int>(before);
            const std::size_t added = subset.chosen.size();
            const int times = ends == 2 ? 2 : ends == 1 ? (added == 1 ? 2 : 1) : (added == 2 ? 1 : 0);
            EdgeChoice choice = subset;
            choice.test |= mask;
            choice.value |= field(slot, before);
            choices.insert(choices.end(), static_cast<std::size_t>(times), choice);
        }
    return choices;
}

} // namespace ktsolve::join
