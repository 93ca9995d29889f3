// 2-factors, from which the SAT engine starts, for Python.
#include "convert.hpp"
#include "ktsolve/sat/two_factor.hpp"

namespace ktsolve::python {

namespace {

using CostArray = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

std::pair<Made<std::uint8_t>, int> two_factor(int nodes, const EdgeArray& arcs, const FlagArray& use,
                                              const CostArray& cost, std::uint64_t seed) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < arcs.shape(0); ++i) pairs.emplace_back(arcs(i, 0), arcs(i, 1));
    std::vector<ArcUse> uses;
    for (std::size_t i = 0; i < use.shape(0); ++i) uses.push_back(static_cast<ArcUse>(use(i)));
    const std::vector<std::int32_t> costs(cost.data(), cost.data() + cost.shape(0));
    TwoFactor found = find_two_factor(nodes, pairs, uses, costs, seed);
    return {to_numpy(std::move(found.used)), found.missing};
}

} // namespace

void bind_circuits(nb::module_& m) {
    m.def("find_two_factor", &two_factor, "nodes"_a, "arcs"_a, "use"_a, "cost"_a, "seed"_a = 0,
          "Flags of arcs that use every node twice, as far as that was found, and the arc ends that are "
          "missing. "
          "`use`: 0 free, 1 needed, 2 barred; arcs of smaller `cost` (may be empty) are taken first.");
}

} // namespace ktsolve::python
