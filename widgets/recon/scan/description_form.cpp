#include "widgets/recon/scan/description_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

#include "engine/scan/read/read_options.h"
#include "widgets/core/flow_layout.h"

namespace spokelab {
namespace {

constexpr double dwellUnit = 1e-6;

QString formText(const std::string& s) {
  return QString::fromStdString(s);
}

template <class Number>
QString listText(const std::vector<Number>& numbers) {
  QStringList parts;
  for (const Number n : numbers) parts << QString::number(n);
  return parts.join(QStringLiteral(" × "));
}

// "256 × 256", "256x256", "256, 256"; empty where it is not two or three numbers.
template <class Number>
std::vector<Number> listOf(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[x×,;\\s]+"));
  std::vector<Number> numbers;
  for (const QString& part : text.split(between, Qt::SkipEmptyParts)) {
    bool fine = false;
    const double value = part.toDouble(&fine);
    if (!fine || !(value > 0)) return {};
    numbers.push_back(Number(value));
  }
  const bool fits = numbers.size() == 2 || numbers.size() == 3;
  return fits ? numbers : std::vector<Number>();
}

QString axisHelp(const std::string& name) {
  static const std::map<std::string, QString> words = {
      {"coil", DescriptionForm::tr("receive coils")},
      {"shot", DescriptionForm::tr("spokes, interleaves, lines")},
      {"sample", DescriptionForm::tr("samples along a shot")},
      {"slice", DescriptionForm::tr("slices of one stack")},
      {"partition", DescriptionForm::tr("kz, where the trajectory has none")},
      {"column", DescriptionForm::tr("kx, ky, kz")},
      {"complex", DescriptionForm::tr("real and imaginary part")},
      {"time", DescriptionForm::tr("frames in time")},
      {"echo", DescriptionForm::tr("frames of an echo each")},
      {"one", DescriptionForm::tr("an axis of size 1")}};
  const auto found = words.find(name);
  return found == words.end() ? QString() : found->second;
}

}  // namespace

DescriptionForm::DescriptionForm(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
}

void DescriptionForm::setDescription(const ScanDescription& description,
                                     const std::map<std::string, ArrayHeader>& shapes) {
  description_ = description;
  shapes_ = shapes;
  fill();
}

void DescriptionForm::setAxes(const AxesReading& reading) {
  ScanDescription& d = description_;
  d.samples.axes = reading.samples;
  if (!reading.trajectory.empty()) {
    const auto before = withoutColumn(d.trajectory.front().axes);
    for (ArrayPart& part : d.trajectory) part.axes = reading.trajectory;
    for (auto* companion : {&d.weights, &d.times})
      if (*companion && (*companion)->axes == before) (*companion)->axes = withoutColumn(reading.trajectory);
  }
  d.otherAxes.clear();
  fill();
  Q_EMIT edited();
}

void DescriptionForm::setUnit(const std::string& unit) {
  description_.unit = unit;
  fill();
  Q_EMIT edited();
}

// Called by the list of pictures and the text, never by a box of the form itself.
void DescriptionForm::fill() {
  axes_.clear();
  delete rows_;
  rows_ = new QWidget;
  layout_ = new QFormLayout(rows_);
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout_->setRowWrapPolicy(QFormLayout::DontWrapRows);
  addPart(tr("Samples"), QStringLiteral("samples"), description_.samples);
  int number = 0;
  for (ArrayPart& part : description_.trajectory)
    addPart(tr("Trajectory"), QStringLiteral("trajectory%1").arg(number++), part);
  if (description_.weights) addPart(tr("Weights"), QStringLiteral("weights"), *description_.weights);
  if (description_.times) addPart(tr("Times"), QStringLiteral("times"), *description_.times);
  if (description_.noise) addPart(tr("Noise"), QStringLiteral("noise"), *description_.noise);
  addUnit();
  addNumbers();
  layout()->addWidget(rows_);
}

void DescriptionForm::addPart(const QString& role, const QString& name, ArrayPart& part) {
  const auto shape = shapes_.find(part.file.string());
  const bool isKnown =
      shape != shapes_.end() && (part.axes.empty() || shape->second.shape.size() == part.axes.size());
  const std::size_t count = isKnown ? shape->second.shape.size() : part.axes.size();
  auto* row = new QWidget;
  auto* flow = new FlowLayout(row);
  flow->setContentsMargins(0, 0, 0, 0);
  auto* file = new QLabel(formText(part.file.filename().string()));
  file->setToolTip(formText(part.file.string()));
  flow->addWidget(file);
  for (std::size_t axis = 0; axis < count; ++axis) {
    auto* box = new QComboBox;
    const QString size = isKnown ? QString::number(shape->second.shape[axis]) : tr("axis %1").arg(axis + 1);
    box->setObjectName(QStringLiteral("%1-axis%2").arg(name).arg(axis));
    box->setAccessibleName(tr("%1, axis %2 of %3: %4").arg(role).arg(axis + 1).arg(count).arg(size));
    box->setToolTip(tr("Meaning of the axis with %1 values").arg(size));
    if (part.axes.empty()) box->addItem(tr("not said"), QString());
    for (const std::string& word : axisNames()) {
      box->addItem(QStringLiteral("%1  %2").arg(size, formText(word)), formText(word));
      box->setItemData(box->count() - 1, axisHelp(word), Qt::ToolTipRole);
    }
    box->setCurrentIndex(part.axes.empty() ? 0 : box->findData(formText(part.axes[axis])));
    connect(box, &QComboBox::activated, this, [this] {
      description_.otherAxes.clear();
      take();
    });
    flow->addWidget(box);
    axes_.push_back({box, &part, axis});
  }
  layout_->addRow(role, row);
}

void DescriptionForm::addUnit() {
  unit_ = new QComboBox;
  unit_->setObjectName(QStringLiteral("describeUnit"));
  unit_->addItem(tr("find out"), QString());
  for (const DecisionTopic& topic : decisionTopics())
    if (topic.topic == "k-unit")
      for (const auto& choice : topic.choices) unit_->addItem(formText(choice), formText(choice));
  unit_->setCurrentIndex(std::max(unit_->findData(formText(description_.unit)), 0));
  connect(unit_, &QComboBox::activated, this, &DescriptionForm::take);
  layout_->addRow(tr("Unit of k"), unit_);
}

QLineEdit* DescriptionForm::addLine(const QString& label, const char* name, const QString& text,
                                    const QString& hint) {
  auto* line = new QLineEdit(text);
  line->setObjectName(QString::fromLatin1(name));
  line->setAccessibleName(label);
  line->setPlaceholderText(hint);
  connect(line, &QLineEdit::textEdited, this, &DescriptionForm::take);
  layout_->addRow(label, line);
  return line;
}

void DescriptionForm::addNumbers() {
  const QString unknown = tr("find out");
  matrix_ = addLine(tr("Matrix"), "describeMatrix", listText(description_.matrix), unknown);
  fov_ = addLine(tr("Field of view (mm)"), "describeFov", listText(description_.fov), tr("pixels of 1 mm"));
  const double dwell = description_.dwellSeconds / dwellUnit;
  dwell_ = addLine(tr("Dwell time (µs)"), "describeDwell", dwell > 0 ? QString::number(dwell) : QString(),
                   tr("not known"));
}

// Axes without a name leave all axes of their part to the reader.
void DescriptionForm::take() {
  std::map<ArrayPart*, std::vector<std::string>> named;
  for (const AxisBox& axis : axes_)
    named[axis.part].push_back(axis.box->currentData().toString().toStdString());
  for (auto& [part, names] : named) {
    const bool whole = std::none_of(names.begin(), names.end(), [](const auto& n) { return n.empty(); });
    part->axes = whole ? names : std::vector<std::string>();
  }
  description_.unit = unit_->currentData().toString().toStdString();
  description_.matrix = listOf<std::int64_t>(matrix_->text());
  description_.fov = listOf<double>(fov_->text());
  description_.dwellSeconds = std::max(dwell_->text().toDouble(), 0.0) * dwellUnit;
  Q_EMIT edited();
}

}  // namespace spokelab
