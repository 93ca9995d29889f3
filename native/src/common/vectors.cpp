// Chooses the level of vector instructions: what the processor has, or what the environment asks for.
#include "ktsolve/common/vectors.hpp"

#include <atomic>
#include <stdexcept>

#include "common/processor.hpp"

namespace ktsolve {

namespace {

constexpr VectorLevel kLevels[] = {VectorLevel::plain, VectorLevel::v3, VectorLevel::v4};

std::atomic<VectorLevel>& in_use() {
    static std::atomic<VectorLevel> level = vector_levels().back();
    return level;
}

} // namespace

const char* name_of(VectorLevel level) {
    switch (level) {
    case VectorLevel::v3:
        return "v3";
    case VectorLevel::v4:
        return "v4";
    default:
        return "plain";
    }
}

std::vector<VectorLevel> vector_levels() {
    std::vector<VectorLevel> levels{VectorLevel::plain};
    if (has_x86_64_v3()) levels.push_back(VectorLevel::v3);
    if (has_x86_64_v4()) levels.push_back(VectorLevel::v4);
    return levels;
}

VectorLevel vector_level() {
    return in_use().load(std::memory_order_relaxed);
}

void use_vector_level(std::string_view name) {
    std::string there;
    for (const VectorLevel level : vector_levels()) {
        if (name == name_of(level)) {
            in_use().store(level, std::memory_order_relaxed);
            return;
        }
        there.append(there.empty() ? "" : ", ").append(name_of(level));
    }
    for (const VectorLevel level : kLevels)
        if (name == name_of(level))
            throw std::invalid_argument("this machine does not have the vector instructions of level " +
                                        std::string(name) + ": it has " + there);
    throw std::invalid_argument("'" + std::string(name) +
                                "' is not a level of vector instructions: this machine has " + there);
}

} // namespace ktsolve
