#include "app/gui/document/workspace.h"

#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/document/window_state.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/remembered_choices.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate_options.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

QString filter() {
  return Workspace::tr("Sessions (*.spokelab);;All files (*)");
}

// "2026-11-21T20:14:03Z" in the user's time zone.
QString localTime(const std::string& saved) {
  const QDateTime time = QDateTime::fromString(QString::fromStdString(saved), Qt::ISODate).toLocalTime();
  return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString resultsText(std::size_t count) {
  return count == 1 ? Workspace::tr("1 result") : Workspace::tr("%1 results").arg(count);
}

QPushButton* addButton(QMessageBox* box, const QString& text, QMessageBox::ButtonRole role,
                       const char* name) {
  QPushButton* button = box->addButton(text, role);
  button->setObjectName(QString::fromLatin1(name));
  return button;
}

constexpr double imagesShare = 0.5;  // of the progress bar; the scan takes the rest

// Why the scan cannot be taken as the session's; empty: it can.
QString obstacle(const SavedScan& scan, const SessionReading& reading) {
  const QString file = QString::fromStdString(scan.file);
  if (!QFileInfo::exists(file)) return Workspace::tr("it is not there");
  if (reading.anyScan || scan.fingerprint.empty() || QFileInfo(file).isDir()) return {};
  if (fileFingerprint(scan.file) == scan.fingerprint) return {};
  return Workspace::tr("its content differs from the session's scan");
}

std::shared_ptr<const Scan> scanAgain(const SavedScan& saved, const std::filesystem::path& choices,
                                      const Progress& progress) {
  if (!saved.file.empty()) {
    ReadOptions options;
    options.overrides = saved.overrides;
    options.separate = saved.separate;
    options.choices = choices;
    return readScan(saved.file, options, progress);
  }
  SimulateOptions options;
  for (const auto& [name, value] : saved.simulation) setOption(options, name, value);
  return simulate(options, progress);
}

// A summary of a session, or the reason why it cannot be read. Reading takes a while.
QString summaryOf(const std::filesystem::path& file) {
  try {
    const LoadedSession found = loadSession(file, {}, false);
    const QString scan =
        found.session.scan ? QString::fromStdString(found.session.scan->name) : Workspace::tr("no scan");
    return Workspace::tr("%1, %2, last kept %3")
        .arg(scan, resultsText(found.session.results.size()), localTime(found.saved));
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
}

}  // namespace

Workspace::Workspace(Session& session, const Views& views, WindowState& state, QObject* parent)
    : Feature(session, views, parent), state_(state), saver_(this) {
  setObjectName(QStringLiteral("workspace"));
  open_ = makeAction(this, tr("Open a sess&ion…"), "action-open-session", Qt::CTRL | Qt::SHIFT | Qt::Key_O);
  save_ = makeAction(this, tr("Sa&ve session"), "action-save-session", Qt::CTRL | Qt::SHIFT | Qt::Key_S);
  saveAs_ = makeAction(this, tr("Save session &as…"), "action-save-session-as");
  last_ = makeAction(this, tr("Reopen the &last session"), "action-last-session");
  connect(open_, &QAction::triggered, this, &Workspace::chooseToOpen);
  connect(save_, &QAction::triggered, this, &Workspace::save);
  connect(saveAs_, &QAction::triggered, this, &Workspace::chooseToSave);
  connect(last_, &QAction::triggered, this,
          [this] { open(QString::fromStdString(AutosaveSlot::lastSession(root_).string())); });
  connect(&session_, &Session::sessionOpened, this,
          [this](const QString& file, const std::shared_ptr<const LoadedSession>& loaded) {
            takeOpened(file, *loaded);
          });
  connect(&session_, &Session::scanOpened, this, &Workspace::updateTitle);
  connect(&session_, &Session::resultReady, this, &Workspace::updateTitle);
  connect(&saver_, &SessionSaver::saved, this, &Workspace::wasSaved);
  connect(&saver_, &SessionSaver::failed, this, [this](const Failure& failure, bool automatic) {
    if (automatic) autosaved_.reset();  // tries again
    saving_.reset();
    Q_EMIT session_.failed(failure);
  });
  connect(&saver_, &SessionSaver::imageNotKept, &session_, &Session::failed);
  connect(&timer_, &QTimer::timeout, this, &Workspace::look);
}

Workspace::~Workspace() = default;

void Workspace::lookForLast() {
  std::error_code failed;
  last_->setEnabled(!root_.empty() && std::filesystem::exists(AutosaveSlot::lastSession(root_), failed));
}

void Workspace::keepIn(const std::filesystem::path& root, int everyMs) {
  try {
    slot_ = AutosaveSlot::make(root);
    root_ = root;
    timer_.start(everyMs);
  } catch (const Error& error) {
    views_.log->append(LogLevel::warning, tr("Sessions are not autosaved: %1").arg(error.what()));
  }
}

void Workspace::findLastRuns() {
  const std::filesystem::path file = AutosaveSlot::lastSession(root_);
  std::error_code failed;
  if (root_.empty() || !std::filesystem::exists(file, failed)) return;
  // This is not a job, because the job that opens a scan would cancel it.
  finder_.post([this, file] {
    try {
      const SavedSession last = loadSession(file, {}, false).session;
      QMetaObject::invokeMethod(
          this, [this, runs = last.runs, chosen = last.chosenRun] { Q_EMIT runsFound(runs, chosen); });
    } catch (const Error& error) {
      QMetaObject::invokeMethod(this,
                                [this, failure = failureOf(error)] { Q_EMIT session_.failed(failure); });
    }
  });
}

void Workspace::look() {
  auto now = std::make_unique<SavedSession>(state_.capture());
  now->view["session-file"] = file_.toStdString();
  const bool worth = now->scan || !now->results.empty();
  if (worth && (!autosaved_ || *now != *autosaved_)) {
    saver_.autosave(*now, slot_.file());
    autosaved_ = std::move(now);
  }
  updateTitle();
}

void Workspace::wasSaved(const QString& file, bool automatic) {
  if (automatic) {
    recovered_.remove();  // this session holds it now
    recovered_ = {};
    Q_EMIT autosaved();
    return;
  }
  file_ = file;
  savedAs_ = std::move(saving_);
  views_.log->append(LogLevel::information, tr("Saved the session %1").arg(file));
  Q_EMIT fileUsed(file);
  updateTitle();
  Q_EMIT saved(file);
}

bool Workspace::isModified() const {
  if (file_.isEmpty() || !savedAs_) return false;
  SavedSession now = state_.capture();
  // Moved docks do not count as a change of the user's work.
  for (const char* layout : {"geometry", "docks"}) {
    const auto was = savedAs_->view.find(layout);
    if (was != savedAs_->view.end()) now.view[layout] = was->second;
  }
  return now != *savedAs_;
}

void Workspace::updateTitle() {
  const auto scan = session_.scan();
  QStringList parts;
  if (scan)
    parts << QString::fromStdString(scan->name);
  else if (const HistoryEntry* shown = session_.shown())
    parts << titleOf(*shown);
  if (!file_.isEmpty()) parts << QFileInfo(file_).fileName() + QStringLiteral("[*]");
  parts << QStringLiteral("Spokelab");
  views_.window->setWindowTitle(parts.join(QStringLiteral(" – ")));
  views_.window->setWindowModified(isModified());
}

void Workspace::open(const QString& file, const SessionReading& reading) {
  session_.jobs().submit(
      JobKind::open, tr("Open %1").arg(QFileInfo(file).fileName()),
      [this, file, reading,
       choices = session_.choicesFile()](const JobContext& context) -> JobQueue::Delivery {
        auto loaded = std::make_shared<LoadedSession>(
            loadSession(file.toStdString(), context.progress.part(0, imagesShare)));
        std::optional<SavedScan>& saved = loaded->session.scan;
        if (saved && reading.withoutScan) saved.reset();
        if (saved && !reading.scanFile.isEmpty()) saved->file = reading.scanFile.toStdString();
        OpenScan open;
        if (saved) {
          const bool onDisk = !saved->file.empty() && !isBuiltIn(saved->file);
          const QString name = QString::fromStdString(saved->file);
          if (const QString why = onDisk ? obstacle(*saved, reading) : QString(); !why.isEmpty())
            return [this, file, name, why] { askForScan(file, name, why); };
          open = {scanAgain(*saved, choices, context.progress.part(imagesShare, 1)), name, saved->overrides,
                  saved->simulation, saved->separate};
        }
        return [this, file, loaded, open] { session_.restore(open, file, loaded); };
      },
      QString::fromStdString("spokelab " + shellWord(file.toStdString())));
}

void Workspace::chooseToOpen() {
  auto* dialog =
      new QFileDialog(views_.window, tr("Open a session"), QFileInfo(file_).absolutePath(), filter());
  dialog->setObjectName(QStringLiteral("open-session"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { open(file); });
  dialog->open();
}

void Workspace::save() {
  if (file_.isEmpty()) return chooseToSave();
  saveTo(file_);
}

void Workspace::chooseToSave() {
  const auto scan = session_.scan();
  const QString name =
      scan ? QFileInfo(QString::fromStdString(scan->name)).completeBaseName() : QStringLiteral("session");
  auto* dialog = new QFileDialog(views_.window, tr("Save the session"),
                                 file_.isEmpty() ? name + QStringLiteral(".spokelab") : file_, filter());
  dialog->setObjectName(QStringLiteral("save-session"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("spokelab"));
  connect(dialog, &QFileDialog::fileSelected, this, &Workspace::saveTo);
  dialog->open();
}

void Workspace::saveTo(const QString& file) {
  saving_ = std::make_unique<SavedSession>(state_.capture());
  saver_.save(*saving_, QFileInfo(file).absoluteFilePath().toStdString());
}

void Workspace::takeOpened(const QString& file, const LoadedSession& loaded) {
  state_.apply(loaded.session);
  // An autosave is not the user's file: that is where the session was saved before.
  const std::string path = QFileInfo(file).absoluteFilePath().toStdString();
  const bool automatic = !root_.empty() && path.starts_with(std::filesystem::absolute(root_).string());
  const auto before = loaded.session.view.find("session-file");
  if (!automatic)
    file_ = QString::fromStdString(path);
  else
    file_ = before == loaded.session.view.end() ? QString() : QString::fromStdString(before->second);
  savedAs_ = automatic ? nullptr : std::make_unique<SavedSession>(state_.capture());
  LogView& log = *views_.log;
  log.append(LogLevel::information,
             tr("Opened the session of %1 with %2")
                 .arg(localTime(loaded.saved), resultsText(loaded.session.results.size())));
  for (const std::string& problem : loaded.problems)
    log.append(LogLevel::warning, tr("Session: %1").arg(QString::fromStdString(problem)));
  if (!automatic) Q_EMIT fileUsed(file_);
  if (offered_.isValid()) recovered_ = std::move(offered_);
  updateTitle();
}

void Workspace::askForScan(const QString& session, const QString& scan, const QString& why) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Where is the scan?"),
                              tr("The session was made with %1, but %2.").arg(scan, why),
                              QMessageBox::NoButton, views_.window);
  box->setObjectName(QStringLiteral("scan-missing"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("Its results and options can be opened without the scan."));
  auto* locate = addButton(box, tr("Find it…"), QMessageBox::AcceptRole, "find-scan");
  auto* without = addButton(box, tr("Open without it"), QMessageBox::DestructiveRole, "without-scan");
  if (QFileInfo::exists(scan)) {
    auto* anyway = addButton(box, tr("Use it as it is"), QMessageBox::YesRole, "use-scan");
    connect(anyway, &QPushButton::clicked, this,
            [this, session] { open(session, {.scanFile = {}, .anyScan = true}); });
  }
  addButton(box, tr("Cancel"), QMessageBox::RejectRole, "cancel");
  connect(without, &QPushButton::clicked, this,
          [this, session] { open(session, {.scanFile = {}, .anyScan = false, .withoutScan = true}); });
  connect(locate, &QPushButton::clicked, this, [this, session, scan] {
    auto* dialog = new QFileDialog(views_.window, tr("The scan %1").arg(QFileInfo(scan).fileName()),
                                   QFileInfo(session).absolutePath());
    dialog->setObjectName(QStringLiteral("find-scan-dialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, session](const QString& file) { open(session, {.scanFile = file}); });
    dialog->open();
  });
  box->open();
}

bool Workspace::offerRecovery() {
  if (root_.empty()) return false;
  auto left = AutosaveSlot::abandoned(root_);
  if (left.empty()) return false;
  offered_ = std::move(left.front());
  finder_.post([this, file = offered_.file(), older = left.size() - 1] {
    QString what = summaryOf(file);
    if (older > 0) what += QLatin1Char('\n') + tr("Older ones, offered at the next start: %1").arg(older);
    QMetaObject::invokeMethod(this, [this, what] { askToRecover(what); });
  });
  return true;
}

void Workspace::askToRecover(const QString& what) {
  const QString file = QString::fromStdString(offered_.file().string());
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Recover a session"),
                              tr("Spokelab ended unexpectedly. Its session was kept."), QMessageBox::NoButton,
                              views_.window);
  box->setObjectName(QStringLiteral("recovery"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(what);
  auto* recover = addButton(box, tr("Recover"), QMessageBox::AcceptRole, "recover");
  auto* discard = addButton(box, tr("Discard"), QMessageBox::DestructiveRole, "discard");
  auto* later = addButton(box, tr("Not now"), QMessageBox::RejectRole, "later");
  box->setDefaultButton(recover);
  box->setEscapeButton(later);
  connect(recover, &QPushButton::clicked, this, [this, file] { open(file); });
  connect(discard, &QPushButton::clicked, this, [this] { offered_.remove(); });
  connect(later, &QPushButton::clicked, this, [this] { offered_ = {}; });
  box->open();
}

void Workspace::close() {
  if (root_.empty() || !slot_.isValid()) return;
  timer_.stop();
  look();
  saver_.finish();
  recovered_.remove();
  slot_.keepAsLast();
}

}  // namespace spokelab
