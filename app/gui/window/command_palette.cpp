#include "app/gui/window/command_palette.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "app/gui/features/views.h"
#include "app/gui/session/session.h"
#include "app/gui/window/fuzzy_match.h"
#include "app/gui/window/help_viewer.h"
#include "app/gui/window/main_window.h"
#include "engine/core/error.h"
#include "engine/recon/options/options.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr QSize paletteSize(620, 420);
constexpr std::size_t maxFound = 60;
constexpr int topShare = 8;  // of the window's height, above it
const QString actionPrefix = QStringLiteral("action-"), guide = QStringLiteral(":/guide");

QString withoutMarks(QString text) {
  return text.remove(QLatin1Char('&'));
}

QString idOf(const QAction& action) {
  const QString name = action.objectName();
  return name.startsWith(actionPrefix) ? name.mid(actionPrefix.size()) : name;
}

void addActions(const QMenu& menu, const QString& path, std::vector<PaletteEntry>& entries) {
  Q_EMIT const_cast<QMenu&>(menu).aboutToShow();  // some are filled then
  for (QAction* action : menu.actions()) {
    const QString text = withoutMarks(action->text());
    if (action->isSeparator() || text.isEmpty()) continue;
    if (action->menu()) {
      addActions(*action->menu(), QStringLiteral("%1 › %2").arg(path, text), entries);
    } else if (action->isEnabled()) {
      entries.push_back({idOf(*action), path, text, action->shortcut().toString(QKeySequence::NativeText),
                         [action] { action->trigger(); }});
    }
  }
}

void addParameters(const Views& views, std::vector<PaletteEntry>& entries) {
  const ReconOptions& options = views.parameters->options();
  for (const OptionSpec& spec : reconOptionTable()) {
    const QString value = QString::fromStdString(optionValue(options, spec.name));
    entries.push_back(
        {QString(), CommandPalette::tr("Parameter"),
         QStringLiteral("%1: %2  (%3)")
             .arg(QString::fromStdString(spec.label), value.isEmpty() ? QStringLiteral("–") : value,
                  QString::fromStdString(spec.name)),
         QString(), [panel = views.parameters, name = spec.name] {
           bringUp(panel);
           panel->reveal(name);
         }});
  }
}

void addResults(Session& session, std::vector<PaletteEntry>& entries) {
  for (const HistoryEntry& entry : session.results().entries())
    entries.push_back({QString(), CommandPalette::tr("Result"),
                       QStringLiteral("%1  %2").arg(entry.id).arg(titleOf(entry)), QString(),
                       [&session, id = entry.id] { session.choose(id); }});
}

// The anchor of a heading, as browsers make it.
QString anchorOf(QString heading) {
  static const QRegularExpression others(QStringLiteral("[^\\w\\- ]"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return heading.toLower().remove(others).replace(QLatin1Char(' '), QLatin1Char('-'));
}

void showGuide(MainWindow& window, const QString& page, const QString& anchor) {
  auto* viewer = window.findChild<HelpViewer*>();
  if (!viewer) viewer = new HelpViewer(&window);
  viewer->show();
  viewer->raise();
  QUrl url(QStringLiteral("qrc:/guide/") + page);
  url.setFragment(anchor);
  viewer->browser()->setSource(url, QTextDocument::MarkdownResource);
}

void addGuide(MainWindow& window, std::vector<PaletteEntry>& entries) {
  for (const QString& page : QDir(guide).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    QFile file(guide + QLatin1Char('/') + page);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) continue;
    bool code = false;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
      if (line.startsWith(QStringLiteral("```"))) code = !code;
      if (code || !line.startsWith(QLatin1Char('#'))) continue;
      const QString heading = line.section(QLatin1Char(' '), 1).trimmed();
      entries.push_back({QString(), CommandPalette::tr("Guide"), heading, QString(),
                         [&window, page, heading] { showGuide(window, page, anchorOf(heading)); }});
    }
  }
}

