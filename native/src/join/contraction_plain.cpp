// The loops of contraction_kernel.hpp for the level that the build asks for.
#define KTSOLVE_KERNEL kContractionPlain
#include "join/contraction_kernel.hpp"
