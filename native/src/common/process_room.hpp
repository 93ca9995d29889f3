// How much memory the whole process may still take, by the guard that keeps its limit: the one state of the
// core that is the process's, as its memory is.
#pragma once

#include <functional>

#include "common/integers.hpp"

namespace ktsolve {

// Bytes; the largest number where no guard keeps a limit. From any thread.
u64 room_of_process();

// What room_of_process() calls from now on; an empty function: no guard keeps a limit.
void set_room_of_process(std::function<u64()> room);

} // namespace ktsolve
