#include "engine/recon/prepare/samples_ahead.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/core/stage_timer.h"

namespace spokelab {
namespace {

// Bytes of a block of all coils: long enough that starting a copy costs a tenth of its time.
constexpr std::int64_t blockBytes = std::int64_t(4) << 20;

}  // namespace

SamplesAhead::SamplesAhead(std::function<std::unique_ptr<SampleReceiver>()> receiver)
    : receiver_(std::move(receiver)) {
}

SamplesAhead::~SamplesAhead() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SamplesAhead::begin(const std::shared_ptr<const Scan>& scan) {
  follows_ = !thread_.joinable() && !scan->isDouble();  // a job reads ahead from one file only
  if (!follows_) return;
  scan_ = scan;
  slicesOfFrame_ = scan->slices;
  blockSamples_ = std::max<std::int64_t>(1, blockBytes / (scan->coils * std::int64_t(sizeof(cfloat))));
  slices_ = std::vector<Slice>(std::size_t(scan->frames) * std::size_t(scan->slices));
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    Slice& slice = slices_[i];
    slice.samples = scan->trajectory(int(i) / scan->slices).samples();
    slice.missing = std::vector<std::atomic<std::int64_t>>(
        std::size_t((slice.samples + blockSamples_ - 1) / blockSamples_));
    for (std::size_t b = 0; b < slice.missing.size(); ++b)
      slice.missing[b] =
          scan->coils * std::min(blockSamples_, slice.samples - std::int64_t(b) * blockSamples_);
  }
  thread_ = std::thread([this] { send(); });
}

void SamplesAhead::arrived(int frame, int slice, std::int64_t first, std::int64_t count, int coils) {
  if (!follows_) return;
  Slice& there = slices_[std::size_t(frame * slicesOfFrame_ + slice)];
  for (std::int64_t at = first; at < first + count;) {
    const std::int64_t block = at / blockSamples_, begin = block * blockSamples_,
                       end = std::min({begin + blockSamples_, first + count});
    const std::int64_t values = (end - at) * coils;
    if (there.missing[std::size_t(block)].fetch_sub(values) == values) {
      const std::lock_guard lock(mutex_);
      complete_.push_back({frame, slice, begin, std::min(blockSamples_, there.samples - begin)});
      news_.notify_one();
    }
    at = end;
  }
}

void SamplesAhead::changed() {
  std::unique_lock lock(mutex_);
  changed_ = true;
  news_.notify_all();
  // Wait until the receiver has dropped the samples, so that no job takes the unchanged ones.
  news_.wait(lock, [&] { return !open_; });
}

void SamplesAhead::finish() {
  const std::lock_guard lock(mutex_);
  read_ = true;
  news_.notify_all();
}

void SamplesAhead::send() {
  const SpanScope traced(trace_, sendTrack);
  std::unique_ptr<SampleReceiver> receiver;
  try {
    receiver = receiver_();
    if (receiver) follow(*receiver);
  } catch (const std::exception&) {  // the job sends the samples later, and reports the error
    if (receiver) receiver->drop();
  }
  scan_.reset();
  const std::lock_guard lock(mutex_);
  open_ = false;
  news_.notify_all();
}

void SamplesAhead::follow(SampleReceiver& receiver) {
  {
    const std::lock_guard lock(mutex_);
    if (changed_ || ended_) return;
    open_ = true;
  }
  // The receiver gets the only reference, so that a scan that is read for a part of it is freed.
  if (!receiver.open(std::exchange(scan_, nullptr))) return;
  if (trace_) trace_->nameTrack(sendTrack, "samples, while they are read");
  while (true) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [&] { return ended_ || changed_ || read_ || !complete_.empty(); });
    if (changed_ || ended_) return receiver.drop();
    if (complete_.empty()) return receiver.finish();
    const Block block = complete_.front();
    complete_.pop_front();
    lock.unlock();
    const Span sent("samples sent");
    receiver.receive(block.frame, block.slice, block.first, block.count);
  }
}

}  // namespace spokelab
