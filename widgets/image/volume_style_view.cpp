#include "widgets/image/volume_style_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <cmath>

#include "widgets/image/opacity_editor.h"

namespace spokelab {
namespace {

constexpr int margin = 8, wholeSlider = 100, thinnest = 2;  // of the slider

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
  mode_->setAccessibleName(tr("How the volume is drawn"));
  mode_->addItems({tr("Maximum intensity"), tr("Opacity"), tr("Surface")});
  grid->addWidget(new QLabel(tr("Draw")), 0, 0);
  grid->addWidget(mode_, 0, 1);
  level_ = makeSlider(QStringLiteral("surfaceLevel"), tr("Level of the surface, as a share of the window"));
  level_->setMinimum(1);
  levelText_ = new QLabel;
  levelText_->setMinimumWidth(levelText_->fontMetrics().horizontalAdvance(QStringLiteral("100 %")));
  grid->addWidget(new QLabel(tr("Surface at")), 1, 0);
  grid->addWidget(level_, 1, 1);
  grid->addWidget(levelText_, 1, 2);
  reset_ = new QPushButton(tr("Reset"));
  reset_->setObjectName(QStringLiteral("volumeReset"));
  reset_->setToolTip(tr("Curve, level and box as at first"));
  grid->addWidget(reset_, 2, 1, Qt::AlignLeft);
  grid->setRowStretch(3, 1);

  editor_ = new OpacityEditor;
  grid->addWidget(new QLabel(tr("Opacity of a voxel over the window")), 0, 3);
  grid->addWidget(editor_, 1, 3, 3, 1);

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
  grid->addLayout(box, 1, 4, 3, 1);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 2);
  grid->setColumnStretch(4, 2);
  connect(mode_, &QComboBox::currentIndexChanged, this, &VolumeStyleView::take);
  connect(level_, &QSlider::valueChanged, this, &VolumeStyleView::take);
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
  style_.level = double(level_->value()) / wholeSlider;
  style_.opacity = editor_->points();
  fill();
  Q_EMIT styleChanged(style_);
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
  const QSignalBlocker quietMode(mode_), quietLevel(level_);
  mode_->setCurrentIndex(int(style_.mode));
  level_->setValue(place(style_.level));
  levelText_->setText(tr("%1 %").arg(place(style_.level)));
  editor_->setPoints(style_.opacity);
  for (std::size_t i = 0; i < clip_.size(); ++i) {
    const QSignalBlocker quiet(clip_[i]);
    clip_[i]->setValue(place(style_.clip[i]));
  }
  level_->setEnabled(style_.mode == VolumeMode::surface);
  editor_->setEnabled(style_.mode == VolumeMode::opacity);
}

}  // namespace spokelab
