// Levels of vector instructions. KTSOLVE_VECTORS in the environment names the one to use, for tests and
// measurements; a level that is not there ends the import, and so every command, in one line.
#include "ktsolve/common/vectors.hpp"

#include <cstdlib>
#include <stdexcept>

#include "convert.hpp"

namespace ktsolve::python {

void bind_vectors(nb::module_& m) {
    m.def(
        "vector_levels",
        [] {
            std::vector<std::string> names;
            for (const VectorLevel level : vector_levels()) names.emplace_back(name_of(level));
            return names;
        },
        "The levels of vector instructions that this build and this processor have, the plainest first.");
    m.def(
        "vector_level", [] { return std::string(name_of(vector_level())); },
        "The level of vector instructions in use.");
    m.def(
        "use_vector_level", [](const std::string& name) { use_vector_level(name); }, "name"_a,
        "Takes another level from now on. Raises ValueError if this machine does not have it.");
    if (const char* const forced = std::getenv("KTSOLVE_VECTORS"); forced != nullptr && *forced != 0) {
        try {
            use_vector_level(forced);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(std::string("KTSOLVE_VECTORS: ") + error.what());
        }
    }
}

} // namespace ktsolve::python
