#include "widgets/raw/bins_view.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "engine/core/text.h"
#include "engine/scan/read/shots/motion_bins.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

constexpr int binsGap = 4, mostBins = 64, firstCount = 4;
constexpr int minPlotHeight = 110;  // pixels
constexpr double binDisc = 5, outsideCross = 6, signalRoom = 0.08;

std::vector<double> shotValues(const Scan& scan, const char* name) {
  std::vector<double> values;
  for (const NamedArray& array : scan.arrays)
    if (array.name == name)
      for (const cfloat& v : array.values) values.push_back(v.real());
  return values;
}

}  // namespace

BinsView::BinsView(QWidget* parent) : QWidget(parent), plot_(new CurvePlot) {
  plot_->setObjectName(QStringLiteral("binsPlot"));
  plot_->setAccessibleName(tr("Signal and bin of each shot"));
  plot_->setToolTip(tr("Drag to choose shots"));
  plot_->setMinimumHeight(minPlotHeight);
  plot_->setSelectionRectMode(QCP::srmCustom);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(binsGap);
  column->addWidget(makeBar());
  column->addWidget(plot_, 1);
  connect(plot_->selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& area) {
    const QRect chosen = area.normalized();
    chooseShots(int(std::ceil(plot_->xAxis->pixelToCoord(chosen.left()))),
                int(std::floor(plot_->xAxis->pixelToCoord(chosen.right()))));
  });
  followScreenTheme(this, [this] {
    plot_->setTheme(ChartTheme::onScreen());
    draw();
  });
  setScan(nullptr);
}

QSpinBox* BinsView::makeShotBox(const char* name, const QString& help) {
  auto* box = new QSpinBox;
  box->setObjectName(QString::fromLatin1(name));
  box->setAccessibleName(help);
  box->setToolTip(help);
  connect(box, &QSpinBox::valueChanged, this, &BinsView::draw);
  return box;
}

QWidget* BinsView::makeBar() {
  auto* bar = new QWidget;
  // The widgets beside the view keep their room.
  QSizePolicy wrapped(QSizePolicy::Ignored, QSizePolicy::Preferred);
  wrapped.setHeightForWidth(true);
  bar->setSizePolicy(wrapped);
  auto* row = new FlowLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * binsGap);
  const auto button = [&](const char* name, const QString& text, const QString& help) {
    auto* made = new QPushButton(text);
    made->setObjectName(QString::fromLatin1(name));
    made->setToolTip(help);
    row->addWidget(made);
    return made;
  };
  count_ = new QSpinBox;
  count_->setObjectName(QStringLiteral("binsCount"));
  count_->setAccessibleName(tr("Bins of breathing"));
  count_->setRange(2, mostBins);
  count_->setValue(firstCount);
  count_->setSuffix(tr(" bins"));
  row->addWidget(count_);
  divide_ = button("binsDivide", tr("Divide"),
                   tr("Read the scan again with this number of bins of breathing, of equal counts of shots"));
  from_ = makeShotBox("binsFrom", tr("First of the chosen shots"));
  to_ = makeShotBox("binsTo", tr("Last of the chosen shots"));
  from_->setPrefix(tr("shots "));
  to_->setPrefix(tr("to "));
  row->addWidget(from_);
  row->addWidget(to_);
  target_ = new QComboBox;
  target_->setObjectName(QStringLiteral("binsTarget"));
  target_->setAccessibleName(tr("Bin of the chosen shots"));
  target_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(target_);
  move_ = button("binsMove", tr("Move"), tr("Put the chosen shots into this bin"));
  reset_ = button("binsReset", tr("Reset"), tr("The bins as they were read"));
  read_ = button("binsRead", tr("Read with these bins"),
                 tr("Read the scan again: each bin is a frame, which xd-grasp and grasp take"));
  connect(divide_, &QPushButton::clicked, this, [this] { Q_EMIT divisionRequested(count_->value()); });
  connect(move_, &QPushButton::clicked, this, &BinsView::move);
  connect(reset_, &QPushButton::clicked, this, [this] {
    bins_ = readBins_;
    fillTargets();
    draw();
  });
  connect(read_, &QPushButton::clicked, this, [this] { Q_EMIT binsEdited(bins_); });
  return bar;
}

