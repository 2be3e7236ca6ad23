// The state of an image panel in a session, and its choice of slices.
#include "widgets/image/image_panel.h"

#include <QBoxLayout>

#include "engine/core/error.h"
#include "widgets/image/image_tool_bar.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr const char* modeLetters = "MPRIC";

QString zoomName(Plane plane) {
  return QStringLiteral("zoom-%1").arg(int(plane));
}

}  // namespace

void ImagePanel::setGroup(int group) {
  if (!group_.choose(group)) return updateControls();
  showPart();
  Q_EMIT groupChanged();
}

std::shared_ptr<const Image> ImagePanel::partOf(const std::shared_ptr<const Image>& image) {
  try {
    return group_.partOf(image);
  } catch (const Error& error) {
    Q_EMIT message(QString::fromUtf8(error.what()));
    return nullptr;
  }
}

void ImagePanel::setOver(const std::shared_ptr<const OverImage>& over) {
  for (SliceView* view : views_) view->setOver(over);
}

void ImagePanel::addBar(QWidget* bar) {
  static_cast<QBoxLayout*>(layout())->insertWidget(1, bar);
}

void ImagePanel::addFoot(QWidget* foot) {
  layout()->addWidget(foot);
}

ViewState ImagePanel::viewState() const {
  ViewState state;
  state[QStringLiteral("cursor")] = numbersText({double(cursor_[0]), double(cursor_[1]), double(cursor_[2])});
  if (!group_.titles().isEmpty()) state[QStringLiteral("group")] = QString::number(group_.current());
  state[QStringLiteral("frame")] = QString::number(frame_);
  state[QStringLiteral("mode")] = QLatin1Char(modeLetters[int(mode_)]);
  const DisplayWindows& w = contents_->image().windows;
  state[QStringLiteral("windows")] =
      numbersText({w.magnitude.level, w.magnitude.width, w.signedParts.level, w.signedParts.width});
  state[QStringLiteral("window-touched")] = flagText(contents_->image().windowTouched);
  state[QStringLiteral("colour-map")] = map_;
  state[QStringLiteral("smooth")] = flagText(bar_->isSmooth());
  state[QStringLiteral("maximum-intensity")] = flagText(bar_->isMaximumIntensity());
  state[QStringLiteral("volume")] = volumeStyleText(style_);
  state[QStringLiteral("difference")] = flagText(showsDifference());
  for (const Plane plane : imagePlanes) {
    const SliceView& view = *sliceView(plane);
    state[zoomName(plane)] = numbersText({view.zoom(), view.pan().x(), view.pan().y()});
  }
  return state;
}

void ImagePanel::setViewState(const ViewState& state) {
  const QString letter = state.value(QStringLiteral("mode"));
  if (const auto at = QString::fromLatin1(modeLetters).indexOf(letter); letter.size() == 1 && at >= 0)
    setMode(DisplayMode(at));
  setColourMap(state.value(QStringLiteral("colour-map")));
  bar_->setSmooth(flagOf(state, QStringLiteral("smooth"), bar_->isSmooth()));
  bar_->setMaximumIntensity(flagOf(state, QStringLiteral("maximum-intensity"), bar_->isMaximumIntensity()));
  setVolumeStyle(volumeStyleFromText(state.value(QStringLiteral("volume")), style_));
  if (!image()) return;
  setGroup(state.value(QStringLiteral("group")).toInt());
  setFrame(state.value(QStringLiteral("frame")).toInt());
  if (const auto at = numbersOf(state.value(QStringLiteral("cursor")), 3); !at.empty())
    setCursorIndex({std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])});
  if (const auto w = numbersOf(state.value(QStringLiteral("windows")), 4);
      !w.empty() && w[1] > 0 && w[3] > 0) {
    contents_->image().windows = {{w[0], w[1]}, {w[2], w[3]}};
    contents_->image().windowTouched = flagOf(state, QStringLiteral("window-touched"), false);
    applyWindows();
  }
  for (const Plane plane : imagePlanes)
    if (const auto z = numbersOf(state.value(zoomName(plane)), 3); !z.empty() && z[0] > 0)
      sliceView(plane)->setView(z[0], {z[1], z[2]});
  setShowsDifference(flagOf(state, QStringLiteral("difference"), false));
}

}  // namespace spokelab
