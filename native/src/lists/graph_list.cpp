// Answers about each graph of a list: questions in terms of cycles, lines, threads; planar code.
#include "ktsolve/lists/graph_list.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>

#include "common/workers.hpp"
#include "lists/confirmation.hpp"
#include "lists/cycle_search.hpp"
#include "lists/why_none.hpp"

namespace ktsolve {

namespace {

constexpr u64 kQuickNodes = 24;        // of the first search, which does not look for cut vertices
constexpr u64 kNodes = 30'000;         // of a decision; then the answer is left to the caller
constexpr u64 kCountedNodes = 100'000; // of a count, for more vertices than sets are kept of

struct Unknown {}; // thrown where an answer takes too long

// The answers about one graph.
class Answerer {
  public:
    // `poll` throws Stopped when there is a reason to stop.
    Answerer(const ListConditions& given, std::function<void()> poll, std::atomic<u64>& confirmed)
        : given_(given), poll_(std::move(poll)), confirmed_(confirmed) {}

    // The answer; the cycle or path that was found last is in `order`.
    u64 answer(Question question, const SmallGraph& graph, bool confirm) {
        confirm_ = confirm;
        try {
            return restricted() ? asked_with_conditions(question, graph) : asked(question, graph);
        } catch (const Unknown&) {
            return kUnknown;
        }
    }

    std::array<u8, kMostVertices> order{};

  private:
    u64 asked(Question question, const SmallGraph& graph) {
        const int n = graph.vertices;
        switch (question) {
        case Question::hamiltonian:
            return has_cycle(graph);
        case Question::traceable:
            return has_path(graph);
        case Question::hypohamiltonian:
            return !has_cycle(graph) &&
                   without_each(graph, [&](const SmallGraph& g) { return has_cycle(g); });
        case Question::hypotraceable:
            return n > 2 && !has_path(graph) &&
                   without_each(graph, [&](const SmallGraph& g) { return has_path(g); });
        case Question::hamilton_connected:
            for (int u = 0; u < n; ++u)
                for (int v = graph.directed ? 0 : u + 1; v < n; ++v)
                    if (u != v && !has_path_between(graph, u, v)) return 0;
            return 1;
        case Question::homogeneous:
            for (int v = 0; v < n; ++v)
                if (n > 1 && !has_path_from(graph, v)) return 0;
            return 1;
        case Question::uniquely_hamiltonian:
            return count(graph, 2) == 1;
        case Question::pancyclic: {
            if (!has_cycle(graph)) return 0;
            const std::optional<u64> lengths = second_.cycle_lengths(graph);
            if (!lengths) throw Unknown{};
            if ((*lengths & bit(n)) == 0) throw std::logic_error("the sets of vertices missed a cycle");
            return (~*lengths & (bit(n) - 8)) == 0;
        }
        case Question::cycles:
            return count(graph, kUnknown);
        default:
            return n == 1 ? 1 : count(with_apex(graph), kUnknown);
        }
    }

    bool restricted() const {
        return !given_.required.empty() || !given_.forbidden.empty() || given_.starts != 0 ||
               given_.ends != 0;
    }

