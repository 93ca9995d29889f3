// The core for web pages: functions with C linkage over blocks of numbers.
//
// A caller writes a problem into the input (core_input), calls a function and reads the answer: numbers
// (core_output, core_output_size) or a line of text (core_text). Every function returns an Outcome. There are
// no threads: a page runs the core in a worker, and stops it by ending the worker. Progress goes to the
// function `progress` that the page gives.
//
// A graph is: vertices, edges, then for each edge its two ends and whether it is required. A list is: its
// length, then its numbers.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <malloc.h>

#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/order.hpp"
#include "ktsolve/graphs/separator.hpp"
#include "ktsolve/join/count.hpp"
#include "ktsolve/join/ranking.hpp"
#include "ktsolve/search/search.hpp"
#include "ktsolve/walk/walk.hpp"

#define KTSOLVE_EXPORT(name) extern "C" __attribute__((export_name(#name))) auto name

extern "C" __attribute__((import_module("page"), import_name("progress"))) void
page_progress(double step, double total, double states);

namespace ktsolve::wasm {

namespace {

// The first four are those of Status.
enum Outcome : int { done, out_of_time, out_of_memory, interrupted, overflow, refused, too_large };

// Memory is asked for by the MiB: each time costs more than what is asked for.
[[maybe_unused]] const int granularity = mallopt(M_GRANULARITY, 1 << 20);

std::vector<std::int32_t> input, output;
std::string text;
std::unique_ptr<JoinRanking> ranking;

struct PageMonitor : Monitor {
    bool keep_going(const Progress& progress) override {
        page_progress(static_cast<double>(progress.step), static_cast<double>(progress.total),
                      static_cast<double>(progress.states));
        return true;
    }
};

// Reads the input from its beginning.
class Reader {
  public:
    int number() {
        if (at_ >= input.size()) throw std::invalid_argument("the input ends too early");
        return input[at_++];
    }
    int size() {
        const int n = number();
        if (n < 0 || static_cast<std::size_t>(n) > input.size() - at_)
            throw std::invalid_argument("a list is longer than the input");
        return n;
    }
    std::vector<int> list() {
        std::vector<int> numbers(static_cast<std::size_t>(size()));
        for (int& each : numbers) each = number();
        return numbers;
    }
    std::vector<std::vector<int>> lists() {
        std::vector<std::vector<int>> found(static_cast<std::size_t>(size()));
        for (auto& each : found) each = list();
        return found;
    }
    Graph graph() {
        Graph found;
        found.vertices = number();
        for (int edges = size(); edges > 0; --edges) {
            const int u = number(), v = number();
            found.edges.emplace_back(u, v);
            found.required.push_back(number() != 0);
        }
        found.validate();
        return found;
    }
    JoinPlan plan() {
        JoinPlan plan;
        for (auto* part :
             {&plan.top, &plan.bottom, &plan.separator, &plan.top_deferred, &plan.bottom_deferred,
              &plan.top_mirror, &plan.bottom_mirror, &plan.flip, &plan.colour})
            *part = list();
        plan.top_preapplied = lists();
        plan.bottom_preapplied = lists();
        plan.mirror_joins = number() != 0;
        plan.split = number();
        plan.turned = number();
        return plan;
    }

  private:
    std::size_t at_ = 0;
};

std::string hexadecimal(const std::vector<std::uint64_t>& limbs) {
    std::string digits = "0x0";
    for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
        char part[17];
        std::snprintf(part, sizeof part, "%016llx", static_cast<unsigned long long>(*limb));
        digits += part;
    }
    return digits;
}

template <class Work> int guarded(Work&& work) {
    text.clear();
    output.clear();
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return out_of_memory;
    } catch (const std::exception& error) {
        text = error.what();
        return refused;
    }
}

int outcome(Status status) {
    return static_cast<int>(status);
}

Limits limits_of(double bytes) {
    Limits limits;
    limits.bytes = static_cast<std::uint64_t>(bytes);
    return limits;
}

} // namespace

// Room for the given number of numbers.
KTSOLVE_EXPORT(core_input)(int size)->std::int32_t* {
    input.assign(static_cast<std::size_t>(size), 0);
    return input.data();
}
KTSOLVE_EXPORT(core_output)()->const std::int32_t* {
    return output.data();
}
KTSOLVE_EXPORT(core_output_size)()->int {
    return static_cast<int>(output.size());
}
KTSOLVE_EXPORT(core_text)()->const char* {
    return text.c_str();
}

// Counts the cycles of a graph along a plan. Input: graph, plan. Text: the number times a power of two, and
// that power.
KTSOLVE_EXPORT(core_join)(double bytes)->int {
    return guarded([&] {
        Reader reader;
        const Graph graph = reader.graph();
        const JoinPlan plan = reader.plan();
        PageMonitor monitor;
        const JoinReport report = count_cycles_by_join(graph, plan, {}, limits_of(bytes), &monitor);
        text = hexadecimal(report.count) + " " + std::to_string(report.divisor);
        return report.status == Status::done && report.overflow ? overflow : outcome(report.status);
    });
}

