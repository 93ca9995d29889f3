// Lists of graphs: every question against the definition, formats, lines that are not graphs, planar code.
//
// Threads: lists/graph_list.cpp
#include "ktsolve/lists/graph_list.hpp"

#include <numeric>
#include <string>

#include "check.hpp"
#include "lists/confirmation.hpp"
#include "lists/cycle_search.hpp"

using namespace ktsolve;

namespace {

const std::vector<Question> kAll{Question::hamiltonian,
                                 Question::traceable,
                                 Question::hypohamiltonian,
                                 Question::hypotraceable,
                                 Question::hamilton_connected,
                                 Question::homogeneous,
                                 Question::uniquely_hamiltonian,
                                 Question::pancyclic,
                                 Question::cycles,
                                 Question::paths};

SmallGraph random_small(std::mt19937& random, int n, double density, bool directed) {
    SmallGraph graph;
    graph.vertices = n;
    graph.directed = directed;
    std::uniform_real_distribution<double> unit(0, 1);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            if (u == v || (!directed && v < u) || unit(random) >= density) continue;
            graph.next[u] |= bit(v);
            if (!directed) graph.next[v] |= bit(u);
        }
    return graph;
}

std::string line_of(const SmallGraph& graph) {
    std::string bits;
    for (int v = 0; v < graph.vertices; ++v)
        for (int u = 0; u < (graph.directed ? graph.vertices : v); ++u) {
            const bool there = graph.directed ? (graph.next[v] & bit(u)) != 0 : (graph.next[u] & bit(v)) != 0;
            bits += there ? '1' : '0';
        }
    while (bits.size() % 6 != 0) bits += '0';
    std::string line = graph.directed ? "&" : "";
    if (graph.vertices < 63)
        line += static_cast<char>(graph.vertices + 63);
    else
        line += std::string("~?") + static_cast<char>((graph.vertices >> 6) + 63) +
                static_cast<char>((graph.vertices & 63) + 63);
    for (std::size_t i = 0; i < bits.size(); i += 6) {
        int code = 0;
        for (std::size_t k = i; k < i + 6; ++k) code = 2 * code + (bits[k] - '0');
        line += static_cast<char>(code + 63);
    }
    return line;
}

// The orders of all vertices along edges, by their ends; and the number that closes to cycles.
struct Orders {
    std::set<std::pair<int, int>> ends;
    u64 paths = 0, cycles = 0;
};
Orders orders_of(const SmallGraph& graph) {
    Orders found;
    std::vector<int> order(static_cast<std::size_t>(graph.vertices));
    std::iota(order.begin(), order.end(), 0);
    do {
        bool path = true;
        for (std::size_t i = 0; i + 1 < order.size(); ++i)
            path &= (graph.next[order[i]] >> order[i + 1] & 1) != 0;
        if (!path) continue;
        ++found.paths;
        found.ends.insert({order.front(), order.back()});
        found.cycles += graph.next[order.back()] >> order.front() & 1;
    } while (std::next_permutation(order.begin(), order.end()));
    const u64 n = static_cast<u64>(graph.vertices), ways = graph.directed ? 1 : 2;
    if (n > 1) found.paths /= ways;
    found.cycles = n < 3 ? 0 : found.cycles / (n * ways);
    return found;
}

SmallGraph without(const SmallGraph& graph, int removed) {
    SmallGraph made;
    made.directed = graph.directed;
    std::vector<int> kept;
    for (int v = 0; v < graph.vertices; ++v)
        if (v != removed) kept.push_back(v);
    made.vertices = static_cast<int>(kept.size());
    for (int i = 0; i < made.vertices; ++i)
        for (int j = 0; j < made.vertices; ++j)
            if ((graph.next[kept[static_cast<std::size_t>(i)]] >> kept[static_cast<std::size_t>(j)] & 1) != 0)
                made.next[i] |= bit(j);
    return made;
}

// Bit k is set if there is a cycle of k vertices: in the graph, or without one of its vertices.
u64 lengths_of(const SmallGraph& graph) {
    u64 found = orders_of(graph).cycles > 0 ? bit(graph.vertices) : 0;
    for (int v = 0; v < graph.vertices && graph.vertices > 3; ++v) found |= lengths_of(without(graph, v));
    return found;
}

std::vector<u64> by_definition(const SmallGraph& graph) {
    const int n = graph.vertices;
    const Orders all = orders_of(graph);
    bool each_cycle = n > 1, each_path = n > 1;
    for (int v = 0; v < n && n > 1; ++v) {
        const Orders fewer = orders_of(without(graph, v));
        each_cycle &= fewer.cycles > 0;
        each_path &= fewer.paths > 0;
    }
    bool connected = true, homogeneous = true;
    for (int u = 0; u < n && n > 1; ++u) {
        bool from = false;
        for (int v = 0; v < n; ++v) {
            const bool there = all.ends.count({u, v}) > 0;
            from |= there;
            if (u != v) connected &= there;
        }
        homogeneous &= from;
    }
    return {all.cycles > 0,
            all.paths > 0,
            all.cycles == 0 && each_cycle,
            n > 2 && all.paths == 0 && each_path,
            connected,
            homogeneous,
            all.cycles == 1,
            n > 2 && lengths_of(graph) == (u64{1} << (n + 1)) - 8,
            all.cycles,
            all.paths};
}

