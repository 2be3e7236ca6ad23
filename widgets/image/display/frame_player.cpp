#include "widgets/image/display/frame_player.h"

#include <QHBoxLayout>
#include <QSlider>
#include <QSpinBox>

#include "widgets/core/tool_button.h"

namespace spokelab {
namespace {

constexpr int minRate = 1, maxRate = 60, usualRate = 8;  // frames a second
constexpr int msASecond = 1000;

}  // namespace

FramePlayer::FramePlayer(QSlider* frames, QWidget* parent) : QWidget(parent), frames_(frames) {
  setObjectName(QStringLiteral("framePlayer"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  play_ = makeToolButton(QStringLiteral("playFrames"), tr("Play"), tr("Play the frames (Space)"), true);
  rate_ = new QSpinBox;
  rate_->setObjectName(QStringLiteral("frameRate"));
  rate_->setAccessibleName(tr("Frames a second"));
  rate_->setToolTip(rate_->accessibleName());
  rate_->setRange(minRate, maxRate);
  rate_->setValue(usualRate);
  rate_->setSuffix(tr(" /s"));
  row->addWidget(play_);
  row->addWidget(rate_);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(play_, &QToolButton::toggled, this, &FramePlayer::setPlaying);
  connect(&timer_, &QTimer::timeout, this, &FramePlayer::step);
  connect(rate_, &QSpinBox::valueChanged, this, [this] {
    if (isPlaying()) setPlaying(true);
  });
}

int FramePlayer::framesPerSecond() const {
  return rate_->value();
}

void FramePlayer::setFramesPerSecond(int rate) {
  rate_->setValue(rate);
}

void FramePlayer::setPlaying(bool on) {
  on = on && frames_->maximum() > frames_->minimum();
  play_->setChecked(on);
  if (!on) return timer_.stop();
  first_ = frames_->value();
  clock_.start();
  timer_.start(msASecond / rate_->value());
}

void FramePlayer::step() {
  const int count = frames_->maximum() - frames_->minimum() + 1;
  if (count < 2) return setPlaying(false);
  const auto passed = clock_.elapsed() * rate_->value() / msASecond;
  frames_->setValue(frames_->minimum() + int((first_ - frames_->minimum() + passed) % count));
}

}  // namespace spokelab