    u64 asked_with_conditions(Question question, const SmallGraph& graph) {
        const int n = graph.vertices;
        const bool closed = question == Question::hamiltonian || question == Question::cycles;
        if (n < 3 || (closed && (given_.starts | given_.ends) != 0)) throw Unknown{};
        SmallGraph made = graph;
        for (const auto& [u, v] : given_.forbidden) take_out(made, n, u, v);
        if (!closed) join_ends(made, n, question == Question::paths);
        for (const auto& [u, v] : given_.required) {
            take_out(made, n, u, v);
            if (graph.directed) {
                // No other arc leaves the first or enters the second.
                for (int w = 0; w < made.vertices; ++w) made.next[w] &= ~bit(v);
                made.next[u] = bit(v);
            } else {
                // A path of two edges: a cycle takes both or misses the inner vertex.
                const int inner = new_vertex(made);
                made.join(u, inner);
                made.join(inner, v);
            }
        }
        switch (question) {
        case Question::hamiltonian:
        case Question::traceable:
            if (!has_cycle(made)) return 0;
            break;
        case Question::cycles:
        case Question::paths:
            return count(made, kUnknown);
        default:
            throw Unknown{};
        }
        // The vertices of the graph, for a path from the first that joins the ends.
        const auto all = order.begin() + made.vertices;
        if (!closed) std::rotate(order.begin(), std::find(order.begin(), all, u8(n)), all);
        const auto last = std::remove_if(order.begin(), all, [&](u8 v) { return v >= n; });
        if (!graph.directed && !ends_fit(n)) std::reverse(order.begin(), last);
        if (!keeps_conditions(graph, closed)) throw std::logic_error("a cycle does not fit the conditions");
        return 1;
    }

    static int new_vertex(SmallGraph& made) {
        if (made.vertices == kMostVertices) throw Unknown{};
        return made.vertices++;
    }

    static void take_out(SmallGraph& made, int n, int u, int v) {
        if (u < 0 || v < 0 || u >= n || v >= n || (made.next[u] & bit(v)) == 0) throw Unknown{};
        made.next[u] &= ~bit(v);
        if (!made.directed) made.next[v] &= ~bit(u);
    }

    // A path becomes a cycle through one more vertex, n, that leads to the starts and is reached from the
    // ends. Of undirected graphs whose starts are not the ends this is a path of up to three vertices.
    void join_ends(SmallGraph& made, int n, bool counting) const {
        if (((given_.starts | given_.ends) & ~all_of(n)) != 0) throw Unknown{};
        const u64 starts = given_.starts != 0 ? given_.starts : all_of(n);
        const u64 ends = given_.ends != 0 ? given_.ends : all_of(n);
        const int apex = new_vertex(made);
        if (made.directed) {
            made.next[apex] = starts;
            for (u64 left = ends; left != 0;) made.next[take(left)] |= bit(apex);
        } else if (starts == ends) {
            for (u64 left = starts; left != 0;) made.join(apex, take(left));
        } else {
            // A path between two vertices of both sets would be counted in both directions.
            if (counting && std::popcount(starts & ends) > 1) throw Unknown{};
            for (u64 side : {starts, ends}) {
                const int hub = std::popcount(side) == 1 ? std::countr_zero(side) : new_vertex(made);
                made.join(apex, hub);
                while (hub >= n && side != 0) made.join(hub, take(side));
            }
        }
    }

    // Whether the order begins and ends where it may.
    bool ends_fit(int n) const {
        const u64 first = bit(order[0]), last = bit(order[static_cast<std::size_t>(n - 1)]);
        return (given_.starts == 0 || (given_.starts & first) != 0) &&
               (given_.ends == 0 || (given_.ends & last) != 0);
    }

    // Whether the order is that of a cycle or path of the graph with all that is given.
    bool keeps_conditions(const SmallGraph& graph, bool closed) const {
        const int n = graph.vertices;
        SmallGraph used;
        used.directed = graph.directed;
        u64 seen = 0;
        for (int i = 0; i < n; ++i) {
            seen |= bit(order[i]);
            if (i + 1 == n && !closed) break;
            const int u = order[i], v = order[i + 1 < n ? i + 1 : 0];
            if ((graph.next[u] & bit(v)) == 0) return false;
            used.next[u] |= bit(v);
            if (!graph.directed) used.next[v] |= bit(u);
        }
        const auto is_used = [&](const std::pair<int, int>& e) {
            return (used.next[e.first] & bit(e.second)) != 0;
        };
        return seen == all_of(n) && std::all_of(given_.required.begin(), given_.required.end(), is_used) &&
               std::none_of(given_.forbidden.begin(), given_.forbidden.end(), is_used) && ends_fit(n);
    }

