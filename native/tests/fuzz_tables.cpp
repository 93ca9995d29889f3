// Prepared tables, mutated, with the right checksums and with the old ones: rankings by the join and
// diagrams. What comes out is refused, or made of cycles of the graph; nothing is read or written outside the
// tables.
#include "fuzz.hpp"

#include <cstring>

#include "ktsolve/frontier/diagram.hpp"
#include "random_cut.hpp"
#include "ranking_bytes.hpp"
#include "rows_plan.hpp"

using namespace ktsolve;
using fuzz::below;
using fuzz::one_in;
using fuzz::Random;

namespace {

constexpr u64 kMemory = u64{64} << 20;

void mutate(Random& random, std::vector<u8>& bytes) {
    if (bytes.empty()) {
        bytes.resize(below(random, 40));
        return;
    }
    const std::size_t at = below(random, bytes.size());
    const std::size_t word = std::min(at / 8 * 8, bytes.size() - std::min<std::size_t>(8, bytes.size()));
    switch (random() % 8) {
    case 0:
        bytes[at] = static_cast<u8>(random());
        break;
    case 1:
        bytes[at] ^= static_cast<u8>(1u << random() % 8);
        break;
    case 2:
    case 3: { // a word
        const u64 value = fuzz::odd_number(random);
        std::memcpy(bytes.data() + word, &value, std::min<std::size_t>(8, bytes.size()));
        break;
    }
    case 4: { // a word, by a little
        u64 value = 0;
        const std::size_t size = std::min<std::size_t>(8, bytes.size());
        std::memcpy(&value, bytes.data() + word, size);
        value += random() % 2 == 0 ? random() % 5 : u64{1} << random() % 64;
        std::memcpy(bytes.data() + word, &value, size);
        break;
    }
    case 5: { // a part of the bytes in another place
        const std::size_t from = below(random, bytes.size());
        const std::size_t size = std::min(bytes.size() - std::max(from, at), 1 + below(random, 64));
        std::memmove(bytes.data() + at, bytes.data() + from, size);
        break;
    }
    case 6:
        bytes.resize(one_in(random, 2) ? at : bytes.size() + 8 * below(random, 8));
        break;
    default:
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min(bytes.size() - at, below(random, 32)), static_cast<u8>(random() % 2 * 255));
        break;
    }
}

// Whether each row names every vertex once and follows edges.
bool are_cycles(const Graph& graph, const std::vector<std::int32_t>& rows) {
    const std::set<std::pair<int, int>> edges(graph.edges.begin(), graph.edges.end());
    const auto n = static_cast<std::size_t>(graph.vertices);
    for (std::size_t first = 0; first + n <= rows.size(); first += n) {
        std::vector<char> seen(n);
        for (std::size_t i = 0; i < n; ++i) {
            const int u = rows[first + i], v = rows[first + (i + 1) % n];
            if (u < 0 || u >= graph.vertices || seen[static_cast<std::size_t>(u)]++) return false;
            if (edges.count(std::minmax(u, v)) == 0) return false;
        }
    }
    return rows.size() % n == 0;
}

// Does the work on tables that may be damaged; these exceptions say so.
template <class Work> bool refused(Work&& work) {
    try {
        work();
        return false;
    } catch (const DamagedBytes&) {
    } catch (const std::logic_error&) { // sound blocks that do not fit together
    }
    return true;
}

struct Prepared {
    Graph graph;
    JoinPlan plan;
    std::vector<std::int32_t> cycles; // some of them
    std::vector<u64> indices;
    std::vector<RankingBytes> bytes; // one
};

Prepared prepared(Graph graph, JoinPlan plan, int gap) {
    Prepared made{std::move(graph), std::move(plan), {}, {}, {}};
    JoinRanking ranking(made.graph, made.plan, 1, kMemory);
    CHECK(ranking.prepare("", 1e9, nullptr, gap).status == Status::done);
    const u64 count = ranking.count()[0];
    for (u64 i = 0; i < count; i += 1 + count / 20) made.indices.insert(made.indices.end(), {i, 0});
    made.cycles = ranking.unrank(made.indices, 0, 1, 1e9).cycles;
    made.bytes.emplace_back(ranking);
    return made;
}

