#include "app/gui/window/diagnostics.h"

#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include "app/gui/features/views.h"
#include "app/gui/session/session.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/version.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/results/results.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "widgets/core/screen_size.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume/volume_view.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr QSize initialDiagnosticsSize(760, 560);

// Takes known names of files and scans, and words that look like paths, out of a text.
class Cleaner {
 public:
  Cleaner(Session& session, bool keeps) : keeps_(keeps) {
    const auto add = [this](const QString& name, const char* word) {
      if (name.size() > 1) names_.push_back({name, QString::fromUtf8(word)});
    };
    const auto addScan = [&](const std::string& path, const std::string& name) {
      add(QString::fromStdString(path), "<scan>");
      // People call a scan by its file's name without the ending.
      const QString plain = QString::fromStdString(name);
      if (isBuiltIn(name)) return;
      add(plain, "<scan>");
      add(QFileInfo(plain).completeBaseName(), "<scan>");
    };
    if (const auto scan = session.scan()) addScan(scan->path, scan->name);
    addScan(session.file().toStdString(), "");
    for (const HistoryEntry& entry : session.results().entries()) addScan("", entry.scan.toStdString());
    add(QDir::homePath(), "<home>");
  }

  std::string operator()(const QString& text) const {
    if (keeps_) return text.toStdString();
    QString clean = text;
    for (const auto& [name, word] : names_) clean.replace(name, word);
    static const QRegularExpression path(QStringLiteral("(?<![\\w<>/])(~|\\.{1,2})?/[^\\s:;,'\"]+"));
    clean.replace(path, QStringLiteral("<file>"));
    static const QRegularExpression file(QStringLiteral(
        "[^\\s/<>'\"]+\\.(h5|hdf5|mrd|dat|json|npy|npz|mat|cfl|hdr|nii|nii\\.gz|png|spokelab)\\b"));
    clean.replace(file, QStringLiteral("<file>"));
    return clean.toStdString();
  }

 private:
  bool keeps_;
  std::vector<std::pair<QString, QString>> names_;
};

json screensToJson() {
  json screens = json::array();
  for (const QScreen* screen : QGuiApplication::screens())
    screens.push_back({{"width", screen->size().width()},
                       {"height", screen->size().height()},
                       {"scale", screen->devicePixelRatio()}});
  return screens;
}

void save(Session& session, const Views& views, const std::string& text) {
  auto* dialog = dialogToSave(views.window, QMainWindow::tr("Save the diagnostics"), "save-diagnostics",
                              QStringLiteral("spokelab-diagnostics.json"),
                              QMainWindow::tr("Diagnostics (*.json)"), QStringLiteral("json"));
  QObject::connect(dialog, &QFileDialog::fileSelected, views.window, [&session, text](const QString& file) {
    try {
      writeFileAtomically(file.toStdString(), text);
      Q_EMIT session.saved(file);
    } catch (const Error& error) {
      Q_EMIT session.failed(failureOf(error));
    }
  });
  dialog->open();
}

void showDialog(Session& session, const Views& views) {
  auto* dialog = new QDialog(views.window);
  dialog->setObjectName(QStringLiteral("diagnostics"));
  dialog->setWindowTitle(QMainWindow::tr("Diagnostic bundle"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  auto* hint =
      new QLabel(QMainWindow::tr("One file with versions, machine, log and options, to send with a report of "
                                 "a problem. It holds nothing of the scan's data. This is all of it:"));
  hint->setWordWrap(true);
  auto* text = new QPlainTextEdit;
  text->setAccessibleName(QMainWindow::tr("Contents of the bundle"));
  text->setObjectName(QStringLiteral("diagnosticsText"));
  text->setReadOnly(true);
  text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  auto* names = new QCheckBox(QMainWindow::tr("With the names of files and scans"));
  names->setObjectName(QStringLiteral("diagnosticsNames"));
  auto* decisions =
      new QCheckBox(QMainWindow::tr("With the scan's sizes, geometry and what its reader decided"));
  decisions->setObjectName(QStringLiteral("diagnosticsDecisions"));
  const auto choice = [names, decisions] {
    return DiagnosticChoice{names->isChecked(), decisions->isChecked()};
  };
  const auto fill = [&session, &views, text, choice] {
    text->setPlainText(QString::fromStdString(diagnostics(session, views, choice())));
  };
  QObject::connect(names, &QCheckBox::toggled, dialog, fill);
  QObject::connect(decisions, &QCheckBox::toggled, dialog, fill);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog,
                   [&session, &views, text] { save(session, views, text->toPlainText().toStdString()); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(hint);
  column->addWidget(text, 1);
  column->addWidget(names);
  column->addWidget(decisions);
  column->addWidget(buttons);
  dialog->resize(sizeOnScreen(*dialog, initialDiagnosticsSize));
  fill();
  dialog->show();
}

}  // namespace

std::string diagnostics(Session& session, const Views& views, const DiagnosticChoice& choice) {
  const Cleaner clean(session, choice.names);
  json j = recordOf("", json::object(), "diagnostics");
  QString why;
  const bool volume = VolumeView::available(&why);
  j["window"] = {{"qt", qVersion()},
                 {"platform", QGuiApplication::platformName().toStdString()},
                 {"screens", screensToJson()},
                 {"volume", volume ? std::string("available") : why.toStdString()}};
  json backends = json::array();
  for (const Backend* backend : session.backends())
    backends.push_back({{"name", backend->name()}, {"badge", backend->badge()}});
  j["backends"] = std::move(backends);
  json options = json::object();
  for (const auto& [name, value] : optionValues(views.parameters->options()))
    options[name] = clean(QString::fromStdString(value));
  j["options"] = std::move(options);
  const HistoryModel& model = session.results();
  if (const HistoryEntry* shown = model.find(model.shown())) {
    const json whole = toJson(*shown->result);
    j["result"] = {
        {"plan", whole.at("plan")}, {"timings", whole.at("timings")}, {"seconds", whole.at("seconds")}};
    j["result"]["plan"]["description"] = clean(QString::fromStdString(shown->result->plan.description));
  }
  j["results"] = model.entries().size();
  if (choice.decisions && session.scan()) {
    json scan = toJson(*session.scan());
    if (!choice.names) {
      for (const char* name : {"name", "path", "fingerprint"}) scan.erase(name);
      for (json& warning : scan["warnings"])
        warning = clean(QString::fromStdString(warning.get<std::string>()));
      for (json& decision : scan["decisions"])
        decision["evidence"] = clean(QString::fromStdString(decision["evidence"].get<std::string>()));
    }
    j["scan"] = std::move(scan);
  }
  json log = json::array();
  for (const LogLine& line : views.log->lines())
    log.push_back(line.time.toString(QStringLiteral("HH:mm:ss.zzz ")).toStdString() +
                  levelName(line.level).toStdString() + ": " + clean(line.text));
  j["log"] = std::move(log);
  return recordText(j);
}

void addDiagnostics(Session& session, const Views& views, QMenu* help) {
  auto* action = new QAction(QMainWindow::tr("&Diagnostic bundle…"), views.window);
  action->setObjectName(QStringLiteral("action-diagnostics"));
  QObject::connect(action, &QAction::triggered, views.window,
                   [&session, &views] { showDialog(session, views); });
  const QList<QAction*> entries = help->actions();
  help->insertAction(entries.size() > 1 ? entries[1] : nullptr, action);
}

}  // namespace spokelab
