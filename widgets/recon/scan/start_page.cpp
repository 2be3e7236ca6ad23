#include "widgets/recon/scan/start_page.h"

#include <QAction>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "widgets/core/flow_layout.h"
#include "widgets/core/screen_theme.h"
#include "widgets/recon/row_delegate.h"

namespace spokelab {
namespace {

constexpr int maxPageWidth = 560, pageMargin = 16, titlePoints = 20, buttonHeight = 40;
enum PageRole { FileRole = Qt::UserRole + 100, ExistsRole };

QPushButton* buttonFor(QAction* action) {
  auto* button = new QPushButton(action->icon(), action->text());
  button->setObjectName(QStringLiteral("start-") + action->objectName());
  button->setToolTip(action->toolTip());
  button->setMinimumHeight(buttonHeight);
  button->setAutoDefault(true);  // Enter presses it, as Space does
  QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
  QObject::connect(action, &QAction::changed, button, [button, action] { button->setIcon(action->icon()); });
  return button;
}

}  // namespace

StartPage::StartPage(const QList<QAction*>& ways, QWidget* parent)
    : QWidget(parent), model_(new QStandardItemModel(this)), recent_(new QWidget) {
  setObjectName(QStringLiteral("start-page"));
  setAccessibleName(tr("First page"));
  auto* title = new QLabel(QStringLiteral("Spokelab"));
  QFont large = title->font();
  large.setPointSize(titlePoints);
  title->setFont(large);
  auto* hint = new QLabel(tr("Open a scan, an image or a session, or drop one here"));
  hint->setProperty("role", "note");
  hint->setWordWrap(true);
  auto* buttons = new FlowLayout;
  for (QAction* way : ways) buttons->addWidget(buttonFor(way));

  auto* heading = new QLabel(tr("Recent"));
  heading->setProperty("role", "heading");
  list_ = makeRowList(recent_);
  list_->setAccessibleName(tr("Recent files"));
  list_->setModel(model_);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  auto* delegate = new RowDelegate(list_);
  list_->setItemDelegate(delegate);
  auto* remove = new QAction(tr("Remove from the list"), list_);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(remove);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* below = new QVBoxLayout(recent_);
  below->setContentsMargins(0, pageMargin, 0, 0);
  below->addWidget(heading);
  below->addWidget(list_, 1);
  recent_->hide();

  auto* column = new QWidget;
  column->setMaximumWidth(maxPageWidth);
  auto* parts = new QVBoxLayout(column);
  parts->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  parts->addStretch(1);
  parts->addWidget(title);
  parts->addWidget(hint);
  parts->addSpacing(pageMargin / 2);
  parts->addLayout(buttons);
  parts->addWidget(recent_, 4);
  parts->addStretch(1);
  auto* middle = new QHBoxLayout(this);
  middle->setContentsMargins(0, 0, 0, 0);
  middle->addStretch(1);
  middle->addWidget(column, 100);
  middle->addStretch(1);
  if (!ways.isEmpty()) setFocusProxy(findChild<QPushButton*>());

  connect(list_, &QListView::clicked, this, &StartPage::openRow);
  connect(list_, &QListView::activated, this, &StartPage::openRow);
  // Queued: the list still handles the click on this row, which must not be removed yet.
  connect(delegate, &RowDelegate::buttonPressed, this, &StartPage::removeRow, Qt::QueuedConnection);
  connect(remove, &QAction::triggered, this, [this] { removeRow(list_->currentIndex()); });
  followScreenTheme(this, [this] { markMissing(); });
}

void StartPage::markMissing() {
  const QBrush disabled = QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
  for (int row = 0; row < model_->rowCount(); ++row)
    if (QStandardItem* item = model_->item(row); !item->data(ExistsRole).toBool())
      item->setForeground(disabled);
}

void StartPage::setRecent(const QList<RecentEntry>& entries) {
  model_->clear();
  for (const RecentEntry& entry : entries) {
    auto* item = new QStandardItem(QFileInfo(entry.file).fileName());
    item->setData(entry.file, FileRole);
    item->setData(entry.exists, ExistsRole);
    item->setToolTip(entry.file);
    item->setData(entry.exists ? entry.details : tr("not there any more"), SmallPrintRole);
    if (!entry.picture.isNull()) item->setData(entry.picture, Qt::DecorationRole);
    if (!entry.exists) item->setData(tr("Remove"), ButtonRole);
    model_->appendRow(item);
  }
  markMissing();
  recent_->setVisible(!entries.isEmpty());
}

void StartPage::openRow(const QModelIndex& index) {
  if (index.data(ExistsRole).toBool()) Q_EMIT openRequested(index.data(FileRole).toString());
}

void StartPage::removeRow(const QModelIndex& index) {
  if (index.isValid()) Q_EMIT removeRequested(index.data(FileRole).toString());
}

}  // namespace spokelab
