// Limits of time and memory for a whole process and the worker processes that it started.
//
// A thread of its own samples the memory of all of them, so a limit holds also while some other code checks
// nothing: a reader, a library that holds the interpreter lock. It acts in two steps. At the limit it kills
// the largest worker, or process that a worker started (on Linux), or, without workers, interrupts the main
// thread. If that does not help in time, or the memory passes the hard limit, it prints a message, removes
// temporary files and ends the process.
//
// Samples are taken the more often the less memory is left: a process that fills pages at kGrowth bytes a
// second cannot pass the limit between two of them. Measured: a sample takes some 10 microseconds.
//
// While a guard limits memory, room_of_process() is its room: engines look there before they take more.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ktsolve {

// Bytes of memory that a process occupies (0: this process); 0 if the system does not say. Pages of mapped
// files count up to a bound: the system drops pages of large mapped tables when it needs them.
std::uint64_t resident_bytes(std::int64_t process);

class ProcessGuard {
  public:
    enum class Reason { none, time, memory };

    struct Rules {
        double seconds = std::numeric_limits<double>::infinity();      // from now: interrupt
        double last_seconds = std::numeric_limits<double>::infinity(); // from now: end the process
        std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t last_bytes = std::numeric_limits<std::uint64_t>::max();
        std::string time_message, memory_message; // printed at the end of the process
        int exit_status = 3;
    };

    // `interrupt` is called in the guard's thread, once and then every quarter of a second.
    ProcessGuard(Rules rules, std::function<void()> interrupt);
    ~ProcessGuard();
    void close(); // ends the thread: no limit is kept any more
    ProcessGuard(const ProcessGuard&) = delete;
    ProcessGuard& operator=(const ProcessGuard&) = delete;

    // Worker processes; those that they start count too, on Linux. One is removed before its end is
    // collected, else its number may be another's.
    void add_worker(std::int64_t process);
    void remove_worker(std::int64_t process);

    // Files and folders to remove if the guard ends the process.
    void add_temporary(std::string path);
    void remove_temporary(const std::string& path);

    // While results are being written, only the hard limit of memory holds.
    void stand_down(bool down);
    bool stands_down() const;

    Reason reason() const;      // of the interrupt
    std::uint64_t held() const; // bytes of this process, its workers and, on Linux, what they started
    std::uint64_t room() const; // bytes up to the limit; 0 above it

  private:
    using Clock = std::chrono::steady_clock;

    void loop();
    std::vector<std::int64_t> living() const;
    std::uint64_t held_locked() const;
    bool kill_largest();
    void interrupt_for(Reason reason, double now);
    [[noreturn]] void end(const std::string& message);
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    Rules rules_;
    bool gives_room_ = false;
    std::function<void()> interrupt_;
    Clock::time_point start_ = Clock::now();
    mutable std::mutex mutex_; // guards all below
    std::condition_variable changed_;
    bool over_ = false, standing_down_ = false;
    std::vector<std::int64_t> workers_, killed_;
    std::vector<std::string> temporary_;
    Reason reason_ = Reason::none;
    double interrupted_ = -1e9, excess_since_ = -1, cpu_at_limit_ = -1;
    std::thread thread_; // the last member: it starts when all others are there
};

} // namespace ktsolve
