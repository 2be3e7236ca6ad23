#include "widgets/recon/scan/reading_list.h"

#include <QIcon>
#include <QPixmap>

#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_renderer.h"

namespace spokelab {
namespace {

constexpr int thumbnail = 128, listMargin = 12, captionLines = 3;
enum ReadingRole { ReadingTopicRole = Qt::UserRole + 200, ReadingChoiceRole };

QString textOf(const std::string& s) {
  return QString::fromStdString(s);
}

QIcon pictureOf(const Image& image) {
  const Image slice = middleSlice(image);
  SliceRequest request;
  request.window = fittingWindows(slice, 0).magnitude;
  const QImage picture = renderSlice(slice, request);
  return QPixmap::fromImage(
      picture.scaled(thumbnail, thumbnail, Qt::KeepAspectRatio, Qt::SmoothTransformation));
}

}  // namespace

ReadingList::ReadingList(QWidget* parent) : QListWidget(parent) {
  setViewMode(QListView::IconMode);
  setIconSize({thumbnail, thumbnail});
  setGridSize(
      {thumbnail + 2 * listMargin, thumbnail + listMargin + (captionLines + 1) * fontMetrics().height()});
  setResizeMode(QListView::Adjust);
  setMovement(QListView::Static);
  setUniformItemSizes(true);
  setWordWrap(true);
  setAccessibleName(tr("Other readings of the file"));
  connect(this, &QListWidget::itemActivated, this, &ReadingList::emitChosen);
}

void ReadingList::setReadings(const std::vector<Reading>& readings) {
  clear();
  for (const Reading& reading : readings) addReading(reading);
}

void ReadingList::addReading(const Reading& reading) {
  const bool present = reading.topic.empty();
  QString choice = textOf(reading.choice);
  choice.replace(QLatin1Char(','), QStringLiteral(", "));  // lists of axes are wrapped
  auto* item = new QListWidgetItem(
      present ? tr("as it is now") : textOf(reading.topic) + QLatin1Char('\n') + choice, this);
  item->setData(ReadingTopicRole, textOf(reading.topic));
  item->setData(ReadingChoiceRole, textOf(reading.choice));
  item->setTextAlignment(Qt::AlignHCenter);
  item->setToolTip(textOf(reading.image ? reading.evidence : reading.failed));
  if (reading.image)
    item->setIcon(pictureOf(*reading.image));
  else
    item->setText(item->text() + "\n" + tr("(not possible)"));
  if (present || !reading.image) item->setFlags(item->flags() & ~Qt::ItemIsSelectable);
  if (!reading.image) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
}

QString ReadingList::selectedTopic() const {
  const QList<QListWidgetItem*> items = selectedItems();
  return items.isEmpty() ? QString() : items.front()->data(ReadingTopicRole).toString();
}

QString ReadingList::selectedChoice() const {
  const QList<QListWidgetItem*> items = selectedItems();
  return items.isEmpty() ? QString() : items.front()->data(ReadingChoiceRole).toString();
}

void ReadingList::emitChosen(QListWidgetItem* item) {
  const QString topic = item->data(ReadingTopicRole).toString();
  if (!topic.isEmpty()) Q_EMIT chosen(topic, item->data(ReadingChoiceRole).toString());
}

}  // namespace spokelab
