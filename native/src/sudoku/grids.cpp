// All grids of a shape, counted: classes of column sets, the bands of each, and what comes below them.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "common/integers.hpp"
#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"
#include "sudoku/completions.hpp"
#include "sudoku/factorisations.hpp"
#include "sudoku/tables.hpp"

namespace ktsolve::sudoku {
namespace {

// With one band below, its column sets are those that are left.
std::uint64_t one_band(const Shape& shape, const Tables& tables, const std::vector<std::uint64_t>& bands,
                       ColumnSets sets) {
    const std::uint32_t all = (std::uint32_t{1} << shape.side()) - 1;
    for (auto& set : sets) set = all & ~set;
    return bands[tables.class_of(sets)];
}

void check_bands(const Shape& shape, const Bands& bands) {
    const auto size = static_cast<std::size_t>(shape.band_cells()),
               side = static_cast<std::size_t>(shape.side());
    bool good = bands.size() % size == 0;
    for (std::size_t box = 0; good && box < bands.size(); box += side) {
        std::uint32_t digits = 0;
        for (std::size_t cell = box; cell < box + side; ++cell)
            digits |= std::uint32_t{1} << std::min<std::uint8_t>(bands[cell], 31);
        good = digits == (std::uint32_t{1} << side) - 1;
    }
    if (!good) throw std::invalid_argument("every box of a band holds every digit");
}

} // namespace

GridCount count_grids(const Shape& shape, bool bands_only, const Limits& limits, Monitor* monitor) {
    GridCount result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] {
        const Tables tables(shape, counter);
        const std::vector<std::uint64_t> bands = bands_by_class(shape, tables, counter);
        for (std::size_t which = 0; which < tables.classes(); ++which) {
            ColumnClass found{tables.representative(which), tables.size(which), 0, 0};
            // Names of digits: N! / symmetric_names for each table; with box 1 fixed a band comes N! times
            // less.
            std::uint64_t all = 0;
            if (multiply_overflows(found.tables, bands[which], &all))
                throw std::overflow_error("more bands than 64 bits can count");
            found.bands = all / tables.symmetric_names(which);
            result.classes.push_back(std::move(found));
        }
        if (!bands_only && shape.columns > 2) {
            Completer complete(shape, tables, bands, counter);
            for (std::size_t which = 0; which < tables.classes(); ++which) {
                counter.set_progress(which, tables.classes());
                result.classes[which].completions = complete(result.classes[which].representative);
            }
        } else if (!bands_only) {
            for (auto& each : result.classes)
                each.completions =
                    shape.columns == 1 ? 1 : one_band(shape, tables, bands, each.representative);
        }
    });
    result.steps = counter.steps();
    return result;
}

AllCompletions complete(const Shape& shape, const Bands& bands, const Limits& limits, Monitor* monitor) {
    shape.validate();
    check_bands(shape, bands);
    const auto size = static_cast<std::size_t>(shape.band_cells());
    AllCompletions result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] {
        const Tables tables(shape, counter);
        const std::vector<std::uint64_t> of_class = bands_by_class(shape, tables, counter);
        std::optional<Completer> completer;
        if (shape.columns > 2) completer.emplace(shape, tables, of_class, counter);
        for (std::size_t at = 0; at < bands.size(); at += size) {
            counter.set_progress(at / size, bands.size() / size);
            const ColumnSets sets = column_sets(shape, bands.data() + at);
            result.counts.push_back(completer            ? (*completer)(sets)
                                    : shape.columns == 1 ? 1
                                                         : one_band(shape, tables, of_class, sets));
        }
    });
    return result;
}

ColumnSets column_sets(const Shape& shape, const std::uint8_t* band) {
    ColumnSets sets(static_cast<std::size_t>(shape.side()));
    for (int cell = 0; cell < shape.band_cells(); ++cell) {
        const int box = cell / shape.side(), column = cell % shape.columns;
        sets[static_cast<std::size_t>(box * shape.columns + column)] |= std::uint32_t{1} << band[cell];
    }
    return sets;
}

std::vector<std::uint32_t> column_classes(const Shape& shape, const Bands& bands) {
    check_bands(shape, bands);
    StepCounter counter({}, nullptr);
    const Tables tables(shape, counter);
    std::vector<std::uint32_t> classes;
    for (std::size_t at = 0; at < bands.size(); at += static_cast<std::size_t>(shape.band_cells()))
        classes.push_back(tables.class_of(column_sets(shape, bands.data() + at)));
    return classes;
}

} // namespace ktsolve::sudoku
