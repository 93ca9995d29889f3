// Tests of joins that count one of each orbit of patterns: the group by its definition, cubes, other plans.
#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "check.hpp"
#include "cube_plan.hpp"
#include "join/half_steps.hpp"
#include "join/leading_patterns.hpp"
#include "join/single_pattern.hpp"

using namespace ktsolve;
using namespace ktsolve::join;

namespace {

// The images of a pattern under all elements, by applying the generators again and again.
std::set<u64> images_of(u64 pattern, const std::vector<std::vector<u8>>& generators) {
    std::set<u64> found{pattern};
    std::vector<u64> open{pattern};
    while (!open.empty()) {
        const u64 at = open.back();
        open.pop_back();
        for (const auto& generator : generators) {
            u64 image = 0;
            for (std::size_t s = 0; s < generator.size(); ++s)
                image |= field(generator[s], at >> (2 * s) & 3);
            if (found.insert(image).second) open.push_back(image);
        }
    }
    return found;
}

// The numbers of a pattern in an order of the slots, to be compared.
std::vector<u64> read(u64 pattern, const std::vector<u8>& order) {
    std::vector<u64> values;
    for (const u8 slot : order) values.push_back(pattern >> (2 * slot) & 3);
    return values;
}

void groups_by_definition() {
    std::mt19937_64 random(5);
    for (int i = 0; i < 300; ++i) {
        const std::size_t slots = 1 + random() % 7;
        std::vector<u8> order(slots);
        for (std::size_t s = 0; s < slots; ++s) order[s] = static_cast<u8>(s);
        std::vector<std::vector<u8>> generators(1 + random() % 3, order);
        for (auto& generator : generators) std::shuffle(generator.begin(), generator.end(), random);
        std::shuffle(order.begin(), order.end(), random);
        const PatternGroup group(generators, order);
        u64 patterns = 0, orbits = 0;
        const std::size_t known = random() % (slots + 1);
        const std::function<void(u64, std::size_t)> each = [&](u64 pattern, std::size_t s) {
            if (s < slots) {
                for (u64 degree = 0; degree <= 2; ++degree)
                    each(pattern | field(static_cast<int>(s), degree), s + 1);
                return;
            }
            ++patterns;
            const std::set<u64> images = images_of(pattern, generators);
            u64 best = pattern;
            for (const u64 image : images)
                if (read(image, order) > read(best, order)) best = image;
            const PatternGroup::Leading found = group.leading(pattern);
            CHECK(found.pattern == best);
            CHECK(found.stabilizer * images.size() == group.size());
            u64 moved = 0;
            for (std::size_t at = 0; at < slots; ++at) moved |= field(found.to[at], pattern >> (2 * at) & 3);
            CHECK(moved == best);
            CHECK(group.may_lead(pattern, slots) == (pattern == best));
            if (pattern == best) {
                ++orbits;
                CHECK(group.may_lead(pattern, known));
                // Also before its other degrees have grown.
                u64 before = pattern;
                for (std::size_t at = known; at < slots; ++at)
                    if (random() % 2 == 0) before &= ~field(order[at], 3);
                CHECK(group.may_lead(before, known));
            }
        };
        each(0, 0);
        CHECK(orbits <= patterns && orbits * group.size() >= patterns);
    }
}

JoinReport counted(const Graph& graph, const JoinPlan& plan, u64 bytes = u64{1} << 30, u64 modulus = 0) {
    JoinSettings settings;
    settings.modulus = modulus;
    const JoinReport report = count_cycles_by_join(graph, plan, settings, {60, bytes});
    CHECK(report.status == Status::done && !report.overflow && report.divisor == 1);
    return report;
}

void cubes() {
    const std::map<int, u64> published{{3, 6}, {4, 1344}, {5, 906545760}};
    for (const auto& [dimensions, number] : published)
        for (int weight = 1; weight < dimensions; ++weight) {
            if (dimensions == 5 && (weight == 1 || weight == 4)) continue;
            const Graph graph = cube_graph(dimensions);
            for (const bool flipped : {false, true}) {
                if (flipped && 2 * weight != dimensions) continue;
                JoinPlan plan = cube_plan(dimensions, weight, flipped);
                const JoinReport report = counted(graph, plan);
                CHECK(report.count[0] == number);
                // A cycle takes each two of the directions at a vertex equally often: one down and one up
                // at so many of the separator, on average.
                u64 ends = 0;
                for (std::size_t pairs = 0; pairs < report.by_pairs.size(); ++pairs)
                    ends += 2 * pairs * report.by_pairs[pairs][0];
                const auto directions = static_cast<u64>(dimensions * (dimensions - 1) / 2);
                CHECK(ends * directions ==
                      number * plan.separator.size() * static_cast<u64>(weight * (dimensions - weight)));
                CHECK(counted(graph, plan, u64{1} << 30, 1009).count[0] == number % 1009);
                // Without the group, and with a part of it.
                plan.group.pop_back();
                CHECK(counted(graph, plan).count[0] == number);
                plan.group.clear();
                plan.flip.clear();
                const JoinReport all = counted(graph, plan);
                CHECK(all.count[0] == number);
                CHECK(report.top.back().kept < all.top.back().kept);
            }
        }
}

// The sizes of the orbits of the patterns that are kept add up to the number of all patterns.
void orbits_add_up() {
    const Graph graph = cube_graph(5);
    JoinPlan plan = cube_plan(5, 2);
    u64 sum = 0;
    const JoinBlocks blocks = leading_blocks(graph, plan, true, 10);
    std::vector<std::vector<u8>> generators;
    for (const auto& images : plan.group) {
        std::vector<u8> to;
        for (const int v : plan.separator)
            to.push_back(static_cast<u8>(
                std::find(plan.separator.begin(), plan.separator.end(), images[static_cast<std::size_t>(v)]) -
                plan.separator.begin()));
        generators.push_back(to);
    }
    CHECK(blocks.vertices.size() == 10);
    for (const auto& degrees : blocks.degrees) {
        u64 pattern = 0;
        for (std::size_t i = 0; i < degrees.size(); ++i) {
            const auto slot = std::find(plan.separator.begin(), plan.separator.end(), blocks.vertices[i]) -
                              plan.separator.begin();
            pattern |= field(static_cast<int>(slot), static_cast<u64>(degrees[i]));
        }
        sum += images_of(pattern, generators).size();
    }
    // Five vertices of weight 1 have ten edges, two of them to the vertex of weight 0.
    u64 patterns = 0;
    for (int number = 0; number < 59049; ++number) {
        int degrees = 0;
        for (int rest = number; rest != 0; rest /= 3) degrees += rest % 3;
        patterns += degrees == 8;
    }
    CHECK(sum == patterns);
}

// Whether a leading pattern can come of another, by looking at all of them.
void leading_patterns_by_definition() {
    std::mt19937_64 random(7);
    const Graph graph = cube_graph(5);
    const JoinPlan plan = cube_plan(5, 2);
    HalfTask task = plain_task(graph, plan, true);
    const PatternGroup group = pattern_group(plan, task);
    const std::size_t slots = plan.separator.size();
    task.group = &group;
    task.sum = sum_of_degrees(graph, plan, true);
    CHECK(task.sum == 8);
    const auto degree = [](u64 pattern, std::size_t slot) {
        return static_cast<int>(pattern >> (2 * slot) & 3);
    };
    std::vector<u64> all;
    const std::function<void(u64, std::size_t, int, int)> each = [&](u64 pattern, std::size_t s, int sum,
                                                                     int ends) {
        if (s == slots) {
            if (sum == 8 && ends % 2 == 0 && group.leading(pattern).pattern == pattern)
                all.push_back(pattern);
            return;
        }
        for (int d = 0; d <= 2; ++d)
            each(pattern | field(static_cast<int>(s), static_cast<u64>(d)), s + 1, sum + d, ends + (d == 1));
    };
    each(0, 0, 0, 0);
    const LeadingPatterns leading(task);
    CHECK(leading.known() && all.size() > 10);
    std::array<u64, 2> seen{};
    for (int i = 0; i < 3000; ++i) {
        LeadingPatterns::AllProgress progress;
        u64 pattern = 0;
        const u64 likely = all[random() % all.size()];
        for (std::size_t k = 0; k < slots; ++k) {
            const u8 slot = group.order()[k];
            progress[k] = {random() % 4 == 0 ? -1 : 2 * slot, static_cast<int>(random() % 3)};
            const int most = i % 2 == 0 ? 2 : degree(likely, slot);
            const u64 now = random() % static_cast<u64>(most + 1);
            // Where the vertex is not in the frontier, its slot holds another.
            pattern |= field(slot, now);
        }
        const bool some = std::any_of(all.begin(), all.end(), [&](u64 then) {
            for (std::size_t k = 0; k < slots; ++k) {
                const u8 slot = group.order()[k];
                const int more = degree(then, slot) - (progress[k].shift < 0 ? 0 : degree(pattern, slot));
                if (more < 0 || more > progress[k].to_come) return false;
            }
            return true;
        });
        CHECK(leading.may_come_of(pattern, progress) == some);
        ++seen[some ? 1 : 0];
    }
    CHECK(seen[0] > 100 && seen[1] > 100);
    // Blocks of degrees that no vertex has are empty.
    const std::vector<std::vector<int>> cells{{plan.separator[group.order()[0]]}};
    for (const int sum : {-1, 3, 2}) {
        const std::vector<int> sums{sum};
        const HalfTask block{graph,
                             task.eliminate,
                             task.separator,
                             task.preapplied,
                             task.mirror,
                             task.colour,
                             -1,
                             false,
                             cells,
                             sums,
                             ""};
        HalfTask own = block;
        own.group = &group;
        own.sum = 8;
        CHECK(LeadingPatterns(own).may_come_of(0, {}) == false);
        LeadingPatterns::AllProgress all_to_come;
        all_to_come.fill({-1, 2});
        CHECK(LeadingPatterns(own).may_come_of(0, all_to_come) == (sum == 2));
    }
}

// Where memory is short the states are divided by degrees.
void divided_states() {
    const Graph graph = cube_graph(5);
    const JoinPlan plan = cube_plan(5, 1);
    const JoinReport all = counted(graph, plan), divided = counted(graph, plan, u64{16} << 20);
    CHECK(divided.count == all.count);
    CHECK(divided.peak_bytes < all.peak_bytes / 2);
    CHECK(divided.bottom.size() > 2 * all.bottom.size());
}

// Patterns of many ends made and joined one by one, and the others in blocks.
void single_patterns() {
    for (const auto& [dimensions, weight, flipped, number] :
         {std::tuple(4, 2, false, u64{1344}), {4, 2, true, 1344}, {5, 2, false, 906545760}}) {
        const Graph graph = cube_graph(dimensions);
        JoinPlan plan = cube_plan(dimensions, weight, flipped);
        const JoinReport all = counted(graph, plan);
        for (int pairs = 2; 2 * pairs <= static_cast<int>(plan.separator.size()); ++pairs) {
            plan.single_pairs = pairs;
            JoinSettings single, others;
            std::size_t found = 0;
            for (const bool upper : {true, false}) {
                const JoinBlocks blocks = leading_blocks(graph, plan, upper || flipped, 2);
                auto& sets = upper || flipped ? plan.blocks : plan.bottom_blocks;
                sets.clear();
                for (const int v : blocks.vertices) sets.push_back({v});
                CHECK(sets.size() == plan.separator.size());
                for (const auto& degrees : blocks.degrees) {
                    const bool is_single = degrees.size() == plan.separator.size();
                    const auto ends = std::count(degrees.begin(), degrees.end(), 1);
                    CHECK(is_single ? ends >= 2 * pairs : degrees.size() == 2);
                    JoinSettings& settings = is_single ? single : others;
                    (upper ? settings.top_blocks : settings.bottom_blocks).push_back(degrees);
                    found += is_single;
                }
            }
            u64 sum = 0, residue = 0;
            for (JoinSettings* settings : {&single, &others}) {
                if (settings->top_blocks.empty() || settings->bottom_blocks.empty()) continue;
                for (const int threads : {1, 3}) {
                    settings->threads = threads;
                    const JoinReport report =
                        count_cycles_by_join(graph, plan, *settings, {60, u64{1} << 30});
                    CHECK(report.status == Status::done && !report.overflow);
                    if (threads == 1) sum += report.count[0];
                    if (settings == &single)
                        for (std::size_t k = static_cast<std::size_t>(pairs); k < all.by_pairs.size(); ++k)
                            CHECK(report.by_pairs[k] == all.by_pairs[k]);
                }
                settings->modulus = 1009;
                residue += count_cycles_by_join(graph, plan, *settings, {60, u64{1} << 30}).count[0];
            }
            CHECK(sum == number);
            CHECK(residue % 1009 == number % 1009);
            if (found == 0 || others.top_blocks.empty()) continue;
            JoinSettings mixed = others;
            mixed.modulus = 0;
            mixed.top_blocks.push_back(single.top_blocks.empty() ? single.bottom_blocks[0]
                                                                 : single.top_blocks[0]);
            CHECK_THROWS(count_cycles_by_join(graph, plan, mixed, {}), std::invalid_argument);
            if (single.top_blocks.empty() || single.bottom_blocks.empty()) continue;
            // Few of the moduli have no inverse of the number of elements that keep a pattern.
            single.modulus = 24;
            const auto even = [&] { count_cycles_by_join(graph, plan, single, {}); };
            CHECK_THROWS(even(), std::invalid_argument);
        }
    }
}

// A pattern made by itself is divided, too, where memory is short. A vertex joined to two weights makes the
// states many.
void divided_single_patterns() {
    Graph graph = cube_graph(5);
    JoinPlan plan = cube_plan(5, 2);
    for (int v = 0; v < 32; ++v)
        if (const int bits = std::popcount(static_cast<unsigned>(v)); bits == 2 || bits == 3)
            graph.edges.emplace_back(v, 32);
    graph.vertices = 33;
    graph.required.assign(graph.edges.size(), 0);
    plan.bottom.push_back(32);
    for (auto& generator : plan.group) generator.push_back(32);
    plan.single_pairs = 3;
    JoinSettings settings;
    for (const bool upper : {true, false}) {
        const JoinBlocks blocks = leading_blocks(graph, plan, upper, 2);
        for (const int v : blocks.vertices) (upper ? plan.blocks : plan.bottom_blocks).push_back({v});
        for (const auto& degrees : blocks.degrees)
            if (upper && degrees.size() == plan.separator.size()) settings.top_blocks.push_back(degrees);
    }
    settings.bottom_blocks = {{2, 2, 2, 1, 1, 1, 1, 1, 1, 0}};
    const JoinReport all = count_cycles_by_join(graph, plan, settings, {60, u64{1} << 30});
    const JoinReport divided = count_cycles_by_join(graph, plan, settings, {60, u64{20} << 20});
    CHECK(all.status == Status::done && divided.status == Status::done);
    CHECK(all.count[0] > 0 && divided.count == all.count);
    CHECK(divided.bottom.size() > 2 * all.bottom.size());
}

// A vertex that the group fixes, joined to the far end of a half, does not bring that end nearer: swept in
// its order, the half of the paths of the 6-cube between distances 0 and 5 would need more slots than there
// are.
void single_patterns_of_paths() {
    Graph graph = cube_graph(6);
    JoinPlan plan = cube_plan(6, 3);
    const int end = graph.vertices++;
    for (int v = 0; v < end; ++v)
        if (const int bits = std::popcount(static_cast<unsigned>(v)); bits == 0 || bits == 5)
            graph.edges.emplace_back(v, end);
    graph.required.assign(graph.edges.size(), 0);
    plan.separator.push_back(end);
    for (auto& generator : plan.group) generator.push_back(end);
    const std::vector<int> none;
    const std::vector<std::vector<int>> no_sets;
    std::vector<std::vector<int>> cells;
    for (const int v : plan.separator) cells.push_back({v});
    std::vector<int> degrees(plan.separator.size(), 1);
    degrees[19] = 0;
    HalfTask task{graph, plan.bottom, plan.separator, no_sets, none, none, -1, false, cells, degrees, ""};
    task.symmetries = &plan.group;
    const SinglePattern pattern(task);
    const std::vector<int>& order = pattern.task().eliminate;
    CHECK(order[0] == 63);
    for (std::size_t n = 1; n < order.size(); ++n)
        CHECK(std::popcount(static_cast<unsigned>(order[n])) == (n < 7 ? 5 : 4));
    CHECK(assign_slots(pattern.task()).size() == 65);
}

void bad_groups_are_refused() {
    const Graph graph = cube_graph(4);
    const auto refused = [&](auto&& change) {
        JoinPlan plan = cube_plan(4, 2);
        change(plan);
        CHECK_THROWS(count_cycles_by_join(graph, plan, {}, {}), std::invalid_argument);
    };
    refused([](JoinPlan& plan) { plan.group[0].pop_back(); });
    refused([](JoinPlan& plan) { plan.group[0][0] = 1; });
    refused([](JoinPlan& plan) { std::swap(plan.group[0][3], plan.group[0][12]); });
    refused([](JoinPlan& plan) { // the complement exchanges the sides
        for (int v = 0; v < 16; ++v) plan.group[0][static_cast<std::size_t>(v)] = 15 - v;
    });
    refused([](JoinPlan& plan) { plan.top_mirror = plan.bottom_mirror = plan.group[0]; });
    refused([](JoinPlan& plan) { plan.tallied = {0}; });
    refused([](JoinPlan& plan) { plan.bottom_blocks = {{3}}; });
    refused([](JoinPlan& plan) {
        plan.group.clear();
        plan.single_pairs = 2;
    });
    CHECK_THROWS(leading_blocks(graph, JoinPlan(), true, 2), std::invalid_argument);
}

} // namespace

int main() {
    groups_by_definition();
    cubes();
    orbits_add_up();
    leading_patterns_by_definition();
    divided_states();
    single_patterns();
    divided_single_patterns();
    single_patterns_of_paths();
    bad_groups_are_refused();
    return finish("join by orbits");
}
