// The guard of a process as a Python class. Its thread never takes the interpreter lock: the interrupt is a
// signal, whose Python handler the main thread runs.
#include "ktsolve/common/process_guard.hpp"

#include <csignal>
#include <limits>
#if !defined(_WIN32)
#include <pthread.h>
#endif

#include "convert.hpp"

namespace ktsolve::python {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

// Made in the main thread. A real signal also ends its waiting for files and other processes.
std::function<void()> interrupt_by(int signal) {
#if defined(_WIN32)
    return [signal] { PyErr_SetInterruptEx(signal); };
#else
    return [signal, main = pthread_self()] { pthread_kill(main, signal); };
#endif
}

} // namespace

void bind_process_guard(nb::module_& m) {
    m.def("resident_bytes", &resident_bytes, "process"_a = 0,
          "Bytes of memory that a process occupies (0: this one); 0 if the system does not say.");

    nb::class_<ProcessGuard>(m, "ProcessGuard",
                             "Limits for this process and its workers, kept by a thread of its own.")
        .def(
            "__init__",
            [](ProcessGuard* self, int signal, std::optional<double> seconds,
               std::optional<double> last_seconds, std::optional<std::uint64_t> bytes,
               std::optional<std::uint64_t> last_bytes, std::string time_message, std::string memory_message,
               int exit_status) {
                new (self) ProcessGuard({seconds.value_or(kNever), last_seconds.value_or(kNever),
                                         bytes.value_or(kAll), last_bytes.value_or(kAll),
                                         std::move(time_message), std::move(memory_message), exit_status},
                                        interrupt_by(signal));
            },
            "signal"_a, "seconds"_a = nb::none(), "last_seconds"_a = nb::none(), "bytes"_a = nb::none(),
            "last_bytes"_a = nb::none(), "time_message"_a = "", "memory_message"_a = "", "exit_status"_a = 3)
        .def("close", &ProcessGuard::close)
        .def("add_worker", &ProcessGuard::add_worker, "process"_a)
        .def("remove_worker", &ProcessGuard::remove_worker, "process"_a)
        .def("add_temporary", &ProcessGuard::add_temporary, "path"_a)
        .def("remove_temporary", &ProcessGuard::remove_temporary, "path"_a)
        .def("stand_down", &ProcessGuard::stand_down, "down"_a = true)
        .def_prop_ro("reason",
                     [](const ProcessGuard& guard) {
                         switch (guard.reason()) {
                         case ProcessGuard::Reason::time:
                             return "time";
                         case ProcessGuard::Reason::memory:
                             return "memory";
                         default:
                             return "";
                         }
                     })
        .def_prop_ro("stands_down", &ProcessGuard::stands_down)
        .def_prop_ro("held", &ProcessGuard::held);
}

} // namespace ktsolve::python
