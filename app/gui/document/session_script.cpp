#include "app/gui/document/session_script.h"

#include <QAction>
#include <QDateTime>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "app/gui/session/command_text.h"
#include "app/gui/session/python_text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/write_error.h"
#include "engine/core/user_folder.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxKeptScripts = 100;  // files, two a session
constexpr JobKind scriptJob{.name = "save script"};

// One file a result: "-o image.nii.gz" of the n-th becomes "-o image-n.nii.gz".
void numberImage(std::string& command, int number) {
  const std::string once = "-o image.nii.gz";
  if (const std::size_t at = command.find(once); at != std::string::npos)
    command.replace(at, once.size(), "-o image-" + std::to_string(number) + ".nii.gz");
}

// Whole, with permission to run from the first moment, if the folder can keep it.
void writeScript(const fs::path& file, const std::string& text, OutputKind kind, FileReaders readers,
                 const Progress& progress = {}) {
  AtomicFile script(file, kind, readers);
  if (!(std::ofstream(script.path(), std::ios::binary) << text << std::flush)) throw writeError(file, errno);
  std::error_code ignored;
  fs::permissions(script.path(), fs::perms::owner_exec, fs::perm_options::add, ignored);
  script.commit(progress);
}

// The names begin with the time: the first ones are the oldest.
void removeOldest(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string ending = entry.path().extension().string();
    const bool isKept = entry.path().filename().string().starts_with("session-");
    if (isKept && (ending == ".sh" || ending == ".py")) files.push_back(entry.path());
  }
  if (files.size() <= maxKeptScripts) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - maxKeptScripts);
  for (const fs::path& file : files) fs::remove(file, failed);
}

// A file alone would open a window.
bool isCommand(const QString& line) {
  static const QRegularExpression named(QStringLiteral("^spokelab (?!demo\\b)[a-z0-9-]+( |$)"),
                                        QRegularExpression::MultilineOption);
  return named.match(line).hasMatch();
}

}  // namespace

SessionScript::SessionScript(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Save what was done as a script…"), "action-save-script", {},
                       tr("Commands of the shell or lines of Python that repeat this session"));
  folderAction_ =
      makeAction(this, tr("Scripts of all sessions"), "action-script-folder", {},
                 tr("Opens the folder where each session is kept as session-….sh and session-….py"));
  folderAction_->setEnabled(false);
  connect(folderAction_, &QAction::triggered, this, [this] {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(folder_.string())));
  });
  connect(action_, &QAction::triggered, this, &SessionScript::ask);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &SessionScript::takeJob);
  connect(&session_, &Session::resultReady, this, &SessionScript::takeResult);
}

// The script leaves out actions that failed or were cancelled.
void SessionScript::takeJob(const JobState& state) {
  if (state.status != JobStatus::done || state.command.isEmpty() || !writtenJobs_.insert(state.id).second)
    return;
  std::string command = state.command.toStdString();
  if (command.find("-o image.nii.gz") != std::string::npos) numberImage(command, ++images_);
  shell_.push_back((isCommand(state.command) ? "" : "# ") + command);
  keep();
}

fs::path SessionScript::defaultFolder() {
  if (const fs::path own = pathVariable("SPOKELAB_SCRIPTS"); !own.empty()) return own;
  const fs::path data = userData();
  return data.empty() ? fs::path() : data / "scripts";
}

void SessionScript::keepIn(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    views_.log->append(
        LogLevel::warning,
        tr("The session is not kept as a script: %1").arg(QString::fromStdString(failed.message())));
    return;
  }
  folder_ = folder;
  folderAction_->setEnabled(true);
}

void SessionScript::keep() {
  if (folder_.empty()) return;
  if (keptShell_.empty()) {
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    fs::path base = folder_ / ("session-" + time.toStdString());
    for (int number = 2; fs::exists(base.string() + ".sh"); ++number)  // of another window
      base = folder_ / ("session-" + time.toStdString() + "-" + std::to_string(number));
    keptShell_ = base.string() + ".sh";
    keptPython_ = base.string() + ".py";
    views_.log->append(
        LogLevel::information,
        tr("This session is kept as a script: %1").arg(QString::fromStdString(keptShell_.string())));
    keeper_.post([folder = folder_] { removeOldest(folder); });
  }
  keeper_.post([shell = shell(), python = python(), shellFile = keptShell_, pythonFile = keptPython_] {
    try {
      writeScript(shellFile, shell, OutputKind::state, FileReaders::owner);
      writeScript(pythonFile, python, OutputKind::state, FileReaders::owner);
    } catch (const Error&) {  // the next action tries again
    }
  });
}

void SessionScript::takeResult(const HistoryEntry& entry) {
  const auto scan = entry.source.lock();
  if (!scan || isImported(*entry.result)) return;
  const std::string name = "image-" + std::to_string(entry.id) + ".nii.gz";
  try {
    if (scan_.lock() != scan) python_.push_back(pythonScan(*scan, session_.reading(), session_.simulation()));
    scan_ = scan;
    python_.push_back(pythonReconstruct(entry.result->options, name));
  } catch (const Error& error) {
    python_.push_back(std::string("# ") + error.what() + '\n');
  }
  keep();
}

std::string SessionScript::shell() const {
  std::string text = "#!/bin/sh\n# A session of Spokelab, repeated.\nset -e\n\n";
  for (const std::string& command : shell_) text += command + '\n';
  return text;
}

std::string SessionScript::python() const {
  std::string text = "#!/usr/bin/env python3\n# A session of Spokelab, repeated.\nimport spokelab\n\n";
  for (const std::string& lines : python_) text += lines;
  return text;
}

void SessionScript::ask() {
  QFileDialog* dialog =
      dialogToSave(views_.window, tr("Save what was done"), "save-script", QStringLiteral("session.sh"),
                   tr("Shell (*.sh);;Python (*.py)"), QStringLiteral("sh"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    const bool isPython = filter.contains(QStringLiteral("*.py"));
    dialog->setDefaultSuffix(isPython ? QStringLiteral("py") : QStringLiteral("sh"));
  });
  connect(dialog, &QFileDialog::fileSelected, this, &SessionScript::save);
  dialog->open();
}

void SessionScript::save(const QString& file) {
  const std::string text = file.endsWith(QStringLiteral(".py")) ? python() : shell();
  session_.jobs().submit(scriptJob, tr("Save %1").arg(QFileInfo(file).fileName()),
                         [this, file, text](const JobContext& context) -> JobQueue::Delivery {
                           writeScript(file.toStdString(), text, OutputKind::result, FileReaders::everyone,
                                       context.progress);
                           return [this, file] { Q_EMIT session_.saved(file); };
                         });
}

}  // namespace spokelab
