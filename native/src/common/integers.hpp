// Short names of the unsigned and signed integers that table layouts and counts are written in.
#pragma once

#include <cstdint>

namespace ktsolve {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;

} // namespace ktsolve
