#include "widgets/trajectory/selection_bar.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/number_text.h"
#include "widgets/trajectory/range_slider.h"

namespace spokelab {
namespace {

constexpr int barInset = 8, gap = 4;
constexpr double milli = 1e-3;
constexpr double minWhole = 1e-9;

// Four digits after the point, none of them zeros at the end: what a slider can tell.
QString rounded(double value) {
  constexpr double unit = 1e4;
  return QString::fromStdString(exactNumberText(std::round(value * unit) / unit));
}

}  // namespace

SelectionBar::SelectionBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("selectionBar"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(barInset, gap, barInset, gap);
  column->setSpacing(gap);
  auto* first = new QHBoxLayout;
  summary_ = new QLabel;
  summary_->setObjectName(QStringLiteral("selectionSummary"));
  summary_->setAccessibleName(tr("Selection"));
  summary_->setWordWrap(true);
  open_ = new QToolButton;
  open_->setObjectName(QStringLiteral("selectionOpen"));
  open_->setText(tr("Select"));
  open_->setToolTip(tr("Shots, samples, coils and times to reconstruct from"));
  open_->setCheckable(true);
  open_->setArrowType(Qt::DownArrow);
  open_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(open_, &QToolButton::toggled, this, &SelectionBar::setOpen);
  first->addWidget(summary_, 1);
  first->addWidget(open_, 0, Qt::AlignTop);
  column->addLayout(first);

  fields_ = new QWidget;
  grid_ = new QGridLayout(fields_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setVerticalSpacing(gap);
  grid_->setColumnStretch(1, 1);
  grid_->setColumnStretch(3, 1);
  shots_ = addField("shots", tr("Shots"), tr("all; as in 0-99,200 or 0-:4"), 0, 0, 3);
  samples_ = addField("samples", tr("Samples"), tr("all"), 1, 0, 1);
  coils_ = addField("coils", tr("Coils"), tr("all"), 1, 2, 1);
  readout_ = addWindow("readout-time", tr("Readout"), tr("ms"));
  scan_ = addWindow("scan-time", tr("Scan"), tr("s"));
  column->addWidget(fields_);

  auto* last = new FlowLayout;
  last->setSpacing(gap);
  const auto button = [&](const char* name, const QString& text, const QString& help, auto signal) {
    auto* made = new QPushButton(text);
    made->setObjectName(QString::fromLatin1(name));
    made->setToolTip(help);
    connect(made, &QPushButton::clicked, this, signal);
    last->addWidget(made);
    return made;
  };
  reconstruct_ = button("reconstructSelected", tr("Reconstruct selected only"),
                        tr("Reconstruct from the selected samples, with new density weights"),
                        &SelectionBar::reconstructRequested);
  all_ = button("selectAll", tr("All again"), tr("Select everything, and reconstruct"),
                &SelectionBar::allRequested);
  reconstruct_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  spread_ = button("pointSpread", tr("PSF"), tr("The point spread function of the selected samples"),
                   &SelectionBar::pointSpreadRequested);
  column->addLayout(last);
  setOpen(false);
  setScan(nullptr);
}

QLineEdit* SelectionBar::addField(const char* name, const QString& label, const QString& hint, int row,
                                  int column, int columns) {
  auto* edit = new QLineEdit;
  edit->setObjectName(QStringLiteral("select-") + QString::fromLatin1(name));
  edit->setAccessibleName(label);
  edit->setPlaceholderText(hint);
  for (const OptionSpec& spec : reconOptionTable())
    if (spec.name == name) edit->setToolTip(QString::fromStdString(spec.help));
  auto* text = new QLabel(label);
  text->setBuddy(edit);
  grid_->addWidget(text, row, column);
  grid_->addWidget(edit, row, column + 1, 1, columns);
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, option = QString::fromLatin1(name)] {
    if (!edit->isModified()) return;
    edit->setModified(false);
    Q_EMIT optionEdited(option, edit->text().trimmed());
  });
  return edit;
}