void against_the_definition() {
    std::mt19937 random(7);
    std::string text;
    std::vector<u64> expected;
    for (int i = 0; i < 400; ++i) {
        const bool directed = i % 3 == 0;
        const int n = 1 + static_cast<int>(random() % (directed ? 5 : 6));
        const SmallGraph graph =
            random_small(random, n, 0.3 + 0.1 * static_cast<double>(random() % 6), directed);
        text += line_of(graph) + "\n";
        const auto row = by_definition(graph);
        expected.insert(expected.end(), row.begin(), row.end());
    }
    ListTask task;
    task.questions = kAll;
    for (const bool check : {false, true}) {
        task.check = check;
        task.threads = check ? 3 : 1;
        const ListReport report = answer_list(text, task);
        CHECK(report.status == Status::done);
        CHECK(report.answered == 400);
        CHECK(report.answers == expected);
        CHECK(report.confirmed > 0);
        for (std::size_t i = 0; i < report.why.size(); ++i)
            CHECK(report.why[i] == 0 || expected[i * kAll.size()] == 0);
        CHECK(std::count(report.why.begin(), report.why.end(), u8{0}) < 300);
    }
}

// The search, the sets of vertices and the sweep on larger graphs.
void methods_agree() {
    std::mt19937 random(11);
    CycleSearch search;
    Confirmation second;
    for (int i = 0; i < 60; ++i) {
        const int n = 7 + static_cast<int>(random() % 12);
        const SmallGraph graph = random_small(random, n, 3.2 / n, false);
        CHECK(search.run(graph, ~u64{0}, ~u64{0}, i % 2 == 0));
        const std::optional<u64> cycles = second.cycles(graph);
        CHECK(cycles && *cycles == search.found());
        CHECK(second.has_cycle(graph) == (search.found() > 0));
        if (search.found() > 0) CHECK(is_cycle(graph, search.first()));
    }
}

void lines_and_places() {
    ListTask task;
    task.questions = {Question::hamiltonian, Question::cycles};
    task.cycles = true;
    // A header, blank lines, a carriage return, sparse6, a line that is not a graph, and one cut off.
    const std::string text = ">>graph6<<Bw\n\n  C~\r\n:Bc\nB\x01\nC\n:Cc\n&B?\nA_";
    const ListReport report = answer_list(text, task);
    CHECK(report.begin.size() == 8);
    CHECK((report.line == std::vector<std::int64_t>{0, 2, 3, 4, 5, 6, 7, 8}));
    CHECK(text.substr(static_cast<std::size_t>(report.begin[0]), 2) == "Bw");
    CHECK(text.substr(static_cast<std::size_t>(report.begin[1]), 2) == "C~");
    CHECK(report.end[1] - report.begin[1] == 2);
    CHECK(report.vertices[0] == 3 && report.vertices[3] == -1 && report.vertices[4] == -1);
    CHECK(report.answers[0] == 1 && report.answers[3] == 3 && report.answers[6] == kUnknown);
    CHECK(report.edges[1] == 6 && report.edges[2] == 2);
    CHECK(report.cycle[64] < 4 && report.cycle[65] < 4);
    CHECK(report.answers[14] == 0); // K2
    CHECK(answer_list("", task).begin.empty());
    CHECK(answer_list("\n \n", task).begin.empty());
}

// 63 and 64 vertices have four characters for their number; a path of 64 has no room for one vertex more.
void many_vertices() {
    ListTask task;
    task.questions = {Question::hamiltonian, Question::traceable, Question::cycles};
    for (const int n : {62, 63, 64}) {
        SmallGraph ring;
        ring.vertices = n;
        for (int v = 0; v < n; ++v) ring.join(v, (v + 1) % n);
        const ListReport report = answer_list(line_of(ring), task);
        CHECK(report.vertices[0] == n);
        CHECK(report.answers[0] == 1 && report.answers[2] == 1);
        CHECK(report.answers[1] == (n < 64 ? 1 : kUnknown));
    }
    SmallGraph arcs;
    arcs.vertices = 22; // three vertices for each are too many
    arcs.directed = true;
    for (int v = 0; v < 22; ++v) arcs.next[v] = bit((v + 1) % 22);
    CHECK(answer_list(line_of(arcs), task).answers[0] == kUnknown);
}

void planar_code() {
    std::size_t used = 0;
    const std::string k4("\x04\x02\x03\x04\x00\x01\x04\x03\x00\x01\x02\x04\x00\x01\x03\x02\x00", 17);
    CHECK(planar_code_lines(k4 + k4, false, used) == "C~\nC~\n");
    CHECK(used == 34);
    CHECK(planar_code_lines(k4 + k4.substr(0, 9), false, used) == "C~\n");
    CHECK(used == 17);
    const std::string wide("\x00\x00\x02\x00\x02\x00\x00\x00\x01\x00\x00", 11);
    CHECK(planar_code_lines(wide, false, used) == "A_\n");
    CHECK(used == 11);
    CHECK_THROWS(planar_code_lines(std::string("\x02\x03\x00", 3), false, used), std::invalid_argument);
    CHECK_THROWS(planar_code_lines(std::string("\x00\xff\xff", 3), true, used), std::invalid_argument);
}

} // namespace

int main() {
    against_the_definition();
    methods_agree();
    lines_and_places();
    many_vertices();
    planar_code();
    return finish("lists");
}
