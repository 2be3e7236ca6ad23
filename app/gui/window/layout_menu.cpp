#include "app/gui/window/layout_menu.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QSettings>

#include "app/gui/features/views.h"
#include "app/gui/features/window_layout.h"

namespace spokelab {
namespace {

const QString layoutsKey = QStringLiteral("window/layouts"), nameKey = QStringLiteral("name"),
              docksKey = QStringLiteral("docks");

QStringList docksOf(const char* names) {
  return QString::fromLatin1(names).split(QLatin1Char(' '));
}

struct Task {
  QString text;
  const char* name;
  Qt::Key key;
  TaskLayout layout;
};

QList<Task> tasks() {
  return {{LayoutMenu::tr("&Reconstruct"),
           "layout-reconstruct",
           Qt::Key_F7,
           {docksOf("scan trajectory results parameters plan jobs iterations maps measure volume log"),
            docksOf("parameters iterations"), 0.22}},
          {LayoutMenu::tr("&Profile"),
           "layout-profile",
           Qt::Key_F8,
           {docksOf("parameters plan jobs profile explorer-dock runs stages timeline log"),
            docksOf("plan profile"), 0.5}},
          {LayoutMenu::tr("&Compare"),
           "layout-compare",
           Qt::Key_F9,
           {docksOf("results measure stages log"), docksOf("measure"), 0.25}}};
}

}  // namespace

LayoutMenu::LayoutMenu(WindowLayout& layout, bool remember, QWidget* window)
    : QObject(window),
      layout_(layout),
      remember_(remember),
      window_(window),
      menu_(new QMenu(tr("La&yout"), window)) {
  for (const Task& task : tasks()) {
    QAction* action = makeAction(this, task.text, task.name, task.key);
    connect(action, &QAction::triggered, this, [this, task] { layout_.toTask(task.layout); });
    menu_->addAction(action);
  }
  QAction* usual = makeAction(this, tr("&Default"), "layout-default");
  connect(usual, &QAction::triggered, &layout_, &WindowLayout::toDefault);
  menu_->addAction(usual);
  if (remember_) {
    QSettings settings;
    const int count = settings.beginReadArray(layoutsKey);
    for (int i = 0; i < count; ++i) {
      settings.setArrayIndex(i);
      saved_[settings.value(nameKey).toString()] = settings.value(docksKey).toByteArray();
    }
  }
  menu_->addSeparator();
  end_ = menu_->addSeparator();
  QAction* saving = makeAction(this, tr("&Save as…"), "layout-save");
  connect(saving, &QAction::triggered, this, &LayoutMenu::askForName);
  menu_->addAction(saving);
  removal_ = menu_->addMenu(tr("D&elete"));
  fill();
}

void LayoutMenu::fill() {
  qDeleteAll(entries_);
  entries_.clear();
  removal_->clear();
  removal_->setEnabled(!saved_.isEmpty());
  for (auto it = saved_.cbegin(); it != saved_.cend(); ++it) {
    const QString name = it.key();
    QString text = name;
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    auto* entry = new QAction(text, this);
    entry->setObjectName(QStringLiteral("layout-of-") + name);
    connect(entry, &QAction::triggered, this, [this, docks = it.value()] { layout_.restore({}, docks); });
    menu_->insertAction(end_, entry);
    entries_ << entry;
    connect(removal_->addAction(text), &QAction::triggered, this, [this, name] { remove(name); });
  }
}

void LayoutMenu::askForName() {
  auto* dialog = new QInputDialog(window_);
  dialog->setObjectName(QStringLiteral("layoutName"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Save the layout"));
  dialog->setLabelText(tr("Name (one that is there is replaced)"));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
    if (!name.trimmed().isEmpty()) save(name.trimmed());
  });
  dialog->open();
}

void LayoutMenu::save(const QString& name) {
  saved_[name] = layout_.docks();
  keep();
  fill();
}

// The menu is filled again after the click on its entry has ended.
void LayoutMenu::remove(const QString& name) {
  saved_.remove(name);
  keep();
  QMetaObject::invokeMethod(this, &LayoutMenu::fill, Qt::QueuedConnection);
}

void LayoutMenu::keep() const {
  if (!remember_) return;
  QSettings settings;
  settings.remove(layoutsKey);
  settings.beginWriteArray(layoutsKey, int(saved_.size()));
  int index = 0;
  for (auto it = saved_.cbegin(); it != saved_.cend(); ++it) {
    settings.setArrayIndex(index++);
    settings.setValue(nameKey, it.key());
    settings.setValue(docksKey, it.value());
  }
}

}  // namespace spokelab
