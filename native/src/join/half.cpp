// Sweeps one half from the empty state to its table, or reads the table from its file.
#include "join/half.hpp"

#include <algorithm>

#include "common/files.hpp"
#include "join/single_pattern.hpp"
#include "join/spill.hpp"

namespace ktsolve::join {

namespace {

// The file of a half, or none.
std::string file_of(const HalfTask& task) {
    if (task.files.empty()) return "";
    std::string name = task.files;
    for (const int sum : task.block_sums) name.append("-").append(std::to_string(sum));
    return name + ".layer";
}

// The sweep of one half.
class Sweep {
  public:
    Sweep(const HalfTask& task, Context& context, std::vector<LayerReport>& log)
        : task_(task), context_(context), log_(log), own_file_(file_of(task)) {}

    Half make() {
        Half half{Layer(context_.pool), false, {}};
        if (load(own_file_, half)) {
            half.folded = folded_at_end(half.mirror);
            note(half.layer);
            return half;
        }
        if (is_single(task_)) {
            half.layer = make_single(task_, context_, log_);
        } else if (task_.stages.empty()) {
            const std::size_t shared = shared_steps();
            const std::string file = shared_file(shared);
            if (load(file, half)) {
                sweep(half, shared, 0, "");
            } else {
                half.layer = empty_layer(context_.pool);
                sweep(half, 0, shared, file);
            }
        } else {
            for (std::size_t block = 0; block < task_.stages.back().sums.size(); ++block) {
                const HalfTask stage = task_.stage(block);
                Half part = Sweep(stage, context_, log_).make();
                if (part.layer.segments().empty()) continue;
                sweep(part, stage.steps(), 0, "");
                half.layer = half.layer.segments().empty()
                                 ? std::move(part.layer)
                                 : sum(std::move(half.layer), std::move(part.layer), context_);
            }
            half.folded = folded_at_end(half.mirror);
            note(half.layer);
        }
        if (!own_file_.empty()) (void)save_layer(own_file_, half.layer, half.folded, context_);
        return half;
    }

  private:
    // Takes the steps from `first` on. The layer before step `shared` is saved, if a file is given.
    void sweep(Half& half, std::size_t first, std::size_t shared, const std::string& shared_file) {
        HalfSteps steps(task_);
        for (std::size_t step = 0; step < first; ++step) (void)steps.next();
        for (std::size_t step = first; step < steps.count(); ++step) {
            if (step == shared && !shared_file.empty())
                (void)save_layer(shared_file, half.layer, false, context_);
            if (const std::optional<int> cell = dividing_cell(half.layer, step)) {
                half.layer = divided(half.layer, step, *cell);
                if (!part_) context_.workers.progress().step += steps.count() - step;
                note(half.layer);
                return;
            }
            const HalfStep taken = steps.next();
            half.layer = take_step(std::move(half.layer), taken.choices, steps.restriction(), context_);
            const u64 unfolded = half.layer.states();
            FieldPermutation mirror;
            const bool last = step + 1 == task_.all_steps();
            if (steps.mirror_now(mirror)) {
                half.layer = fold(std::move(half.layer), mirror, last, context_);
                if (last) {
                    half.folded = true;
                    half.mirror = mirror;
                }
            }
            Progress& progress = context_.workers.progress();
            if (task_.stages.empty() && !part_)
                ++progress.step; // with stages the last steps are taken several times
            progress.states = half.layer.states();
            log_.push_back(
                {taken.vertex, unfolded, half.layer.states(), half.layer.groups(), half.layer.bytes()});
            context_.workers.poll();
        }
    }

    // Where the states that a step leads to may not fit into memory, the separator's first vertex by whose
    // degree they are not divided yet. Only with a group: mirrors keep sets of vertices.
    std::optional<int> dividing_cell(const Layer& layer, std::size_t step) const {
        if (task_.group == nullptr || layer.bytes() < context_.pool.room() / kShareOfStep)
            return std::nullopt;
        const std::vector<std::size_t> steps = final_steps(task_);
        for (const u8 slot : task_.group->order()) {
            const int v = task_.separator[slot];
            const auto holds = [v](const std::vector<int>& set) { return set == std::vector<int>{v}; };
            if (v != task_.split && steps[slot] > step &&
                std::none_of(task_.block().begin(), task_.block().end(), holds))
                return v;
        }
        return std::nullopt;
    }
    // What the steps from this one on make of a layer, for one degree of a separator vertex after the other.
    Layer divided(const Layer& layer, std::size_t step, int cell) {
        std::vector<std::vector<int>> cells(task_.block().begin(), task_.block().end());
        std::vector<int> sums = task_.block_sums;
        cells.push_back({cell});
        sums.push_back(0);
        Layer all(context_.pool);
        for (int degree = 0; degree <= 2; ++degree) {
            sums.back() = degree;
            const HalfTask task = task_.of_block(cells, sums);
            Sweep sweep(task, context_, log_);
            sweep.part_ = true;
            HalfSteps steps(task);
            for (std::size_t before = 0; before < step; ++before) (void)steps.next();
            const HalfStep taken = steps.next();
            Half part{take_step(layer, taken.choices, steps.restriction(), context_), false, {}};
            sweep.sweep(part, step + 1, 0, "");
            if (part.layer.segments().empty()) continue;
            all = all.segments().empty() ? std::move(part.layer)
                                         : sum(std::move(all), std::move(part.layer), context_);
        }
        return all;
    }

    // Whether the half is folded in the end, and if so by which mirror.
    bool folded_at_end(FieldPermutation& mirror) const {
        HalfSteps steps(task_);
        for (std::size_t step = 0; step < steps.count(); ++step) (void)steps.next();
        return steps.count() == task_.all_steps() && steps.mirror_now(mirror);
    }
    // All blocks share the layers before the first step that touches a vertex of their sets.
    std::size_t shared_steps() const {
        return task_.block_sums.empty() ? 0 : HalfSteps(task_).untouched(task_.block());
    }
    std::string shared_file(std::size_t shared) const {
        if (task_.files.empty() || shared == 0) return "";
        return task_.files + "-first-" + std::to_string(shared) + ".layer";
    }
    bool load(const std::string& file, Half& half) {
        return !file.empty() && load_layer(file, half.layer, half.folded, context_);
    }
    void note(const Layer& layer) {
        const u64 states = layer.states();
        log_.push_back({-1, states, states, layer.groups(), layer.bytes()});
    }

    // A step leads to several times the states.
    static constexpr u64 kShareOfStep = 8;

    const HalfTask& task_;
    Context& context_;
    std::vector<LayerReport>& log_;
    const std::string own_file_;
    bool part_ = false; // of a sweep that is divided
};

} // namespace

std::optional<u64> bytes_on_disk(const HalfTask& task) {
    const u64 bytes = file_bytes(file_of(task));
    return bytes == ~u64{0} ? std::nullopt : std::optional(bytes);
}

Layer empty_layer(ChunkPool& pool) {
    Layer layer(pool);
    Writer writer(pool);
    store_entries(writer.append(0, 1, 1, 1), 1, 1, 0, [](u64) { return std::pair<u64, u64>{0, 1}; });
    layer.append(writer.finish());
    return layer;
}

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log) {
    return Sweep(task, context, log).make();
}

} // namespace ktsolve::join
