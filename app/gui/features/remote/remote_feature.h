// Reconstructions and suites on machines that the user's ssh reaches. They are sent and followed in
// the list of jobs; their results are listed with the others. Such jobs run beside local jobs, and
// continue when the connection is lost or the window is closed; their results can be fetched later.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/gui/features/feature.h"
#include "app/gui/features/remote/sent_job.h"

namespace spokelab {

class RemoteFeature : public Feature {
  Q_OBJECT

 public:
  // remember: the machines' names are kept between runs.
  RemoteFeature(Session& session, const Views& views, bool remember, QObject* parent);
  ~RemoteFeature() override;  // ends the waits, not the jobs

  struct Target {
    QString host, program;  // as for ssh; the command line's name or path there
  };
  QStringList hosts() const;  // used before, then those that ~/.ssh/config names
  const Target& lastTarget() const { return last_; }
  QAction* action() const { return action_; }

  // -> whether it is sent. Session::failed tells failures.
  bool sendReconstruction(const Target& target);  // of the open scan, with the parameters shown
  bool sendSuite(const Target& target, const QString& suite, const QString& folder);

  // Jobs whose outputs have not been fetched yet, newest first.
  struct SentJob {
    cli::RemoteRecord record;
    bool isFollowed;  // the window waits for it
  };
  std::vector<SentJob> sentJobs() const;
  void fetch(const cli::RemoteRecord& record);
  void end(const std::string& host, const std::string& id);  // ends the job there, without results
  void forget(const std::string& id);                        // forgets it here; the job continues

 Q_SIGNALS:
  void sentJobsChanged();

 private:
  // A queue, whose jobs are shown under separate numbers.
  struct Lane {
    std::unique_ptr<JobQueue> queue;
    int firstNumber;
  };
  struct Followed {
    int number;  // in the list of jobs
    std::string host, id;
  };

  bool send(const Target& target, const QString& title, const std::vector<std::string>& words,
            const QString& command, cli::RemoteJob job, const std::shared_ptr<const Scan>& scan);
  // As JobQueue::submit, but beside jobs that run. Returns the job's number in the list.
  int submit(const QString& title, JobQueue::Work work, const QString& command = {});
  Lane& idleLane();
  void cancel(int number);
  void tell(const JobState& state);  // with its number in the list
  void deliver(const Arrival& arrival, const QString& host, const std::shared_ptr<const Scan>& scan);
  std::function<void(const std::string&)> sayer(const QString& host) const;
  void use(const Target& target);

  QAction* action_;
  const bool remember_;
  QStringList hosts_;
  Target last_;
  std::vector<Followed> followed_;
  std::vector<Lane> lanes_;  // last: their work ends first. Each runs one job at a time
};

}  // namespace spokelab
