// The check of a tour given as step numbers. Each number occurs exactly once, and each cell has a cell with
// the next number a move away: that is the definition of a tour, so the cells are checked independently.
#include <algorithm>
#include <atomic>
#include <memory>

#include "common/workers.hpp"
#include "ktsolve/common/steps.hpp"

namespace ktsolve {

namespace {

constexpr auto kRowsAtOnce = static_cast<std::int64_t>(task_size(16));

class Checker {
  public:
    Checker(const StepsView& view, bool closed, int threads, const Limits& limits, Monitor* monitor)
        : view_(view), closed_(closed), cells_(view.cells()), watch_(limits, monitor),
          workers_(threads, watch_) {}

    StepsReport run() {
        places();
        if (report_.fault == StepsFault::none) moves();
        return report_;
    }

  private:
    // For every few rows on some thread: look(first cell, cell after the last).
    template <class Look> void each(Look&& look) {
        const auto parts = static_cast<u64>((view_.rows + kRowsAtOnce - 1) / kRowsAtOnce);
        workers_.run(parts, [&](int worker, u64 part) {
            workers_.tick(worker);
            const std::int64_t row = static_cast<std::int64_t>(part) * kRowsAtOnce;
            look(row, std::min(row + kRowsAtOnce, view_.rows));
        });
    }

    static void lower(std::atomic<std::int64_t>& least, std::int64_t value) {
        std::int64_t now = least.load();
        while (value < now && !least.compare_exchange_weak(now, value)) {
        }
    }

    void places() {
        const auto words = static_cast<std::size_t>((cells_ + 63) / 64);
        const auto seen = std::make_unique<std::atomic<u64>[]>(words);
        for (std::size_t i = 0; i < words; ++i) seen[i].store(0, std::memory_order_relaxed);
        std::atomic<std::int64_t> stray{cells_};
        std::atomic<bool> twice{false};
        each([&](std::int64_t from, std::int64_t to) {
            for (std::int64_t cell = from * view_.columns; cell < to * view_.columns; ++cell) {
                const std::int64_t step = std::int64_t{view_.steps[cell]} - 1;
                if (step < 0 || step >= cells_) {
                    lower(stray, cell);
                    continue;
                }
                const u64 bit = u64{1} << (step & 63);
                if ((seen[static_cast<std::size_t>(step >> 6)].fetch_or(bit, std::memory_order_relaxed) &
                     bit) != 0)
                    twice.store(true, std::memory_order_relaxed);
            }
        });
        if (stray.load() < cells_) {
            report_.fault = StepsFault::not_a_step;
            report_.cell = stray.load();
            report_.step = view_.steps[report_.cell];
        } else if (twice.load()) {
            name_repetition();
        }
    }

    // Which cell comes second depends on the threads; the first of all in the order of the board does not.
    void name_repetition() {
        std::vector<bool> seen(static_cast<std::size_t>(cells_));
        std::int64_t cell = 0;
        for (;; ++cell) {
            const auto step = static_cast<std::size_t>(view_.steps[cell] - 1);
            if (seen[step]) break;
            seen[step] = true;
        }
        report_ = {Status::done, StepsFault::twice, view_.steps[cell], cell, place_of(view_.steps[cell])};
    }

    std::int64_t place_of(std::int64_t step) const {
        return std::find(view_.steps, view_.steps + cells_, static_cast<std::int32_t>(step)) - view_.steps;
    }

    void moves() {
        // The least step whose next one is not a move away; of a closed tour the last leads to the first.
        std::atomic<std::int64_t> stuck{cells_ + 1};
        each([&](std::int64_t from, std::int64_t to) {
            for (std::int64_t row = from; row < to; ++row)
                for (std::int64_t column = 0; column < view_.columns; ++column) {
                    const std::int64_t step = view_.steps[row * view_.columns + column];
                    if (step == cells_ && !closed_) continue;
                    if (!beside(row, column, step == cells_ ? 1 : step + 1)) lower(stuck, step);
                }
        });
        const std::int64_t step = stuck.load();
        if (step > cells_) return;
        const std::int64_t next = step == cells_ ? 1 : step + 1;
        report_ = {Status::done, StepsFault::no_move, next, place_of(next), place_of(step)};
    }

    bool beside(std::int64_t row, std::int64_t column, std::int64_t wanted) const {
        for (const int down : {-2, -1, 1, 2}) {
            const std::int64_t r = row + down;
            if (r < 0 || r >= view_.rows) continue;
            const int aside = 3 - (down < 0 ? -down : down);
            const std::int32_t* there = view_.steps + r * view_.columns;
            if (column >= aside && there[column - aside] == wanted) return true;
            if (column + aside < view_.columns && there[column + aside] == wanted) return true;
        }
        return false;
    }

    const StepsView& view_;
    bool closed_;
    std::int64_t cells_;
    StepsReport report_;
    Watch watch_;
    Workers workers_;
};

} // namespace

StepsReport check_steps(const StepsView& view, bool closed, int threads, const Limits& limits,
                        Monitor* monitor) {
    StepsReport report;
    const Status status = status_of([&] { report = Checker(view, closed, threads, limits, monitor).run(); });
    report.status = status;
    return report;
}

} // namespace ktsolve
