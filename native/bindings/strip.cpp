// Counts of strips, and linear recurrences, for Python.
#include "ktsolve/strip/strip.hpp"

#include "convert.hpp"
#include "ktsolve/sequences/recurrence.hpp"

namespace ktsolve::python {

namespace {

using StripEdgeArray = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

class PythonStrip {
  public:
    PythonStrip(int rows, const StripEdgeArray& edges, bool open, std::vector<std::vector<int>> symmetries)
        : transfer_(made(rows, edges, open, std::move(symmetries))) {}

    std::string compile(std::optional<double> seconds, std::optional<std::uint64_t> bytes,
                        nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        nb::gil_scoped_release unlocked;
        return name_of(transfer_.compile(make_limits(seconds, bytes), &monitor));
    }

    std::string extend(int lengths, int threads, std::optional<double> seconds,
                       std::optional<std::uint64_t> bytes, nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        nb::gil_scoped_release unlocked;
        return name_of(transfer_.extend(lengths, threads, make_limits(seconds, bytes), &monitor));
    }

    std::pair<std::string, nb::int_> count(int length, int threads, std::optional<double> seconds,
                                           std::optional<std::uint64_t> bytes, nb::object progress) {
        PythonMonitor monitor(std::move(progress));
        Limbs found;
        Status status;
        {
            nb::gil_scoped_release unlocked;
            status = transfer_.count(length, threads, make_limits(seconds, bytes), &monitor, found);
        }
        return {name_of(status), to_python_int(found)};
    }

    nb::int_ at(std::size_t i) const { return to_python_int(transfer_.counts().at(i)); }
    const StripTransfer& transfer() const { return transfer_; }

  private:
    static Strip made(int rows, const StripEdgeArray& edges, bool open,
                      std::vector<std::vector<int>> symmetries) {
        Strip strip;
        strip.rows = rows;
        strip.open = open;
        strip.symmetries = std::move(symmetries);
        for (std::size_t i = 0; i < edges.shape(0); ++i)
            strip.edges.push_back({edges(i, 0), edges(i, 1), edges(i, 2)});
        return strip;
    }

    StripTransfer transfer_;
};

using WordArray = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using WordTable = nb::ndarray<const std::uint64_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <class Array> std::vector<std::uint64_t> words(const Array& given) {
    return std::vector<std::uint64_t>(given.data(), given.data() + given.size());
}

std::pair<int, Made<std::uint64_t>> python_shortest_recurrence(const WordArray& terms, std::uint64_t prime) {
    ShortestRecurrence found;
    {
        const std::vector<std::uint64_t> given = words(terms);
        nb::gil_scoped_release unlocked;
        found = shortest_recurrence(given, prime);
    }
    return {found.order, to_numpy(std::move(found.coefficients))};
}

std::pair<std::string, Made<std::uint64_t>>
python_far_terms(const WordTable& numerators, const WordTable& denominators, const WordArray& primes,
                 std::uint64_t n, int threads, std::optional<double> seconds, nb::object progress) {
    PythonMonitor monitor(std::move(progress));
    std::vector<std::uint64_t> found;
    Status status;
    {
        const std::vector<std::uint64_t> top = words(numerators), bottom = words(denominators),
                                         moduli = words(primes);
        nb::gil_scoped_release unlocked;
        status = far_terms(top, bottom, moduli, n, threads, make_limits(seconds, {}), &monitor, found);
    }
    return {name_of(status), to_numpy(std::move(found))};
}

} // namespace

void bind_strip(nb::module_& m) {
    m.attr("LARGEST_PRIME") = kLargestPrime;
    m.def("shortest_recurrence", &python_shortest_recurrence, "terms"_a, "prime"_a,
          "The order and the coefficients, 1 first, of the shortest linear recurrence modulo a prime.");
    m.def("far_terms", &python_far_terms, "numerators"_a, "denominators"_a, "primes"_a, "n"_a, "threads"_a,
          "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "Coefficient n of a quotient of polynomials modulo each prime, as (status, residues).");
    nb::class_<PythonStrip>(m, "Strip", "Numbers of Hamiltonian cycles of strips of all lengths.")
        .def(nb::init<int, const StripEdgeArray&, bool, std::vector<std::vector<int>>>(), "rows"_a, "edges"_a,
             "open"_a, "symmetries"_a,
             "Edges as (row, row in a later column, columns ahead); permutations of the rows that keep them.")
        .def("compile", &PythonStrip::compile, "seconds"_a = nb::none(), "bytes"_a = nb::none(),
             "progress"_a = nb::none(), "Compile the transfer of a column; returns a status.")
        .def("extend", &PythonStrip::extend, "lengths"_a, "threads"_a, "seconds"_a = nb::none(),
             "bytes"_a = nb::none(), "progress"_a = nb::none(),
             "Count until this many lengths are known, from the first on; returns a status.")
        .def("count", &PythonStrip::count, "length"_a, "threads"_a, "seconds"_a = nb::none(),
             "bytes"_a = nb::none(), "progress"_a = nb::none(),
             "The count of one length, at least the first, as (status, count).")
        .def("at", &PythonStrip::at, "i"_a, "Count number i, of length first + i.")
        .def_prop_ro("known", [](const PythonStrip& s) { return s.transfer().counts().size(); })
        .def_prop_ro("first", [](const PythonStrip& s) { return s.transfer().first(); })
        .def_prop_ro("states", [](const PythonStrip& s) { return s.transfer().sizes().states; })
        .def_prop_ro("transitions", [](const PythonStrip& s) { return s.transfer().sizes().transitions; })
        .def_prop_ro("dimension", [](const PythonStrip& s) { return s.transfer().sizes().dimension; })
        .def_prop_ro("terms", [](const PythonStrip& s) { return s.transfer().sizes().terms; })
        .def_prop_ro("peak_bytes", [](const PythonStrip& s) { return s.transfer().sizes().peak_bytes; })
        .def_prop_ro(
            "growth", [](const PythonStrip& s) { return s.transfer().growth(); },
            "(a, b): the count of length n has at most a + b n bits.");
}

} // namespace ktsolve::python
