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

// The record of an ended span, as listeners hear it.
struct SpanRecord {
  std::string_view name = {};
  SpanKind kind = SpanKind::job;
  int stage = -1;                      // JobStage (kind job) or Stage, as a number; -1: none
  int track = 0;                       // its place: a thread, or a GPU's stream (trace.h)
  double begin = 0, end = 0;           // seconds of now()
  double seconds = 0;                  // duration, less nested job stages and contains()
  double bytes = 0;                    // lower bound of the bytes moved; 0: not counted
  double parallel = 0, worked = 0;     // growth of PoolWork's seconds and worked
  bool multiplies = false;             // a multiply with a transfer function is part of it
  bool sum = false;                    // only seconds are known: begin and end are 0
  bool booked = false;                 // counted further in (books()): accounts skip it
  const Timeline* timeline = nullptr;  // the pieces of work of a whole stage
};

class SpanListener {
 public:
  virtual ~SpanListener() = default;
  virtual SpanKinds hears() const = 0;
  // Kinds that this listener counts: listeners further out hear them with `booked` set.
  virtual SpanKinds books() const { return 0; }
  virtual void ended(const SpanRecord& span) = 0;
  // One of many steps of about the same length is done: an iteration, an unknown.
  virtual void stepped() {}
  virtual TraceRecorder* trace() { return nullptr; }
};

// Spans inside a cut that listeners outside it do not hear.
enum class SpanCut {
  all,    // all; steps and the trace end here, too, and a job's stage outside is not shortened
  work,   // pieces of work, from listeners inside, too: telling them lengthens what is timed
  stages  // none: kindsOfStages are told as booked, so accounts skip them and the trace has them
};

// Adds a listener or a cut to this thread's stack. Scopes end in reverse order on their thread.
class SpanScope {
 public:
  explicit SpanScope(SpanListener* listener) noexcept;
  // The first scope of a new thread; null: nobody listens. track: the place of its spans.
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
// On the record's track. Dropped: a kind that nobody hears, and a call inside an open one.
void tellSpan(SpanRecord record);
void tellStep();  // stepped() of all listeners up to a SpanCut::all

class Span {
 public:
  // name: ends with a zero, and outlives the span.
  explicit Span(const char* name, SpanKind kind = SpanKind::transform, int stage = -1) noexcept;
  ~Span() { end(); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  // Ends the span now; later calls do nothing. Returns its seconds, stages inside included; 0: its
  // kind is not job, and nobody hears it.
  double end();
  bool isWatched() const { return watched_; }
  void moved(double bytes) { bytes_ += bytes; }
  void multiplies() { multiplies_ = true; }

 protected:
  // Takes seconds out of this span and tells them as a sum of stage `stage`; -1: tells nothing.
  void contains(const char* name, int stage, double seconds);

 private:
  const char* name_;
  SpanKind kind_;
  int stage_;
  bool open_ = true, watched_ = false, profiled_ = false, multiplies_ = false;
  double begin_ = 0, bytes_ = 0, nested_ = 0, parallel_ = 0, worked_ = 0;
  Span* outer_ = nullptr;  // kind job: the open job span around this one
};

// A profiler whose ranges follow all spans of the program, such as NVTX.
struct SpanProfiler {
  void (*begin)(const char* name);
  void (*end)();
};
// For the rest of the process.
void setSpanProfiler(const SpanProfiler* profiler) noexcept;

// For a module that contains a second copy of the engine: given the program's ownSpanThread,
// shareSpans() makes the module's spans reach the program's listeners.
struct SpanThread;
SpanThread* ownSpanThread() noexcept;
void shareSpans(SpanThread* (*threads)() noexcept) noexcept;

}  // namespace spokelab
