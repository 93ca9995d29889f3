// Step numbers as text and as moves, both ways.
#include <algorithm>
#include <cctype>

#include "ktsolve/common/steps.hpp"
#include "ktsolve/divide/mosaic.hpp"

namespace ktsolve {

std::string steps_as_text(const StepsView& view, int width) {
    width = std::max(width, 1);
    const auto field = static_cast<std::size_t>(width) + 1; // a number and the blank or newline after it
    std::string text(static_cast<std::size_t>(view.cells()) * field, ' ');
    char* to = text.data();
    for (std::int64_t cell = 0; cell < view.cells(); ++cell, to += field) {
        auto number = static_cast<std::uint32_t>(std::max(view.steps[cell], 0));
        char* digit = to + width;
        do *--digit = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0 && digit != to);
        if ((cell + 1) % view.columns == 0) to[width] = '\n';
    }
    return text;
}

ParsedGrid parse_grid(std::string_view text) {
    ParsedGrid grid;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::int64_t line = 1; at < end; ++line) {
        std::int64_t entries = 0;
        while (at < end && *at != '\n') {
            if (*at == ' ' || *at == '\t' || *at == '|' || *at == '\r') {
                ++at;
                continue;
            }
            std::int64_t number = 0;
            const char* const begin = at;
            while (at < end && *at >= '0' && *at <= '9' && at - begin < 10)
                number = 10 * number + (*at++ - '0');
            const bool ended =
                at == end || *at == ' ' || *at == '\n' || *at == '\t' || *at == '|' || *at == '\r';
            ++entries;
            if (at == begin || !ended || number >= std::int64_t{1} << 31) {
                grid.bad_line = line;
                grid.bad_entry = entries;
                return grid;
            }
            grid.steps.push_back(static_cast<std::int32_t>(number));
        }
        ++at;
        if (entries == 0) continue;
        if (grid.columns == 0) grid.columns = entries;
        if (entries != grid.columns) {
            grid.bad_line = line;
            return grid;
        }
    }
    return grid;
}

namespace {

// Where a move leads, -1 off the board.
std::int64_t moved(std::int64_t rows, std::int64_t columns, std::int64_t cell, std::size_t code) {
    const std::int64_t row = cell / columns + kKnightMoves[code].first;
    const std::int64_t column = cell % columns + kKnightMoves[code].second;
    if (row < 0 || row >= rows || column < 0 || column >= columns) return -1;
    return row * columns + column;
}

} // namespace

std::vector<std::int32_t> cells_in_order(const StepsView& view) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(view.cells()), -1);
    for (std::int64_t cell = 0; cell < view.cells(); ++cell) {
        const std::int64_t step = view.steps[cell];
        if (step < 1 || step > view.cells() || order[static_cast<std::size_t>(step - 1)] >= 0) return {};
        order[static_cast<std::size_t>(step - 1)] = static_cast<std::int32_t>(cell);
    }
    return order;
}

std::string moves_of_steps(const StepsView& view, bool closed) {
    const std::int64_t cells = view.cells();
    std::string text;
    text.reserve(static_cast<std::size_t>(cells));
    std::int64_t cell = std::find(view.steps, view.steps + cells, 1) - view.steps;
    if (cell == cells) return text;
    for (std::int64_t step = 1; step < cells + (closed ? 1 : 0); ++step) {
        const std::int64_t wanted = step == cells ? 1 : step + 1;
        std::size_t code = 0;
        std::int64_t next = -1;
        for (; code < kKnightMoves.size(); ++code) {
            next = moved(view.rows, view.columns, cell, code);
            if (next >= 0 && view.steps[next] == wanted) break;
        }
        if (code == kKnightMoves.size()) return text;
        text.push_back(static_cast<char>('0' + code));
        cell = next;
    }
    return text;
}

std::int64_t steps_of_moves(std::string_view moves, std::int64_t rows, std::int64_t columns,
                            std::int64_t start, std::int32_t* steps) {
    const std::int64_t cells = rows * columns;
    std::fill(steps, steps + cells, 0);
    steps[start] = 1;
    std::int64_t cell = start, made = 0;
    for (const char digit : moves) {
        if (digit < '0' || digit > '7') return made;
        cell = moved(rows, columns, cell, static_cast<std::size_t>(digit - '0'));
        const bool home = made == cells - 1 && cell == start;
        if (cell < 0 || (steps[cell] != 0 && !home)) return made;
        ++made;
        if (!home) steps[cell] = static_cast<std::int32_t>(made + 1);
    }
    return made;
}

} // namespace ktsolve
