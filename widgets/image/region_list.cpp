#include "widgets/image/region_list.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

constexpr int swatchPixels = 12, swatchInset = 2;
constexpr int lookRole = Qt::UserRole + 1;
enum RegionColumn { nameColumn, areaColumn, meanColumn, deviationColumn, ratioColumn, referenceColumn };

QIcon swatch(int colour) {
  QPixmap picture(swatchPixels, swatchPixels);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.fillRect(picture.rect().adjusted(swatchInset, swatchInset, -swatchInset, -swatchInset),
                   ImageTheme::measured(colour));
  return picture;
}

}  // namespace

RegionList::RegionList(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("regionList"));
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("regions"));
  list_->setAccessibleName(tr("Measured regions"));
  list_->setRootIsDecorated(false);
  list_->setAllColumnsShowFocus(true);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setHeaderLabels({tr("Region"), tr("Area"), tr("Mean"), tr("SD"), tr("Mean / SD"), tr("Reference")});
  QTreeWidgetItem& header = *list_->headerItem();
  header.setToolTip(areaColumn, tr("mm², mm³ over several slices"));
  header.setToolTip(meanColumn, tr("Mean of the magnitudes"));
  header.setToolTip(deviationColumn, tr("Standard deviation of the magnitudes (n − 1)"));
  header.setToolTip(referenceColumn, tr("Mean of the magnitudes of the reference"));
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  list_->setColumnHidden(referenceColumn, true);
  list_->installEventFilter(this);
  const auto button = [](const char* name, const QString& text, const QString& help) {
    auto* made = new QPushButton(text);
    made->setObjectName(QString::fromLatin1(name));
    made->setToolTip(help);
    return made;
  };
  add_ = button("regionAdd", tr("Another"), tr("Draw another region next (key N in a slice)"));
  remove_ = button("regionRemove", tr("Remove"), tr("Removes the current region (Del)"));
  colour_ = button("regionColour", tr("Colour"), tr("The colour of the current region"));
  auto* row = new QHBoxLayout;
  for (QPushButton* one : {add_, colour_, remove_}) row->addWidget(one);
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list_, 1);
  column->addLayout(row);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, &RegionList::takeChoice);
  connect(list_, &QTreeWidget::itemChanged, this, &RegionList::takeName);
  connect(list_, &QWidget::customContextMenuRequested, this, &RegionList::showMenu);
  connect(add_, &QPushButton::clicked, this, [this] {
    if (!measurement_) return;
    measurement_->choose(0);
    if (measurement_->tool() != SliceTool::box) measurement_->setTool(SliceTool::ellipse);
  });
  connect(remove_, &QPushButton::clicked, this, [this] {
    if (measurement_) measurement_->remove(chosen());
  });
  connect(colour_, &QPushButton::clicked, this, [this] { showMenu(QPoint(0, list_->height())); });
  followScreenTheme(this, [this] { rebuild(); });
  rebuild();
}

void RegionList::setMeasurement(Measurement* measurement) {
  if (measurement_) disconnect(measurement_, nullptr, this, nullptr);
  measurement_ = measurement;
  if (measurement_) connect(measurement_, &Measurement::changed, this, &RegionList::rebuild);
  rebuild();
}

void RegionList::setNumbers(const std::vector<RegionNumbers>& numbers) {
  numbers_ = numbers;
  rebuild();
}

int RegionList::chosen() const {
  const QList<QTreeWidgetItem*> items = list_->selectedItems();
  return items.isEmpty() ? 0 : items.front()->data(nameColumn, Qt::UserRole).toInt();
}

// Rows stay where they are, so that a name can be typed while numbers arrive.
void RegionList::rebuild() {
  const std::vector<NamedRegion> none;
  const std::vector<NamedRegion>& all = measurement_ ? measurement_->regions().all : none;
  setVisible(!all.empty());
  filling_ = true;
  while (list_->topLevelItemCount() > int(all.size()))
    delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < int(all.size())) {
    auto* item = new QTreeWidgetItem(list_);
    item->setFlags(item->flags() | Qt::ItemIsEditable);
  }
  QTreeWidgetItem* current = nullptr;
  for (int i = 0; i < int(all.size()); ++i) {
    const NamedRegion& region = all[std::size_t(i)];
    fillRow(*list_->topLevelItem(i), region);
    if (region.id == measurement_->regions().current) current = list_->topLevelItem(i);
  }
  if (!current) list_->clearSelection();
  if (current && !current->isSelected()) list_->setCurrentItem(current);
  list_->setColumnHidden(referenceColumn,
                         std::none_of(numbers_.begin(), numbers_.end(),
                                      [](const RegionNumbers& one) { return one.reference.has_value(); }));
  remove_->setEnabled(current != nullptr);
  colour_->setEnabled(current != nullptr);
  filling_ = false;
}

