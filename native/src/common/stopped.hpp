// How work deep inside a long call ends before it is done: an exception that carries the reason.
//
// Loops and recursions poll the watch (ktsolve/common/control.hpp) and throw Stopped; the public function
// that began the call turns it into the status of its report.
#pragma once

#include <new>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

struct Stopped {
    Status status;
};

// Throws Stopped when the watch gives a reason to stop.
inline void poll_or_throw(Watch& watch, const Progress& progress) {
    const Status status = watch.poll(progress);
    if (status != Status::done) throw Stopped{status};
}

// Does the work and returns how it ended.
template <class Work> Status status_of(Work&& work) {
    try {
        work();
    } catch (const Stopped& stopped) {
        return stopped.status;
    } catch (const std::bad_alloc&) {
        return Status::out_of_memory;
    }
    return Status::done;
}

} // namespace ktsolve
