// Samples on their way to a backend's memory while the rest of their file is read: blocks of all
// coils are sent as soon as they are complete, on a separate thread, which a trace shows. Jobs take
// them from there as they take samples that were sent ahead (coil_mixer.h).
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/core/measure/trace.h"
#include "engine/recon/coils/sample_receiver.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {

inline constexpr int sendTrack = rankTrack + (1 << 18);  // of the thread that sends, in a trace

class SamplesAhead final : public SampleFollower {
 public:
  // receiver: asked for on the sending thread, which it may keep waiting; null: nobody takes.
  explicit SamplesAhead(std::function<std::unique_ptr<SampleReceiver>()> receiver);
  // Samples that are not sent yet are not sent any more.
  ~SamplesAhead() override;
  SamplesAhead(const SamplesAhead&) = delete;
  SamplesAhead& operator=(const SamplesAhead&) = delete;

  void begin(const std::shared_ptr<const Scan>& scan) override;
  void arrived(int frame, int slice, std::int64_t first, std::int64_t count, int coils) override;
  void changed() override;
  // The file has been read. What is complete is still sent.
  void finish();

 private:
  struct Block {
    int frame = 0, slice = 0;
    std::int64_t first = 0, count = 0;
  };
  // The number of values that each block of a slice of a frame still lacks.
  struct Slice {
    std::int64_t samples = 0;
    std::vector<std::atomic<std::int64_t>> missing;
  };

  void send();
  void follow(SampleReceiver& receiver);

  std::function<std::unique_ptr<SampleReceiver>()> receiver_;
  TraceRecorder* const trace_ = activeTrace();
  std::shared_ptr<const Scan> scan_;  // until the receiver has it
  bool follows_ = false;
  int slicesOfFrame_ = 1;
  std::int64_t blockSamples_ = 1;
  std::vector<Slice> slices_;  // [frame, slice]
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Block> complete_;
  bool changed_ = false, read_ = false, ended_ = false;
  bool open_ = false;  // the receiver may have samples
  std::thread thread_;
};

}  // namespace spokelab