    // One vertex more, joined to all.
    static SmallGraph with_apex(const SmallGraph& graph) {
        SmallGraph made = graph;
        if (made.vertices == kMostVertices) throw Unknown{};
        const int apex = made.vertices++;
        for (int v = 0; v < apex; ++v) made.join(v, apex);
        return made;
    }

    bool has_path(const SmallGraph& graph) {
        if (graph.vertices == 1) {
            order[0] = 0;
            return true;
        }
        if (!has_cycle(with_apex(graph))) return false;
        const int n = graph.vertices;
        const auto apex = std::find(order.begin(), order.begin() + n + 1, static_cast<u8>(n));
        std::rotate(order.begin(), apex + 1, order.begin() + n + 1);
        return true;
    }

    bool has_path_between(const SmallGraph& graph, int first, int last) {
        SmallGraph made = graph;
        if (made.vertices == kMostVertices) throw Unknown{};
        const int apex = made.vertices++;
        made.next[apex] = bit(first);
        made.next[last] |= bit(apex);
        if (!graph.directed) {
            made.next[apex] |= bit(last);
            made.next[first] |= bit(apex);
        }
        return has_cycle(made);
    }

    bool has_path_from(const SmallGraph& graph, int first) {
        SmallGraph made = with_apex(graph);
        const int apex = graph.vertices;
        if (graph.directed) {
            made.next[apex] = bit(first);
            return has_cycle(made);
        }
        // The cycle leaves the first vertex by a vertex of degree 2.
        if (made.vertices == kMostVertices) throw Unknown{};
        const int between = made.vertices++;
        made.next[apex] &= ~bit(first);
        made.next[first] &= ~bit(apex);
        made.join(first, between);
        made.join(between, apex);
        return has_cycle(made);
    }

    template <class Test> static bool without_each(const SmallGraph& graph, Test test) {
        for (int removed = 0; removed < graph.vertices; ++removed) {
            SmallGraph made;
            made.vertices = graph.vertices - 1;
            made.directed = graph.directed;
            for (int v = 0; v < graph.vertices; ++v) {
                if (v == removed) continue;
                const u64 low = bit(removed) - 1, next = graph.next[v];
                made.next[v - (v > removed)] = (next & low) | (next >> 1 & ~low);
            }
            if (made.vertices == 0 || !test(made)) return false;
        }
        return true;
    }

    // The graph itself, or its cycles in another.
    const SmallGraph& plain(const SmallGraph& graph) {
        if (!graph.directed) return graph;
        if (!undirected(graph, plain_)) throw Unknown{};
        return plain_;
    }

    bool has_cycle(const SmallGraph& given) {
        if (given.vertices < 3) return false;
        poll_();
        const SmallGraph& graph = plain(given);
        if (!search_->run(graph, 1, kQuickNodes, false)) {
            if (const auto sides = sides_of(graph); sides && sides->first != sides->second)
                return confirmed_no(graph);
            if (!search_->run(graph, 1, kNodes, true)) throw Unknown{};
        }
        if (search_->found() == 0) return confirmed_no(graph);
        order = search_->first();
        if (given.directed) {
            // Three vertices for each: the second ones are in the order of the cycle, or against it.
            std::array<u8, kMostVertices> made{};
            int place = 0;
            for (int i = 0; i < graph.vertices; ++i)
                if (order[i] % 3 == 1) made[place++] = static_cast<u8>(order[i] / 3);
            order = made;
            if (!is_cycle(given, order)) std::reverse(order.begin(), order.begin() + given.vertices);
        }
        if (!is_cycle(given, order)) throw std::logic_error("the search found a cycle that is not one");
        return true;
    }

    bool confirmed_no(const SmallGraph& graph) {
        if (!confirm_) return false;
        const std::optional<bool> second = second_.has_cycle(graph);
        if (!second) throw Unknown{};
        if (*second) throw std::logic_error("the search missed a cycle");
        ++confirmed_;
        return false;
    }

