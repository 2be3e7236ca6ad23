#include "app/gui/session/job_queue.h"

#include <algorithm>
#include <new>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"

namespace spokelab {
namespace {

constexpr int handOverMs = 100;  // how often progress and candidates reach the window

}  // namespace

Failure failureOf(const Error& error) {
  return {QString::fromStdString(error.summary()), QString::fromStdString(error.reason()),
          QString::fromStdString(error.remedy())};
}

JobQueue::JobQueue(QObject* parent) : QObject(parent) {
  timer_.setInterval(handOverMs);
  connect(&timer_, &QTimer::timeout, this, &JobQueue::drain);
  worker_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

JobQueue::~JobQueue() {
  for (const auto& job : jobs_) job->stop.request_stop();
  worker_.request_stop();
  wake_.notify_all();
}

int JobQueue::submit(const JobKind& kind, const QString& title, Work work, const QString& command) {
  const JobPointer job = add(kind, title, std::move(work), command);
  admit(job, kind.opensScan);
  return job->id;
}

int JobQueue::submit(const JobKind& kind, const QString& title, Check opensScan, Work work,
                     const QString& command) {
  const JobPointer job = add(kind, title, std::move(work), command);
  check_.start([opensScan = std::move(opensScan)](
                   const std::stop_token& stop) { return opensScan(Progress(stop, {})); },
               [this, job](bool opens) { admit(job, opens); },
               [this, job](const QString&) { admit(job, true); });  // the work says what is wrong
  return job->id;
}

JobQueue::JobPointer JobQueue::add(const JobKind& kind, const QString& title, Work work,
                                   const QString& command) {
  cancelAll(kind);
  auto job = std::make_shared<Job>();
  job->id = ++lastId_;
  job->kind = kind;
  job->work = std::move(work);
  job->state = {.id = job->id,
                .title = title,
                .what = tr("waits for the job before it"),
                .status = JobStatus::waiting,
                .command = command};
  jobs_.push_back(job);
  tell(job);
  return job;
}

void JobQueue::admit(const JobPointer& job, bool cancelsOthers) {
  if (job->state.finished()) return;  // cancelled meanwhile
  const auto others = jobs_;
  for (const auto& other : others)
    if (cancelsOthers && other != job) cancel(other->id);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(job);
  }
  wake_.notify_all();
  timer_.start();
}

void JobQueue::cancel(int id) {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->id == id; });
  if (found == jobs_.end()) return;
  const JobPointer job = *found;
  job->stop.request_stop();
  {
    const std::lock_guard lock(mutex_);
    std::erase(waiting_, job);
  }
  finish(job, JobStatus::cancelled, tr("cancelled"));
}

void JobQueue::cancelAll(const JobKind& kind) {
  const auto all = jobs_;
  for (const auto& job : all)
    if (job->kind == kind) cancel(job->id);
}

void JobQueue::cancelAll() {
  const auto all = jobs_;
  for (const auto& job : all) cancel(job->id);
}

bool JobQueue::busy() const {
  return !jobs_.empty();
}

bool JobQueue::busy(const JobKind& kind) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->kind == kind; });
}

void JobQueue::setCommand(int id, const QString& command) {
  for (const auto& job : jobs_)
    if (job->id == id) {
      job->state.command = command;
      return tell(job);
    }
}

JobQueue::JobPointer JobQueue::takeNext(bool urgentOnly) {
  const auto next = std::find_if(waiting_.begin(), waiting_.end(),
                                 [&](const auto& job) { return !urgentOnly || job->kind.urgent; });
  if (next == waiting_.end()) return nullptr;
  JobPointer job = *next;
  waiting_.erase(next);
  job->started = true;
  job->startTime = now();
  return job;
}

void JobQueue::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    JobPointer job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      job = takeNext(false);
    }
    if (job) work(job);
  }
}

