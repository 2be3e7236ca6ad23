#include "app/gui/document/session_script.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QRegularExpression>

#include "app/gui/session/command_text.h"
#include "app/gui/session/python_text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr JobKind scriptJob{.name = "save script"};

// One file a result: "-o image.nii.gz" of the n-th becomes "-o image-n.nii.gz".
void numberImage(std::string& command, int number) {
  const std::string once = "-o image.nii.gz";
  if (const std::size_t at = command.find(once); at != std::string::npos)
    command.replace(at, once.size(), "-o image-" + std::to_string(number) + ".nii.gz");
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
  connect(action_, &QAction::triggered, this, &SessionScript::ask);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &SessionScript::takeJob);
  connect(&session_, &Session::resultReady, this, &SessionScript::takeResult);
}

// The script leaves out actions that failed or were cancelled.
void SessionScript::takeJob(const JobState& state) {
  if (state.status != JobStatus::done || state.command.isEmpty() || !told_.insert(state.id).second) return;
  std::string command = state.command.toStdString();
  if (command.find("-o image.nii.gz") != std::string::npos) numberImage(command, ++images_);
  shell_.push_back((isCommand(state.command) ? "" : "# ") + command);
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
                           const std::filesystem::path path = file.toStdString();
                           writeFileAtomically(path, text, context.progress);
                           std::error_code ignored;  // it is a script all the same
                           std::filesystem::permissions(path, std::filesystem::perms::owner_exec,
                                                        std::filesystem::perm_options::add, ignored);
                           return [this, file] { Q_EMIT session_.saved(file); };
                         });
}

}  // namespace spokelab