// "alpha 1.5", "alpha=1.5": an entry that sets it, where the name is one of the table.
std::optional<PaletteEntry> settingOf(const Views& views, const QString& query) {
  const QString name = query.section(QRegularExpression(QStringLiteral("[ =]")), 0, 0).trimmed();
  const QString value = query.mid(name.size()).remove(QLatin1Char('=')).trimmed();
  if (value.isEmpty()) return {};
  ReconOptions options = views.parameters->options();
  try {
    setOption(options, name.toStdString(), value.toStdString());
  } catch (const Error&) {
    return {};
  }
  return PaletteEntry{QString(), CommandPalette::tr("Parameter"),
                      CommandPalette::tr("Set %1 to %2").arg(name, value), QString(),
                      [panel = views.parameters, options] { panel->setOptions(options); }};
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(MainWindow& window) {
  std::vector<PaletteEntry> entries;
  for (QAction* top : window.menuBar()->actions())
    if (top->menu()) addActions(*top->menu(), withoutMarks(top->text()), entries);
  addResults(window.session(), entries);
  addParameters(window.views(), entries);
  addGuide(window, entries);
  return entries;
}

void runCommand(MainWindow& window, const QString& id) {
  const std::string problem = "Cannot run the command " + id.toStdString();
  if (id.startsWith(QStringLiteral("set "))) {
    ReconOptions options = window.views().parameters->options();
    const QString setting = id.mid(4);
    const auto at = setting.indexOf(QLatin1Char('='));
    if (at < 1) throw Error(problem, "it is not 'set NAME=VALUE'", "Name a parameter as 'reconstruct' does");
    setOption(options, setting.left(at).toStdString(), setting.mid(at + 1).toStdString());
    window.views().parameters->setOptions(options);
    return;
  }
  for (const char* prefix : {"action-", ""}) {
    auto* action = window.findChild<QAction*>(QString::fromLatin1(prefix) + id);
    if (!action || id.isEmpty()) continue;
    if (!action->isEnabled()) throw Error(problem, "it is not available now", "Open a scan before it");
    return action->trigger();
  }
  throw Error(problem, "no command has this name", "The guide lists them: The window, Commands");
}

CommandPalette::CommandPalette(MainWindow& window)
    : QDialog(&window, Qt::Popup), window_(window), line_(new QLineEdit), list_(new QListWidget) {
  setObjectName(QStringLiteral("palette"));
  setAccessibleName(tr("Commands"));
  line_->setObjectName(QStringLiteral("paletteLine"));
  line_->setPlaceholderText(tr("A command, a parameter and its value, a result, a page of the guide"));
  line_->setAccessibleName(tr("Find a command"));
  line_->installEventFilter(this);
  list_->setObjectName(QStringLiteral("paletteList"));
  list_->setAccessibleName(tr("Commands that were found"));
  list_->setFocusPolicy(Qt::NoFocus);
  auto* column = new QVBoxLayout(this);
  column->addWidget(line_);
  column->addWidget(list_, 1);
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::search);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
}

void CommandPalette::showEvent(QShowEvent* event) {
  entries_ = paletteEntries(window_);
  line_->clear();
  search();
  resize(paletteSize.boundedTo(window_.size()));
  move(window_.mapToGlobal(QPoint((window_.width() - width()) / 2, window_.height() / topShare)));
  QDialog::showEvent(event);
  line_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != line_ || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key(), rows = list_->count();
  if ((key == Qt::Key_Return || key == Qt::Key_Enter) && list_->currentRow() >= 0) {
    run();
    return true;
  }
  if (rows == 0 || (key != Qt::Key_Down && key != Qt::Key_Up)) return false;
  const int step = key == Qt::Key_Down ? 1 : rows - 1;
  list_->setCurrentRow((std::max(list_->currentRow(), 0) + step) % rows);
  return true;
}

// An empty query finds all actions, in the order of the menus.
void CommandPalette::search() {
  const QString query = line_->text().trimmed();
  setting_ = settingOf(window_.views(), query);
  std::vector<std::pair<double, const PaletteEntry*>> scores;
  for (const PaletteEntry& entry : entries_) {
    constexpr double commandWeight = 1.2;
    double score = fuzzyScore(query, entry.title + QLatin1Char(' ') + entry.kind);
    if (query.isEmpty()) score = entry.id.isEmpty() ? 0 : 1;
    if (!entry.id.isEmpty()) score *= commandWeight;
    if (!query.isEmpty() && query == entry.id) score = HUGE_VAL;  // as scripts name it
    if (score > 0) scores.emplace_back(score, &entry);
  }
  std::stable_sort(scores.begin(), scores.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  scores.resize(std::min(scores.size(), maxFound));
  matches_.clear();
  if (setting_) matches_.push_back(&*setting_);
  for (const auto& [score, entry] : scores) matches_.push_back(entry);
  list_->clear();
  for (const PaletteEntry* entry : matches_) {
    const QString key = entry->key.isEmpty() ? QString() : QStringLiteral("    ") + entry->key;
    auto* item = new QListWidgetItem(QStringLiteral("%1    %2%3").arg(entry->title, entry->kind, key), list_);
    if (!entry->id.isEmpty()) item->setToolTip(tr("Command %1").arg(entry->id));
  }
  list_->setCurrentRow(list_->count() > 0 ? 0 : -1);
}

// The window is active again before the command runs, so that a dialog that it opens is not closed.
void CommandPalette::run() {
  const int row = list_->currentRow();
  if (row < 0) return;
  const auto chosen = matches_[std::size_t(row)]->run;
  hide();
  chosen();
}

QAction* addPalette(MainWindow& window, QMenu& menu) {
  QAction* action = makeAction(&window, CommandPalette::tr("&Commands…"), "action-commands", {},
                               CommandPalette::tr("Find a command, a parameter, a result or a page"));
  action->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_P, Qt::CTRL | Qt::Key_K});
  menu.addAction(action);
  QObject::connect(action, &QAction::triggered, &window, [&window] {
    auto* palette = window.findChild<CommandPalette*>();
    if (!palette) palette = new CommandPalette(window);
    palette->show();
  });
  return action;
}

}  // namespace spokelab
