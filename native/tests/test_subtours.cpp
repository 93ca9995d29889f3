#include "ktsolve/sat/subtours.hpp"

#include <set>

#include "check.hpp"

using namespace ktsolve;

namespace {

// Parts by walking, a way of its own.
std::vector<int> walked(int nodes, const std::vector<std::pair<int, int>>& arcs,
                        const std::vector<std::uint8_t>& used) {
    std::vector<int> part(static_cast<std::size_t>(nodes), -1);
    int parts = 0;
    for (int root = 0; root < nodes; ++root) {
        if (part[static_cast<std::size_t>(root)] >= 0) continue;
        std::vector<int> waiting{root};
        part[static_cast<std::size_t>(root)] = parts;
        while (!waiting.empty()) {
            const int v = waiting.back();
            waiting.pop_back();
            for (std::size_t e = 0; e < arcs.size(); ++e) {
                if (used[e] == 0 || (arcs[e].first != v && arcs[e].second != v)) continue;
                const auto u = static_cast<std::size_t>(arcs[e].first + arcs[e].second - v);
                if (part[u] < 0) {
                    part[u] = parts;
                    waiting.push_back(static_cast<int>(u));
                }
            }
        }
        ++parts;
    }
    return part;
}

// Whether some exchange of two used arcs of different parts joins them.
bool joinable(const std::vector<std::pair<int, int>>& arcs, const std::vector<std::uint8_t>& used,
              const std::vector<std::uint8_t>& free, const std::vector<int>& part) {
    std::set<std::pair<int, int>> unused;
    for (std::size_t e = 0; e < arcs.size(); ++e)
        if (used[e] == 0 && free[e] != 0) unused.insert(std::minmax(arcs[e].first, arcs[e].second));
    const auto there = [&](int u, int v) { return unused.count(std::minmax(u, v)) != 0; };
    for (std::size_t e = 0; e < arcs.size(); ++e)
        for (std::size_t f = 0; f < e; ++f) {
            const auto [a, b] = arcs[e];
            const auto [c, d] = arcs[f];
            if (used[e] == 0 || used[f] == 0 || free[e] == 0 || free[f] == 0) continue;
            if (part[static_cast<std::size_t>(a)] == part[static_cast<std::size_t>(c)]) continue;
            if ((there(a, c) && there(b, d)) || (there(a, d) && there(b, c))) return true;
        }
    return false;
}

void exchanges_keep_degrees_and_what_is_not_free() {
    std::mt19937 random(1);
    int joined = 0, left = 0;
    for (int round = 0; round < 2000; ++round) {
        const int nodes = 6 + round % 9;
        // A random union of cycles among random other arcs.
        std::vector<int> order(static_cast<std::size_t>(nodes));
        for (int v = 0; v < nodes; ++v) order[static_cast<std::size_t>(v)] = v;
        std::shuffle(order.begin(), order.end(), random);
        std::vector<std::pair<int, int>> arcs;
        std::vector<std::uint8_t> used, free;
        std::set<std::pair<int, int>> known;
        const auto add = [&](int u, int v, bool in) {
            if (u == v || !known.insert(std::minmax(u, v)).second) return;
            arcs.push_back(random() % 2 == 0 ? std::pair{u, v} : std::pair{v, u});
            used.push_back(in);
            free.push_back(random() % 5 != 0);
        };
        for (int begin = 0; begin < nodes;) {
            int end = begin + 3 + static_cast<int>(random() % 3);
            if (nodes - end < 3) end = nodes;
            for (int i = begin; i < end; ++i)
                add(order[static_cast<std::size_t>(i)],
                    order[static_cast<std::size_t>(i + 1 < end ? i + 1 : begin)], true);
            begin = end;
        }
        for (int i = 0; i < 3 * nodes; ++i)
            add(static_cast<int>(random() % static_cast<unsigned>(nodes)),
                static_cast<int>(random() % static_cast<unsigned>(nodes)), false);
        const auto before = walked(nodes, arcs, used);
        const Subtours plain = find_subtours(nodes, arcs, used, {});
        CHECK(std::vector<int>(plain.part.begin(), plain.part.end()) == before);
        CHECK(plain.toggled.empty());
        const Subtours found = find_subtours(nodes, arcs, used, free);
        std::vector<std::uint8_t> now = used;
        for (const int e : found.toggled) {
            CHECK(free[static_cast<std::size_t>(e)] != 0);
            now[static_cast<std::size_t>(e)] ^= 1;
        }
        std::vector<int> degree(static_cast<std::size_t>(nodes));
        for (std::size_t e = 0; e < arcs.size(); ++e)
            if (now[e] != 0) {
                ++degree[static_cast<std::size_t>(arcs[e].first)];
                ++degree[static_cast<std::size_t>(arcs[e].second)];
            }
        for (const int d : degree) CHECK(d == 2);
        const auto after = walked(nodes, arcs, now);
        CHECK(std::vector<int>(found.part.begin(), found.part.end()) == after);
        CHECK(found.parts == 1 + *std::max_element(after.begin(), after.end()));
        CHECK(found.parts <= plain.parts);
        CHECK(!joinable(arcs, now, free, after));
        joined += found.parts < plain.parts;
        left += found.parts > 1;
    }
    CHECK(joined > 200 && left > 50);
}

void nothing_is_joined_where_degrees_differ() {
    // Two arcs there and back, and a path: no union of cycles.
    const Subtours found = find_subtours(4, {{0, 1}, {2, 3}, {0, 2}, {1, 3}}, {1, 1, 0, 0}, {1, 1, 1, 1});
    CHECK(found.parts == 2 && found.toggled.empty());
    CHECK(find_subtours(0, {}, {}, {}).parts == 0);
    CHECK_THROWS(find_subtours(2, {{0, 2}}, {1}, {}), std::invalid_argument);
    CHECK_THROWS(find_subtours(2, {{0, 1}}, {}, {}), std::invalid_argument);
    CHECK_THROWS(find_subtours(2, {{0, 1}}, {1}, {1, 1}), std::invalid_argument);
}

} // namespace

int main() {
    exchanges_keep_degrees_and_what_is_not_free();
    nothing_is_joined_where_degrees_differ();
    return finish("subtours");
}
