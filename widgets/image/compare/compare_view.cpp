#include "widgets/image/compare/compare_view.h"

#include <cmath>
#include <limits>
#include <utility>

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_text.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/frame_bar.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr int inset = 6, viewGap = 2;  // pixels
constexpr int flickerMs = 500;         // each of the two is seen that long

QLabel* makeLabel(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  label->setWordWrap(true);
  label->setMargin(inset / 2);
  return label;
}

}  // namespace

CompareView::CompareView(QWidget* parent) : QWidget(parent), nrmse_(none) {
  setObjectName(QStringLiteral("compareView"));
  setAccessibleName(tr("Comparison of two results"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = new CompareBar;
  connectBar();
  column->addWidget(bar_);
  column->addWidget(makeColumns(), 1);
  flicker_ = new QTimer(this);
  flicker_->setInterval(flickerMs);
  connect(flicker_, &QTimer::timeout, this, &CompareView::flick);
  setFocusProxy(views_[shownSide]);  // for its keys
  setItems({}, 0, 0);
}

void CompareView::connectBar() {
  connect(bar_, &CompareBar::shownChosen, this, [this](int id) { choose(shownSide, id); });
  connect(bar_, &CompareBar::referenceChosen, this, [this](int id) { choose(referenceSide, id); });
  connect(bar_, &CompareBar::swapRequested, this, [this] {
    if (find(shown_) && find(reference_)) Q_EMIT pairChosen(reference_, shown_);
  });
  connect(bar_, &CompareBar::closeRequested, this, &CompareView::closeRequested);
  connect(bar_, &CompareBar::planeChosen, this, &CompareView::setPlane);
  connect(bar_, &CompareBar::styleChosen, this, &CompareView::setStyle);
  connect(bar_, &CompareBar::magnitudesToggled, this,
          [this](bool on) { setDifferenceOf(on ? DifferenceOf::magnitudes : DifferenceOf::complexValues); });
  connect(bar_->frames(), &FrameBar::frameChanged, this, [this](int frame) {
    forEachView(nullptr, [frame](SliceView& view) { view.setFrame(frame); });
    updateTexts();
    Q_EMIT frameChanged(frame);
  });
}

QWidget* CompareView::makeColumns() {
  auto* ground = new QWidget;
  auto* grid = grid_ = new QGridLayout(ground);
  grid->setContentsMargins(0, 0, 0, inset);
  grid->setSpacing(viewGap);
  const std::array<QString, 3> names{QStringLiteral("Shown"), QStringLiteral("Reference"),
                                     QStringLiteral("Difference")};
  for (const Side side : {shownSide, referenceSide, differenceSide}) {
    captions_[side] = makeLabel(QStringLiteral("caption") + names[side]);
    captions_[side]->setProperty("role", "heading");
    readouts_[side] = makeLabel(QStringLiteral("readout") + names[side]);
    details_[side] = makeLabel(QStringLiteral("details") + names[side]);
    details_[side]->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    views_[side] = new SliceView(Plane::axial);
    connectView(views_[side]);
    int row = 0;
    grid->addWidget(captions_[side], row++, side);
    grid->addWidget(views_[side], row, side);
    grid->setRowStretch(row++, 1);
    grid->addWidget(readouts_[side], row++, side);
    grid->addWidget(details_[side], row, side);
    grid->setColumnStretch(side, 1);
  }
  return ground;
}

void CompareView::connectView(SliceView* view) {
  view->setReadoutVisible(false);
  connect(view, &SliceView::cursorMoved, this, [this, view](const Index3& index) {
    forEachView(view, [&](SliceView& other) { other.setCursorIndex(index); });
    updateTexts();
  });
  connect(view, &SliceView::viewChanged, this, [this, view](double zoom, const QPointF& pan) {
    forEachView(view, [&](SliceView& other) { other.setView(zoom, pan); });
  });
  connect(view, &SliceView::modeChanged, this, [this, view](DisplayMode mode) {
    applyMode(mode);
    updateTexts();
    Q_EMIT modeChanged(mode);
  });
  // The two images share their window, so that their brightness can be compared.
  connect(view, &SliceView::windowChanged, this, [this, view] {
    if (view != views_[differenceSide])
      for (const Side side : {shownSide, referenceSide}) views_[side]->setWindows(view->windows());
    updateTexts();
  });
  connect(view, &SliceView::windowResetRequested, this, [this, view] {
    if (view != views_[differenceSide])
      for (const Side side : {shownSide, referenceSide}) views_[side]->setWindows(fitting_);
    updateTexts();
  });
}

void CompareView::forEachView(SliceView* except, const std::function<void(SliceView&)>& action) {
  for (SliceView* view : views_)
    if (view != except) action(*view);
}

const CompareItem* CompareView::find(int id) const {
  for (const CompareItem& item : items_)
    if (item.id == id) return &item;
  return nullptr;
}

void CompareView::setItems(const std::vector<CompareItem>& items, int shown, int reference) {
  const auto image = [this](int id) { return find(id) ? find(id)->image : nullptr; };
  const std::shared_ptr<const Image> before[2] = {image(shown_), image(reference_)};
  items_ = items;
  shown_ = shown;
  reference_ = reference;
  bar_->setItems(items_, shown_, reference_);
  const std::shared_ptr<const Image> now[2] = {image(shown_), image(reference_)};
  const bool same = before[0] == now[0] && before[1] == now[1];
  const bool sameSize = before[0] && now[0] && before[0]->size == now[0]->size;
  if (!same) forgetDifference();
  if (!same || !now[0]) applyImages(!sameSize);
  if (!same) requestDifference();
  updateTexts();
}

// The same result on both sides would say nothing: the other one then takes its place.
void CompareView::choose(Side side, int id) {
  int a = side == shownSide ? id : shown_, b = side == referenceSide ? id : reference_;
  if (a == b) (side == shownSide ? b : a) = side == shownSide ? shown_ : reference_;
  bar_->setItems(items_, shown_, reference_);
  if (a != shown_ || b != reference_) Q_EMIT pairChosen(a, b);
}

void CompareView::applyImages(bool fit) {
  const CompareItem* const pair[2] = {find(shown_), find(reference_)};
  const Image* first = pair[0] ? pair[0]->image.get() : nullptr;
  bar_->frames()->setFrames(first ? first->frames : 1, first ? first->frameAxes : FrameAxes());
  const int frame = bar_->frames()->frame();
  const bool flat = first && first->size[2] == 1;
  bar_->setPlanesVisible(!flat);
  if (flat) setPlane(nativePlane(pixelAxes(*first)));
  // Both take the window that fits the reference, so that an error's size is seen.
  const Image* scale = pair[1] ? pair[1]->image.get() : first;
  if (scale && fit) fitting_ = fittingWindows(*scale, frame);
  for (const Side side : {shownSide, referenceSide}) {
    SliceView& view = *views_[side];
    view.setEmptyText(tr("Nothing to compare with yet: reconstruct once more, or click a point of a chart"));
    view.setImage(drawn(side), frame, fit);
    view.setFittingWindows(fitting_);
    view.setWindows(fit ? fitting_ : views_[shownSide]->windows());
    if (!fit) view.setCursorIndex(views_[shownSide]->cursorIndex());  // a reference that came later
    view.setCursorVisible(!flat);
  }
  SliceView& view = *views_[differenceSide];
  view.setEmptyText(pair[0] && pair[1] ? tr("Computing the difference") : QString());
  view.setImage(nullptr);
  view.setCursorVisible(!flat);
  applyStyle();
}

void CompareView::requestDifference() {
  const CompareItem *a = find(shown_), *b = find(reference_);
  if (!a || !b) return;
  const QString obstacle = differenceObstacle(a->image.get(), b->image.get());
  if (!obstacle.isEmpty()) return views_[differenceSide]->setEmptyText(obstacle);
  const DifferenceFunction function =
      differenceOf_ == DifferenceOf::magnitudes ? magnitudeDifference : differenceImage;
  differenceJob_.start(
      [function, image = a->image, reference = b->image](std::stop_token) {
        const Difference difference = function(*image, *reference);
        return std::pair(difference, scaledImage(*image, difference.scales));
      },
      [this](const auto& made) { takeDifference(made.first, made.second); },
      [this](const QString& failure) {
        Q_EMIT message(failure);
        takeDifference({}, nullptr);
      });
}

void CompareView::forgetDifference() {
  nrmse_ = none;
  difference_ = scaled_ = nullptr;
  ofMagnitudes_ = false;
  scales_.clear();
  differenceJob_.drop();
}

// Drawn times the scale that fits it to the reference, so that brightness does not count.
std::shared_ptr<const Image> CompareView::drawn(Side side) const {
  const CompareItem* item = find(side == shownSide ? shown_ : reference_);
  if (side == shownSide && scaled_) return scaled_;
  return item ? item->image : nullptr;
}

void CompareView::takeDifference(const Difference& difference, std::shared_ptr<const Image> scaled) {
  difference_ = difference.image;
  nrmse_ = difference.nrmse;
  ofMagnitudes_ = difference.magnitudes;
  const int frame = bar_->frames()->frame();
  scales_ = difference.scales;
  scaled_ = std::move(scaled);
  SliceView &view = *views_[differenceSide], &from = *views_[shownSide];
  if (from.image() != drawn(shownSide)) {
    from.setImage(drawn(shownSide), frame);
    applyStyle();
  }
  view.setImage(difference_, frame);
  if (difference_) {
    const DisplayWindows fitting = fittingWindows(*difference_, frame);
    view.setWindows(fitting);
    view.setFittingWindows(fitting);
    applyMode(from.mode());
    view.setCursorIndex(from.cursorIndex());
    view.setView(from.zoom(), from.pan());
  } else {
    view.setEmptyText(tr("The difference could not be computed"));
  }
  updateTexts();
  Q_EMIT differenceReady(nrmse_);
}

void CompareView::updateTexts() {
  const CompareItem* const pair[2] = {find(shown_), find(reference_)};
  captions_[shownSide]->setText(
      pair[0] ? shownCaption(style_, shown_, pair[1] ? reference_ : 0, referenceIsUp()) : QString());
  captions_[referenceSide]->setText(pair[1] ? referenceCaption(reference_) : QString());
  for (const Side side : {shownSide, referenceSide})
    details_[side]->setText(pair[side] ? pair[side]->details : QString());
  QString caption = tr("Difference");
  const SliceView& view = *views_[differenceSide];
  if (difference_ && view.mode() != DisplayMode::phase) {
    const double brighter = views_[referenceSide]->window().width / view.window().width;
    caption = tr("Difference, drawn %1 times brighter").arg(valueText(brighter));
  }
  captions_[differenceSide]->setText(caption);
  details_[differenceSide]->setText(difference_ ? differenceText(shown_, reference_, ofMagnitudes_,
                                                                 differenceOf_ == DifferenceOf::magnitudes)
                                                : QString());
  const auto frame = std::size_t(bar_->frames()->frame());
  if (scaled_ && frame < scales_.size())
    details_[shownSide]->setText(scaleText(scales_[frame]) + QLatin1Char('\n') + details_[shownSide]->text());
  for (const Side side : {shownSide, referenceSide, differenceSide})
    readouts_[side]->setText(views_[side]->image() ? views_[side]->readout(views_[side]->cursorIndex())
                                                   : QString());
  bar_->setNrmse(nrmse_, difference_ != nullptr, ofMagnitudes_);
}

Plane CompareView::plane() const {
  return views_[shownSide]->plane();
}

void CompareView::setPlane(Plane plane) {
  bar_->setPlane(plane);
  forEachView(nullptr, [plane](SliceView& view) { view.setPlane(plane); });
  updateTexts();
}

void CompareView::setStyle(Style style) {
  bar_->setStyle(style);
  if (style == style_) return;
  style_ = style;
  applyStyle();
  updateTexts();
}

// One place for both hides the other two columns: the picture is as large as it can be.
void CompareView::applyStyle() {
  const bool one = style_ != Style::sideBySide;
  const CompareItem* reference = find(reference_);
  SliceView& view = *views_[shownSide];
  const SecondImage second = style_ == Style::wipe ? SecondImage::wipe : SecondImage::none;
  view.setSecond(one && reference ? reference->image : nullptr, second);
  for (const Side side : {referenceSide, differenceSide}) {
    views_[side]->setVisible(!one);
    grid_->setColumnStretch(side, one ? 0 : 1);
    for (QLabel* label : {captions_[side], readouts_[side], details_[side]}) label->setVisible(!one);
  }
  if (style_ == Style::flicker && reference)
    flicker_->start();
  else
    flicker_->stop();
}

void CompareView::flick() {
  const CompareItem* reference = find(reference_);
  if (!isVisible() || !reference) return flicker_->stop();
  views_[shownSide]->setSecond(reference->image, referenceIsUp() ? SecondImage::none : SecondImage::whole);
  updateTexts();
}

bool CompareView::referenceIsUp() const {
  return views_[shownSide]->secondShown() == SecondImage::whole;
}

void CompareView::hideEvent(QHideEvent* event) {
  flicker_->stop();
  bar_->frames()->player()->setPlaying(false);
  QWidget::hideEvent(event);
}

// The difference of magnitudes is real: its real part is shown, whatever the mode.
void CompareView::setDifferenceOf(DifferenceOf what) {
  bar_->setMagnitudes(what == DifferenceOf::magnitudes);
  if (what == differenceOf_) return;
  differenceOf_ = what;
  difference_ = nullptr;
  requestDifference();
}

void CompareView::applyMode(DisplayMode mode) {
  for (const Side side : {shownSide, referenceSide}) views_[side]->setMode(mode);
  views_[differenceSide]->setMode(ofMagnitudes_ ? DisplayMode::real : mode);
}

void CompareView::setMeasurement(Measurement* measurement) {
  for (SliceView* view : views_) view->setMeasurement(measurement);
}

void CompareView::keyPressEvent(QKeyEvent* event) {
  const QWidget* focus = focusWidget();
  const bool inBar = focus && focus->hasFocus() && bar_->isAncestorOf(focus);  // its boxes and buttons
  if (inBar || !bar_->takeKey(*event)) QWidget::keyPressEvent(event);
}

ViewState CompareView::viewState() const {
  const SliceView& view = *views_[shownSide];
  ViewState state;
  state[QStringLiteral("plane")] = QString::number(int(plane()));
  state[QStringLiteral("style")] = QString::number(int(style_));
  state[QStringLiteral("magnitudes")] = flagText(differenceOf_ == DifferenceOf::magnitudes);
  state[QStringLiteral("wipe")] = numbersText({view.wipe()});
  state[QStringLiteral("frame")] = QString::number(bar_->frames()->frame());
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
  const auto number = [&](const char* name, int last) { return choiceOf(state, name, last); };
  if (const int style = number("style", int(Style::flicker)); style >= 0) setStyle(Style(style));
  setDifferenceOf(flagOf(state, QStringLiteral("magnitudes"), false) ? DifferenceOf::magnitudes
                                                                     : DifferenceOf::complexValues);
  if (const auto wipe = numbersOf(state.value(QStringLiteral("wipe")), 1); !wipe.empty())
    views_[shownSide]->setWipe(wipe[0]);
  if (const int plane = number("plane", int(imagePlanes.size()) - 1); plane >= 0) setPlane(Plane(plane));
  if (const int frame = number("frame", bar_->frames()->lastFrame()); frame >= 0)
    bar_->frames()->setFrame(frame);
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
