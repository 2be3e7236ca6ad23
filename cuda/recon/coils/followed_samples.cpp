#include "cuda/recon/coils/followed_samples.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cuda/device/check.h"
#include "cuda/device/device_scope.h"
#include "cuda/device/pinned_buffer.h"
#include "cuda/device/stream.h"

namespace spokelab::gpu {
namespace {

// Less is sent within a millisecond once it is there.
constexpr std::int64_t minValues = std::int64_t(1) << 20;
// Share of the free memory: the job needs the rest.
constexpr double maxMemoryShare = 0.25;

class DeviceReceiver final : public SampleReceiver {
 public:
  explicit DeviceReceiver(FollowedSamples& store) : store_(store), device_(currentDevice()) {}
  ~DeviceReceiver() override {
    cudaStreamSynchronize(stream_.get());  // wait for pieces in transit before their memory is freed
    for (const auto& array : arrays_)
      if (array) array->end();
  }

  bool open(const std::shared_ptr<const Scan>& scan) override {
    useDevice(device_);
    double bytes = 0;
    for (int f = 0; f < scan->frames; ++f)
      bytes += double(scan->slices) * double(values(*scan, f)) * sizeof(cfloat);
    if (values(*scan, 0) < minValues || bytes > maxMemoryShare * double(freeMemory())) return false;
    scan_ = scan;
    for (int f = 0; f < scan->frames; ++f)
      for (int z = 0; z < scan->slices; ++z)
        arrays_.push_back(values(*scan, f) < minValues ? nullptr
                                                       : std::make_shared<FollowedArray>(scan, f, z));
    std::vector<std::shared_ptr<FollowedArray>> liveArrays = arrays_;
    std::erase(liveArrays, nullptr);
    store_.keep(std::move(liveArrays));
    return true;
  }

  void receive(int frame, int slice, std::int64_t first, std::int64_t count) override {
    useDevice(device_);
    FollowedArray* const array = arrays_[std::size_t(frame * scan_->slices + slice)].get();
    if (!array) return;
    const std::size_t row = std::size_t(count) * sizeof(cfloat), coils = std::size_t(scan_->coils);
    Slot& slot = slots_[turn_++ % slots_.size()];
    slot.moved.synchronize();
    if (!slot.memory || slot.memory->bytes() < row * coils)
      slot.memory = std::make_unique<PinnedBuffer>(row * coils);
    for (std::size_t c = 0; c < coils; ++c)
      std::memcpy(slot.memory->data() + c * row, scan_->data(frame, slice, int(c)) + first, row);
    check(cudaMemcpy2DAsync(array->data() + std::size_t(first) * sizeof(cfloat),
                            std::size_t(scan_->trajectory(frame).samples()) * sizeof(cfloat),
                            slot.memory->data(), row, row, coils, cudaMemcpyHostToDevice, stream_.get()),
          "copying to the GPU");
    slot.moved.record(stream_.get());
    slot.array = array;
    slot.count = count;
    // The slot's previous piece has arrived when the slot is used again, or after the last piece.
    settle(turn_ % slots_.size());
  }

  void finish() override {
    useDevice(device_);
    for (std::size_t i = 0; i < slots_.size(); ++i) settle(i);
  }

  void drop() override { store_.keep({}); }

 private:
  struct Slot {
    std::unique_ptr<PinnedBuffer> memory;
    Event moved{false};
    FollowedArray* array = nullptr;  // that the piece on its way is of
    std::int64_t count = 0;
  };
  static std::int64_t values(const Scan& scan, int frame) {
    return scan.coils * scan.trajectory(frame).samples();
  }
  void settle(std::size_t slot) {
    Slot& s = slots_[slot];
    if (!s.array) return;
    s.moved.synchronize();
    s.array->add(s.count);
    s.array = nullptr;
  }

  FollowedSamples& store_;
  const int device_;
  std::shared_ptr<const Scan> scan_;
  std::vector<std::shared_ptr<FollowedArray>> arrays_;  // [frame, slice]; null: too small
  const Stream stream_;
  std::array<Slot, 2> slots_;
  std::size_t turn_ = 0;
};

}  // namespace

FollowedArray::FollowedArray(std::shared_ptr<const Scan> scan, int frame, int slice)
    : scan_(scan),
      host_(scan->data(frame, slice, 0)),
      coils_(scan->coils),
      samples_(scan->trajectory(frame).samples()),
      left_(samples_),
      bytes_(coils_ * samples_ * std::int64_t(sizeof(cfloat))) {
}

const void* FollowedArray::at(std::int64_t i) const {
  if (i < 0 || i >= coils_ * samples_ * std::int64_t(sizeof(cfloat))) return nullptr;
  state_.wait(State::coming);
  return state_ == State::here ? bytes_.data() + i : nullptr;
}

bool FollowedArray::copies(const cfloat* host, std::int64_t coils, std::int64_t samples) const {
  return host == host_ && coils == coils_ && samples == samples_ && !scan_.expired() &&
         state_ != State::failed;
}

void FollowedArray::add(std::int64_t samples) {
  left_ -= samples;
  if (left_ == 0) become(State::here);
}

void FollowedArray::end() {
  if (state_ == State::coming) become(State::failed);
}

void FollowedArray::become(State state) {
  state_ = state;
  state_.notify_all();
}

void FollowedSamples::keep(std::vector<std::shared_ptr<FollowedArray>> arrays) {
  const std::lock_guard lock(mutex_);
  arrays_.swap(arrays);
}

std::shared_ptr<const FollowedArray> FollowedSamples::take(const cfloat* host, std::int64_t coils,
                                                           std::int64_t samples) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                  [&](const auto& array) { return array->copies(host, coils, samples); });
  if (found == arrays_.end()) return nullptr;
  std::shared_ptr<const FollowedArray> followed = std::move(*found);
  arrays_.erase(found);
  return followed;
}

std::unique_ptr<SampleReceiver> makeSampleReceiver(FollowedSamples& store) {
  return std::make_unique<DeviceReceiver>(store);
}

}  // namespace spokelab::gpu
