#include "widgets/image/volume/volume_style_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

#include "widgets/core/number_box.h"
#include "widgets/image/volume/opacity_editor.h"

namespace spokelab {
namespace {

constexpr int margin = 8, wholeSlider = 100, thinnest = 2;  // of the slider
constexpr int levelSteps = 1000;                            // of the surface's

QSlider* makeSlider(const QString& name, const QString& title) {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setObjectName(name);
  slider->setAccessibleName(title);
  slider->setToolTip(title);
  slider->setRange(0, wholeSlider);
  return slider;
}

int place(double share) {
  return int(std::lround(share * wholeSlider));
}

}  // namespace

VolumeStyleView::VolumeStyleView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("volumeStyle"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(margin, margin / 2, margin, margin / 2);
  mode_ = new QComboBox;
  mode_->setObjectName(QStringLiteral("volumeMode"));
  mode_->setAccessibleName(tr("Style of the volume"));
  mode_->addItems({tr("Maximum intensity"), tr("Opacity"), tr("Surface")});
  grid->addWidget(new QLabel(tr("Draw")), 0, 0);
  grid->addWidget(mode_, 0, 1);
  level_ = makeSlider(QStringLiteral("surfaceLevel"), tr("Magnitude of the surface"));
  level_->setRange(1, levelSteps);
  levelValue_ = new NumberBox;
  levelValue_->setObjectName(QStringLiteral("surfaceValue"));
  levelValue_->setAccessibleName(tr("Magnitude of the surface"));
  levelValue_->setToolTip(tr("In units of the image"));
  levelValue_->setKeyboardTracking(false);
  grid->addWidget(new QLabel(tr("Surface at")), 1, 0);
  grid->addWidget(level_, 1, 1);
  grid->addWidget(levelValue_, 1, 2);
  note_ = new QLabel;
  note_->setObjectName(QStringLiteral("surfaceNote"));
  note_->setWordWrap(true);
  grid->addWidget(note_, 3, 0, 1, 3);
  save_ = new QPushButton(tr("Save surface…"));
  save_->setObjectName(QStringLiteral("surfaceSave"));
  save_->setToolTip(tr("As a mesh (STL, PLY), in patient coordinates, in every voxel that the image has"));
  reset_ = new QPushButton(tr("Reset"));
  reset_->setObjectName(QStringLiteral("volumeReset"));
  reset_->setToolTip(tr("Curve, level and box as at first"));
  grid->addWidget(reset_, 2, 1, Qt::AlignLeft);
  grid->addWidget(save_, 2, 2);
  grid->setRowStretch(4, 1);

  editor_ = new OpacityEditor;
  grid->addWidget(new QLabel(tr("Opacity of a voxel over the window")), 0, 3);
  grid->addWidget(editor_, 1, 3, 4, 1);

  auto* box = new QGridLayout;
  const char* const axes = "xyz";
  for (int axis = 0; axis < 3; ++axis) {
    const QString name(QLatin1Char(axes[axis]));
    box->addWidget(new QLabel(name), axis, 0);
    for (int end = 0; end < 2; ++end) {
      const int edge = 2 * axis + end;
      const QString title = end == 0 ? tr("Cut from along %1").arg(name) : tr("Cut to along %1").arg(name);
      auto* slider = makeSlider(QStringLiteral("clip-%1-%2").arg(name).arg(end), title);
      clip_[std::size_t(edge)] = slider;
      box->addWidget(slider, axis, 1 + end);
      connect(slider, &QSlider::valueChanged, this, [this, edge] { takeClip(edge); });
    }
  }
  grid->addWidget(new QLabel(tr("Box that is shown: from, to")), 0, 4);
  grid->addLayout(box, 1, 4, 4, 1);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 2);
  grid->setColumnStretch(4, 2);
  connect(mode_, &QComboBox::currentIndexChanged, this, &VolumeStyleView::take);
  connect(level_, &QSlider::valueChanged, this,
          [this](int place) { takeLevel(high_ * double(place) / levelSteps); });
  connect(levelValue_, &QDoubleSpinBox::valueChanged, this, &VolumeStyleView::takeLevel);
  connect(save_, &QPushButton::clicked, this, &VolumeStyleView::saveRequested);
  connect(editor_, &OpacityEditor::changed, this, &VolumeStyleView::take);
  connect(reset_, &QPushButton::clicked, this, [this] {
    VolumeStyle first;
    first.mode = style_.mode;
    setVolumeStyle(first);
    Q_EMIT styleChanged(style_);
  });
  fill();
}

void VolumeStyleView::setVolumeStyle(const VolumeStyle& style) {
  style_ = style;
  fill();
}

void VolumeStyleView::take() {
  style_.mode = VolumeMode(mode_->currentIndex());
  style_.opacity = editor_->points();
  fill();
  Q_EMIT styleChanged(style_);
}

void VolumeStyleView::takeLevel(double level) {
  if (!(level > 0)) return;
  style_.level = level;
  fill();
  Q_EMIT styleChanged(style_);
}

double VolumeStyleView::level() const {
  return style_.level > 0 ? style_.level : automatic_;
}

void VolumeStyleView::setScale(double high, double automaticLevel) {
  high_ = high;
  automatic_ = automaticLevel;
  const QSignalBlocker quiet(levelValue_);
  constexpr int digits = 4, maxDecimals = 30;  // of the value that is kept, not of its text
  constexpr double steps = 100, beyond = 2;
  const int decimals =
      high > 0 ? std::clamp(digits - int(std::floor(std::log10(high))), 0, maxDecimals) : digits;
  levelValue_->setDecimals(decimals);
  levelValue_->setRange(0, beyond * high);
  levelValue_->setSingleStep(high / steps);
  if (high <= 0) setSurfaceNote(QString());
  fill();
}

void VolumeStyleView::setSurfaceNote(const QString& text) {
  note_->setText(text);
}

// The other edge makes way.
void VolumeStyleView::takeClip(int edge) {
  const int from = edge / 2 * 2, to = from + 1;
  int low = clip_[std::size_t(from)]->value(), high = clip_[std::size_t(to)]->value();
  if (edge == from) {
    low = std::min(low, wholeSlider - thinnest);
    high = std::max(high, low + thinnest);
  } else {
    high = std::max(high, thinnest);
    low = std::min(low, high - thinnest);
  }
  style_.clip[std::size_t(from)] = double(low) / wholeSlider;
  style_.clip[std::size_t(to)] = double(high) / wholeSlider;
  fill();
  Q_EMIT styleChanged(style_);
}

void VolumeStyleView::fill() {
  const QSignalBlocker quietMode(mode_), quietLevel(level_), quietValue(levelValue_);
  mode_->setCurrentIndex(int(style_.mode));
  level_->setValue(high_ > 0 ? int(std::lround(level() / high_ * levelSteps)) : 1);
  levelValue_->setValue(level());
  editor_->setPoints(style_.opacity);
  for (std::size_t i = 0; i < clip_.size(); ++i) {
    const QSignalBlocker quiet(clip_[i]);
    clip_[i]->setValue(place(style_.clip[i]));
  }
  const bool surface = style_.mode == VolumeMode::surface && high_ > 0;
  level_->setEnabled(surface);
  levelValue_->setEnabled(surface);
  save_->setEnabled(surface);
  note_->setVisible(surface);
  editor_->setEnabled(style_.mode == VolumeMode::opacity);
}

}  // namespace spokelab
