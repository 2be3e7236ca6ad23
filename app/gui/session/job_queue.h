// Runs everything that takes time (reading, tuning, reconstructing, sweeping, saving) on one worker
// thread, one job at a time, so that no job disturbs another one's timing. A job's progress and
// candidates are gathered and handed over a few times a second; its result is delivered once, on
// the thread of the queue's owner. A cancel is answered at once: the job is told to stop, and a
// result that still arrives is dropped.
#pragma once

#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "app/gui/session/job_kind.h"
#include "engine/core/progress.h"
#include "engine/nufft/tune/result/candidate.h"
#include "widgets/core/latest_job.h"
#include "widgets/recon/jobs/job_model.h"

namespace spokelab {

class Error;

struct Failure {
  QString summary, reason, remedy;  // what, why, what to do
};

Failure failureOf(const Error& error);

// Lets a job's work report and be cancelled; used on the worker thread.
struct JobContext {
  Progress progress;
  std::function<void(const Candidate&)> seen;
  // The job waits for a person (true) or continues (false): waiting does not count as the job's
  // time.
  std::function<void(bool waits)> waits;
};

class JobQueue : public QObject {
  Q_OBJECT

 public:
  // Runs on the owner's thread; may be empty.
  using Delivery = std::function<void()>;
  // Runs on the worker; throws Error, Cancelled.
  using Work = std::function<Delivery(const JobContext&)>;
  // True if the job will replace the scan; called on a separate thread beside the worker.
  using Check = std::function<bool(const Progress&)>;

  explicit JobQueue(QObject* parent = nullptr);
  ~JobQueue() override;  // stops the job that runs, and waits for it

  // Returns the job's id. Unfinished jobs of the same kind are cancelled (all jobs, where the kind
  // opens a scan). command: the command line that does the same, for the list of jobs.
  int submit(const JobKind& kind, const QString& title, Work work, const QString& command = {});
  // The same for a job of which only `opensScan` knows whether it opens one: until then nothing but
  // jobs of its kind is cancelled. A check that fails counts as yes.
  int submit(const JobKind& kind, const QString& title, Check opensScan, Work work,
             const QString& command = {});
  void cancel(int id);
  void cancelAll(const JobKind& kind);
  void cancelAll();
  bool busy() const;  // an unfinished job that nobody cancelled
  bool busy(const JobKind& kind) const;
  // The command line of an unfinished job, after a person changed what it does.
  void setCommand(int id, const QString& command);

 Q_SIGNALS:
  void jobChanged(const spokelab::JobState& state);
  void candidatesSeen(int id, const std::vector<spokelab::Candidate>& candidates);
  void failed(const spokelab::JobState& state, const spokelab::Failure& failure);

 private:
  struct Job {
    int id = 0;
    JobKind kind;
    Work work;
    std::stop_source stop;
    JobState state;  // owner's thread
    // Guarded by mutex_: written by the worker, taken by the owner.
    bool started = false, ended = false;
    double startTime = 0, endTime = 0;  // seconds of now()
    double waited = 0;                  // seconds that are over
    std::optional<double> waitsSince;
    double fraction = 0;
    std::string what;
    std::vector<Candidate> candidates;
    Delivery delivery;
    bool stopped = false;
    std::unique_ptr<Failure> failure;
  };
  using JobPointer = std::shared_ptr<Job>;

  JobPointer add(const JobKind& kind, const QString& title, Work work, const QString& command);
  void admit(const JobPointer& job, bool cancelsOthers);
  void run(const std::stop_token& stop);
  void work(const JobPointer& job);
  void setWaits(Job& job, bool waits);
  void makeWay();                        // runs the urgent jobs that wait
  JobPointer takeNext(bool urgentOnly);  // mutex_ held
  void drain();
  void drainJob(const JobPointer& job);
  void tell(const JobPointer& job);
  void finish(const JobPointer& job, JobStatus status, const QString& what);

  std::vector<JobPointer> jobs_;  // owner's thread: unfinished
  LatestJob<bool> check_;
  QTimer timer_;
  int lastId_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<JobPointer> waiting_;
  std::jthread worker_;
};

}  // namespace spokelab

Q_DECLARE_METATYPE(spokelab::JobState)
Q_DECLARE_METATYPE(spokelab::Failure)