// Counts the cycles of a graph by a sweep in an order that is found here. Input: graph. Text: the number.
// With more than 2^most_bits states after some vertex, by prediction, it is too large; the text is the binary
// logarithm.
KTSOLVE_EXPORT(core_frontier)(double bytes, double most_bits)->int {
    return guarded([&] {
        Graph graph = Reader().graph();
        PageMonitor monitor;
        std::vector<int> given(static_cast<std::size_t>(graph.vertices));
        std::iota(given.begin(), given.end(), 0);
        const OrderAnswer order = best_frontier_order(graph, {.given = {given}}, {}, &monitor);
        const double bits = *std::max_element(order.bits.begin(), order.bits.end());
        if (bits > most_bits) {
            text = std::to_string(bits);
            return static_cast<int>(too_large);
        }
        std::vector<int> place(given.size());
        for (std::size_t i = 0; i < given.size(); ++i)
            place[static_cast<std::size_t>(order.order[i])] = static_cast<int>(i);
        for (auto& [u, v] : graph.edges) {
            u = place[static_cast<std::size_t>(u)];
            v = place[static_cast<std::size_t>(v)];
            if (u > v) std::swap(u, v);
        }
        const FrontierReport report = count_cycles_by_frontier(graph, limits_of(bytes), &monitor);
        text = hexadecimal(report.count);
        return outcome(report.status);
    });
}

// Prepares the numbering of all cycles along a plan. Input: graph, plan. Text: their number.
KTSOLVE_EXPORT(core_prepare)(double bytes)->int {
    return guarded([&] {
        ranking.reset();
        Reader reader;
        const Graph graph = reader.graph();
        const JoinPlan plan = reader.plan();
        PageMonitor monitor;
        auto made = std::make_unique<JoinRanking>(graph, plan, 1, limits_of(bytes).bytes);
        const RankingReport report = made->prepare("", Limits{}.seconds, &monitor);
        text = hexadecimal(report.count);
        if (report.status == Status::done && report.overflow) return static_cast<int>(overflow);
        if (report.status == Status::done) ranking = std::move(made);
        return outcome(report.status);
    });
}

// The prepared cycle of an index. Input: first vertex, four digits of the index of 32 bits, the least first.
KTSOLVE_EXPORT(core_unrank)()->int {
    return guarded([&] {
        if (!ranking) throw std::logic_error("nothing is prepared");
        Reader reader;
        const int start = reader.number();
        std::vector<std::uint64_t> index;
        for (int half = 0; half < 2; ++half) {
            const std::uint64_t low = static_cast<std::uint32_t>(reader.number());
            index.push_back(low | std::uint64_t{static_cast<std::uint32_t>(reader.number())} << 32);
        }
        RankedReport report = ranking->unrank(index, start, 1, Limits{}.seconds);
        output = std::move(report.cycles);
        return outcome(report.status);
    });
}

// The index of a cycle. Input: its vertices in order. Text: the index.
KTSOLVE_EXPORT(core_rank)()->int {
    return guarded([&] {
        if (!ranking) throw std::logic_error("nothing is prepared");
        const RankedReport report = ranking->rank(input.data(), 1, 1, Limits{}.seconds);
        text = hexadecimal(report.indices);
        return outcome(report.status);
    });
}

// Cycles of a graph by exhaustive search, at most `most`, after at most `most_nodes` nodes. Input: graph,
// lists of edges that are in or out together, then a list of vertices and steps in turn: the vertex has that
// step of the cycle. Output: the cycles one after the other. Text: nodes visited, and whether the whole tree
// was.
KTSOLVE_EXPORT(core_search)(int seed, int most, double most_nodes, double seconds)->int {
    return guarded([&] {
        Reader reader;
        SearchProblem problem;
        problem.graph = reader.graph();
        problem.links = reader.lists();
        const std::vector<int> steps = reader.list();
        for (std::size_t i = 1; i < steps.size(); i += 2)
            problem.anchors.emplace_back(steps[i - 1], steps[i]);
        problem.seed = static_cast<std::uint64_t>(seed);
        PageMonitor monitor;
        Search search(std::move(problem));
        Limits limits;
        limits.seconds = seconds;
        const std::uint64_t nodes = most_nodes < 1e15 ? static_cast<std::uint64_t>(most_nodes) : UINT64_MAX;
        const Status status =
            search.run(static_cast<std::uint64_t>(most), true, output, limits, &monitor, nodes);
        text = std::to_string(search.nodes()) + (search.exhausted() ? " all" : "");
        return outcome(status);
    });
}

// Vertices without which the graph has more components than a cycle allows. Input: graph. Output: them, or
// nothing. Text: the components, and how many a cycle allows.
KTSOLVE_EXPORT(core_separator)(int seed, int attempts)->int {
    return guarded([&] {
        const Graph graph = Reader().graph();
        auto found = find_separator(graph, attempts, static_cast<std::uint64_t>(seed));
        if (found && found->refutes()) {
            text = std::to_string(found->components) + " " + std::to_string(found->most);
            output = std::move(found->vertices);
        }
        return static_cast<int>(done);
    });
}

// A cycle, or a path if not `closed`, by repaired walks. Input: graph. Output: its vertices in order, or
// nothing: that proves nothing.
KTSOLVE_EXPORT(core_repair)(int closed, int seed, double seconds)->int {
    return guarded([&] {
        Graph graph = Reader().graph();
        WalkProblem problem;
        problem.cells = graph.vertices;
        problem.moves = std::move(graph.edges);
        problem.required = std::move(graph.required);
        RepairTask task;
        task.closed = closed != 0;
        task.seed = static_cast<std::uint64_t>(seed);
        task.start = static_cast<int>(task.seed % static_cast<std::uint64_t>(graph.vertices));
        Limits limits;
        limits.seconds = seconds;
        PageMonitor monitor;
        RepairReport report = Walker(std::move(problem)).repair(task, limits, &monitor);
        if (report.found) output = std::move(report.path);
        return outcome(report.status);
    });
}

} // namespace ktsolve::wasm