SelectionBar::Window SelectionBar::addWindow(const char* name, const QString& label, const QString& unit) {
  Window window;
  window.row = new QWidget;
  auto* layout = new QHBoxLayout(window.row);
  layout->setContentsMargins(0, 0, 0, 0);
  window.slider = new RangeSlider;
  window.slider->setObjectName(QStringLiteral("select-") + QString::fromLatin1(name));
  window.slider->setAccessibleName(tr("%1, window of time").arg(label));
  window.text = new QLabel;
  window.text->setObjectName(QStringLiteral("select-%1-text").arg(QString::fromLatin1(name)));
  layout->addWidget(new QLabel(label));
  layout->addWidget(window.slider, 1);
  layout->addWidget(window.text);
  grid_->addWidget(window.row, grid_->rowCount(), 0, 1, grid_->columnCount());
  window.unit = unit;
  const auto tell = [window](double low, double high) { window.tell(low, high); };
  connect(window.slider, &RangeSlider::windowMoved, this, tell);
  connect(window.slider, &RangeSlider::windowEdited, this,
          [this, slider = window.slider, tell, option = QString::fromLatin1(name)](double low, double high) {
            tell(low, high);
            // An end at a bound is left open, so that rounding excludes no sample.
            const double least = slider->minimum(), most = slider->maximum();
            QString value;
            if (!slider->isOpen())
              value = (low <= least ? rounded(std::floor(least)) : rounded(low)) + QLatin1Char('-') +
                      (high >= most ? QString() : rounded(high));
            Q_EMIT optionEdited(option, value);
          });
  return window;
}

void SelectionBar::setScan(const std::shared_ptr<const Scan>& scan) {
  for (QWidget* one : {static_cast<QWidget*>(open_), static_cast<QWidget*>(fields_),
                       static_cast<QWidget*>(reconstruct_), static_cast<QWidget*>(spread_)})
    one->setEnabled(scan != nullptr);
  hasScan_ = scan != nullptr;
  all_->setEnabled(hasScan_ && selects_);
  if (!scan) setSummary(QString());
  const auto offer = [](Window& window, const std::vector<double>* times, double unit) {
    const bool timed = times && !times->empty();
    double low = 0, high = 0;
    if (timed) {
      const auto [first, last] = std::minmax_element(times->begin(), times->end());
      low = *first / unit;
      high = *last / unit;
    }
    window.row->setVisible(high - low > minWhole);
    window.slider->setBounds(low, high);
  };
  offer(readout_, scan ? &scan->trajectories.front().times : nullptr, milli);
  offer(scan_, scan && !scan->shotTimes.empty() ? &scan->shotTimes.front() : nullptr, 1);
}

void SelectionBar::setOptions(const ReconOptions& options) {
  const auto show = [](QLineEdit* edit, const std::string& value) {
    const QString text = QString::fromStdString(value);
    if (edit->text() == text || (edit->hasFocus() && edit->isModified())) return;
    edit->setText(text);
  };
  show(shots_, options.shots);
  show(samples_, options.samples);
  show(coils_, options.coils);
  showWindow(readout_, options.readoutWindow);
  showWindow(scan_, options.scanWindow);
  selects_ = selectsSamples(options) || !options.coils.empty() || !options.leaveOutCoils.empty();
  all_->setEnabled(hasScan_ && selects_);
}

void SelectionBar::showWindow(Window& window, const std::string& value) {
  NumberWindow range;
  try {
    if (!value.empty()) range = numberWindow(value, "");
  } catch (const Error&) {  // the parameters' row says what is wrong with it
  }
  RangeSlider& slider = *window.slider;
  slider.setWindow(std::max(range.low, slider.minimum()), std::min(range.high, slider.maximum()));
  window.tell(slider.low(), slider.high());
}

void SelectionBar::Window::tell(double low, double high) const {
  text->setText(QStringLiteral("%1 … %2 %3").arg(numberLabel(low, 2), numberLabel(high, 2), unit));
}

void SelectionBar::setSummary(const QString& text, bool problem) {
  summary_->setText(text.isEmpty() ? tr("no scan") : text);
  if (summary_->property("invalid").toBool() == problem) return;
  summary_->setProperty("invalid", problem);
  summary_->style()->unpolish(summary_);
  summary_->style()->polish(summary_);
}

QString SelectionBar::summary() const {
  return summary_->text();
}

void SelectionBar::setOpen(bool open) {
  open_->setChecked(open);
  open_->setArrowType(open ? Qt::UpArrow : Qt::DownArrow);
  fields_->setVisible(open);
}

}  // namespace spokelab
