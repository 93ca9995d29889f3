// How much memory the whole process may still take, as the guard that keeps its limit says.
#pragma once

#include <functional>

#include "common/integers.hpp"

namespace ktsolve {

// Bytes; the largest number where nobody keeps a limit. From any thread.
u64 room_of_process();

// What room_of_process() asks from now on; an empty function: nobody keeps a limit.
void set_room_of_process(std::function<u64()> room);

} // namespace ktsolve
