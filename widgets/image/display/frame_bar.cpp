#include "widgets/image/display/frame_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>

#include "widgets/image/display/frame_player.h"

namespace spokelab {

FrameBar::FrameBar(const QString& sliderName, int sliderWidth, QWidget* parent)
    : QWidget(parent), label_(new QLabel), slider_(new QSlider(Qt::Horizontal)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  slider_->setObjectName(sliderName);
  slider_->setAccessibleName(tr("Frame"));
  slider_->setFixedWidth(sliderWidth);
  connect(slider_, &QSlider::valueChanged, this, [this](int frame) {
    updateText();
    Q_EMIT frameChanged(frame);
  });
  row->addWidget(label_);
  row->addWidget(slider_);
  player_ = new FramePlayer(slider_);
  row->addWidget(player_);
}

void FrameBar::setFrames(int frames, const FrameAxes& axes) {
  axes_ = axes;
  {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, frames - 1);
  }
  setVisible(frames > 1);
  if (frames < 2) player_->setPlaying(false);
  updateText();
}

void FrameBar::showFrame(int frame) {
  const QSignalBlocker quiet(slider_);
  slider_->setValue(frame);
  updateText();
}

void FrameBar::setFrame(int frame) {
  slider_->setValue(frame);
}

int FrameBar::frame() const {
  return slider_->value();
}

int FrameBar::lastFrame() const {
  return slider_->maximum();
}

void FrameBar::updateText() {
  const QString known = QString::fromStdString(axes_.text(slider_->value()));
  label_->setText(
      !known.isEmpty() ? known : tr("Frame %1 of %2").arg(slider_->value() + 1).arg(slider_->maximum() + 1));
}

}  // namespace spokelab
