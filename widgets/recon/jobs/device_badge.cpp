#include "widgets/recon/jobs/device_badge.h"

#include <QFrame>
#include <QHeaderView>
#include <QPainter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QWindow>

#include <algorithm>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int barWidth = 5, barHeight = 14, barGap = 1, deviceGap = 5, margin = 8;  // pixels
constexpr int barsOfDevice = 2;
constexpr double percent = 100, giga = 1024.0 * 1024 * 1024;

enum Column { number, name, memory, load, columnCount };

double fractionOf(const DeviceState& state, int which) {
  if (which == 1) return std::clamp(state.load / percent, 0.0, 1.0);
  if (state.memory <= 0 || state.freeMemory <= 0) return 0;
  return std::clamp(1 - double(state.freeMemory) / double(state.memory), 0.0, 1.0);
}

// "GPU 0: NVIDIA H100, 12.0 of 80.0 GB, load 97 %"
QString lineOf(int device, const DeviceState& state) {
  QStringList parts{QString::fromStdString(state.name)};
  if (const QString memory = memoryInUse(state); !memory.isEmpty()) parts << memory;
  if (const QString load = loadLabel(state); !load.isEmpty()) parts << DeviceBadge::tr("load %1").arg(load);
  return DeviceBadge::tr("GPU %1: %2").arg(device).arg(parts.join(QStringLiteral(", ")));
}

}  // namespace

QString memoryInUse(const DeviceState& state) {
  if (state.memory <= 0 || state.freeMemory <= 0) return {};
  return DeviceBadge::tr("%1 of %2 GB")
      .arg(fixedLabel(double(state.memory - state.freeMemory) / giga, 1),
           fixedLabel(double(state.memory) / giga, 1));
}

QString loadLabel(const DeviceState& state) {
  return state.load < 0 ? QString() : DeviceBadge::tr("%1 %").arg(state.load);
}

DeviceBadge::DeviceBadge(int devices, QWidget* parent) : QToolButton(parent), devices_(devices) {
  setObjectName(QStringLiteral("devices"));
  setText(tr("%1 GPUs").arg(devices));
  setFocusPolicy(Qt::TabFocus);
  popup_ = new QFrame(this, Qt::Popup);
  popup_->setFrameShape(QFrame::StyledPanel);
  table_ = new QTableWidget(devices, columnCount, popup_);
  table_->setObjectName(QStringLiteral("deviceTable"));
  table_->setAccessibleName(tr("GPUs, their memory and load"));
  table_->setHorizontalHeaderLabels({tr("GPU"), tr("Name"), tr("Memory in use"), tr("Load")});
  table_->verticalHeader()->hide();
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setFocusPolicy(Qt::StrongFocus);
  for (int d = 0; d < devices; ++d)
    for (int column = 0; column < columnCount; ++column) {
      auto* item = new QTableWidgetItem;
      if (column >= memory) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(d, column, item);
    }
  auto* layout = new QVBoxLayout(popup_);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->addWidget(table_);
  connect(this, &QToolButton::clicked, this, &DeviceBadge::showTable);
  setStates(std::vector<DeviceState>(std::size_t(devices)));
}

void DeviceBadge::setStates(const std::vector<DeviceState>& states) {
  states_ = states;
  states_.resize(std::size_t(devices_));
  QStringList lines;
  for (int d = 0; d < devices_; ++d) lines << lineOf(d, states_[std::size_t(d)]);
  setToolTip(lines.join(QLatin1Char('\n')));
  setAccessibleName(text());
  setAccessibleDescription(lines.join(QStringLiteral("; ")));
  if (popup_->isVisible()) fillTable();
  update();
}

void DeviceBadge::fillTable() {
  for (int d = 0; d < devices_; ++d) {
    const DeviceState& state = states_[std::size_t(d)];
    const QString unknown = tr("not known");
    const QString memoryText = memoryInUse(state), loadText = loadLabel(state);
    const QString cells[columnCount] = {QString::number(d), QString::fromStdString(state.name),
                                        memoryText.isEmpty() ? unknown : memoryText,
                                        loadText.isEmpty() ? unknown : loadText};
    for (int column = 0; column < columnCount; ++column) table_->item(d, column)->setText(cells[column]);
  }
}

void DeviceBadge::showTable() {
  fillTable();
  table_->resizeColumnsToContents();
  table_->resizeRowsToContents();
  const int width = table_->horizontalHeader()->length(), height = table_->verticalHeader()->length();
  constexpr int frame = 4;
  table_->setFixedSize(width + frame, height + table_->horizontalHeader()->sizeHint().height() + frame);
  popup_->adjustSize();
  const QPoint corner = mapToGlobal(QPoint(this->width() - popup_->width(), this->height()));
  popup_->move(corner);
  popup_->show();
  table_->setFocus();
  Q_EMIT appeared();
}

bool DeviceBadge::isSeen() const {
  if (popup_->isVisible()) return true;
  const QWindow* const shown = window()->windowHandle();
  return isVisible() && shown && shown->isExposed() && !window()->isMinimized() && !visibleRegion().isEmpty();
}

void DeviceBadge::showEvent(QShowEvent* event) {
  QToolButton::showEvent(event);
  Q_EMIT appeared();
}

QSize DeviceBadge::sizeHint() const {
  const int each = barsOfDevice * barWidth + barGap + deviceGap;
  return {2 * margin + fontMetrics().horizontalAdvance(text()) + devices_ * each,
          std::max(barHeight, fontMetrics().height()) + margin};
}

QRect DeviceBadge::bar(int device, int which) const {
  const int each = barsOfDevice * barWidth + barGap + deviceGap;
  const int left = margin + fontMetrics().horizontalAdvance(text()) + deviceGap + device * each;
  return {left + which * (barWidth + barGap), (height() - barHeight) / 2, barWidth, barHeight};
}

void DeviceBadge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ChartTheme theme = ChartTheme::onScreen();
  if (underMouse() || isDown()) painter.fillRect(rect(), palette().midlight());
  painter.setPen(palette().color(QPalette::ButtonText));
  painter.drawText(rect().adjusted(margin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
  for (int d = 0; d < devices_; ++d)
    for (int which = 0; which < barsOfDevice; ++which) {
      const QRect barArea = bar(d, which);
      painter.fillRect(barArea, theme.grid);
      const int filled = int(fractionOf(states_[std::size_t(d)], which) * barHeight + 0.5);
      painter.fillRect(barArea.adjusted(0, barHeight - filled, 0, 0), which == 0 ? theme.fft : theme.chosen);
    }
  if (hasFocus()) {
    painter.setPen(palette().color(QPalette::Highlight));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

}  // namespace spokelab
