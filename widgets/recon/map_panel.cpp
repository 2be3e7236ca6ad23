#include "widgets/recon/map_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int mapInset = 6, mapGap = 10, switchesWidth = 240;
constexpr double maxOriginMs = 1e4, originStepMs = 0.1;
constexpr int originDecimals = 3;
constexpr double milli = 1e-3;

}  // namespace

MapPanel::MapPanel(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("mapPanel"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(mapInset, 2, mapInset, mapInset);
  row->setSpacing(mapGap);
  row->addWidget(makeSwitches());
  row->addWidget(makeColumn(coilView, tr("Coil maps")), 1);
  row->addWidget(makeColumn(fieldView, tr("Field map (Hz)")), 1);
  row->addWidget(makeColumn(phaseView, tr("Phase of a shot (rad)")), 1);
  views_[coilView]->setMode(DisplayMode::complex);
  views_[fieldView]->setMode(DisplayMode::real);
  const auto takeColours = [this] { views_[fieldView]->setColourMap(mapColours()); };
  takeColours();
  followScreenTheme(this, takeColours);
  views_[phaseView]->setMode(DisplayMode::real);
  views_[coilView]->setEmptyText(tr("Load maps to see them"));
  views_[fieldView]->setEmptyText(tr("No field map"));
  views_[phaseView]->setEmptyText(tr("No phase maps"));
  setOptions({});
  setMaps(nullptr);
}

QWidget* MapPanel::makeSwitches() {
  auto* side = new QWidget;
  side->setFixedWidth(switchesWidth);
  auto* grid = new QGridLayout(side);
  grid->setContentsMargins(0, 0, 0, 0);
  int line = 0;
  load_ = new QToolButton;
  load_->setObjectName(QStringLiteral("loadMaps"));
  load_->setText(tr("Load maps"));
  load_->setToolTip(tr("Read or estimate the maps for the parameters of now, for the first frame and slice"));
  connect(load_, &QToolButton::clicked, this, &MapPanel::mapsRequested);
  grid->addWidget(load_, line++, 0, 1, 2);
  unit_ = new QComboBox;
  unit_->setObjectName(QStringLiteral("mapUnit"));
  unit_->setAccessibleName(tr("Unit of the field map"));
  unit_->addItems({QStringLiteral("rad/s"), QStringLiteral("Hz")});
  connect(unit_, &QComboBox::activated, this,
          [this] { Q_EMIT optionEdited(QStringLiteral("field-unit"), unit_->currentText()); });
  grid->addWidget(new QLabel(tr("Unit of the field file")), line, 0);
  grid->addWidget(unit_, line++, 1);
  const auto flag = [&](const QString& name, const QString& text, const QString& option) {
    auto* box = new QCheckBox(text);
    box->setObjectName(name);
    connect(box, &QCheckBox::clicked, this, [this, option](bool on) {
      Q_EMIT optionEdited(option, on ? QStringLiteral("true") : QStringLiteral("false"));
    });
    grid->addWidget(box, line++, 0, 1, 2);
    return box;
  };
  turnField_ =
      flag(QStringLiteral("mapTurnField"), tr("Flip the field's sign"), QStringLiteral("turn-field"));
  origin_ = new QDoubleSpinBox;
  origin_->setObjectName(QStringLiteral("mapOrigin"));
  origin_->setAccessibleName(tr("Time origin"));
  origin_->setRange(-maxOriginMs, maxOriginMs);
  origin_->setDecimals(originDecimals);
  origin_->setSingleStep(originStepMs);
  origin_->setSuffix(QStringLiteral(" ms"));
  origin_->setToolTip(tr("Time of the samples at which the field has made no phase yet"));
  connect(origin_, &QDoubleSpinBox::editingFinished, this,
          [this] { Q_EMIT optionEdited(QStringLiteral("time-origin"), shortLabel(origin_->value(), 8)); });
  grid->addWidget(new QLabel(tr("Time origin")), line, 0);
  grid->addWidget(origin_, line++, 1);
  turnPhase_ =
      flag(QStringLiteral("mapTurnPhase"), tr("Flip the phase's sign"), QStringLiteral("turn-phase"));
  grid->addWidget(new QLabel(tr("Shots that take part")), line++, 0, 1, 2);
  shotList_ = new QListWidget;
  shotList_->setObjectName(QStringLiteral("mapShots"));
  shotList_->setAccessibleName(tr("Shots that take part"));
  connect(shotList_, &QListWidget::itemChanged, this, &MapPanel::shotsEdited);
  connect(shotList_, &QListWidget::currentRowChanged, this, [this](int shot) {
    if (shot >= 0) sliders_[phaseView]->setValue(phaseFrame(shot));
  });
  grid->addWidget(shotList_, line, 0, 1, 2);
  grid->setRowStretch(line++, 1);
  notes_ = new QLabel;
  notes_->setObjectName(QStringLiteral("mapNotes"));
  notes_->setWordWrap(true);
  notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(notes_, line, 0, 1, 2);
  return side;
}

QWidget* MapPanel::makeFrames(View which, const QString& name) {
  sliders_[which] = new QSlider(Qt::Horizontal);
  sliders_[which]->setObjectName(name);
  connect(sliders_[which], &QSlider::valueChanged, this,
          [this, which](int frame) { showFrame(which, frame); });
  return sliders_[which];
}

QWidget* MapPanel::makeColumn(View which, const QString& title) {
  static const std::array<QString, 3> names{QStringLiteral("coilMap"), QStringLiteral("fieldMap"),
                                            QStringLiteral("phaseMap")};
  auto* column = new QWidget;
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  auto* heading = new QLabel(title);
  heading->setProperty("role", "heading");
  views_[which] = new SliceView;
  views_[which]->setReadoutVisible(false);
  connect(views_[which], &SliceView::cursorMoved, this, [this, which](const Index3& index) {
    for (SliceView* other : views_)
      if (other != views_[which]) other->setCursorIndex(index);
    updateTexts();
  });
  captions_[which] = new QLabel;
  captions_[which]->setObjectName(names[which] + QStringLiteral("Caption"));
  captions_[which]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* over = new QToolButton;
  over->setObjectName(names[which] + QStringLiteral("Over"));
  over->setText(tr("Over the image"));
  over->setToolTip(tr("Lay this map over the image in colours"));
  over->setAutoRaise(true);
  connect(over, &QToolButton::clicked, this, [this, which] { askOver(which); });
  auto* top = new QHBoxLayout;
  top->addWidget(heading, 1);
  top->addWidget(over);
  layout->addLayout(top);
  layout->addWidget(views_[which], 1);
  layout->addWidget(captions_[which]);
  layout->addWidget(makeFrames(which, names[which] + QStringLiteral("Slider")));
  views_[which]->setAccessibleName(title);
  sliders_[which]->setAccessibleName(tr("%1: which one").arg(title));
  return column;
}

// The shown frame as a separate image.
void MapPanel::askOver(View which) {
  const auto& maps = views_[which]->image();
  if (!maps) return;
  const int frame = views_[which]->frame();
  auto one = std::make_shared<Image>();
  one->size = maps->size;
  one->geometry = maps->geometry;
  one->data = Buffer<cfloat>(std::size_t(maps->volume()));
  std::copy(maps->frame(frame), maps->frame(frame) + maps->volume(), one->data.begin());
  const QString title = views_[which]->accessibleName();
  Q_EMIT overRequested(one, maps->frames > 1 ? tr("%1 %2").arg(title).arg(frame + 1) : title);
}

QString MapPanel::caption(View which) const {
  return captions_[which]->text();
}

void MapPanel::setBusy(bool busy) {
  load_->setEnabled(!busy);
  load_->setText(busy ? tr("Loading…") : tr("Load maps"));
}

void MapPanel::setOptions(const ReconOptions& options) {
  const IterativeOptions& o = options.iterative;
  const QSignalBlocker block(origin_);
  unit_->setCurrentIndex(o.fieldUnit == FieldUnit::hertz ? 1 : 0);
  turnField_->setChecked(o.turnField);
  turnPhase_->setChecked(o.turnPhase);
  origin_->setValue(o.timeOriginMs);
  if (options.shots == shots_) return;
  shots_ = options.shots;
  fillShots();
}

void MapPanel::setMaps(std::shared_ptr<const ScanMaps> maps) {
  maps_ = std::move(maps);
  const std::array<std::shared_ptr<const Image>, 3> images{
      maps_ ? maps_->coils : nullptr, maps_ ? maps_->field : nullptr, maps_ ? maps_->phases : nullptr};
  for (const View which : {coilView, fieldView, phaseView}) {
    const auto& image = images[which];
    const QSignalBlocker block(sliders_[which]);
    sliders_[which]->setRange(0, image ? image->frames - 1 : 0);
    sliders_[which]->setVisible(image && image->frames > 1);
    views_[which]->setImage(image, sliders_[which]->value());
    if (image) views_[which]->setPlane(nativePlane(pixelAxes(*image)));
  }
  fillShots();
  updateTexts();
}

void MapPanel::showFrame(View which, int frame) {
  views_[which]->setFrame(frame);
  updateTexts();
}

void MapPanel::fillShots() {
  filling_ = true;
  shotList_->clear();
  const int shots = maps_ ? maps_->shots : 0;
  std::vector<int> chosen;
  try {
    chosen = selection(shots_, shots, "shots");
  } catch (const Error&) {  // of another scan: the parameters' row says so when it is used
    chosen = selection("", shots, "shots");
  }
  for (int shot = 0; shot < shots; ++shot) {
    auto* item = new QListWidgetItem(tr("shot %1").arg(shot), shotList_);
    const bool on = std::find(chosen.begin(), chosen.end(), shot) != chosen.end();
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
  }
  filling_ = false;
}

// A shot's frame of the phase maps, which lack the shots that are left out.
int MapPanel::phaseFrame(int shot) const {
  if (!maps_ || maps_->phaseShots.empty()) return shot;
  const auto& shots = maps_->phaseShots;
  const auto at = std::find(shots.begin(), shots.end(), shot);
  return at == shots.end() ? sliders_[phaseView]->value() : int(at - shots.begin());
}

void MapPanel::shotsEdited() {
  if (filling_) return;
  std::vector<int> chosen;
  for (int shot = 0; shot < shotList_->count(); ++shot)
    if (shotList_->item(shot)->checkState() == Qt::Checked) chosen.push_back(shot);
  if (chosen.empty()) return fillShots();  // none at all cannot be meant
  shots_ = int(chosen.size()) == shotList_->count() ? std::string() : numberListText(chosen);
  Q_EMIT optionEdited(QStringLiteral("shots"), QString::fromStdString(shots_));
}

QString MapPanel::valueAt(View which) const {
  const auto& image = views_[which]->image();
  if (!image) return {};
  const Index3 at = views_[which]->cursorIndex();
  const cfloat v =
      image->frame(views_[which]->frame())[(at[2] * image->size[1] + at[1]) * image->size[0] + at[0]];
  if (which == coilView)
    return tr("%1, %2 rad").arg(numberLabel(std::abs(v), 3), numberLabel(std::arg(v), 2));
  return which == fieldView ? tr("%1 Hz").arg(numberLabel(v.real(), 1))
                            : tr("%1 rad").arg(numberLabel(v.real(), 2));
}

int MapPanel::shotOfFrame(int frame) const {
  return maps_->phaseShots.empty() ? frame : maps_->phaseShots[std::size_t(frame)];
}

void MapPanel::updateTexts() {
  QString coil;
  if (maps_) {
    const int count = maps_->coils->frames / maps_->coilSets, frame = sliders_[coilView]->value();
    coil = tr("coil %1 of %2: %3").arg(frame % count).arg(count).arg(valueAt(coilView));
    if (maps_->coilSets > 1) coil = tr("set %1, ").arg(frame / count + 1) + coil;
  }
  captions_[coilView]->setText(coil);
  captions_[fieldView]->setText(maps_ && maps_->field
                                    ? tr("%1; times %2 … %3 ms, phase up to %4 rad")
                                          .arg(valueAt(fieldView), numberLabel(maps_->firstTime / milli, 2),
                                               numberLabel(maps_->lastTime / milli, 2),
                                               numberLabel(maps_->largestPhase, 1))
                                    : QString());
  captions_[phaseView]->setText(maps_ && maps_->phases ? tr("shot %1 of %2: %3")
                                                             .arg(shotOfFrame(sliders_[phaseView]->value()))
                                                             .arg(maps_->shots)
                                                             .arg(valueAt(phaseView))
                                                       : QString());
  QStringList notes;
  if (maps_)
    for (const std::string& note : maps_->notes) notes << QString::fromStdString(note);
  notes_->setText(notes.join(QLatin1Char('\n')));
}

}  // namespace spokelab
