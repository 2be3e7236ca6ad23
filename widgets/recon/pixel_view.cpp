#include "widgets/recon/pixel_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/core/number_text.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int maxListedShots = 200;
enum ShotColumn { numberColumn, partColumn, magnitudeColumn, weightColumn };

QString signedPercent(double share) {
  constexpr double hundred = 100;
  return QStringLiteral("%1%2 %").arg(share < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                      fixedLabel(hundred * std::abs(share), 2));
}

QString plainPercent(double share) {
  constexpr double hundred = 100;
  return QStringLiteral("%1 %").arg(fixedLabel(hundred * share, 2));
}

QString answerHtml(const ShownAnswer& shown) {
  QString html =
      QStringLiteral("<b>%1</b><table cellspacing='0' cellpadding='2'>").arg(shown.title.toHtmlEscaped());
  for (const auto& [title, text] : describe(shown.answer, shown.dims))
    html +=
        QStringLiteral("<tr><td style='white-space: nowrap'>%1</td><td>%2</td></tr>")
            .arg(QString::fromStdString(title).toHtmlEscaped(), QString::fromStdString(text).toHtmlEscaped());
  return html + QStringLiteral("</table>");
}

}  // namespace

PixelView::PixelView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pixelView"));
  setAccessibleName(tr("Pixel"));
  auto* column = new QVBoxLayout(this);
  hint_ = new QLabel(
      tr("Ctrl and a click in a slice asks a pixel: its point spread function, the shots that it depends on "
         "most, its predicted error"));
  hint_->setObjectName(QStringLiteral("pixelHint"));
  hint_->setWordWrap(true);
  hint_->setAlignment(Qt::AlignCenter);
  hint_->setEnabled(false);
  column->addWidget(hint_, 1);
  auto* parts = new QSplitter(Qt::Horizontal);
  parts->setChildrenCollapsible(false);
  contents_ = parts;
  column->addWidget(parts, 1);
  parts->addWidget(makeSpread());
  text_ = new QLabel;
  text_->setObjectName(QStringLiteral("pixelText"));
  text_->setTextFormat(Qt::RichText);
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setWidget(text_);
  parts->addWidget(scroll);
  parts->addWidget(makeShots());
  constexpr int spreadPart = 2, textPart = 4, shotsPart = 3, minTextWidth = 220, unit = 100;
  scroll->setMinimumWidth(minTextWidth);
  parts->setSizes({spreadPart * unit, textPart * unit, shotsPart * unit});
  parts->setStretchFactor(0, spreadPart);
  parts->setStretchFactor(1, textPart);
  parts->setStretchFactor(2, shotsPart);
  setAnswer(nullptr);
}

QWidget* PixelView::makeSpread() {
  auto* place = new QWidget;
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(0, 0, 0, 0);
  spread_ = new SliceView;
  spread_->setObjectName(QStringLiteral("pixelSpread"));
  spread_->setAccessibleName(tr("Point spread function"));
  spread_->setCursorVisible(false);
  spread_->setReadoutVisible(false);
  column->addWidget(spread_, 1);
  auto* row = new QHBoxLayout;
  auto* legend = new QLabel(tr("−80 … 0 dB"));
  legend->setToolTip(tr("From black to white: the magnitude relative to a lone point of size 1"));
  legend->setEnabled(false);
  row->addWidget(legend, 1);
  keep_ = new QPushButton(tr("Show as a result"));
  keep_->setObjectName(QStringLiteral("pixelKeep"));
  keep_->setToolTip(tr("The point spread function as an image, with phase, to measure and to save"));
  connect(keep_, &QPushButton::clicked, this, &PixelView::spreadRequested);
  row->addWidget(keep_);
  column->addLayout(row);
  return place;
}

