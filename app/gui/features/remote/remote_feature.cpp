#include "app/gui/features/remote/remote_feature.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QPointer>
#include <QSettings>

#include <algorithm>
#include <optional>

#include "app/cli/commands/sent_files.h"
#include "app/cli/remote/ssh_hosts.h"
#include "app/gui/features/remote/send_dialog.h"
#include "app/gui/session/command_text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/user_folder.h"
#include "engine/recon/run/result_text.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind sentKind{.name = "remote"};
// The list identifies jobs by their numbers: no queue reaches the next queue's numbers.
constexpr int numbersOfLane = 1'000'000;
constexpr qsizetype maxHosts = 10;
const QString hostsKey = QStringLiteral("remote/hosts"), programKey = QStringLiteral("remote/program");
const QString usualProgram = QStringLiteral("spokelab-cli");

QString text(const std::string& words) {
  return QString::fromStdString(words);
}

}  // namespace

RemoteFeature::RemoteFeature(Session& session, const Views& views, bool remember, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Se&nd to a machine…"), "action-send", {},
                         tr("Reconstruct, or run a suite, on a machine that ssh reaches"))),
      remember_(remember) {
  if (remember_) {
    const QSettings settings;
    hosts_ = settings.value(hostsKey).toStringList();
    last_ = {hosts_.value(0), settings.value(programKey, usualProgram).toString()};
    if (const auto count = sentJobs().size(); count > 0)
      views_.log->append(LogLevel::information,
                         tr("Jobs sent to other machines that have not come back: %1. Reconstruction > Send "
                            "to a machine fetches them")
                             .arg(count));
  } else {
    last_.program = usualProgram;
  }
  connect(action_, &QAction::triggered, this, [this] {
    auto* dialog = views_.window->findChild<SendDialog*>(QStringLiteral("send"));
    if (!dialog) dialog = new SendDialog(*this, session_, views_.window);
    dialog->refresh();
    dialog->show();
    dialog->raise();
  });
  connect(views_.jobs, &JobList::cancelRequested, this, &RemoteFeature::cancel);
}

RemoteFeature::~RemoteFeature() = default;

QStringList RemoteFeature::hosts() const {
  QStringList all = hosts_;
  if (const auto home = userHome(); !home.empty())
    for (const std::string& host : cli::sshHosts(home / ".ssh" / "config")) all << text(host);
  all.removeDuplicates();
  return all;
}

void RemoteFeature::use(const Target& target) {
  last_ = target;
  hosts_.removeAll(target.host);
  hosts_.prepend(target.host);
  while (hosts_.size() > maxHosts) hosts_.removeLast();
  if (!remember_) return;
  QSettings settings;
  settings.setValue(hostsKey, hosts_);
  settings.setValue(programKey, target.program);
}

bool RemoteFeature::sendReconstruction(const Target& target) {
  const QString toDo = tr("send the reconstruction");
  if (!session_.needScan(toDo)) return false;
  const auto scan = session_.scan();
  Failure failure{tr("Cannot %1").arg(toDo), {}, {}};
  if (session_.file().isEmpty()) {
    failure.reason = tr("the scan was simulated here and is in no file");
    failure.remedy = tr("Save the scan, open its file, and send that");
  } else if (!views_.parameters->isValid()) {
    failure.reason = tr("a parameter is out of range");
    failure.remedy = tr("Correct the one marked red");
  }
  if (!failure.reason.isEmpty()) {
    Q_EMIT session_.failed(failure);
    return false;
  }
  // The other machine cannot know the overrides that this machine remembers for the file.
  ReadOptions reading = session_.reading();
  for (const Decision& decision : scan->decisions)
    if (decision.overridden) reading.overrides.try_emplace(decision.topic, decision.choice);
  const ReconOptions options = views_.parameters->options();
  try {
    cli::RemoteJob job = remoteJob(target.host.toStdString());
    const SentFiles files = sentFiles(job.id());
    std::filesystem::create_directories(files.folder);
    const auto words = commandWords("reconstruct", *scan, reading, options, outputArguments(files));
    const auto shown = commandWords("reconstruct", *scan, reading, options, {"-o", "image.nii.gz"});
    std::string command;
    for (const std::string& word : shown) command += ' ' + shellWord(word);
    const bool sent = send(target, tr("Reconstruct %1 on %2").arg(text(scan->name), target.host), words,
                           text(command), std::move(job), scan);
    std::error_code ignored;
    if (!sent) std::filesystem::remove_all(files.folder, ignored);
    return sent;
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  } catch (const std::filesystem::filesystem_error& error) {
    Q_EMIT session_.failed({tr("Cannot %1").arg(toDo), QString::fromUtf8(error.what()),
                            tr("See that your home folder has room")});
  }
  return false;
}

bool RemoteFeature::sendSuite(const Target& target, const QString& suite, const QString& folder) {
  try {
    const std::vector<std::string> words{"suite", suite.toStdString(), "-o", folder.toStdString()};
    std::string command;
    for (const std::string& word : words) command += ' ' + shellWord(word);
    return send(target, tr("Suite %1 on %2").arg(suite, target.host), words, text(command),
                remoteJob(target.host.toStdString()), nullptr);
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
    return false;
  }
}

