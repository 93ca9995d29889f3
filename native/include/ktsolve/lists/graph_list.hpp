// Questions about every graph of a list: Hamiltonian cycles and paths of small graphs, decided or counted.
//
// A list is a text with a graph in each line, in graph6, sparse6 or digraph6 (McKay, formats.txt of nauty). A
// graph of up to 64 vertices is a bit for each pair, and no object. A line that is not such a graph, a larger
// graph, and a graph whose answer takes too long are left to the caller: their answer is kUnknown.
//
// Every cycle is checked against the graph before the answer is yes. Every "no", or one of kSampled graphs,
// is confirmed by a method that shares nothing with the search: sets of vertices for few vertices, else the
// frontier sweep. So are counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

enum class Question {
    hamiltonian,          // has a cycle through all vertices: never with fewer than 3 vertices
    traceable,            // has a path through all vertices
    hypohamiltonian,      // not Hamiltonian, and each graph without one vertex is
    hypotraceable,        // not traceable, and each graph without one vertex is; 3 vertices or more
    hamilton_connected,   // has such a path between any two vertices
    homogeneous,          // has such a path from every vertex
    uniquely_hamiltonian, // has exactly one such cycle
    pancyclic,            // has cycles of all lengths from 3 to its number of vertices, 3 or more
    cycles,               // number of these cycles
    paths,                // number of these paths
};
inline constexpr int kQuestions = 10;

inline constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
inline constexpr int kSampled = 64;       // a graph of so many is confirmed unless all are
inline constexpr int kLargestListed = 64; // vertices

// Conditions on the cycle or path of every graph, by numbers of vertices. A graph that lacks a vertex or an
// edge of them is left to the caller.
struct ListConditions {
    std::vector<std::pair<int, int>> required, forbidden; // edges; of directed graphs arcs
    std::uint64_t starts = 0, ends = 0;                   // of a path, a bit for each vertex; 0: any
};

// Why a graph has no cycle or path, by arithmetic, and the numbers that prove it.
enum class WhyNone : std::uint8_t {
    unknown,
    apart,   // vertex `evidence[0]` is not connected with vertex 0
    colours, // `evidence[0]` vertices of one colour, `evidence[1]` of the other
    lonely,  // vertex `evidence[0]` has no edge
    single,  // vertex `evidence[0]` has one edge, and there is to be a cycle
    singles, // `evidence[0]` vertices have one edge, first the three after, and there is to be a path
};
inline constexpr int kEvidence = 4;

struct ListTask {
    std::vector<Question> questions;
    ListConditions
        conditions;          // of `hamiltonian`, `traceable`, `cycles` and `paths`; without effect on others
    std::uint64_t first = 0; // graphs before this text: the sample does not depend on how a list is cut
    int threads = 1;
    bool check = false;  // whether every answer is confirmed, not only a sample
    bool cycles = false; // whether a cycle is returned for each yes to `hamiltonian` or `traceable`
};

struct ListReport {
    Status status = Status::done;
    // For each graph:
    std::vector<std::int64_t> begin, end; // its place in the text, without a header and white space
    std::vector<std::int64_t> line;       // number of its line in the text, from 0
    std::vector<std::int32_t> vertices;   // -1 for a line that is not a graph of up to 64 vertices
    std::vector<std::int32_t> edges;
    std::vector<std::uint8_t> simple; // no loops and parallel edges, which are dropped
    std::vector<std::uint8_t> directed;
    std::vector<std::uint64_t> answers; // one for each question: 0 or 1, a number, or kUnknown
    std::vector<std::uint8_t> cycle;    // 64 entries for each graph, if asked for: vertices in order
    std::vector<std::uint8_t> why;      // a WhyNone, of undirected graphs where a cycle or path is asked for
    std::vector<std::int32_t> evidence; // kEvidence entries for each graph
    std::uint64_t answered = 0;         // graphs from the beginning whose answers are there
    std::uint64_t confirmed = 0;        // answers confirmed by the second method
};

// Throws std::logic_error if two methods differ, which is a bug.
ListReport answer_list(std::string_view text, const ListTask& task, const Limits& limits = {},
                       Monitor* monitor = nullptr);

// The graphs of a part of planar code (plantri), without its header, as lines of graph6; `used` becomes the
// number of bytes of whole graphs. Throws std::invalid_argument for bytes that are not planar code.
std::string planar_code_lines(std::string_view bytes, bool little_endian, std::size_t& used);

} // namespace ktsolve
