#include "app/gui/window/cheat_sheet.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <cmath>
#include <vector>

#include "widgets/core/screen_size.h"

namespace spokelab {
namespace {

constexpr int margin = 18, columnGap = 36;

struct Key {
  QString key, what;
};
struct Group {
  QString title;
  std::vector<Key> keys;
};

QString plain(QString text) {
  return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

void gather(const QMenu& menu, std::vector<Key>& keys) {
  for (const QAction* action : menu.actions()) {
    if (action->menu()) gather(*action->menu(), keys);
    if (!action->shortcut().isEmpty())
      keys.push_back({action->shortcut().toString(QKeySequence::NativeText), plain(action->text())});
  }
}

std::vector<Group> menuGroups(const QMainWindow& window) {
  std::vector<Group> groups;
  for (const QAction* action : window.menuBar()->actions()) {
    if (!action->menu()) continue;
    Group group{plain(action->text()), {}};
    gather(*action->menu(), group.keys);
    if (!group.keys.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<Group> viewGroups() {
  const auto tr = [](const char* text) { return CheatSheet::tr(text); };
  return {{tr("Slices"),
           {{QStringLiteral("M P R I C"), tr("magnitude, phase, real, imaginary, complex")},
            {tr("Wheel, Page Up, Page Down"), tr("slice")},
            {tr("Left drag, arrow keys"), tr("cursor")},
            {tr("Right drag, Ctrl and arrow"), tr("window and level")},
            {tr("Ctrl and wheel, + −"), tr("zoom")},
            {tr("Middle drag, Shift and arrow"), tr("move")},
            {tr("Ctrl and click, Ctrl and I"), tr("ask the pixel")},
            {tr("Double click, 0"), tr("fit")},
            {QStringLiteral("D"), tr("difference from the reference")},
            {tr("Space"), tr("play the frames, or the slices")}}},
          {tr("Volume, Trajectory"),
           {{tr("Left drag, arrow keys"), tr("turn")},
            {tr("Wheel, + −"), tr("zoom")},
            {tr("Middle drag, Shift and arrow"), tr("move")},
            {tr("Double click, 0"), tr("fit")}}},
          {tr("Measure"),
           {{QStringLiteral("O B"), tr("ellipse, box")},
            {QStringLiteral("L"), tr("line")},
            {QStringLiteral("N"), tr("another region")},
            {QStringLiteral("[ ]"), tr("smaller, larger")}}},
          {tr("Compare"),
           {{QStringLiteral("S W F"), tr("side by side, wipe, flicker")},
            {QStringLiteral(", ."), tr("move the wipe's line")},
            {QStringLiteral("G"), tr("difference of magnitudes")}}},
          {tr("Trajectory"),
           {{tr("Click, Return"), tr("select the shot alone")},
            {tr("Ctrl and click, Space"), tr("take it in or out")},
            {tr("Shift and click"), tr("all from the last one")},
            {tr("Shift and drag"), tr("those that cross the rectangle")},
            {tr("Page Up, Page Down"), tr("from shot to shot")},
            {tr("Ctrl and A"), tr("all")}}},
          {tr("Results"),
           {{QStringLiteral("F2"), tr("rename")},
            {tr("Delete"), tr("delete")},
            {tr("Ctrl and click"), tr("what differs between two")}}},
          {tr("Charts"),
           {{tr("Click, Space"), tr("select a plan")},
            {tr("Double click, Return"), tr("reconstruct with it")},
            {tr("Wheel, drag, + −"), tr("zoom")},
            {tr("Shift and drag or arrow"), tr("move")},
            {tr("Double click beside plans, 0"), tr("whole range")},
            {tr("Arrows, Page Up, Page Down"), tr("from plan to plan")},
            {tr("Home"), tr("the tuner's choice")},
            {tr("Ctrl and drag or click"), tr("mark plans")},
            {tr("Ctrl and C"), tr("copy the numbers")},
            {tr("Esc"), tr("no marks")}}}};
}

QString tableOf(const std::vector<Group>& groups) {
  QString text;
  for (const Group& group : groups) {
    text += QStringLiteral("<p><b>%1</b></p><table>").arg(group.title.toHtmlEscaped());
    for (const Key& key : group.keys)
      text += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
                  .arg(key.key.toHtmlEscaped(), key.what.toHtmlEscaped());
    text += QStringLiteral("</table>");
  }
  return text;
}

}  // namespace

CheatSheet::CheatSheet(const QMainWindow& window, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("cheatSheet"));
  setWindowTitle(tr("Keys"));
  // Labels would lay these texts out anew whenever their layouts ask for a size.
  auto* sheet = new QTextBrowser;
  sheet->setObjectName(QStringLiteral("keys"));
  sheet->setAccessibleName(tr("Keys"));
  sheet->setFrameShape(QFrame::NoFrame);
  sheet->setLineWrapMode(QTextEdit::NoWrap);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(sheet);
  ensurePolished();
  sheet->ensurePolished();
  sheet->document()->setDocumentMargin(margin);
  sheet->setHtml(QStringLiteral("<table><tr><td style='padding-right:%1px'>%2</td><td>%3</td></tr></table>")
                     .arg(QString::number(columnGap), tableOf(viewGroups()), tableOf(menuGroups(window))));
  const QSizeF size = sheet->document()->size();
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  resize(sizeOnScreen(*this, QSize(int(std::ceil(size.width())) + bar, int(std::ceil(size.height())) + 1)));
}

void addCheatSheet(QMainWindow& window, QMenu* help) {
  auto* action = new QAction(CheatSheet::tr("&Keys"), &window);
  action->setObjectName(QStringLiteral("action-keys"));
  action->setShortcut(Qt::Key_H);
  // A single key acts in the views alone: in a box or a list it is a letter.
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  window.centralWidget()->addAction(action);
  for (const char* name : {"trajectory", "profile"})
    if (auto* dock = window.findChild<QDockWidget*>(QString::fromLatin1(name))) dock->addAction(action);
  QObject::connect(action, &QAction::triggered, &window, [&window] {
    auto* sheet = window.findChild<CheatSheet*>();
    if (sheet && sheet->isVisible()) {
      sheet->close();
      return;
    }
    delete sheet;
    sheet = new CheatSheet(window, &window);
    sheet->show();
  });
  const QList<QAction*> entries = help->actions();
  help->insertAction(entries.size() > 1 ? entries[1] : nullptr, action);
}

}  // namespace spokelab