bool RemoteFeature::send(const Target& target, const QString& title, const std::vector<std::string>& words,
                         const QString& command, cli::RemoteJob job,
                         const std::shared_ptr<const Scan>& scan) {
  const std::string host = target.host.toStdString(), program = target.program.toStdString(), id = job.id();
  const auto files = std::make_shared<JobFiles>();
  cli::declareSent(words, host, *files);
  use(target);
  const int number = submit(
      title,
      [this, job = std::make_shared<cli::RemoteJob>(std::move(job)), program, words, files, scan,
       say = sayer(target.host), target,
       self = QPointer(this)](const JobContext& context) -> JobQueue::Delivery {
        job->begin(program, words, *files, context.progress);
        say("sent as job " + job->id());
        QMetaObject::invokeMethod(qApp, [self] {
          if (self) Q_EMIT self->sentJobsChanged();
        });
        const Arrival arrival = awaitJob(*job, say, context.progress);
        return [this, arrival, scan, target] { deliver(arrival, target.host, scan); };
      },
      QStringLiteral("spokelab remote --program %1 %2%3")
          .arg(text(shellWord(program)), text(shellWord(host)), command));
  followed_.push_back({number, host, id});
  return true;
}

std::vector<RemoteFeature::SentJob> RemoteFeature::sentJobs() const {
  std::vector<SentJob> jobs;
  for (cli::RemoteRecord& record : cli::remoteRecords()) {
    const bool followed = std::any_of(followed_.begin(), followed_.end(),
                                      [&](const Followed& one) { return one.id == record.id; });
    jobs.push_back({std::move(record), followed});
  }
  return jobs;
}

void RemoteFeature::fetch(const cli::RemoteRecord& record) {
  for (const Followed& one : followed_)
    if (one.id == record.id) return;
  const QString host = text(record.host);
  const int number = submit(
      tr("Fetch job %1 from %2").arg(text(record.id), host),
      [this, record, host, say = sayer(host)](const JobContext& context) -> JobQueue::Delivery {
        const Arrival arrival = awaitJob(remoteJob(record.host, record.id), say, context.progress);
        return [this, arrival, host] {
          const auto open = session_.scan();
          const bool same = open && open->name == arrival.scan && open->fingerprint == arrival.fingerprint;
          deliver(arrival, host, same ? open : nullptr);
        };
      },
      QStringLiteral("spokelab remote --job %1 %2").arg(text(record.id), text(shellWord(record.host))));
  followed_.push_back({number, record.host, record.id});
  Q_EMIT sentJobsChanged();
}

void RemoteFeature::end(const std::string& host, const std::string& id) {
  submit(tr("End job %1 on %2").arg(text(id), text(host)),
         [this, host, id](const JobContext& context) -> JobQueue::Delivery {
           remoteJob(host, id).end(context.progress);
           return [this, id] { forget(id); };
         });
}

void RemoteFeature::forget(const std::string& id) {
  std::error_code ignored;
  std::filesystem::remove_all(sentFiles(id).folder, ignored);
  cli::dropRemoteRecord(id);
  Q_EMIT sentJobsChanged();
}

void RemoteFeature::deliver(const Arrival& arrival, const QString& host,
                            const std::shared_ptr<const Scan>& scan) {
  if (!arrival.warning.empty()) views_.log->append(LogLevel::warning, text(arrival.warning));
  if (!arrival.result) {
    for (const auto& file : arrival.files)
      views_.log->append(LogLevel::information, tr("Fetched %1").arg(text(file.string())));
    return;
  }
  HistoryEntry entry = session_.newEntry(scan, arrival.result);
  entry.name = tr("%1, on %2").arg(text(resultTitle(*arrival.result)), host);
  session_.addResult(entry);
  session_.show(entry.id);
  Q_EMIT session_.resultReady(entry);
}

// Returns a function for a worker, whose words the log receives on the window's thread.
std::function<void(const std::string&)> RemoteFeature::sayer(const QString& host) const {
  return [log = QPointer<LogView>(views_.log), host](const std::string& line) {
    QMetaObject::invokeMethod(qApp, [log, words = QStringLiteral("%1: %2").arg(host, text(line))] {
      if (log) log->append(LogLevel::information, words);
    });
  };
}

int RemoteFeature::submit(const QString& title, JobQueue::Work work, const QString& command) {
  Lane& lane = idleLane();
  return lane.firstNumber + lane.queue->submit(sentKind, title, std::move(work), command);
}

RemoteFeature::Lane& RemoteFeature::idleLane() {
  for (Lane& lane : lanes_)
    if (!lane.queue->busy()) return lane;
  Lane& lane = lanes_.emplace_back(std::make_unique<JobQueue>(), int(lanes_.size() + 1) * numbersOfLane);
  connect(lane.queue.get(), &JobQueue::jobChanged, this, [this, first = lane.firstNumber](JobState state) {
    state.id += first;
    tell(state);
  });
  connect(lane.queue.get(), &JobQueue::failed, &session_,
          [this](const JobState&, const Failure& failure) { Q_EMIT session_.failed(failure); });
  return lane;
}

// The user's: the job there ends, too.
void RemoteFeature::cancel(int number) {
  const auto found = std::find_if(followed_.begin(), followed_.end(),
                                  [&](const Followed& one) { return one.number == number; });
  const auto one = found == followed_.end() ? std::nullopt : std::optional(*found);
  for (const Lane& lane : lanes_) lane.queue->cancel(number - lane.firstNumber);  // of another lane: none
  if (one) end(one->host, one->id);
}

void RemoteFeature::tell(const JobState& state) {
  views_.jobs->update(state);
  if (!state.finished()) return;
  const std::vector<SentJob> jobs = sentJobs();
  for (const Followed& one : followed_) {
    const bool waits =
        std::any_of(jobs.begin(), jobs.end(), [&](const SentJob& job) { return job.record.id == one.id; });
    std::error_code ignored;
    if (one.number == state.id && !waits) std::filesystem::remove_all(sentFiles(one.id).folder, ignored);
  }
  std::erase_if(followed_, [&](const Followed& one) { return one.number == state.id; });
  Q_EMIT sentJobsChanged();
}

}  // namespace spokelab
