// Keeps limits of time and memory for a process and its workers, in a thread of its own.
#include "ktsolve/common/process_guard.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "common/process_room.hpp"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <io.h>
#include <windows.h>
// After windows.h.
#include <psapi.h>
#else
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <libproc.h>
#include <sys/resource.h>
#endif
#endif

namespace ktsolve {

namespace {

constexpr double kGrowth = 4e9;      // bytes a second
constexpr double kShortest = 0.0005; // seconds between two samples
constexpr double kLongest = 0.02;
constexpr double kAgain = 0.25;  // seconds between two interrupts
constexpr double kStarved = 8.0; // seconds more for a process that gets no processor
constexpr double kExcess = 2.0;  // seconds above the limit of memory after which the process ends
#if defined(__linux__)
constexpr std::uint64_t kMostOfFiles = std::uint64_t{256} << 20;
#endif

#if defined(_WIN32)
HANDLE opened(std::int64_t process, DWORD rights) {
    return OpenProcess(rights, FALSE, static_cast<DWORD>(process));
}
#endif

void kill_process(std::int64_t process) {
#if defined(_WIN32)
    if (HANDLE handle = opened(process, PROCESS_TERMINATE)) {
        TerminateProcess(handle, 9);
        CloseHandle(handle);
    }
#else
    kill(static_cast<pid_t>(process), SIGKILL);
#endif
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void print(const std::string& text) {
#if defined(_WIN32)
    _write(2, text.data(), static_cast<unsigned>(text.size()));
#else
    const ssize_t written = write(2, text.data(), text.size());
    static_cast<void>(written); // nothing can be done
#endif
}

} // namespace

std::uint64_t resident_bytes(std::int64_t process) {
#if defined(__linux__)
    char path[48] = "/proc/self/statm";
    if (process != 0) std::snprintf(path, sizeof path, "/proc/%lld/statm", static_cast<long long>(process));
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[160];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = '\0';
    unsigned long long size = 0, resident = 0, shared = 0;
    if (std::sscanf(text, "%llu %llu %llu", &size, &resident, &shared) != 3) return 0;
    static const auto page = static_cast<unsigned long long>(sysconf(_SC_PAGESIZE));
    const unsigned long long own = resident > shared ? resident - shared : 0;
    return own * page + std::min<unsigned long long>(shared * page, kMostOfFiles);
#elif defined(__APPLE__)
    rusage_info_v2 usage{};
    const int number = process != 0 ? static_cast<int>(process) : getpid();
    if (proc_pid_rusage(number, RUSAGE_INFO_V2, reinterpret_cast<rusage_info_t*>(&usage)) != 0) return 0;
    return usage.ri_resident_size;
#elif defined(_WIN32)
    PROCESS_MEMORY_COUNTERS counters{};
    HANDLE handle = process == 0 ? GetCurrentProcess() : opened(process, PROCESS_QUERY_LIMITED_INFORMATION);
    if (handle == nullptr) return 0;
    const bool known = K32GetProcessMemoryInfo(handle, &counters, sizeof counters) != 0;
    if (process != 0) CloseHandle(handle);
    return known ? counters.WorkingSetSize : 0;
#else
    static_cast<void>(process);
    return 0;
#endif
}

namespace {

// Appends a process and all processes below it; itself alone where the system does not list the others.
void add_tree(std::int64_t process, std::vector<std::int64_t>& found) {
    found.push_back(process);
#if defined(__linux__)
    std::error_code failure;
    const std::string folder = "/proc/" + std::to_string(process) + "/task";
    std::filesystem::directory_iterator threads(folder, failure);
    const std::filesystem::directory_iterator end;
    for (; !failure && threads != end; threads.increment(failure)) {
        std::ifstream children(threads->path() / "children");
        for (std::int64_t child = 0; children >> child;) add_tree(child, found);
    }
#endif
}

} // namespace

ProcessGuard::ProcessGuard(Rules rules, std::function<void()> interrupt)
    : rules_(std::move(rules)), interrupt_(std::move(interrupt)) {
    try {
        thread_ = std::thread([this] { loop(); });
    } catch (const std::system_error&) { // the system has no more threads: engines keep their limits alone
    }
    if (rules_.bytes == std::numeric_limits<std::uint64_t>::max()) return;
    set_room_of_process([this] { return room(); });
    gives_room_ = true;
}

ProcessGuard::~ProcessGuard() {
    close();
}

void ProcessGuard::close() {
    if (std::exchange(gives_room_, false)) set_room_of_process({});
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ProcessGuard::add_worker(std::int64_t process) {
    const std::lock_guard lock(mutex_);
    std::erase(killed_, process); // the system gave the number of an earlier process again
    workers_.push_back(process);
}

void ProcessGuard::remove_worker(std::int64_t process) {
    const std::lock_guard lock(mutex_);
    std::erase(workers_, process);
    std::erase(killed_, process);
}

void ProcessGuard::add_temporary(std::string path) {
    const std::lock_guard lock(mutex_);
    temporary_.push_back(std::move(path));
}

void ProcessGuard::remove_temporary(const std::string& path) {
    const std::lock_guard lock(mutex_);
    std::erase(temporary_, path);
}

void ProcessGuard::stand_down(bool down) {
    const std::lock_guard lock(mutex_);
    standing_down_ = down;
}

bool ProcessGuard::stands_down() const {
    const std::lock_guard lock(mutex_);
    return standing_down_;
}

ProcessGuard::Reason ProcessGuard::reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
}

std::uint64_t ProcessGuard::held() const {
    const std::lock_guard lock(mutex_);
    return held_locked();
}

std::uint64_t ProcessGuard::room() const {
    const std::uint64_t taken = held();
    return rules_.bytes - std::min(taken, rules_.bytes);
}

// The workers and the processes that they started, without those that were killed: their memory is as good as
// free.
std::vector<std::int64_t> ProcessGuard::living() const {
    std::vector<std::int64_t> found;
    for (const std::int64_t worker : workers_) add_tree(worker, found);
    std::erase_if(found, [&](std::int64_t process) { return std::ranges::count(killed_, process) != 0; });
    return found;
}

std::uint64_t ProcessGuard::held_locked() const {
    std::uint64_t bytes = resident_bytes(0);
    for (const std::int64_t process : living()) bytes += resident_bytes(process);
    return bytes;
}

bool ProcessGuard::kill_largest() {
    std::int64_t largest = 0;
    std::uint64_t most = 0;
    for (const std::int64_t process : living()) {
        const std::uint64_t bytes = resident_bytes(process);
        if (bytes > most) {
            most = bytes;
            largest = process;
        }
    }
    if (largest == 0) return false;
    killed_.push_back(largest);
    kill_process(largest);
    return true;
}

void ProcessGuard::interrupt_for(Reason reason, double now) {
    if (now < interrupted_ + kAgain) return;
    interrupted_ = now;
    reason_ = reason;
    interrupt_();
}

void ProcessGuard::end(const std::string& message) {
    for (const std::int64_t process : living()) kill_process(process);
    for (const std::string& path : temporary_) {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    if (!message.empty()) print("ktsolve: " + message + "\n");
    std::_Exit(rules_.exit_status);
}

void ProcessGuard::loop() {
    std::unique_lock lock(mutex_);
    const bool limited = rules_.bytes != std::numeric_limits<std::uint64_t>::max() ||
                         rules_.last_bytes != std::numeric_limits<std::uint64_t>::max();
    while (!over_) {
        double pause = kLongest;
        const double now = elapsed();
        if (limited) {
            const std::uint64_t held = held_locked();
            if (held > rules_.bytes && kill_largest()) {
                pause = kShortest;
            } else if (held > rules_.last_bytes) {
                end(rules_.memory_message);
            } else if (held > rules_.bytes && !standing_down_) {
                if (excess_since_ < 0) excess_since_ = now;
                if (now > excess_since_ + kExcess) end(rules_.memory_message);
                interrupt_for(Reason::memory, now);
                pause = kShortest;
            } else {
                excess_since_ = -1;
                const auto limit = standing_down_ ? rules_.last_bytes : rules_.bytes;
                const double free = limit > held ? static_cast<double>(limit - held) : 0.0;
                pause = std::clamp(free / kGrowth, kShortest, kLongest);
            }
        }
        if (!standing_down_) {
            if (now > rules_.seconds) {
                if (cpu_at_limit_ < 0) cpu_at_limit_ = cpu_seconds();
                interrupt_for(Reason::time, now);
            }
            // On a busy machine the main thread gets the time that it would have had on an idle one.
            const bool had_time = cpu_seconds() - cpu_at_limit_ > rules_.last_seconds - rules_.seconds;
            if (now > rules_.last_seconds && (had_time || now > rules_.last_seconds + kStarved))
                end(rules_.time_message);
        }
        changed_.wait_for(lock, std::chrono::duration<double>(pause));
    }
}

} // namespace ktsolve
