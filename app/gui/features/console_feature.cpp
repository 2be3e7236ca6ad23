#include "app/gui/features/console_feature.h"

#include <QLineEdit>
#include <QProcess>
#include <QTimer>

#include <csignal>
#include <utility>

#include "app/gui/session/python_text.h"
#include "engine/core/error.h"
#include "engine/scan/formats/images/write_image.h"
#include "widgets/recon/jobs/console_view.h"

namespace spokelab {
namespace {

constexpr JobKind sendJob{.name = "image for Python"};
constexpr int findMs = 30'000, endMs = 500;
// Modules of the folder in which the window was started are not the user's choice.
const QString ownModules = QStringLiteral("import sys\nsys.path = [place for place in sys.path if place]\n");

QString quoted(QString text) {
  text.replace(QLatin1Char('\\'), QStringLiteral("\\\\")).replace(QLatin1Char('\''), QStringLiteral("\\'"));
  return QLatin1Char('\'') + text + QLatin1Char('\'');
}

QProcess* makeProcess(QObject* parent) {
  auto* process = new QProcess(parent);
  process->setProcessChannelMode(QProcess::MergedChannels);
  return process;
}

// The object may live on: nobody waits for it any more.
void drop(QProcess*& process) {
  if (!process) return;
  process->disconnect();
  if (process->state() != QProcess::NotRunning) {
    process->kill();
    process->waitForFinished(endMs);
  }
  std::exchange(process, nullptr)->deleteLater();
}

}  // namespace

ConsoleFeature::ConsoleFeature(Session& session, const Views& views, std::function<QString()> socketName,
                               QObject* parent)
    : Feature(session, views, parent), socketName_(std::move(socketName)), view_(new ConsoleView) {
  addTab(views_, "console", tr("Python"), view_);
  connect(view_, &ConsoleView::startRequested, this, &ConsoleFeature::start);
  connect(view_, &ConsoleView::stopRequested, this, &ConsoleFeature::stop);
  connect(view_, &ConsoleView::interruptRequested, this, &ConsoleFeature::interrupt);
  connect(view_, &ConsoleView::entered, this, &ConsoleFeature::run);
  connect(view_, &ConsoleView::imageRequested, this, &ConsoleFeature::sendImage);
  connect(view_, &ConsoleView::scanRequested, this, &ConsoleFeature::sendScan);
}

ConsoleFeature::~ConsoleFeature() {
  drop(finder_);
  drop(process_);
}

void ConsoleFeature::start() {
  if (process_ || finder_) return;
  const QString own = qEnvironmentVariable("SPOKELAB_PYTHON");
  candidates_ =
      own.isEmpty() ? QStringList{QStringLiteral("python3"), QStringLiteral("python")} : QStringList{own};
  tryNext();
}

void ConsoleFeature::tryNext() {
  if (candidates_.isEmpty()) {
    view_->setStatus(tr("No Python with the package spokelab was found"));
    view_->append(
        tr("No Python with the package spokelab was found. Install the package (guide, Python), or "
           "name another Python by the environment variable SPOKELAB_PYTHON.\n"));
    return;
  }
  const QString python = candidates_.takeFirst();
  view_->setStatus(tr("Looking for the package in %1 …").arg(python));
  finder_ = makeProcess(this);
  const auto ended = [this, python](bool found) {
    drop(finder_);
    if (found)
      begin(python);
    else
      tryNext();
  };
  connect(finder_, &QProcess::finished, this, [ended](int code, QProcess::ExitStatus exitStatus) {
    ended(exitStatus == QProcess::NormalExit && code == 0);
  });
  connect(finder_, &QProcess::errorOccurred, this, [ended](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(false);
  });
  QTimer::singleShot(findMs, finder_, [finder = finder_] { finder->kill(); });
  finder_->start(python, {QStringLiteral("-c"), ownModules + QStringLiteral("import numpy, spokelab")});
}

void ConsoleFeature::begin(const QString& python) {
  process_ = makeProcess(this);
  connect(process_, &QProcess::readyRead, this,
          [this] { view_->append(QString::fromUtf8(process_->readAll())); });
  connect(process_, &QProcess::finished, this, [this] {
    view_->append(tr("\n(Python has ended)\n"));
    stop();
  });
  const QString socket = socketName_();
  QString lines =
      ownModules +
      QStringLiteral(
          "import functools\nimport numpy as np\nimport spokelab\nprint('Python', sys.version.split()[0], "
          "'with spokelab', spokelab.__version__)\n");
  lines += socket.isEmpty()
               ? QStringLiteral("from spokelab import show\n")
               : QStringLiteral("show = functools.partial(spokelab.show, window=%1)\n").arg(quoted(socket));
  process_->start(python, {QStringLiteral("-i"), QStringLiteral("-q"), QStringLiteral("-u"),
                           QStringLiteral("-c"), lines});
  view_->setRunning(true);
  view_->setStatus(tr("%1: np, spokelab and show are there").arg(python));
  view_->line()->setFocus();
}

void ConsoleFeature::stop() {
  drop(process_);
  view_->setRunning(false);
  view_->setStatus(QString());
}

void ConsoleFeature::run(const QString& line) {
  if (!process_) return;
  view_->append(line + QLatin1Char('\n'));
  process_->write(line.toUtf8() + '\n');
}

void ConsoleFeature::interrupt() {
  if (process_ && process_->processId() > 0) ::kill(pid_t(process_->processId()), SIGINT);
}

void ConsoleFeature::sendImage() {
  const HistoryEntry* shown = session_.shown();
  if (!shown || !process_) return;
  const QString file = folder_.filePath(QStringLiteral("image-%1.npy").arg(++sent_));
  session_.jobs().submit(
      sendJob, tr("Image for Python"),
      [this, image = shown->result->image, file](const JobContext& context) -> JobQueue::Delivery {
        writeImage(*image, file.toStdString(), {}, context.progress);
        return [this, file] { run(QStringLiteral("image = np.load(%1); image.shape").arg(quoted(file))); };
      });
}

void ConsoleFeature::sendScan() {
  const auto scan = session_.scan();
  if (!scan || !session_.needScan(tr("hand over a scan"))) return;
  try {
    const QString lines =
        QString::fromStdString(pythonScan(*scan, session_.reading(), session_.simulation()));
    for (const QString& line : lines.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) run(line);
    run(QStringLiteral("scan"));
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

}  // namespace spokelab
