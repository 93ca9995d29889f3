#include "ktsolve/sat/two_factor.hpp"

#include "check.hpp"

using namespace ktsolve;

namespace {

using Arcs = std::vector<std::pair<int, int>>;

std::vector<int> degrees(int nodes, const Arcs& arcs, const std::vector<std::uint8_t>& used) {
    std::vector<int> degree(static_cast<std::size_t>(nodes));
    for (std::size_t e = 0; e < arcs.size(); ++e)
        if (used[e] != 0)
            for (const int v : {arcs[e].first, arcs[e].second}) ++degree[static_cast<std::size_t>(v)];
    return degree;
}

// By trying every set of arcs: is there one with two at every node, that keeps what is needed and barred, and
// uses only arcs of at most this cost unless they are needed?
bool exists(int nodes, const Arcs& arcs, const std::vector<ArcUse>& use,
            const std::vector<std::int32_t>& cost, std::int32_t most) {
    for (std::uint32_t set = 0; set < 1U << arcs.size(); ++set) {
        std::vector<std::uint8_t> used(arcs.size());
        bool allowed = true;
        for (std::size_t e = 0; e < arcs.size(); ++e) {
            used[e] = set >> e & 1;
            if (use[e] != ArcUse::free)
                allowed = allowed && used[e] == (use[e] == ArcUse::needed);
            else
                allowed = allowed && (used[e] == 0 || cost[e] <= most);
        }
        if (!allowed) continue;
        const auto degree = degrees(nodes, arcs, used);
        if (std::all_of(degree.begin(), degree.end(), [](int d) { return d == 2; })) return true;
    }
    return false;
}

void two_of_each_are_found_where_they_exist(bool two_colours) {
    std::mt19937 random(2);
    int found = 0, without_costly = 0, none = 0;
    for (int round = 0; round < 1500; ++round) {
        const int nodes = 4 + 2 * static_cast<int>(random() % 2);
        Arcs arcs;
        for (int u = 0; u < nodes; ++u)
            for (int v = u + 1; v < nodes; ++v)
                if ((!two_colours || (u + v) % 2 == 1) && random() % 5 != 0) arcs.emplace_back(u, v);
        std::shuffle(arcs.begin(), arcs.end(), random);
        if (arcs.size() > 11) arcs.resize(11);
        std::vector<ArcUse> use;
        std::vector<std::int32_t> cost;
        for (std::size_t e = 0; e < arcs.size(); ++e) {
            const auto lot = random() % 12;
            use.push_back(lot == 0 ? ArcUse::needed : lot == 1 ? ArcUse::barred : ArcUse::free);
            cost.push_back(random() % 4 == 0 ? 1 : 0);
        }
        const std::uint64_t seed = round % 3;
        const TwoFactor factor = find_two_factor(nodes, arcs, use, cost, seed);
        CHECK(factor.used == find_two_factor(nodes, arcs, use, cost, seed).used);
        const auto degree = degrees(nodes, arcs, factor.used);
        const auto needed = degrees(nodes, arcs, [&] {
            std::vector<std::uint8_t> only(arcs.size());
            for (std::size_t e = 0; e < arcs.size(); ++e) only[e] = use[e] == ArcUse::needed;
            return only;
        }());
        int missing = 0;
        bool over = false;
        for (std::size_t v = 0; v < degree.size(); ++v) {
            CHECK(degree[v] <= std::max(2, needed[v]));
            missing += std::max(0, 2 - degree[v]);
            over = over || needed[v] > 2;
        }
        CHECK(factor.missing == missing);
        bool costly = false;
        for (std::size_t e = 0; e < arcs.size(); ++e) {
            if (use[e] != ArcUse::free) CHECK((factor.used[e] != 0) == (use[e] == ArcUse::needed));
            costly = costly || (factor.used[e] != 0 && use[e] == ArcUse::free && cost[e] > 0);
        }
        const bool there = exists(nodes, arcs, use, cost, 1);
        if (missing == 0 && !over) CHECK(there);
        if (two_colours) {
            CHECK(there == (missing == 0 && !over));
            if (exists(nodes, arcs, use, cost, 0)) {
                CHECK(!costly);
                ++without_costly;
            }
        }
        found += missing == 0;
        none += !there;
    }
    CHECK(found > 100 && none > 100);
    CHECK(!two_colours || without_costly > 50);
}

void boards_and_seeds() {
    const Graph graph = leaper_graph(20, 20, 1, 2);
    const Arcs arcs(graph.edges.begin(), graph.edges.end());
    const std::vector<ArcUse> use(arcs.size());
    std::set<std::vector<std::uint8_t>> different;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        TwoFactor factor = find_two_factor(400, arcs, use, {}, seed);
        CHECK(factor.missing == 0);
        different.insert(std::move(factor.used));
    }
    CHECK(different.size() == 20);
}

void bad_arguments() {
    CHECK(find_two_factor(0, {}, {}, {}, 1).missing == 0);
    CHECK(find_two_factor(3, {}, {}, {}, 1).missing == 6);
    const std::vector<ArcUse> one{ArcUse::free};
    CHECK_THROWS(find_two_factor(2, {{0, 2}}, one, {}, 0), std::invalid_argument);
    CHECK_THROWS(find_two_factor(2, {{1, 1}}, one, {}, 0), std::invalid_argument);
    CHECK_THROWS(find_two_factor(2, {{0, 1}}, {}, {}, 0), std::invalid_argument);
    CHECK_THROWS(find_two_factor(2, {{0, 1}}, one, {1, 2}, 0), std::invalid_argument);
}

} // namespace

int main() {
    two_of_each_are_found_where_they_exist(true);
    two_of_each_are_found_where_they_exist(false);
    boards_and_seeds();
    bad_arguments();
    return finish("two_factor");
}