const std::vector<Prepared>& rankings() {
    static const std::vector<Prepared> all = [] {
        std::vector<Prepared> made;
        std::mt19937 random(1);
        const Graph six = knight_graph(6, 6), narrow = knight_graph(5, 6);
        made.push_back(prepared(six, symmetric_plan(six, true), 1));
        made.push_back(prepared(six, symmetric_plan(six, false), 4));
        made.push_back(prepared(six, rows_plan(six, 6, 6, 2), 1));
        made.push_back(prepared(narrow, rows_plan(narrow, 5, 6, 1), 2));
        for (int i = 0; i < 12; ++i) {
            auto cut = random_cut(random, 6 + i % 3, 0.9, 0.05);
            made.push_back(prepared(cut.graph, cut.plan, i % 2 == 0 ? 1 : 4));
        }
        return made;
    }();
    return all;
}

void damaged_ranking(Random& random) {
    const Prepared& sound = rankings()[below(random, rankings().size())];
    RankingBytes bytes = sound.bytes[0];
    for (u64 times = 1 + random() % 4; times > 0; --times) {
        if (one_in(random, 4)) {
            u64& entry = bytes.directory[below(random, bytes.directory.size())];
            entry = one_in(random, 2) ? fuzz::odd_number(random) : entry + random() % 33 - 16;
        } else if (one_in(random, 30)) {
            bytes.directory.resize(below(random, bytes.directory.size() + 6));
            if (bytes.directory.empty()) bytes.directory.push_back(random() % 3);
        } else {
            // The last of each are the patterns and totals of the orbits, the layers before them the last
            // ones.
            const std::size_t back = below(
                random, one_in(random, 2) ? std::min<std::size_t>(4, bytes.each.size()) : bytes.each.size());
            mutate(random, bytes.each[bytes.each.size() - 1 - back]);
        }
    }
    if (!one_in(random, 8)) bytes.sum_up();
    for (std::size_t i = 0; i < bytes.each.size(); ++i)
        bytes.sums[i].resize(CheckedBytes::blocks(bytes.each[i].size()));
    JoinRanking ranking(sound.graph, sound.plan, 1, kMemory);
    (void)refused([&] {
        bytes.give(ranking);
        (void)ranking.kept();
        (void)refused([&] {
            (void)ranking.directory();
            for (const bool upper : {true, false})
                for (std::size_t n = 0; n < 40; ++n) (void)ranking.packed_layer(upper, n);
        });
        (void)refused([&] { (void)ranking.totals(); });
        (void)refused([&] {
            const RankedReport found = ranking.rank(sound.cycles.data(), sound.indices.size() / 2, 1, 2);
            CHECK(found.status != Status::done || found.indices.size() == sound.indices.size());
        });
        std::vector<u64> indices;
        const std::vector<u64> count = ranking.count();
        const int many = one_in(random, 40) ? 5000 : 6; // with many, an index of all groups is made
        for (int i = 0; i < many; ++i)
            if (count[1] != 0)
                indices.insert(indices.end(), {random(), random() % count[1]});
            else if (count[0] != 0)
                indices.insert(indices.end(), {random() % count[0], 0});
        (void)refused([&] {
            const RankedReport found = ranking.unrank(indices, 0, 1, 2);
            CHECK(found.status != Status::done || are_cycles(sound.graph, found.cycles));
        });
    });
}

struct Diagram {
    FrontierDiagram made;
    std::vector<u64> indices;
    Cycles cycles;
};

const std::vector<Diagram>& diagrams() {
    static const std::vector<Diagram> all = [] {
        std::vector<Diagram> made;
        std::mt19937 random(2);
        for (int i = 0; i < 16; ++i) {
            Diagram diagram;
            diagram.made.graph = i == 0   ? knight_graph(6, 6)
                                 : i == 1 ? knight_graph(5, 6)
                                          : random_graph(random, 4 + i % 5, 0.8, 0.05);
            if (i % 3 == 2)
                for (std::size_t e = 0; e < diagram.made.graph.edges.size(); ++e)
                    diagram.made.parallel.emplace_back(1 + random() % 3, static_cast<u8>(random() % 2));
            CHECK(build_diagram(diagram.made, {}).status == Status::done);
            if (diagram.made.layers.empty()) continue;
            const u64 count = diagram.made.count[0];
            for (u64 n = 0; n < count; n += 1 + count / 20) diagram.indices.push_back(n);
            if (diagram.made.limbs() == 1)
                CHECK(unrank_cycles(diagram.made, diagram.indices.data(), diagram.indices.size(),
                                    diagram.cycles, {}) == Status::done);
            made.push_back(std::move(diagram));
        }
        return made;
    }();
    return all;
}

