#include "ktsolve/non_crossing/non_crossing.hpp"

#include <algorithm>
#include <stdexcept>

#include "check.hpp"

using namespace ktsolve;

namespace {

// The longest by trying every sequence of vertices, with no bound and no counters.
int plain(const NonCrossingTask& q, std::vector<int>& walk, std::vector<int>& drawn) {
    int best = 0;
    const int here = walk.back();
    const auto allowed = [&](int e) {
        return std::none_of(q.crossings.begin(), q.crossings.end(), [&](const auto& pair) {
            const auto is_drawn = [&](int other) {
                return std::find(drawn.begin(), drawn.end(), other) != drawn.end();
            };
            return (pair.first == e && is_drawn(pair.second)) || (pair.second == e && is_drawn(pair.first));
        });
    };
    if (!q.closed) best = static_cast<int>(drawn.size());
    for (int e = 0; e < static_cast<int>(q.edges.size()); ++e) {
        const auto [u, v] = q.edges[static_cast<std::size_t>(e)];
        if ((u != here && v != here) || !allowed(e)) continue;
        const int to = u + v - here;
        if (q.closed && to == walk.front() && drawn.size() >= 2)
            best = std::max(best, static_cast<int>(drawn.size()) + 1);
        if (std::find(walk.begin(), walk.end(), to) != walk.end()) continue;
        walk.push_back(to);
        drawn.push_back(e);
        best = std::max(best, plain(q, walk, drawn));
        drawn.pop_back();
        walk.pop_back();
    }
    return best;
}

void longest_walks_are_longest() {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        NonCrossingTask q;
        q.vertices = 2 + static_cast<int>(random() % 6);
        q.closed = random() % 2 == 0;
        for (int u = 0; u < q.vertices; ++u) {
            q.starts.push_back(u);
            for (int v = u + 1; v < q.vertices; ++v)
                if (random() % 2 == 0) q.edges.emplace_back(u, v);
        }
        const int edges = static_cast<int>(q.edges.size());
        for (int i = 0; edges > 1 && i < 6; ++i) {
            const int a = static_cast<int>(random() % static_cast<unsigned>(edges));
            const int b = static_cast<int>(random() % static_cast<unsigned>(edges));
            if (a != b) q.crossings.emplace_back(a, b);
        }
        int expected = 0;
        for (int v = 0; v < q.vertices; ++v) {
            std::vector<int> walk{v}, drawn;
            expected = std::max(expected, plain(q, walk, drawn));
        }
        const NonCrossingReport found = longest_non_crossing(q, {});
        CHECK(found.status == Status::done);
        CHECK(found.length == expected);
        if (expected > 0) CHECK(static_cast<int>(found.walk.size()) == expected + (q.closed ? 0 : 1));
        q.longer_than = expected;
        CHECK(longest_non_crossing(q, {}).walk.empty());
    }
}

void nonsense_is_refused() {
    NonCrossingTask q;
    q.vertices = 2;
    q.edges = {{0, 2}};
    CHECK_THROWS(longest_non_crossing(q, {}), std::invalid_argument);
    q.edges = {{0, 1}};
    q.crossings = {{0, 1}};
    CHECK_THROWS(longest_non_crossing(q, {}), std::invalid_argument);
    q.crossings = {};
    q.starts = {7};
    CHECK_THROWS(longest_non_crossing(q, {}), std::invalid_argument);
}

} // namespace

int main() {
    longest_walks_are_longest();
    nonsense_is_refused();
    return finish("non_crossing");
}
