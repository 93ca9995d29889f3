// The guard of a process: interrupts at the limits, workers that are killed, what is removed.
#include "ktsolve/common/process_guard.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "check.hpp"

#if !defined(_WIN32)
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace ktsolve;

namespace {

// Waits for an event; false if it does not come within half a minute.
template <class Event> bool comes(Event&& event) {
    for (int i = 0; i < 3000; ++i) {
        if (event()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

void interrupts() {
    std::atomic<int> seen{0};
    {
        ProcessGuard::Rules rules;
        rules.seconds = 0.01;
        ProcessGuard guard(rules, [&] { ++seen; });
        CHECK(comes([&] { return seen >= 2; })); // again, until it helps
        CHECK(guard.reason() == ProcessGuard::Reason::time);
        guard.stand_down(true);
        CHECK(guard.stands_down());
    }
    const int before = seen;
    {
        ProcessGuard guard({}, [&] { ++seen; });
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        CHECK(guard.reason() == ProcessGuard::Reason::none);
        guard.close();
        guard.close();
    }
    CHECK(seen == before);
    if (resident_bytes(0) == 0) return; // the system does not say
    ProcessGuard::Rules rules;
    rules.bytes = 1; // less than any process has
    ProcessGuard guard(rules, [&] { ++seen; });
    CHECK(comes([&] { return seen > before; }));
    CHECK(guard.reason() == ProcessGuard::Reason::memory);
    CHECK(guard.held() > 0);
}

#if !defined(_WIN32)
// A child without threads of its own; it only waits or ends.
template <class Work> pid_t child(Work&& work) {
    const pid_t process = fork();
    if (process == 0) {
        work();
        _exit(0);
    }
    return process;
}

int ending(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return status;
}

void workers() {
    const pid_t process = child([] { pause(); });
    std::atomic<int> seen{0};
    ProcessGuard::Rules rules;
    rules.bytes = 1;
    ProcessGuard guard(rules, [&] { ++seen; });
    guard.add_worker(process);
    const int status = ending(process);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    guard.remove_worker(process);
    CHECK(comes([&] { return seen > 0; })); // none is left to kill
}

void ends() {
    const std::string folder = std::filesystem::temp_directory_path() / "ktsolve-test-guard";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/table") << "x";
    const pid_t process = child([&] {
        ProcessGuard::Rules rules;
        rules.seconds = 0.01;
        rules.last_seconds = 0.02;
        rules.exit_status = 7;
        ProcessGuard guard(rules, [] {});
        guard.add_temporary(folder);
        for (std::atomic<unsigned> turns{0};;) ++turns; // a loop that checks nothing
    });
    const int status = ending(process);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(!std::filesystem::exists(folder));
}
#endif

} // namespace

int main() {
#if !defined(_WIN32)
    ends();
    workers();
#endif
    interrupts();
    return finish("guard");
}
