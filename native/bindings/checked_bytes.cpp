// Checksums of prepared files, for Python.
#include "ktsolve/common/checked_bytes.hpp"

#include "convert.hpp"

namespace ktsolve::python {

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

Made<std::uint64_t> block_checksums(const Bytes& data) {
    const std::size_t size = data.shape(0);
    std::vector<std::uint64_t> sums(CheckedBytes::blocks(size));
    {
        nb::gil_scoped_release unlocked;
        for (std::size_t block = 0; block < sums.size(); ++block) {
            const std::size_t begin = block * kCheckedBlock;
            sums[block] = checksum_of(data.data() + begin, std::min(kCheckedBlock, size - begin));
        }
    }
    return to_numpy(std::move(sums));
}

} // namespace

void bind_checked_bytes(nb::module_& m) {
    nb::exception<DamagedBytes>(m, "DamagedBytes", PyExc_ValueError);
    m.attr("CHECKED_BLOCK") = kCheckedBlock;
    m.def("block_checksums", &block_checksums, "data"_a, "The checksum of each block of 64 KiB.");
}

} // namespace ktsolve::python
