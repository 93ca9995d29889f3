// The guard of a process: what threads do to it at the same time, interrupts at limits, its end.
//
// Threads: common/process_guard.cpp common/process_room.cpp ktsolve/common/process_guard.hpp
#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "common/process_room.hpp"
#include "ktsolve/common/process_guard.hpp"

using namespace ktsolve;

namespace {

constexpr std::uint64_t kMuch = std::uint64_t{1} << 50;

void many_threads_use_one_guard() {
    ProcessGuard::Rules rules;
    rules.bytes = rules.last_bytes = kMuch; // so that it samples
    std::atomic<int> interrupts{0};
    ProcessGuard guard(rules, [&] { ++interrupts; });
    std::atomic<int> wrong{0};
    std::vector<std::thread> others;
    for (int t = 0; t < 4; ++t)
        others.emplace_back([&, t] {
            // Numbers that no process has: nothing is sampled, and nothing would be killed.
            const std::int64_t process = 0x7ffffff0 + t;
            const std::string path = "no such folder/ktsolve-" + std::to_string(t);
            for (int round = 0; round < 300; ++round) {
                guard.add_worker(process);
                guard.add_temporary(path);
                guard.stand_down(round % 2 == 0);
                (void)guard.stands_down();
                (void)guard.held();
                wrong += guard.reason() != ProcessGuard::Reason::none;
                guard.remove_temporary(path);
                guard.remove_worker(process);
            }
        });
    for (std::thread& other : others) other.join();
    CHECK(interrupts == 0 && wrong == 0);
}

// Interrupts come at a limit, again and again, until the guard is closed.
void interrupts_at_limits() {
    for (const bool time : {true, false}) {
        ProcessGuard::Rules rules;
        if (time)
            rules.seconds = 0.01;
        else
            rules.bytes = 1;
        std::atomic<int> interrupts{0};
        ProcessGuard guard(rules, [&] { ++interrupts; });
        if (resident_bytes(0) == 0 && !time) return; // the system does not say
        for (int waited = 0; interrupts < 2 && waited < 1500; ++waited)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(interrupts >= 2);
        CHECK(guard.reason() == (time ? ProcessGuard::Reason::time : ProcessGuard::Reason::memory));
        guard.close();
        const int seen = interrupts;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        CHECK(interrupts == seen);
    }
}

// From other threads, while guards come and go.
void room_of_guards() {
    CHECK(room_of_process() == std::numeric_limits<std::uint64_t>::max());
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> others;
    for (int t = 0; t < 2; ++t)
        others.emplace_back([&] {
            while (!over) {
                const std::uint64_t room = room_of_process();
                wrong += room > kMuch && room != std::numeric_limits<std::uint64_t>::max();
            }
        });
    for (int round = 0; round < 50; ++round) {
        ProcessGuard::Rules rules;
        rules.bytes = kMuch;
        ProcessGuard guard(rules, [] {});
        CHECK(guard.room() + resident_bytes(0) / 2 <= kMuch && room_of_process() <= kMuch);
        ProcessGuard inner({}, [] {}); // which limits no memory
        inner.close();
        CHECK(room_of_process() <= kMuch);
    }
    over = true;
    for (std::thread& other : others) other.join();
    CHECK(wrong == 0);
    {
        ProcessGuard::Rules rules;
        rules.bytes = 1;
        ProcessGuard guard(rules, [] {});
        if (resident_bytes(0) > 0) CHECK(guard.room() == 0 && room_of_process() == 0);
    }
    CHECK(room_of_process() == std::numeric_limits<std::uint64_t>::max());
}

void closed_at_once() {
    for (int round = 0; round < 50; ++round) {
        ProcessGuard::Rules rules;
        rules.seconds = 0;
        std::atomic<int> interrupts{0};
        ProcessGuard guard(rules, [&] { ++interrupts; });
        if (round % 2 == 0) guard.close();
    }
}

} // namespace

int main() {
    many_threads_use_one_guard();
    interrupts_at_limits();
    room_of_guards();
    closed_at_once();
    return finish("guard threads");
}
