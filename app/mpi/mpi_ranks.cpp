// Ranks over MPI. Collective calls are non-blocking and polled for their end, so that a stop ends
// the wait. Data pass through buffers of this module, which outlive an abandoned wait: MPI may
// still write into them. Posts have a separate communicator: post() and
// poll() may be called while another thread waits in a collective call.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "app/mpi/ranks_module.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::size_t bytesAtOnce = std::size_t{4} << 20;  // longer data go in pieces
constexpr int dataTag = 1, postTag = 2;

void require(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw Error("MPI cannot continue", std::string(what) + ": " + text.data(), "Start the job again");
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_dup(MPI_COMM_WORLD, &data_);
    MPI_Comm_dup(MPI_COMM_WORLD, &posts_);
    for (const MPI_Comm comm : {data_, posts_}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    host_.assign(name.data(), std::size_t(length));
    staging_.resize(bytesAtOnce);
    result_.resize(bytesAtOnce);
  }

  // After an abandoned wait the ranks no longer agree on their calls, and MPI_Finalize would wait
  // for ever. So it is left out, and the buffers, into which MPI may still write, are never freed:
  // MPI ends with the process, and the launcher sees its exit code.
  ~MpiRanks() override {
    if (givenUp_) {
      staging_.release();
      result_.release();
      return;
    }
    MPI_Comm_free(&data_);
    MPI_Comm_free(&posts_);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string host() const override { return host_; }

  void broadcast(void* data, std::size_t bytes, const Progress& progress) override {
    for (std::size_t at = 0; at < bytes; at += bytesAtOnce) {
      const std::size_t count = std::min(bytesAtOnce, bytes - at);
      char* const part = static_cast<char*>(data) + at;
      if (rank_ == 0) std::memcpy(staging_.data(), part, count);
      finish(progress, "broadcast", [&](MPI_Request* request) {
        return MPI_Ibcast(staging_.data(), int(count), MPI_BYTE, 0, data_, request);
      });
      if (rank_ != 0) std::memcpy(part, staging_.data(), count);
    }
  }
  void sum(float* values, std::size_t count, const Progress& progress) override {
    sumOf(values, count, MPI_FLOAT, progress);
  }
  void sum(double* values, std::size_t count, const Progress& progress) override {
    sumOf(values, count, MPI_DOUBLE, progress);
  }
  void send(const void* data, std::size_t bytes, int to, const Progress& progress) override {
    for (std::size_t at = 0; at < bytes; at += bytesAtOnce) {
      const std::size_t count = std::min(bytesAtOnce, bytes - at);
      std::memcpy(staging_.data(), static_cast<const char*>(data) + at, count);
      finish(progress, "send", [&](MPI_Request* request) {
        return MPI_Isend(staging_.data(), int(count), MPI_BYTE, to, dataTag, data_, request);
      });
    }
  }
  void receive(void* data, std::size_t bytes, int from, const Progress& progress) override {
    for (std::size_t at = 0; at < bytes; at += bytesAtOnce) {
      const std::size_t count = std::min(bytesAtOnce, bytes - at);
      finish(progress, "receive", [&](MPI_Request* request) {
        return MPI_Irecv(staging_.data(), int(count), MPI_BYTE, from, dataTag, data_, request);
      });
      std::memcpy(static_cast<char*>(data) + at, staging_.data(), count);
    }
  }

  void post(int to, const std::string& message) override {
    const std::lock_guard lock(mutex_);
    sent_.push_back({message, MPI_REQUEST_NULL});
    Post& post = sent_.back();
    MPI_Isend(post.text.data(), int(post.text.size()), MPI_BYTE, to, postTag, posts_, &post.request);
  }
  bool poll(int& from, std::string& message) override {
    const std::lock_guard lock(mutex_);
    sent_.remove_if([](Post& post) {
      int done = 0;
      return MPI_Test(&post.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done;
    });
    int there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, postTag, posts_, &there, &status) != MPI_SUCCESS || !there) return false;
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    message.resize(std::size_t(length));
    from = status.MPI_SOURCE;
    return MPI_Recv(message.data(), length, MPI_BYTE, from, postTag, posts_, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
  }

 private:
  struct Post {
    std::string text;
    MPI_Request request;
  };
  // A buffer that is freed with this object, unless release() leaves it to the process.
  class Staging {
   public:
    void resize(std::size_t bytes) { data_ = new char[bytes]; }
    ~Staging() { delete[] data_; }
    Staging() = default;
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    char* data() { return data_; }
    void release() { data_ = nullptr; }

   private:
    char* data_ = nullptr;
  };

  template <class Real>
  void sumOf(Real* values, std::size_t count, MPI_Datatype type, const Progress& progress) {
    constexpr std::size_t atOnce = bytesAtOnce / sizeof(Real);
    for (std::size_t at = 0; at < count; at += atOnce) {
      const std::size_t n = std::min(atOnce, count - at);
      std::memcpy(staging_.data(), values + at, n * sizeof(Real));
      finish(progress, "sum", [&](MPI_Request* request) {
        return MPI_Ireduce(staging_.data(), result_.data(), int(n), type, MPI_SUM, 0, data_, request);
      });
      if (rank_ == 0) std::memcpy(values + at, result_.data(), n * sizeof(Real));
    }
  }

  // Begins a call and waits for its end; every call into MPI is under the mutex (serialized).
  template <class Begin>
  void finish(const Progress& progress, const char* what, const Begin& begin) {
    constexpr int spins = 200;
    constexpr std::chrono::microseconds shortest(5), longest(200);
    if (progress.stopRequested()) {
      givenUp_ = true;
      throw Cancelled{};
    }
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    {
      const std::lock_guard lock(mutex_);
      require(begin(&request), what);
      require(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    }
    std::chrono::microseconds pause = shortest;
    for (int tries = 0; !done; ++tries) {
      if (tries < spins) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, longest);
      }
      if (progress.stopRequested()) {
        givenUp_ = true;
        throw Cancelled{};
      }
      const std::lock_guard lock(mutex_);
      require(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    }
  }

  int rank_ = 0, size_ = 1;
  std::string host_;
  MPI_Comm data_ = MPI_COMM_NULL, posts_ = MPI_COMM_NULL;
  Staging staging_, result_;
  std::mutex mutex_;      // around every call into MPI
  std::list<Post> sent_;  // posts that MPI may still read; poll() removes those that have been sent
  bool givenUp_ = false;  // a cancel ended a wait (finish); never cleared
};

}  // namespace
}  // namespace spokelab

extern "C" spokelab::Ranks* spokelabRanks(char* reason, std::size_t reasonSize) {
  int begun = 0, provided = 0;
  MPI_Initialized(&begun);
  if (begun || MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) {
    std::snprintf(reason, reasonSize, "MPI could not be started");
    return nullptr;
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    std::snprintf(reason, reasonSize, "this MPI was built without threads (MPI_THREAD_SERIALIZED)");
    MPI_Finalize();
    return nullptr;
  }
  return std::make_unique<spokelab::MpiRanks>().release();
}