QWidget* PixelView::makeShots() {
  auto* place = new QWidget;
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(0, 0, 0, 0);
  shots_ = new QTreeWidget;
  shots_->setObjectName(QStringLiteral("pixelShots"));
  shots_->setAccessibleName(tr("Shots by their influence on the pixel"));
  shots_->setRootIsDecorated(false);
  shots_->setAllColumnsShowFocus(true);
  shots_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  shots_->setHeaderLabels({tr("Shot"), tr("Part"), tr("Without it"), tr("Weight")});
  QTreeWidgetItem& header = *shots_->headerItem();
  header.setToolTip(partColumn, tr("The shot's part of the pixel, over the complex values of all coils"));
  header.setToolTip(magnitudeColumn, tr("The change of the value if the shot is left out and all other "
                                        "weights stay as they are"));
  header.setToolTip(weightColumn, tr("The shot's share of all density weights"));
  shots_->header()->setSectionResizeMode(QHeaderView::Stretch);
  shots_->header()->setStretchLastSection(false);
  connect(shots_, &QTreeWidget::itemSelectionChanged, this, &PixelView::updateButton);
  column->addWidget(shots_, 1);
  leave_ = new QPushButton;
  leave_->setObjectName(QStringLiteral("pixelLeaveOut"));
  leave_->setToolTip(
      tr("Reconstructs without the selected shots; Undo, or All again in the trajectory, "
         "takes them back"));
  connect(leave_, &QPushButton::clicked, this, [this] { Q_EMIT leaveOutRequested(chosenShots()); });
  column->addWidget(leave_);
  return place;
}

void PixelView::setAnswer(std::shared_ptr<const ShownAnswer> answer) {
  answer_ = std::move(answer);
  hint_->setVisible(!answer_);
  contents_->setVisible(answer_ != nullptr);
  shots_->clear();
  spread_->setImage(answer_ ? answer_->decibels : nullptr);
  text_->setText(answer_ ? answerHtml(*answer_) : QString());
  if (answer_) {
    DisplayWindows windows = spread_->windows();
    windows.of(DisplayMode::magnitude) = {1.0 / 2, 1};
    spread_->setWindows(windows);
    spread_->setFittingWindows(windows);
    Index3 place = answer_->answer.pixel;
    if (answer_->dims < 3) place[2] = 0;
    spread_->setCursorIndex(place);
    fillShots();
  }
  updateButton();
}

void PixelView::fillShots() {
  const PixelAnswer& answer = answer_->answer;
  const std::vector<int> out = outstandingShots(answer);
  QTreeWidgetItem* first = nullptr;
  for (const ShotInfluence& shot : answer.shots) {
    const bool stands = std::find(out.begin(), out.end(), shot.shot) != out.end();
    if (shots_->topLevelItemCount() >= maxListedShots && !stands) continue;
    auto* item = new QTreeWidgetItem(shots_, {QString::number(shot.shot), plainPercent(shot.change),
                                              signedPercent(shot.magnitude), plainPercent(shot.weight)});
    item->setData(numberColumn, Qt::UserRole, shot.shot);
    for (const int column : {partColumn, magnitudeColumn, weightColumn})
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    if (!stands) continue;
    item->setToolTip(numberColumn,
                     tr("Its part is several times larger than the parts of others, for its weight"));
    item->setSelected(true);
    if (!first) first = item;
  }
  if (first) shots_->scrollToItem(first);
}

std::vector<int> PixelView::chosenShots() const {
  std::vector<int> shots;
  for (const QTreeWidgetItem* item : shots_->selectedItems())
    shots.push_back(item->data(numberColumn, Qt::UserRole).toInt());
  std::sort(shots.begin(), shots.end());
  return shots;
}

void PixelView::updateButton() {
  const auto count = int(shots_->selectedItems().size());
  leave_->setText(count == 0   ? tr("Leave out the selected shots")
                  : count == 1 ? tr("Leave out shot %1").arg(chosenShots().front())
                               : tr("Leave out %1 shots").arg(count));
  leave_->setEnabled(count > 0);
}

}  // namespace spokelab
