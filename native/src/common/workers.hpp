// Threads that share the numbered tasks of one loop.
//
// The calling thread is worker 0. It alone polls the watch, so a monitor is called on the thread that made
// the call; the other workers read the stop flag.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "common/integers.hpp"
#include "common/stopped.hpp"

namespace ktsolve {

// The size of a task, in what its loop counts. The tests of threads are built with KTSOLVE_SMALL_TASKS, so
// that small problems have many tasks.
constexpr u64 task_size(u64 size) {
#if defined(KTSOLVE_SMALL_TASKS)
    return size < 16 ? size : 16;
#else
    return size;
#endif
}

class Workers {
  public:
    Workers(int threads, Watch& watch) : threads_(threads), watch_(watch) {}

    int threads() const { return threads_; }
    Progress& progress() { return progress_; }

    // Runs task(worker, number) for every number below `tasks`. Rethrows the first exception.
    template <class Task> void run(u64 tasks, Task&& task) {
        std::atomic<u64> next{0};
        std::exception_ptr first;
        std::mutex guard;
        const auto loop = [&](int worker) {
            try {
                for (u64 n; !stop_.load(std::memory_order_relaxed) && (n = next.fetch_add(1)) < tasks;)
                    task(worker, n);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!first) first = std::current_exception();
                stop_ = true;
            }
        };
        std::vector<std::thread> others;
        const int used = static_cast<int>(std::min<u64>(static_cast<u64>(threads_), tasks));
        int working = 0; // guarded by `count`
        std::mutex count;
        std::condition_variable ended;
        for (int w = 1; w < used; ++w) {
            {
                const std::lock_guard lock(count);
                ++working;
            }
            try {
                others.emplace_back([&, w] {
                    loop(w);
                    const std::lock_guard lock(count);
                    --working;
                    ended.notify_one();
                });
            } catch (const std::system_error&) {
                const std::lock_guard lock(count);
                --working; // the system has no more threads: these will do
                break;
            }
        }
        if (used > 0) loop(0);
        // The others may have long tasks: limits and Ctrl-C are still polled here.
        const auto all_ended = [&] {
            std::unique_lock lock(count);
            return ended.wait_for(lock, std::chrono::milliseconds(1), [&] { return working == 0; });
        };
        while (!all_ended()) {
            try {
                if (!stop_) poll();
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!first) first = std::current_exception();
                stop_ = true;
            }
        }
        for (std::thread& t : others) t.join();
        if (first) {
            stop_ = false;
            std::rethrow_exception(first);
        }
        poll();
    }

    // To be called often by tasks; throws Stopped.
    void tick(int worker) {
        if (worker == 0)
            poll();
        else if (stop_.load(std::memory_order_relaxed))
            throw Stopped{Status::interrupted};
    }

    void poll() { poll_or_throw(watch_, progress_); }

  private:
    int threads_;
    Watch& watch_;
    Progress progress_;
    std::atomic<bool> stop_{false};
};

} // namespace ktsolve
