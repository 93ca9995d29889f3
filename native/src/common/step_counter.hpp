// Limits of deep recursions: every 2^14 steps the watch is polled, and Stopped unwinds the recursion when
// there is a reason to stop.
#pragma once

#include "common/stopped.hpp"

namespace ktsolve {

class StepCounter {
  public:
    StepCounter(const Limits& limits, Monitor* monitor) : watch_(limits, monitor) {}

    // Counts one step of about a microsecond or less.
    void tick() {
        if ((++steps_ & 0x3fff) == 0) poll();
    }

    // Counts many steps at once.
    void tick(std::uint64_t steps) {
        if ((steps_ & ~std::uint64_t{0x3fff}) != ((steps_ + steps) & ~std::uint64_t{0x3fff})) poll();
        steps_ += steps;
    }

    std::uint64_t steps() const { return steps_; }
    void set_progress(std::uint64_t step, std::uint64_t total) { progress_ = {step, total, 0}; }

  private:
    void poll() {
        progress_.states = steps_;
        poll_or_throw(watch_, progress_);
    }

    Watch watch_;
    Progress progress_;
    std::uint64_t steps_ = 0;
};

} // namespace ktsolve
