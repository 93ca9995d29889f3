// Half tables that are kept in memory, so that each of them can be joined with many others.
//
// Counting open tours by their ends takes a hundred joins of few tables. An end is an edge to one extra
// vertex, the last of the separator. A half table depends only on which vertices of its own half are ends;
// ends in the separator are deferred edges. All tops that are joined with the same bottom share one
// contraction (join/workspace.hpp).
//
// A table can also be made from that of a smaller half. So the tables of a strip, after each of its lines,
// come of one sweep, and any two of them are a strip of some length.
//
// Where two tables would not fit into memory they are made of some blocks only, each of which is kept in a
// file: cycles of all states are the sum over the pairs of blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve {

// How a table is made. Vertices are those of a graph.
struct HalfPlan {
    std::vector<int> eliminate; // in this order
    // What stays: slot i holds separator[i]. The last is the extra vertex, whose edges into the half are
    // required.
    std::vector<int> separator;
    std::vector<int> mirror; // image of every vertex, to fold the table by, or empty
    // Number of a table of the same graph, as far as its half has edges, whose vertices are eliminated first;
    // or -1.
    int grown_from = -1;
    // Sets of separator vertices, which the mirror keeps, and blocks (JoinSettings): only states of these are
    // in the table. Empty: all states.
    std::vector<std::vector<int>> cells = {}, blocks = {};
    // Beginning of the names of files in which the tables of single blocks are kept from one call to the
    // next, or empty. It must differ between tables that differ in graph or plan. Files written by one call
    // take at most `disk` bytes.
    std::string files = {};
    std::uint64_t disk = ~std::uint64_t{0};

    // Throws std::invalid_argument when it does not fit the graph.
    void validate(const Graph& graph) const;
};

struct TableReport {
    Status status = Status::done;
    bool overflow = false; // counts did not fit
    int table = -1;        // number of the new table
    bool folded = false;
    std::vector<LayerReport> layers;
    std::uint64_t transitions = 0, bytes = 0;
};

// A table, and the deferred edges of its side.
struct TableSide {
    struct Edge {
        int p, q; // slots
        bool required;
        bool operator==(const Edge&) const = default;
    };
    int table;
    std::vector<Edge> deferred;
};

// Symmetries of the separator as images of its slots, or empty.
struct TableSymmetries {
    std::vector<int> flip;   // the bottom's table is made as a top: its slots are named by their images
    std::vector<int> mirror; // keeps each side's deferred edges; by which both tables are folded
};

struct TablesReport {
    Status status = Status::done;
    bool overflow = false; // counts did not fit
    // For each top: limbs of the number of cycles times the divisor (1, 2 or 4: what folding multiplied it
    // by).
    std::vector<std::vector<std::uint64_t>> counts;
    std::vector<std::uint64_t> divisors;
    std::uint64_t patterns = 0, extended = 0;
};

class JoinTables {
  public:
    // `separator` counts the vertices of the separator without the extra one; `bytes` is for all tables
    // together. Counts are taken modulo a number below 2^40, or exact for 0. Throws std::length_error for too
    // many vertices.
    JoinTables(int separator, int threads, std::uint64_t bytes, std::uint64_t modulus = 0);
    ~JoinTables();

    // Throws std::invalid_argument for a half that does not fit, std::length_error for a frontier too wide,
    // SpillFailed.
    TableReport make(const Graph& graph, const HalfPlan& half, double seconds, Monitor* monitor = nullptr);
    void drop(int table);

    // Cycles made of each top with the bottom. The tops are tables of one half, and all give the extra vertex
    // the same degree; with it cycles pass through that vertex, or none has an edge there. Only one top with
    // symmetries. Throws std::invalid_argument for tables that do not fit together.
    TablesReport join(const std::vector<TableSide>& tops, const TableSide& bottom, double seconds,
                      Monitor* monitor = nullptr, const TableSymmetries& symmetries = {});

    std::uint64_t peak_bytes() const;

  private:
    struct Inside;
    struct Joined;
    std::unique_ptr<Inside> inside_;
};

} // namespace ktsolve
