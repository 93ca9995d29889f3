// Levels of vector instructions: the hottest loops are compiled for several, and the processor decides.
//
// On x86-64 these are the levels of its processor-specific ABI: `v3` has AVX2, `v4` has AVX-512. `plain` is
// what the whole core is compiled for, and the only level elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ktsolve {

enum class VectorLevel : std::uint8_t { plain, v3, v4 };

const char* name_of(VectorLevel level);

// The levels that this build and this processor have, the plainest first.
std::vector<VectorLevel> vector_levels();

// The level in use: the last of these at first.
VectorLevel vector_level();

// Takes another level from now on, for the whole process. Throws std::invalid_argument if there is no level
// of this name, or not on this machine.
void use_vector_level(std::string_view name);

} // namespace ktsolve
