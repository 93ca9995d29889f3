// Limits and progress of a long native call: a deadline, a memory budget, and a monitor that is called now
// and then and can stop the work. The core does not print, does not exit and keeps no global state
// but that of common/process_room.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace ktsolve {

enum class Status { done, out_of_time, out_of_memory, interrupted };

struct Progress {
    std::uint64_t step = 0;   // vertices eliminated, nodes visited, ...
    std::uint64_t total = 0;  // number of steps, 0 when unknown
    std::uint64_t states = 0; // states held now, or results found so far
};

class Monitor {
  public:
    virtual ~Monitor() = default;
    // Called about twenty times a second; false stops the work.
    virtual bool keep_going(const Progress&) { return true; }
};

struct Limits {
    double seconds = std::numeric_limits<double>::infinity();
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
};

// Reads the clock at each poll and calls the monitor about twenty times a second. Work polls it every few
// hundred steps.
class Watch {
  public:
    Watch(const Limits& limits, Monitor* monitor)
        : limits_(limits), monitor_(monitor), start_(Clock::now()) {}

    Status poll(const Progress& progress) {
        const double now = elapsed();
        if (now > limits_.seconds) return Status::out_of_time;
        if (monitor_ != nullptr && now - last_called_ > 0.05) {
            last_called_ = now;
            if (!monitor_->keep_going(progress)) return Status::interrupted;
        }
        return Status::done; // no reason to stop
    }

    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Limits limits_;
    Monitor* monitor_;
    Clock::time_point start_;
    double last_called_ = 0;
};

} // namespace ktsolve
