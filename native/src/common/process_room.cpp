// Asks the guard of the process, if there is one.
#include "common/process_room.hpp"

#include <limits>
#include <mutex>
#include <utility>

namespace ktsolve {

namespace {

std::mutex guards_room;
std::function<u64()> room_of_guard;

} // namespace

u64 room_of_process() {
    const std::lock_guard lock(guards_room);
    return room_of_guard ? room_of_guard() : std::numeric_limits<u64>::max();
}

void set_room_of_process(std::function<u64()> room) {
    const std::lock_guard lock(guards_room);
    room_of_guard = std::move(room);
}

} // namespace ktsolve