void damaged_diagram(Random& random) {
    const Diagram& sound = diagrams()[below(random, diagrams().size())];
    std::vector<std::vector<u8>> bytes;
    std::vector<std::vector<u64>> sums;
    std::vector<DiagramLayer> layers;
    std::vector<u64> count = sound.made.count;
    for (const DiagramLayer& layer : sound.made.layers) {
        bytes.emplace_back(layer.bytes.data(), layer.bytes.data() + layer.bytes.size());
        DiagramLayer copy;
        copy.records = layer.records;
        copy.choice_bits = layer.choice_bits;
        copy.link_bytes = layer.link_bytes;
        copy.count_bytes = layer.count_bytes;
        layers.push_back(std::move(copy));
    }
    for (u64 times = 1 + random() % 4; times > 0; --times) {
        DiagramLayer& layer = layers[below(random, layers.size())];
        switch (random() % 8) {
        case 0:
            count[below(random, count.size())] = fuzz::odd_number(random);
            break;
        case 1:
            layer.records = one_in(random, 2) ? fuzz::odd_number(random) : layer.records + random() % 3 - 1;
            break;
        case 2:
            (one_in(random, 2)   ? layer.choice_bits
             : one_in(random, 2) ? layer.link_bytes
                                 : layer.count_bytes) += static_cast<int>(random() % 5) - 2;
            break;
        case 3:
            count.resize(1 + below(random, 4));
            break;
        default:
            mutate(random, bytes[below(random, bytes.size())]);
            break;
        }
    }
    for (std::size_t s = 0; s < layers.size(); ++s) {
        if (one_in(random, 3) && layers[s].records < (1 << 20) && layers[s].link_bytes > 0 &&
            layers[s].count_bytes >= 0)
            bytes[s].resize(layers[s].size()); // so that the sizes fit again
        sums.emplace_back();
        for (std::size_t at = 0; at < bytes[s].size(); at += kCheckedBlock)
            sums[s].push_back(
                checksum_of(bytes[s].data() + at, std::min(kCheckedBlock, bytes[s].size() - at)));
        layers[s].bytes = CheckedBytes(bytes[s].data(), bytes[s].size(), sums[s].data());
    }
    FrontierDiagram diagram;
    diagram.graph = sound.made.graph;
    diagram.parallel = sound.made.parallel;
    (void)refused([&] {
        restore_diagram(diagram, count, std::move(layers));
        Limits limits;
        limits.bytes = kMemory;
        limits.seconds = 2;
        const auto width = static_cast<std::size_t>(diagram.limbs());
        (void)refused([&] {
            std::vector<u64> indices(width), found;
            for (auto& limb : indices) limb = fuzz::odd_number(random);
            indices.resize(width * (1 + random() % 3), 0);
            Cycles cycles;
            if (unrank_cycles(diagram, indices.data(), indices.size() / width, cycles, limits) ==
                Status::done)
                CHECK(are_cycles(diagram.graph, cycles.vertices));
        });
        (void)refused([&] {
            std::vector<u64> first(width, 0), found;
            Cycles cycles;
            (void)unrank_cycles(diagram, first.data(), 1, cycles, limits);
            (void)rank_cycles(diagram, sound.cycles, found, limits);
        });
        std::vector<u64> uses;
        (void)refused([&] { (void)count_uses(diagram, uses, limits); });
        std::size_t edges = diagram.graph.edges.size();
        if (!diagram.parallel.empty()) {
            edges = 0;
            for (const auto& each : diagram.parallel) edges += each.size();
        }
        std::vector<u8> weights(edges);
        for (u8& weight : weights) weight = static_cast<u8>(random() % 4);
        (void)refused([&] { (void)tally_weights(diagram, weights, uses, limits); });
    });
}

} // namespace

int main(int argc, char** argv) {
    return fuzz::run("tables", argc, argv, [](Random& random) {
        if (one_in(random, 2))
            damaged_ranking(random);
        else
            damaged_diagram(random);
    });
}