void JobQueue::makeWay() {
  while (true) {
    JobPointer job;
    {
      const std::lock_guard lock(mutex_);
      job = takeNext(true);
    }
    if (!job) return;
    work(job);
  }
}

void JobQueue::setWaits(Job& job, bool waits) {
  const std::lock_guard lock(mutex_);
  if (job.waitsSince) job.waited += now() - *job.waitsSince;
  job.waitsSince.reset();
  if (waits) job.waitsSince = now();
}

void JobQueue::work(const JobPointer& job) {
  JobContext context;
  context.progress = Progress(job->stop.get_token(), [this, job](double fraction, const std::string& what) {
    const std::lock_guard lock(mutex_);
    job->fraction = fraction;
    job->what = what;
  });
  context.seen = [this, job](const Candidate& candidate) {
    {
      const std::lock_guard lock(mutex_);
      job->candidates.push_back(candidate);
    }
    if (!job->kind.makesWay) return;
    setWaits(*job, true);
    makeWay();
    setWaits(*job, false);
  };
  context.waits = [this, job](bool waits) { setWaits(*job, waits); };
  Delivery delivery;
  std::unique_ptr<Failure> failure;
  bool stopped = false;
  try {
    delivery = job->work(context);
  } catch (const Cancelled&) {
    stopped = true;
  } catch (const Error& error) {
    failure = std::make_unique<Failure>(failureOf(error));
  } catch (const std::bad_alloc&) {
    failure =
        std::make_unique<Failure>(Failure{tr("Not enough memory"), tr("the job needs more than there is"),
                                          tr("Set a memory limit, fewer frames, or single precision")});
  } catch (const std::exception& error) {
    failure = std::make_unique<Failure>(Failure{tr("The job failed"), QString::fromUtf8(error.what()),
                                                tr("Please report this with the log")});
  }
  {
    const std::lock_guard lock(mutex_);
    job->work = nullptr;
    job->delivery = std::move(delivery);
    job->failure = std::move(failure);
    job->stopped = stopped;
    job->ended = true;
    job->endTime = now();
  }
  QMetaObject::invokeMethod(this, &JobQueue::drain, Qt::QueuedConnection);
}

void JobQueue::drain() {
  const auto all = jobs_;
  for (const auto& job : all) drainJob(job);
  if (jobs_.empty()) timer_.stop();
}

void JobQueue::drainJob(const JobPointer& job) {
  if (job->state.finished()) return;
  std::vector<Candidate> candidates;
  Delivery delivery;
  std::unique_ptr<Failure> failure;
  bool started = false, ended = false, stopped = false;
  {
    const std::lock_guard lock(mutex_);
    candidates.swap(job->candidates);
    delivery = std::move(job->delivery);
    failure = std::move(job->failure);
    started = job->started;
    ended = job->ended;
    stopped = job->stopped;
    const double until = ended ? job->endTime : job->waitsSince.value_or(now());
    job->state.seconds = started ? until - job->startTime - job->waited : 0;
    job->state.fraction = job->fraction;
    if (started) job->state.what = QString::fromStdString(job->what);
  }
  if (!started) return;
  job->state.status = JobStatus::running;
  if (!candidates.empty()) Q_EMIT candidatesSeen(job->id, candidates);
  if (!ended) {
    tell(job);
  } else if (failure) {
    finish(job, JobStatus::failed, failure->summary + QStringLiteral(": ") + failure->reason);
    Q_EMIT failed(job->state, *failure);
  } else if (stopped) {
    finish(job, JobStatus::cancelled, tr("cancelled"));
  } else {
    finish(job, JobStatus::done, {});
    if (delivery) delivery();
  }
}

void JobQueue::tell(const JobPointer& job) {
  if (!job->kind.quiet) Q_EMIT jobChanged(job->state);
}

void JobQueue::finish(const JobPointer& job, JobStatus status, const QString& what) {
  job->state.status = status;
  job->state.what = what;
  std::erase(jobs_, job);
  tell(job);
}

}  // namespace spokelab
