// The one clock: spans of a thread's work, each with a name, a place, begin and end. Spans nest.
// Listeners of the thread hear each span at its end: stages of transforms (stage_timer.h), a job's
// account and its forecast (recon/job), the trace (trace.h), the time line (nufft/schedule), and a
// profiler's ranges (SpanProfiler) are views of the same spans. A span without a listener costs a
// few nanoseconds.
#pragma once

#include <chrono>
#include <string_view>

namespace spokelab {

class Span;
class TraceRecorder;
struct Timeline;

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

enum class SpanKind {
  job,        // a stage of the job's account, a plan that is timed, a case of a study or suite
  iteration,  // of a method that iterates
  transform,  // a stage of a transform, or a part of a job's stage
  work,       // a thread's piece of a transform's stage
  device,     // a stage of a transform on a GPU, on the track of its stream
  call,       // of a plan: stages lie inside; only the outermost one is told
  range       // for profilers alone
};

using SpanKinds = unsigned;  // a bit each
template <class... Kinds>
constexpr SpanKinds kindsOf(Kinds... kinds) {
  return ((1U << unsigned(kinds)) | ...);
}
inline constexpr SpanKinds kindsOfStages = kindsOf(SpanKind::transform, SpanKind::device, SpanKind::call);

// What listeners hear of a span that has ended.
struct SpanRecord {
  std::string_view name = {};
  SpanKind kind = SpanKind::job;
  int stage = -1;                      // number of its JobStage, or Stage; -1: none
  int track = 0;                       // its place: a thread, or a GPU's stream (trace.h)
  double begin = 0, end = 0;           // seconds of now()
  double seconds = 0;                  // without stages inside it; a GPU has its own clock
  double bytes = 0;                    // that it had to move at least; 0: not counted
  double parallel = 0, worked = 0;     // PoolWork
  bool multiplies = false;             // a multiply with a transfer function is part of it
  bool sum = false;                    // seconds of threads, or of a device, without a begin
  bool booked = false;                 // an inner account has it
  const Timeline* timeline = nullptr;  // the pieces of work of a whole stage
};

class SpanListener {
 public:
  virtual ~SpanListener() = default;
  virtual SpanKinds hears() const = 0;
  // Kinds whose spans are in no account further out.
  virtual SpanKinds books() const { return 0; }
  virtual void ended(const SpanRecord& span) = 0;
  // One of many steps of about the same length is done: an iteration, an unknown.
  virtual void stepped() {}
  virtual TraceRecorder* trace() { return nullptr; }
};

// Parts of the spans inside that listeners outside do not hear.
enum class SpanCut {
  all,
  work,   // pieces of work, also for listeners inside: telling them lengthens what is timed
  stages  // stages of a plan's making are in no account; the trace has them
};

// A listener of this thread, or a cut, from construction to destruction.
class SpanScope {
 public:
  explicit SpanScope(SpanListener* listener) noexcept;
  // For a new thread; null: nobody listens there. track: the place of the thread's spans.
  SpanScope(SpanListener* listener, int track) noexcept;
  explicit SpanScope(SpanCut cut) noexcept;
  ~SpanScope();
  SpanScope(const SpanScope&) = delete;
  SpanScope& operator=(const SpanScope&) = delete;

 private:
  friend void tellSpan(SpanRecord);
  friend void tellStep();
  friend TraceRecorder* activeTrace() noexcept;
  void push() noexcept;

  SpanListener* const listener_ = nullptr;
  const SpanKinds stops_ = 0, books_ = 0;
  const SpanScope* outer_ = nullptr;
  SpanKinds kindsBefore_ = 0, mutedBefore_ = 0;
  Span* jobBefore_ = nullptr;
  int trackBefore_ = 0;
};

// True if somebody on this thread hears spans of the kind.
bool isWatched(SpanKind kind) noexcept;
// The track of this thread's spans.
int ownTrack() noexcept;
// The trace of this thread; null: none.
TraceRecorder* activeTrace() noexcept;

// Tells a span that is over, on this thread's track.
void tellSpan(std::string_view name, SpanKind kind, double begin, double end);
// On the record's track. A call inside another one is not told.
void tellSpan(SpanRecord record);
void tellStep();

class Span {
 public:
  // name: ends with a zero, and outlives the span.
  explicit Span(const char* name, SpanKind kind = SpanKind::transform, int stage = -1) noexcept;
  ~Span() { end(); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  // Ends it before its scope does. Its seconds, those of stages inside it included; 0: not watched,
  // and not of a job.
  double end();
  bool isWatched() const { return watched_; }
  void moved(double bytes) { bytes_ += bytes; }
  void multiplies() { multiplies_ = true; }

 protected:
  // Seconds inside it that another stage of its account has; stage -1: none has them.
  void contains(const char* name, int stage, double seconds);

 private:
  const char* name_;
  SpanKind kind_;
  int stage_;
  bool open_ = true, watched_ = false, profiled_ = false, multiplies_ = false;
  double begin_ = 0, bytes_ = 0, nested_ = 0, parallel_ = 0, worked_ = 0;
  Span* outer_ = nullptr;  // the job's stage around this one
};

// A profiler whose ranges follow all spans of the program, such as NVTX.
struct SpanProfiler {
  void (*begin)(const char* name);
  void (*end)();
};
// For the rest of the process.
void setSpanProfiler(const SpanProfiler* profiler) noexcept;

// The spans of a module with an engine of its own are those of the engine whose function is given.
struct SpanThread;
SpanThread* ownSpanThread() noexcept;
void shareSpans(SpanThread* (*threads)() noexcept) noexcept;

}  // namespace spokelab
