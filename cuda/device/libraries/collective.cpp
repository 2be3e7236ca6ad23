#include "cuda/device/libraries/collective.h"

#if __has_include(<nccl.h>)
#include <nccl.h>
#define SPOKELAB_HAS_NCCL 1
#else
#define SPOKELAB_HAS_NCCL 0
#endif

#include <thread>
#include <utility>

#include "cuda/device/stream.h"
#include "engine/core/error.h"
#include "engine/core/modules/shared_library.h"
#include "engine/core/stage_timer.h"

namespace spokelab::gpu {

#if SPOKELAB_HAS_NCCL

namespace {

struct Functions {
  decltype(ncclGetUniqueId)* uniqueId = nullptr;
  decltype(ncclCommInitRank)* start = nullptr;
  decltype(ncclCommDestroy)* destroy = nullptr;
  decltype(ncclCommAbort)* abort = nullptr;
  decltype(ncclAllReduce)* allReduce = nullptr;
  decltype(ncclSend)* send = nullptr;
  decltype(ncclRecv)* receive = nullptr;
  decltype(ncclGroupStart)* beginGroup = nullptr;
  decltype(ncclGroupEnd)* endGroup = nullptr;
  decltype(ncclGetErrorString)* text = nullptr;
  std::string missing;
};

Functions load() {
  Functions f;
  SharedLibrary library("libnccl.so." + std::to_string(NCCL_MAJOR));
  library.find(f.uniqueId, "ncclGetUniqueId");
  library.find(f.start, "ncclCommInitRank");
  library.find(f.destroy, "ncclCommDestroy");
  library.find(f.abort, "ncclCommAbort");
  library.find(f.allReduce, "ncclAllReduce");
  library.find(f.send, "ncclSend");
  library.find(f.receive, "ncclRecv");
  library.find(f.beginGroup, "ncclGroupStart");
  library.find(f.endGroup, "ncclGroupEnd");
  library.find(f.text, "ncclGetErrorString");
  f.missing = library.missing();
  return f;
}

const Functions& functions() {
  static const Functions loaded = load();
  return loaded;
}

// True if `yes` is true in all ranks. All ranks must call it.
bool allAgree(Ranks& ranks, bool yes, const Progress& progress) {
  double count = yes ? 1 : 0;
  ranks.sum(&count, 1, progress);
  ranks.broadcast(&count, sizeof count, progress);
  return int(count) == ranks.size();
}

}  // namespace

struct Collective::State {
  const Functions& f = functions();
  ncclComm_t communicator = nullptr;

  ~State() {
    if (communicator) f.destroy(communicator);
  }
};

Collective::Collective(std::unique_ptr<State> state) : state_(std::move(state)) {
}

Collective::~Collective() = default;

std::shared_ptr<Collective> Collective::start(Ranks& ranks, const Progress& progress, std::string& reason) {
  auto state = std::make_unique<State>();
  const Functions& f = state->f;
  if (!allAgree(ranks, f.missing.empty(), progress)) {
    reason = f.missing.empty() ? "another part of the job has no NCCL" : f.missing;
    return nullptr;
  }
  ncclUniqueId id{};
  ncclResult_t result = ranks.isFirst() ? f.uniqueId(&id) : ncclSuccess;
  ranks.broadcast(&id, sizeof id, progress);
  // All ranks must reach ncclCommInitRank together, as it hangs if one is missing. So the barrier
  // is the last place where a cancel may throw.
  ranks.barrier(progress);
  if (result == ncclSuccess) result = f.start(&state->communicator, ranks.size(), id, ranks.rank());
  if (!allAgree(ranks, result == ncclSuccess, progress)) {
    reason = result == ncclSuccess ? "NCCL did not start in another part of the job"
                                   : std::string("NCCL did not start: ") + f.text(result);
    if (state->communicator) f.abort(std::exchange(state->communicator, nullptr));
    return nullptr;
  }
  return std::shared_ptr<Collective>(new Collective(std::move(state)));
}

void Collective::sum(float* values, std::int64_t count, Ranks& ranks, cudaStream_t stream,
                     const Progress& progress) {
  // A rank that has ended or was cancelled throws here, before others wait for it on their devices.
  ranks.barrier(progress);
  finish(state_->f.allReduce(values, values, std::size_t(count), ncclFloat, ncclSum, state_->communicator,
                             stream),
         stream, progress);
}

void Collective::exchange(const std::vector<DevicePiece>& out, const std::vector<DevicePiece>& in,
                          Ranks& ranks, cudaStream_t stream, const Progress& progress) {
  ranks.barrier(progress);  // as in sum()
  const Functions& f = state_->f;
  ncclResult_t result = f.beginGroup();
  const auto take = [&result](ncclResult_t next) {
    if (result == ncclSuccess) result = next;
  };
  for (const DevicePiece& piece : out)
    take(f.send(piece.data, piece.bytes, ncclChar, piece.rank, state_->communicator, stream));
  for (const DevicePiece& piece : in)
    take(f.receive(piece.data, piece.bytes, ncclChar, piece.rank, state_->communicator, stream));
  take(f.endGroup());
  finish(result, stream, progress);
}

// Waits until the stream has done the exchange that was started with `result`. An error of NCCL,
// and a cancel that the exchange outlasts, abort the communicator: isUsable() is false from then
// on.
void Collective::finish(int result, cudaStream_t stream, const Progress& progress) {
  // After a cancel, the time for the other ranks to join this exchange before NCCL is aborted.
  constexpr double patienceSeconds = 2;
  const auto abandon = [this] { state_->f.abort(std::exchange(state_->communicator, nullptr)); };
  if (result != ncclSuccess) {
    const std::string why = state_->f.text(ncclResult_t(result));
    abandon();
    throw Error("The GPUs failed while exchanging data", "NCCL: " + why,
                "Run it again, or on one GPU (devices = 0)");
  }
  Event done(false);
  done.record(stream);
  double stopTime = 0;  // when the cancel was first seen; 0: not cancelled
  while (!done.isPast()) {
    std::this_thread::yield();
    if (!progress.stopRequested()) continue;
    if (stopTime == 0) stopTime = now();
    if (now() - stopTime < patienceSeconds) continue;
    abandon();
    throw Cancelled{};
  }
}

bool Collective::isUsable() const {
  return state_->communicator != nullptr;
}

#else

struct Collective::State {};

Collective::Collective(std::unique_ptr<State> state) : state_(std::move(state)) {
}

Collective::~Collective() = default;

std::shared_ptr<Collective> Collective::start(Ranks&, const Progress&, std::string& reason) {
  reason = "the program was built without NCCL's header";
  return nullptr;
}

void Collective::sum(float*, std::int64_t, Ranks&, cudaStream_t, const Progress&) {
}

void Collective::exchange(const std::vector<DevicePiece>&, const std::vector<DevicePiece>&, Ranks&,
                          cudaStream_t, const Progress&) {
}

bool Collective::isUsable() const {
  return false;
}

#endif

}  // namespace spokelab::gpu
