// What the files of the Python face share: how a long call hears Python, its limits, and how it ended.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "ktsolve/control.hpp"

namespace ktsolve::python {

namespace nb = nanobind;

// Asks Python, holding the lock, whether a signal came in, and reports progress.
class PythonMonitor final : public Monitor {
  public:
    explicit PythonMonitor(nb::object callback) : callback_(std::move(callback)) {}

    bool keep_going(const Progress& progress) override {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!callback_.is_none()) callback_(progress.step, progress.total, progress.states);
        return true;
    }

  private:
    nb::object callback_;
};

inline Limits make_limits(std::optional<double> seconds, std::optional<std::uint64_t> bytes) {
    Limits limits;
    if (seconds) limits.seconds = *seconds;
    if (bytes) limits.bytes = *bytes;
    return limits;
}

inline std::string name_of(Status status) {
    switch (status) {
    case Status::done:
        return "done";
    case Status::out_of_time:
        return "time";
    case Status::out_of_memory:
        return "memory";
    default:
        return "interrupted";
    }
}

// Adds what ktsolve/sudoku.hpp offers.
void bind_sudoku(nb::module_& m);

} // namespace ktsolve::python
