// Warnsdorff's rule with backtracking.
//
// Two prunings lose no tour. A cell without onward moves can only be the last one, and it can be reached from
// here only, so no other cell is tried here. And a closed walk needs a free cell next to its home until the
// end.
#include <utility>

#include "walk/rule.hpp"

namespace ktsolve {

class Descent {
  public:
    Descent(const Walker& walker, const WalkTask& task)
        : task_(task), home_(task.home < 0 ? task.start : task.home), cells_(walker.cells_),
          rule_(walker, task.seed) {}

    WalkReport run(const Limits& limits, Monitor* monitor) {
        Watch watch(limits, monitor);
        go(task_.start);
        while (!levels_.empty()) {
            if (complete()) {
                report_.found = true;
                break;
            }
            Level& here = levels_.back();
            if (here.next == choices_.size()) {
                take_back();
                continue;
            }
            if (report_.nodes >= task_.most_nodes) break;
            go(choices_[here.next++].cell);
            if (report_.nodes % 1024 == 0) {
                report_.status = watch.poll({report_.nodes, 0, static_cast<std::uint64_t>(report_.longest)});
                if (report_.status != Status::done) break;
            }
        }
        report_.exhausted = levels_.empty();
        for (const Level& level : levels_) report_.path.push_back(level.cell);
        if (report_.backtracks == 0) report_.first_stuck = report_.longest;
        return std::move(report_);
    }

  private:
    struct Level {
        int cell;
        int stage;         // of the orders of moves
        std::size_t begin; // of its choices, which end where the next level's begin
        std::size_t next;
    };

    bool complete() const {
        const int here = levels_.back().cell;
        return std::cmp_equal(levels_.size(), cells_) &&
               (!task_.closed || (cells_ > 2 && rule_.adjacent(here, home_)));
    }

    void go(int cell) {
        ++report_.nodes;
        record(cell);
        const int stage = rule_.stage_on(cell, levels_.empty() ? 0 : levels_.back().stage);
        rule_.visit(cell);
        levels_.push_back({cell, stage, choices_.size(), choices_.size()});
        report_.longest = std::max(report_.longest, static_cast<int>(levels_.size()));
        const int left = cells_ - static_cast<int>(levels_.size());
        if (left == 0 || (task_.closed && rule_.onward(home_) == 0)) return;
        rule_.choices(cell, stage, choices_);
        const std::size_t begin = levels_.back().begin;
        if (left > 1 && begin < choices_.size() && choices_[begin].onward == 0) choices_.resize(begin);
    }

    void take_back() {
        if (report_.backtracks++ == 0) report_.first_stuck = static_cast<int>(levels_.size());
        record(-1);
        rule_.leave(levels_.back().cell);
        choices_.resize(levels_.back().begin);
        levels_.pop_back();
    }

    void record(int event) {
        if (task_.most_events == 0) return;
        if (report_.events.size() < task_.most_events)
            report_.events.push_back(event);
        else
            report_.recorded = false;
    }

    WalkTask task_;
    int home_;
    int cells_;
    Rule rule_;
    std::vector<Level> levels_;
    std::vector<Choice> choices_; // of all levels, one after the other
    WalkReport report_;
};

WalkReport Walker::search(const WalkTask& task, const Limits& limits, Monitor* monitor) const {
    if (task.start < 0 || task.start >= cells_ || task.home >= cells_)
        throw std::invalid_argument("a walk starts at a cell");
    return Descent(*this, task).run(limits, monitor);
}

} // namespace ktsolve