void BinsView::setScan(const std::shared_ptr<const Scan>& scan) {
  readBins_.clear();
  signal_.clear();
  if (scan) {
    for (const double bin : shotValues(*scan, motionBinsName)) readBins_.push_back(int(std::lround(bin)));
    signal_ = shotValues(*scan, breathingSignalName);
    signalName_ = tr("breathing");
    if (signal_.size() != readBins_.size()) {
      signal_ = shotValues(*scan, heartSignalName);
      signalName_ = tr("phase of the heart");
    }
    if (signal_.size() != readBins_.size()) {  // bins of a file
      signal_.assign(readBins_.begin(), readBins_.end());
      signalName_ = tr("bin");
    }
  }
  bins_ = readBins_;
  divide_->setEnabled(scan != nullptr);
  count_->setEnabled(scan != nullptr);
  const int last = std::max(0, int(bins_.size()) - 1);
  for (QSpinBox* box : {from_, to_}) {
    const QSignalBlocker quiet(box);
    box->setRange(0, last);
    box->setValue(0);
  }
  fillTargets();
  plot_->showAll();
  draw();
}

void BinsView::chooseShots(int from, int to) {
  {
    const QSignalBlocker quiet(from_), quietToo(to_);
    from_->setValue(from);
    to_->setValue(to);
  }
  draw();
}

// The bins that there are, one more, and none.
void BinsView::fillTargets() {
  const QVariant before = target_->currentData();
  target_->clear();
  target_->addItem(tr("left out"), -1);
  int largest = -1;
  for (const int bin : bins_) largest = std::max(largest, bin);
  for (int bin = 0; bin <= std::min(largest + 1, mostBins - 1); ++bin)
    target_->addItem(bin > largest ? tr("new bin %1").arg(bin) : tr("bin %1").arg(bin), bin);
  target_->setCurrentIndex(std::max(0, target_->findData(before)));
}

void BinsView::move() {
  const int bin = target_->currentData().toInt();
  for (int shot = from_->value(); shot <= to_->value() && shot < int(bins_.size()); ++shot)
    bins_[std::size_t(shot)] = bin;
  fillTargets();
  draw();
}

void BinsView::draw() {
  const ChartTheme theme = ChartTheme::onScreen();
  plot_->setSteps(nullptr, -1);
  plot_->clearGraphs();
  int bins = 0;
  for (const int bin : bins_) bins = std::max(bins, bin + 1);
  const auto add = [&](int bin, const QString& name, const QCPScatterStyle& style) {
    QVector<double> x, y;
    for (std::size_t s = 0; s < bins_.size(); ++s)
      if (bins_[s] == bin) {
        x << double(s);
        y << signal_[s];
      }
    if (x.isEmpty()) return;
    QCPGraph* graph = plot_->addGraph();
    graph->setName(name);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(style);
    graph->setData(x, y, true);
  };
  for (int bin = 0; bin < bins; ++bin)
    add(bin, tr("bin %1").arg(bin),
        QCPScatterStyle(QCPScatterStyle::ssDisc, theme.ofFamily(bin, bins), binDisc));
  add(-1, tr("left out"), QCPScatterStyle(QCPScatterStyle::ssCross, theme.unusable, outsideCross));
  plot_->xAxis->setLabel(tr("shot, in the order of measurement"));
  plot_->yAxis->setLabel(signalName_);
  double low = 0, high = 1;
  if (!signal_.empty()) {
    const auto [least, most] = std::minmax_element(signal_.begin(), signal_.end());
    const double room = signalRoom * std::max(1e-9, *most - *least);
    low = *least - room;
    high = *most + room;
  }
  plot_->setWholeRanges({-1, std::max(1.0, double(bins_.size()))}, {low, high});
  std::vector<CurvePlot::Mark> marks;
  if (to_->value() > 0)
    marks = {{double(from_->value()) - 0.5, {}, theme.chosen},
             {double(to_->value()) + 0.5, {}, theme.chosen}};
  plot_->setMarks(marks);
  plot_->replot(QCustomPlot::rpQueuedReplot);
  const bool any = !bins_.empty(), changed = bins_ != readBins_;
  for (QWidget* part : {static_cast<QWidget*>(from_), static_cast<QWidget*>(to_),
                        static_cast<QWidget*>(target_), static_cast<QWidget*>(move_)})
    part->setEnabled(any && (part != move_ || from_->value() <= to_->value()));
  reset_->setEnabled(changed);
  read_->setEnabled(changed);
  tell();
}

void BinsView::tell() {
  if (bins_.empty()) {
    note_ = tr("No bins: Divide makes frames of a breathing subject's shots");
  } else {
    std::vector<int> counts;
    int outside = 0;
    for (const int bin : bins_) {
      if (bin < 0) {
        ++outside;
        continue;
      }
      counts.resize(std::max(counts.size(), std::size_t(bin) + 1));
      ++counts[std::size_t(bin)];
    }
    QStringList texts;
    for (const int count : counts) texts << QString::number(count);
    note_ = tr("Shots of each bin: %1").arg(texts.join(QStringLiteral(", ")));
    if (outside > 0) note_ += tr("; %1 left out").arg(QString::fromStdString(countText(outside, "shot")));
  }
  Q_EMIT told();
}

}  // namespace spokelab