void RegionList::fillRow(QTreeWidgetItem& item, const NamedRegion& region) const {
  const auto put = [&item](int column, const QString& text) {
    if (item.text(column) != text) item.setText(column, text);
  };
  item.setData(nameColumn, Qt::UserRole, region.id);
  put(nameColumn, region.name);
  // An icon that is set again would end the typing of a name.
  const int look = region.colour + ImageTheme::measuredColours * int(screenTheme());
  if (const QVariant before = item.data(nameColumn, lookRole); !before.isValid() || before.toInt() != look) {
    item.setData(nameColumn, lookRole, look);
    item.setIcon(nameColumn, swatch(region.colour));
  }
  const auto found = std::find_if(numbers_.begin(), numbers_.end(),
                                  [&](const RegionNumbers& one) { return one.id == region.id; });
  const bool known = region.region && found != numbers_.end();
  put(areaColumn, known ? valueText(found->area) : region.region ? QString() : tr("outside"));
  put(meanColumn, known ? valueText(found->shown.magnitudeMean) : QString());
  put(deviationColumn, known ? valueText(found->shown.magnitudeDeviation) : QString());
  put(ratioColumn, known ? valueText(found->shown.snr) : QString());
  put(referenceColumn, known && found->reference ? valueText(found->reference->magnitudeMean) : QString());
  for (int column = areaColumn; column <= referenceColumn; ++column)
    item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

QString RegionList::text() const {
  const auto lineOf = [this](const QTreeWidgetItem& item) {
    QStringList cells;
    for (int column = 0; column < list_->columnCount(); ++column)
      if (!list_->isColumnHidden(column)) cells << item.text(column);
    return cells.join(QLatin1Char('\t'));
  };
  QStringList lines{lineOf(*list_->headerItem())};
  for (int i = 0; i < list_->topLevelItemCount(); ++i) lines << lineOf(*list_->topLevelItem(i));
  return lines.join(QLatin1Char('\n'));
}

void RegionList::takeName(QTreeWidgetItem* item, int column) {
  if (filling_ || column != nameColumn || !measurement_) return;
  measurement_->rename(item->data(nameColumn, Qt::UserRole).toInt(), item->text(nameColumn));
  rebuild();  // an empty name is not taken
}

void RegionList::takeChoice() {
  if (filling_ || !measurement_ || chosen() == 0) return;
  measurement_->choose(chosen());
}

bool RegionList::eventFilter(QObject* watched, QEvent* event) {
  if (watched != list_ || event->type() != QEvent::KeyPress || !measurement_)
    return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Delete) {
    measurement_->remove(chosen());
    return true;
  }
  if (key->matches(QKeySequence::Copy)) {
    QGuiApplication::clipboard()->setText(text());
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void RegionList::showMenu(const QPoint& at) {
  const NamedRegion* region = measurement_ ? measurement_->find(chosen()) : nullptr;
  if (!region) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("regionMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (int colour = 0; colour < ImageTheme::measuredColours; ++colour) {
    QAction* action = menu->addAction(swatch(colour), tr("Colour %1").arg(colour + 1), this,
                                      [this, id = region->id, colour] {
                                        if (measurement_) measurement_->paint(id, colour);
                                      });
    action->setCheckable(true);
    action->setChecked(colour == region->colour);
  }
  menu->addSeparator();
  menu->addAction(tr("Rename"), this, [this] { list_->editItem(list_->currentItem(), nameColumn); });
  menu->addAction(tr("Remove"), this, [this, id = region->id] {
    if (measurement_) measurement_->remove(id);
  });
  menu->addAction(tr("Copy the table"), this, [this] { QGuiApplication::clipboard()->setText(text()); });
  menu->popup(list_->viewport()->mapToGlobal(at));
}

}  // namespace spokelab
