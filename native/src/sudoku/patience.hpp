// Lets deep recursions hear their limits: a tick every so often asks the watch, and unwinds when it says
// stop.
#pragma once

#include "ktsolve/control.hpp"

namespace ktsolve::sudoku {

// Thrown where work has to stop, and caught by the function that began it.
struct Stopped {
    Status status;
};

class Patience {
  public:
    Patience(const Limits& limits, Monitor* monitor) : watch_(limits, monitor) {}

    // Counts one step of about a microsecond or less.
    void tick() {
        if ((++steps_ & 0x3fff) == 0) ask();
    }

    // Counts many steps at once.
    void tick(std::uint64_t steps) {
        if ((steps_ & ~std::uint64_t{0x3fff}) != ((steps_ + steps) & ~std::uint64_t{0x3fff})) ask();
        steps_ += steps;
    }

    std::uint64_t steps() const { return steps_; }
    void report(std::uint64_t step, std::uint64_t total) { progress_ = {step, total, 0}; }

  private:
    void ask() {
        progress_.states = steps_;
        const Status status = watch_.poll(progress_);
        if (status != Status::done) throw Stopped{status};
    }

    Watch watch_;
    Progress progress_;
    std::uint64_t steps_ = 0;
};

} // namespace ktsolve::sudoku
