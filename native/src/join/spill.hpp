// Layers on disk, for what does not fit into memory at once and for going on after an interruption.
//
//     file: magic, segments, flags, checksum | for each segment: bytes, groups, states | chunks as they stand
//
// A file is written under another name and renamed when it is whole, so that what carries the right name is
// complete; the checksum covers everything else that can happen to a file.
#pragma once

#include <string>

#include "join/groups.hpp"
#include "join/workers.hpp"
#include "ktsolve/join.hpp"

namespace ktsolve::join {

// Throws SpillFailed, with the reason of the system, when it cannot be written.
void save_layer(const std::string& path, const Layer& layer, bool folded, Workers& workers);

// False when there is no such file. Throws SpillFailed when it is damaged, OutOfMemory when it does not fit.
bool load_layer(const std::string& path, Layer& layer, bool& folded, Workers& workers);

} // namespace ktsolve::join
