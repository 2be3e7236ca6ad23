// What the comparison shows, for sessions.
#include <QSlider>

#include "widgets/image/compare/compare_view.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {

ViewState CompareView::viewState() const {
  const SliceView& view = *views_[shownSide];
  ViewState state;
  state[QStringLiteral("plane")] = QString::number(int(plane()));
  state[QStringLiteral("style")] = QString::number(int(style_));
  state[QStringLiteral("magnitudes")] = flagText(differenceOf_ == DifferenceOf::magnitudes);
  state[QStringLiteral("wipe")] = numbersText({view.wipe()});
  state[QStringLiteral("frame")] = QString::number(frameSlider_->value());
  const Index3 at = view.cursorIndex();
  state[QStringLiteral("cursor")] = numbersText({double(at[0]), double(at[1]), double(at[2])});
  state[QStringLiteral("mode")] = QString::number(int(view.mode()));
  const DisplayWindows& w = view.windows();
  state[QStringLiteral("windows")] =
      numbersText({w.magnitude.level, w.magnitude.width, w.signedParts.level, w.signedParts.width});
  state[QStringLiteral("zoom")] = numbersText({view.zoom(), view.pan().x(), view.pan().y()});
  return state;
}

void CompareView::setViewState(const ViewState& state) {
  const auto number = [&](const char* name, int last) {
    bool ok = false;
    const int value = state.value(QString::fromLatin1(name)).toInt(&ok);
    return ok && value >= 0 && value <= last ? value : -1;
  };
  if (const int style = number("style", int(Style::flicker)); style >= 0) setStyle(Style(style));
  setDifferenceOf(flagOf(state, QStringLiteral("magnitudes"), false) ? DifferenceOf::magnitudes
                                                                     : DifferenceOf::complexValues);
  if (const auto wipe = numbersOf(state.value(QStringLiteral("wipe")), 1); !wipe.empty())
    views_[shownSide]->setWipe(wipe[0]);
  if (const int plane = number("plane", int(imagePlanes.size()) - 1); plane >= 0) setPlane(Plane(plane));
  if (const int frame = number("frame", frameSlider_->maximum()); frame >= 0) frameSlider_->setValue(frame);
  if (const int mode = number("mode", int(displayModes.size()) - 1); mode >= 0) applyMode(DisplayMode(mode));
  if (const auto at = numbersOf(state.value(QStringLiteral("cursor")), 3); !at.empty())
    forEachView(nullptr, [&](SliceView& view) {
      view.setCursorIndex({std::int64_t(at[0]), std::int64_t(at[1]), std::int64_t(at[2])});
    });
  if (const auto w = numbersOf(state.value(QStringLiteral("windows")), 4); !w.empty() && w[1] > 0 && w[3] > 0)
    for (const Side side : {shownSide, referenceSide}) views_[side]->setWindows({{w[0], w[1]}, {w[2], w[3]}});
  if (const auto z = numbersOf(state.value(QStringLiteral("zoom")), 3); !z.empty() && z[0] > 0)
    forEachView(nullptr, [&](SliceView& view) { view.setView(z[0], {z[1], z[2]}); });
  updateTexts();
}

}  // namespace spokelab
