// Sweeps one half from the empty state to its table, or reads the table from its file.
#include "join/half.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/files.hpp"
#include "join/single_pattern.hpp"
#include "join/spill.hpp"

namespace ktsolve::join {

namespace {

std::string with_sums(std::string name, const HalfTask& task) {
    for (const int sum : task.block_sums) name.append("-").append(std::to_string(sum));
    return name;
}

// The file of a half, or none.
std::string file_of(const HalfTask& task) {
    return task.files.empty() ? "" : with_sums(task.files, task) + ".layer";
}

// The file of what follows in it from a block of its last stage.
std::string part_file(const HalfTask& task, const HalfTask& stage) {
    return with_sums(with_sums(task.files, task) + "-of", stage) + ".layer";
}

std::optional<u64> bytes_of(const std::string& file) {
    const u64 bytes = file_bytes(file);
    return bytes == ~u64{0} ? std::nullopt : std::optional(bytes);
}

// The sweep of one half.
class Sweep {
  public:
    Sweep(const HalfTask& task, Context& context, std::vector<LayerReport>& log,
          const SinglePattern* single = nullptr)
        : task_(task), context_(context), log_(log), own_file_(file_of(task)), single_(single) {}

    Half make() {
        Half half{Layer(context_.pool), false, {}};
        if (load(own_file_, half)) {
            half.folded = folded_at_end(half.mirror);
            note(half.layer);
            return half;
        }
        if (is_single(task_)) {
            const SinglePattern pattern(task_);
            half.layer = empty_layer(context_.pool);
            Sweep(pattern.task(), context_, log_, &pattern).sweep(half, {});
        } else if (task_.stages.empty()) {
            const LeadingPatterns leading(task_);
            leading_ = leading.known() ? &leading : nullptr;
            const Shared from = from_shared(half.layer);
            if (from.sets >= task_.block_sums.size()) task_.leading = leading_;
            sweep(half, from);
        } else {
            for (std::size_t block = 0; block < task_.stages.back().sums.size(); ++block) {
                const HalfTask stage = task_.stage(block);
                Half part = follow(stage, false);
                if (part.layer.segments().empty()) continue;
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
    // What follows from a block of the last stage: of this block, or of all blocks together.
    Half follow(const HalfTask& stage, bool all_blocks) {
        Half half = Sweep(stage, context_, log_).make();
        unrestricted_ = all_blocks;
        sweep(half, {stage.steps()});
        return half;
    }
    Half grow(const Half& from, std::size_t steps, const std::vector<int>& separator) {
        const std::vector<int> slots = assign_slots(task_);
        std::array<int, 32> to;
        to.fill(-1);
        std::array<char, 32> taken{};
        for (std::size_t i = 0; i < separator.size(); ++i) {
            to[i] = slots[static_cast<std::size_t>(separator[i])];
            if (to[i] < 0) throw std::invalid_argument("a half grows into its separator");
            taken[static_cast<std::size_t>(to[i])] = 1;
        }
        for (int& slot : to) { // fields that are not used
            if (slot >= 0) continue;
            slot = static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
            taken[static_cast<std::size_t>(slot)] = 1;
        }
        Half half{renumbered(from.layer, FieldPermutation(to, -1), context_), false, {}};
        sweep(half, {steps});
        return half;
    }

  private:
    // A layer after some steps that all blocks share whose first sums, of `sets` sets, are those of this one.
    // With all sets none is shared any more.
    struct Shared {
        std::size_t steps = 0, sets = ~std::size_t{0};
    };

    // Goes on from a layer. What blocks share is saved before they part, with each set some of them; only in
    // the end is it known what the patterns of this block can be.
    void sweep(Half& half, Shared from) {
        HalfSteps steps(task_);
        for (std::size_t step = 0; step < from.steps; ++step) (void)steps.next();
        const std::size_t all_sets = task_.block_sums.size();
        std::size_t saved = from.steps;
        for (std::size_t step = from.steps; step < steps.count(); ++step) {
            const HalfStep taken = steps.next();
            for (; from.sets < all_sets; ++from.sets) {
                if (shares(half.layer, steps, step, taken, from.sets)) break;
                if (step > saved) save_shared(half.layer, {saved = step, from.sets});
                if (from.sets + 1 == all_sets) task_.leading = leading_;
            }
            const Restriction restriction =
                steps.restriction(unrestricted_ ? 0 : std::min(from.sets, all_sets));
            const std::vector<int> slots = dividing_slots(half.layer, taken, restriction);
            if (!slots.empty()) {
                half.layer = divided(std::move(half.layer), steps, step, taken, restriction, slots);
                half.folded = folded_at_end(half.mirror);
                if (task_.stages.empty() && !part_) context_.workers.progress().step += steps.count() - step;
                note(half.layer);
                return;
            }
            half.layer = take_step(std::move(half.layer), taken.choices, restriction, context_);
            end_step(half, steps, step, taken.vertex);
        }
    }
    // Folds the states after a step, if the mirror allows it.
    void end_step(Half& half, const HalfSteps& steps, std::size_t step, int vertex) {
        const u64 unfolded = half.layer.states();
        FieldPermutation mirror;
        const bool last = step + 1 == task_.all_steps();
        if (steps.mirror_now(mirror)) {
            half.layer = fold(std::move(half.layer), mirror, context_);
            if (last) {
                half.folded = true;
                half.mirror = mirror;
            }
        }
        if (single_ != nullptr && !last) half.layer = single_->fold(std::move(half.layer), steps, context_);
        Progress& progress = context_.workers.progress();
        if (task_.stages.empty() && !part_)
            ++progress.step; // with stages the last steps are taken several times
        progress.states = half.layer.states();
        log_.push_back({vertex, unfolded, half.layer.states(), half.layer.groups(), half.layer.bytes()});
        context_.workers.poll();
    }

    // Where the states that a step leads to may take much of the memory that is left: the slots by which they
    // are divided into parts that take little of it. Vertices whose degrees are final first come first: if a
    // degree is final already, no state belongs to two parts. Only with a group: without, the tables take as
    // much as the layers, and the planner takes blocks.
    std::vector<int> dividing_slots(const Layer& layer, const HalfStep& step,
                                    const Restriction& restriction) const {
        const u64 room = context_.pool.room();
        if ((task_.group == nullptr && single_ == nullptr) || layer.bytes() < room / kSmallShare) return {};
        const StatesAfter after(layer, step.choices, restriction);
        double share = after.growth() * static_cast<double>(layer.bytes()) / static_cast<double>(room);
        if (share < (single_ != nullptr ? kLargeShareOfFolded : kLargeShare)) return {};
        std::vector<int> slots;
        for (const u8 slot : single_ != nullptr ? completion_order(task_) : task_.group->order()) {
            const double part = after.largest_part(slot);
            if (part > kLargePart || task_.separator[slot] == task_.split) continue;
            slots.push_back(slot);
            share *= part;
            if (share < kShareOfPart || slots.size() == kMostSlotsAtOnce) break;
        }
        return slots;
    }
    // What the steps from this one on make of a layer, for one set of degrees in the slots after the other.
    Layer divided(Layer&& layer, const HalfSteps& steps, std::size_t step, const HalfStep& taken,
                  const Restriction& restriction, const std::vector<int>& slots) {
        Layer all(context_.pool);
        int parts = 1;
        for (std::size_t i = 0; i < slots.size(); ++i) parts *= 3;
        for (int number = 0; number < parts; ++number) {
            Restriction own = restriction;
            for (int rest = number; const int slot : slots) {
                own.require({slot}, rest % 3, rest % 3);
                rest /= 3;
            }
            // The last part uses the memory of the layer.
            Half part{number + 1 == parts ? take_step(std::move(layer), taken.choices, own, context_)
                                          : take_step(layer, taken.choices, own, context_),
                      false,
                      {}};
            if (part.layer.segments().empty()) continue;
            Sweep sweep(task_, context_, log_, single_);
            sweep.part_ = true;
            sweep.end_step(part, steps, step, taken.vertex);
            sweep.sweep(part, {step + 1});
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
    // Whether a step is taken once for all blocks with the same sums of some sets: until it touches a vertex
    // of another set, and then as long as the layers leave memory for the steps of a block. With a group the
    // blocks are parts of the leading patterns, and few states belong to several.
    bool shares(const Layer& layer, const HalfSteps& steps, std::size_t step, const HalfStep& taken,
                std::size_t sets) const {
        if (sets > (task_.group != nullptr ? 0 : kMostSetsShared)) return false;
        if (step < steps.untouched(task_.block().subspan(sets))) return true;
        if (task_.group != nullptr || step + 1 == steps.count()) return false;
        const double most = kLargestShared * static_cast<double>(context_.pool.room());
        const double bytes = static_cast<double>(layer.bytes());
        const StatesAfter after(layer, taken.choices, steps.restriction(sets));
        return bytes < most && bytes * after.growth() < most;
    }
    // Of each number of sets one layer is kept, as blocks come in the order of their sums.
    std::string shared_file(std::size_t sets) const {
        return task_.files + "-first-" + std::to_string(sets) + ".layer";
    }
    // The steps, and the sums of these sets.
    u64 mark(const Shared& at) const {
        u64 mark = at.steps;
        for (std::size_t set = 0; set < at.sets; ++set)
            mark = mark << kBitsOfSum | static_cast<u64>(task_.block_sums[set]);
        return mark;
    }
    void save_shared(const Layer& layer, const Shared& at) {
        const std::string file = shared_file(at.sets);
        if (const u64 bytes = file_bytes(file); bytes != ~u64{0} && context_.disk_left != ~u64{0})
            context_.disk_left += bytes;
        (void)save_layer(file, layer, mark(at), context_);
    }
    // The layer that this block shares with the fewest others and that is on the disk, or the empty state.
    Shared from_shared(Layer& layer) {
        for (std::size_t sets = std::min(task_.block_sums.size(), kMostSetsShared + 1); sets-- > 0;) {
            if (task_.files.empty()) break;
            const std::string file = shared_file(sets);
            const u64 found = mark_of_layer(file).value_or(0);
            const Shared at{static_cast<std::size_t>(found >> kBitsOfSum * sets), sets};
            u64 read = 0; // another process may have written another layer in between
            if (at.steps > 0 && mark(at) == found && load_layer(file, layer, read, context_) && read == found)
                return {at.steps, sets + 1};
        }
        layer = empty_layer(context_.pool);
        return task_.files.empty() ? Shared() : Shared{0, 0};
    }
    bool load(const std::string& file, Half& half) {
        u64 mark = 0;
        if (file.empty() || !load_layer(file, half.layer, mark, context_)) return false;
        half.folded = mark != 0;
        return true;
    }
    void note(const Layer& layer) {
        const u64 states = layer.states();
        log_.push_back({-1, states, states, layer.groups(), layer.bytes()});
    }

    // Shares of the memory left: of a layer that is not examined, of one that is not divided, of a part.
    static constexpr u64 kSmallShare = 64;
    static constexpr double kLargeShare = 1.0, kShareOfPart = 0.25;
    static constexpr double kLargeShareOfFolded = 0.5; // folding holds the states twice
    static constexpr double kLargestShared = 0.7;      // of layers that several blocks share
    static constexpr std::size_t kMostSetsShared = 6, kBitsOfSum = 7;
    static constexpr double kLargePart = 0.7; // of all states: too large
    static constexpr std::size_t kMostSlotsAtOnce = 4;

    HalfTask task_;
    Context& context_;
    std::vector<LayerReport>& log_;
    const std::string own_file_;
    const SinglePattern* single_;              // what the sweep is for, if for that
    const LeadingPatterns* leading_ = nullptr; // of the block, if they are known
    bool part_ = false;                        // of a sweep that is divided
    bool unrestricted_ = false;                // all blocks together
};

} // namespace

std::optional<u64> bytes_on_disk(const HalfTask& task) {
    return bytes_of(file_of(task));
}

void divide_stage(const HalfTask& stage, const std::vector<HalfTask>& tasks, Context& context,
                  std::vector<LayerReport>& log) {
    std::vector<const HalfTask*> lacking;
    for (const HalfTask& task : tasks)
        if (!bytes_on_disk(task) && !bytes_of(part_file(task, stage))) lacking.push_back(&task);
    if (lacking.empty()) return;
    const Half all = Sweep(*lacking.front(), context, log).follow(stage, lacking.size() > 1);
    for (const HalfTask* task : lacking) {
        HalfSteps steps(*task);
        for (std::size_t step = 0; step < steps.count(); ++step) (void)steps.next();
        const Layer own = take_step(all.layer, {EdgeChoice{}}, steps.restriction(), context);
        if (!save_layer(part_file(*task, stage), own, all.folded, context)) return;
    }
}

void put_together(const HalfTask& task, const std::vector<HalfTask>& stages, Context& context,
                  std::vector<LayerReport>& log) {
    if (bytes_on_disk(task)) return;
    const auto remove_parts = [&] {
        for (const HalfTask& stage : stages) {
            const std::string file = part_file(task, stage);
            if (context.disk_left != ~u64{0}) context.disk_left += bytes_of(file).value_or(0);
            remove_file(file);
        }
    };
    const auto lacks = [&](const HalfTask& stage) { return !bytes_of(part_file(task, stage)); };
    if (std::any_of(stages.begin(), stages.end(), lacks)) {
        remove_parts();
        return;
    }
    // As in a binary counter: each state is copied as often as the number of parts has bits.
    std::vector<Layer> sums;
    const auto add_last_two = [&] {
        Layer last = std::move(sums.back());
        sums.pop_back();
        sums.back() = sum(std::move(sums.back()), std::move(last), context);
    };
    u64 folded = 0;
    for (std::size_t n = 0; n < stages.size(); ++n) {
        sums.emplace_back(context.pool);
        (void)load_layer(part_file(task, stages[n]), sums.back(), folded, context);
        for (std::size_t pairs = n + 1; pairs % 2 == 0; pairs /= 2) add_last_two();
    }
    while (sums.size() > 1) add_last_two();
    const Layer& layer = sums.back();
    log.push_back({-1, layer.states(), layer.states(), layer.groups(), layer.bytes()});
    (void)save_layer(file_of(task), layer, folded, context);
    remove_parts();
}

Layer empty_layer(ChunkPool& pool) {
    Layer layer(pool);
    Writer writer(pool);
    store_entries(writer.append(0, 1, 1, 1), 1, 1, 0, [](u64) { return std::pair<u64, u64>{0, 1}; });
    layer.append(writer.finish());
    return layer;
}

void shorten(std::vector<LayerReport>& log) {
    const auto fewer = [](const LayerReport& a, const LayerReport& b) { return a.states < b.states; };
    if (log.size() > 2) log = {*std::max_element(log.begin(), log.end(), fewer), log.back()};
}

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log) {
    return Sweep(task, context, log).make();
}

Half make_blocks(const std::vector<std::vector<int>>& blocks,
                 const std::function<HalfTask(const std::vector<int>&)>& task, Context& context,
                 std::vector<LayerReport>& log) {
    const std::vector<int> no_sums;
    Half all = make_half(task(blocks.empty() ? no_sums : blocks.front()), context, log);
    for (std::size_t b = 1; b < blocks.size(); ++b) {
        shorten(log);
        Half more = make_half(task(blocks[b]), context, log);
        if (more.folded != all.folded)
            throw SpillFailed("half tables of one plan, of which only some are folded");
        all.layer.append(std::move(more.layer));
    }
    if (blocks.size() > 1) {
        const u64 states = all.layer.states();
        log.push_back({-1, states, states, all.layer.groups(), all.layer.bytes()});
    }
    return all;
}

Half grow_half(const HalfTask& task, const Half& from, std::size_t steps, const std::vector<int>& separator,
               Context& context, std::vector<LayerReport>& log) {
    return Sweep(task, context, log).grow(from, steps, separator);
}

} // namespace ktsolve::join