    u64 count(const SmallGraph& given, u64 most) {
        if (given.vertices < 3) return 0;
        const SmallGraph& graph = plain(given);
        const int n = graph.vertices;
        const bool sets = n <= Confirmation::kMostForSets;
        // About the time that the sets take.
        const u64 nodes = sets ? 64 + (u64{1} << (n - 1)) * static_cast<u64>(n) / 64 : kCountedNodes;
        const bool searched = search_->run(graph, most, nodes, !sets);
        u64 found = search_->found();
        if (found > 0 && !is_cycle(graph, search_->first()))
            throw std::logic_error("the search counted a cycle that is not one");
        if (!searched || (confirm_ && found < most)) {
            const std::optional<u64> second = second_.cycles(graph);
            if (!second) throw Unknown{};
            if (searched && *second != found)
                throw std::logic_error("the search and the sets of vertices count different numbers");
            if (searched) ++confirmed_;
            found = std::min(*second, most);
        }
        return found;
    }

    const ListConditions& given_;
    std::function<void()> poll_;
    std::atomic<u64>& confirmed_;
    bool confirm_ = false;
    SmallGraph plain_;
    std::unique_ptr<CycleSearch> search_ = std::make_unique<CycleSearch>();
    Confirmation second_;
};

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The place of the graph in a line: without white space, and without a header before it.
std::string_view trimmed(std::string_view line) {
    const auto trim = [&] {
        while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
        while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    };
    trim();
    if (line.substr(0, 2) == ">>")
        for (const std::string_view header : {">>graph6<<", ">>sparse6<<", ">>digraph6<<"})
            if (line.substr(0, header.size()) == header) {
                line.remove_prefix(header.size());
                trim();
                break;
            }
    return line;
}

void find_lines(std::string_view text, ListReport& report) {
    std::int64_t number = 0;
    for (std::size_t at = 0; at < text.size(); ++number) {
        const std::size_t stop = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(text.substr(at, stop - at));
        if (!line.empty()) {
            report.begin.push_back(line.data() - text.data());
            report.end.push_back(report.begin.back() + static_cast<std::int64_t>(line.size()));
            report.line.push_back(number);
        }
        at = stop + 1;
    }
}

} // namespace

ListReport answer_list(std::string_view text, const ListTask& task, const Limits& limits, Monitor* monitor) {
    ListReport report;
    find_lines(text, report);
    const std::size_t graphs = report.begin.size(), questions = task.questions.size();
    report.vertices.assign(graphs, -1);
    report.edges.assign(graphs, 0);
    report.simple.assign(graphs, 1);
    report.directed.assign(graphs, 0);
    report.answers.assign(graphs * questions, kUnknown);
    report.why.assign(graphs, 0);
    report.evidence.assign(graphs * kEvidence, 0);
    const Question first = task.questions.empty() ? Question::pancyclic : task.questions.front();
    const bool closed = first == Question::hamiltonian || first == Question::cycles;
    const ListConditions& given = task.conditions;
    const bool explained = (closed || first == Question::traceable || first == Question::paths) &&
                           given.required.empty() && given.forbidden.empty() &&
                           (given.starts | given.ends) == 0;
    if (task.cycles) report.cycle.assign(graphs * kMostVertices, 0);

    Watch watch(limits, monitor);
    Workers workers(std::max(1, task.threads), watch);
    const u64 batch = task_size(64), batches = (graphs + batch - 1) / batch;
    std::atomic<u64> confirmed{0};
    std::vector<std::unique_ptr<Answerer>> answerers;
    for (int w = 0; w < workers.threads(); ++w)
        answerers.push_back(
            std::make_unique<Answerer>(task.conditions, [&workers, w] { workers.tick(w); }, confirmed));
    std::vector<u8> done(graphs, 0);
    workers.progress().total = graphs;
    report.status = status_of([&] {
        workers.run(batches, [&](int worker, u64 number) {
            Answerer& answerer = *answerers[static_cast<std::size_t>(worker)];
            const std::size_t from = number * batch;
            for (std::size_t i = from; i < std::min<std::size_t>(graphs, from + batch); ++i) {
                workers.tick(worker);
                const auto begin = static_cast<std::size_t>(report.begin[i]);
                const auto end = static_cast<std::size_t>(report.end[i]);
                SmallGraph graph;
                if (!read_small_graph(text.substr(begin, end - begin), graph)) {
                    done[i] = 1;
                    continue;
                }
                report.vertices[i] = graph.vertices;
                report.edges[i] = graph.edges();
                report.simple[i] = graph.simple;
                report.directed[i] = graph.directed;
                const bool confirm = task.check || (task.first + i) % kSampled == 0;
                for (std::size_t q = 0; q < questions; ++q) {
                    const Question question = task.questions[q];
                    const u64 answer = answerer.answer(question, graph, confirm);
                    report.answers[i * questions + q] = answer;
                    if (task.cycles && answer == 1 && question <= Question::traceable)
                        std::copy_n(answerer.order.begin(), graph.vertices,
                                    report.cycle.begin() + static_cast<std::ptrdiff_t>(i * kMostVertices));
                }
                if (explained && report.answers[i * questions] == 0 && !graph.directed && graph.vertices > 2)
                    report.why[i] =
                        static_cast<u8>(why_none(graph, closed, report.evidence.data() + i * kEvidence));
                done[i] = 1;
            }
        });
    });
    report.answered = static_cast<u64>(std::find(done.begin(), done.end(), u8{0}) - done.begin());
    report.confirmed = confirmed;
    return report;
}

std::string planar_code_lines(std::string_view bytes, bool little_endian, std::size_t& used) {
    std::string lines;
    used = 0;
    while (used < bytes.size()) {
        std::size_t at = used;
        const bool wide = bytes[at] == 0;
        if (wide) ++at;
        bool whole = true;
        const auto entry = [&]() -> unsigned {
            if (at + (wide ? 2 : 1) > bytes.size()) {
                whole = false;
                return 0;
            }
            const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<u8>(bytes[i])); };
            const unsigned one = byte(at++);
            if (!wide) return one;
            const unsigned two = byte(at++);
            return little_endian ? two << 8 | one : one << 8 | two;
        };
        const unsigned n = entry();
        if (!whole) break;
        if (n == 0 || n > 4096)
            throw std::invalid_argument("a graph of planar code has " + std::to_string(n) +
                                        " vertices: 1 to 4,096 are read");
        const std::size_t pairs = std::size_t{n} * (n - 1) / 2;
        std::string code((pairs + 5) / 6, '\0');
        for (unsigned v = 0; v < n && whole;) {
            const unsigned w = entry();
            if (w == 0) {
                ++v;
                continue;
            }
            if (w > n)
                throw std::invalid_argument("vertex " + std::to_string(v + 1) + " of a graph of " +
                                            std::to_string(n) + " vertices has neighbour " +
                                            std::to_string(w) + " in planar code");
            const unsigned low = std::min(v, w - 1), high = std::max(v, w - 1);
            if (low == high) continue;
            const std::size_t pair = std::size_t{high} * (high - 1) / 2 + low;
            code[pair / 6] = static_cast<char>(code[pair / 6] | 32 >> pair % 6);
        }
        if (!whole) break;
        if (n < 63) {
            lines += static_cast<char>(n + 63);
        } else {
            lines += '~';
            for (const int shift : {12, 6, 0}) lines += static_cast<char>((n >> shift & 63) + 63);
        }
        for (const char c : code) lines += static_cast<char>(c + 63);
        lines += '\n';
        used = at;
    }
    return lines;
}

} // namespace ktsolve
