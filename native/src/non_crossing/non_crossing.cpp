// Searches depth first for the longest walk that crosses no line it has drawn.
#include "ktsolve/non_crossing/non_crossing.hpp"

#include <stdexcept>

namespace ktsolve {

namespace {

constexpr std::uint64_t kNodesBetweenPolls = 1024;

struct Step {
    int edge;
    int to;
};

class Walks {
  public:
    Walks(const NonCrossingTask& task, const Limits& limits, Monitor* monitor)
        : task_(task), watch_(limits, monitor), around_(check(task)), crossed_(task.edges.size()),
          blocked_(task.edges.size(), 0), visited_(static_cast<std::size_t>(task.vertices), 0),
          seen_(static_cast<std::size_t>(task.vertices), 0) {
        for (std::size_t e = 0; e < task.edges.size(); ++e) {
            const auto [u, v] = task.edges[e];
            around_[static_cast<std::size_t>(u)].push_back({static_cast<int>(e), v});
            around_[static_cast<std::size_t>(v)].push_back({static_cast<int>(e), u});
        }
        for (const auto& [a, b] : task.crossings) {
            crossed_[static_cast<std::size_t>(a)].push_back(b);
            crossed_[static_cast<std::size_t>(b)].push_back(a);
        }
        report_.length = task.longer_than;
    }

    NonCrossingReport run() {
        if (task_.closed) {
            for (int v = 0; v < task_.vertices && report_.status == Status::done; ++v) from(v);
        } else {
            for (const int v : task_.starts) {
                if (report_.status == Status::done) from(v);
            }
        }
        return report_;
    }

  private:
    static std::size_t check(const NonCrossingTask& task) {
        const auto edges = static_cast<int>(task.edges.size());
        const auto vertex = [&](int v) { return 0 <= v && v < task.vertices; };
        for (const auto& [u, v] : task.edges) {
            if (!vertex(u) || !vertex(v) || u == v)
                throw std::invalid_argument("edges join different vertices");
        }
        for (const auto& [a, b] : task.crossings) {
            if (a < 0 || a >= edges || b < 0 || b >= edges || a == b)
                throw std::invalid_argument("crossings are pairs of edges");
        }
        for (const int v : task.starts) {
            if (!vertex(v)) throw std::invalid_argument("starts are vertices");
        }
        return static_cast<std::size_t>(task.vertices);
    }

    void from(int start) {
        start_ = start;
        path_.assign(1, start);
        visited_[static_cast<std::size_t>(start)] = 1;
        extend(start);
        visited_[static_cast<std::size_t>(start)] = 0;
    }

    // No recursion deeper than there are vertices.
    void extend(int here) {
        if (++report_.nodes % kNodesBetweenPolls == 0 && report_.status == Status::done)
            report_.status = watch_.poll({report_.nodes, 0, static_cast<std::uint64_t>(report_.length)});
        if (report_.status != Status::done) return;
        const int drawn = static_cast<int>(path_.size()) - 1;
        if (!task_.closed && drawn > report_.length) keep(drawn);
        if (drawn + reachable(here) <= report_.length) return;
        for (const Step step : around_[static_cast<std::size_t>(here)]) {
            if (blocked_[static_cast<std::size_t>(step.edge)] != 0) continue;
            if (task_.closed && step.to == start_) {
                if (drawn >= 2 && drawn + 1 > report_.length) keep(drawn + 1);
                continue;
            }
            if (!open(step.to)) continue;
            for (const int other : crossed_[static_cast<std::size_t>(step.edge)])
                ++blocked_[static_cast<std::size_t>(other)];
            visited_[static_cast<std::size_t>(step.to)] = 1;
            path_.push_back(step.to);
            extend(step.to);
            path_.pop_back();
            visited_[static_cast<std::size_t>(step.to)] = 0;
            for (const int other : crossed_[static_cast<std::size_t>(step.edge)])
                --blocked_[static_cast<std::size_t>(other)];
        }
    }

    // A cycle begins at its smallest vertex, so only larger ones are open to it.
    bool open(int v) const {
        return visited_[static_cast<std::size_t>(v)] == 0 && (!task_.closed || v > start_);
    }

    // Edges that could still be drawn: the open vertices that can be reached, and for a cycle the way back.
    int reachable(int here) {
        ++mark_;
        waiting_.assign(1, here);
        int number = 0;
        bool home = false;
        while (!waiting_.empty()) {
            const int at = waiting_.back();
            waiting_.pop_back();
            for (const Step step : around_[static_cast<std::size_t>(at)]) {
                if (blocked_[static_cast<std::size_t>(step.edge)] != 0) continue;
                if (step.to == start_) home = true;
                if (!open(step.to) || seen_[static_cast<std::size_t>(step.to)] == mark_) continue;
                seen_[static_cast<std::size_t>(step.to)] = mark_;
                ++number;
                waiting_.push_back(step.to);
            }
        }
        if (!task_.closed) return number;
        return home ? number + 1 : -static_cast<int>(path_.size());
    }

    void keep(int length) {
        report_.length = length;
        report_.walk = path_;
    }

    const NonCrossingTask& task_;
    Watch watch_;
    std::vector<std::vector<Step>> around_;
    std::vector<std::vector<int>> crossed_;
    std::vector<int> blocked_; // how many drawn edges cross this one
    std::vector<char> visited_;
    std::vector<std::uint64_t> seen_; // the search for reachable vertices that saw this one last
    std::vector<int> waiting_;
    std::vector<int> path_;
    std::uint64_t mark_ = 0;
    int start_ = 0;
    NonCrossingReport report_;
};

} // namespace

NonCrossingReport longest_non_crossing(const NonCrossingTask& task, const Limits& limits, Monitor* monitor) {
    return Walks(task, limits, monitor).run();
}

} // namespace ktsolve
