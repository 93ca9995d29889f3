// Layers on disk, for joins in passes and for resuming after an interruption.
//
//     file: magic, segments, mark, checksum |
//           for each segment: place, bytes, groups, checksum |
//           segments (compressed_groups.hpp), in any order
//
// All threads write, and read, each segments of its own. A file is written under another name and renamed
// when it is whole, so that a file of the right name is complete. The checksums find later damage.
#pragma once

#include <optional>
#include <string>

#include "join/context.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve::join {

// False where it would take more than the context's disk_left, or the disk is full. Throws SpillFailed, with
// the system's reason, when it cannot be written. The mark says what the layer is.
bool save_layer(const std::string& path, const Layer& layer, u64 mark, Context& context);

// None when there is no such file.
std::optional<u64> mark_of_layer(const std::string& path);

// False when there is no such file. Throws SpillFailed when it is damaged, Stopped when it does not fit.
bool load_layer(const std::string& path, Layer& layer, u64& mark, Context& context);

} // namespace ktsolve::join
