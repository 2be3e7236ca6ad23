#include "widgets/image/compare/compare_view.h"

#include <cmath>
#include <limits>

#include <QButtonGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include "widgets/core/number_text.h"
#include "widgets/core/tool_button.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr int inset = 6, gap = 8, viewGap = 2;

QLabel* makeLabel(const QString& name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

}  // namespace

CompareView::CompareView(QWidget* parent) : QWidget(parent), nrmse_(none) {
  setObjectName(QStringLiteral("compareView"));
  setAccessibleName(tr("Comparison of two results"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeTopRow());
  column->addWidget(makeColumns(), 1);
  setFocusProxy(views_[shownSide]);  // for its keys
  setItems({}, 0, 0);
}

// --- building ---------------------------------------------------------------------------------------

QWidget* CompareView::makeTopRow() {
  // Two rows: one would be wider than the slices, and squeeze the docks even while they are shown.
  auto* bar = new QWidget;
  auto* rows = new QVBoxLayout(bar);
  rows->setContentsMargins(inset, 2, inset, 2);
  rows->setSpacing(2);
  auto* row = new QHBoxLayout;
  rows->addLayout(row);
  const std::array<QString, 2> names{QStringLiteral("compareShown"), QStringLiteral("compareReference")};
  const std::array<QString, 2> help{tr("The result that is compared"), tr("The reference")};
  for (const Side side : {shownSide, referenceSide}) {
    auto* box = new QComboBox;
    box->setObjectName(names[side]);
    box->setAccessibleName(help[side]);
    box->setToolTip(help[side]);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    connect(box, &QComboBox::activated, this,
            [this, side, box](int index) { choose(side, box->itemData(index).toInt()); });
    boxes_[side] = box;
    if (side == referenceSide) row->addWidget(new QLabel(tr("against")));
    row->addWidget(box, 1);
  }
  auto* swap = makeToolButton(QStringLiteral("compareSwap"), tr("Swap"),
                              tr("Make the reference the compared result, and the other way round"), false);
  connect(swap, &QToolButton::clicked, this, [this] {
    if (find(shown_) && find(reference_)) Q_EMIT pairChosen(reference_, shown_);
  });
  row->addWidget(swap);
  nrmseLabel_ = new QLabel;
  nrmseLabel_->setObjectName(QStringLiteral("compareNrmse"));
  row->addWidget(nrmseLabel_);
  auto* close =
      makeToolButton(QStringLiteral("compareClose"), tr("Close"), tr("Back to slices and volume"), false);
  connect(close, &QToolButton::clicked, this, &CompareView::closeRequested);
  row->addWidget(close);
  row = new QHBoxLayout;
  rows->addLayout(row);
  planes_ = new QButtonGroup(this);
  for (const Plane plane : imagePlanes) {
    auto* button = makeToolButton(QStringLiteral("comparePlane%1").arg(int(plane)), planeTitle(plane),
                                  tr("%1 slices").arg(planeTitle(plane)), true);
    planes_->addButton(button, int(plane));
    row->addWidget(button);
  }
  planes_->button(int(Plane::axial))->setChecked(true);
  connect(planes_, &QButtonGroup::idClicked, this, [this](int id) { setPlane(Plane(id)); });
  row->addSpacing(gap);
  addStyleButtons(row);
  frameControls_ = new QWidget;
  auto* frameRow = new QHBoxLayout(frameControls_);
  frameRow->setContentsMargins(gap, 0, 0, 0);
  frameLabel_ = new QLabel;
  frameSlider_ = new QSlider(Qt::Horizontal);
  frameSlider_->setObjectName(QStringLiteral("compareFrame"));
  frameSlider_->setAccessibleName(tr("Frame"));
  constexpr int sliderWidth = 100;
  frameSlider_->setFixedWidth(sliderWidth);
  connect(frameSlider_, &QSlider::valueChanged, this, [this](int frame) {
    forEachView(nullptr, [frame](SliceView& view) { view.setFrame(frame); });
    updateTexts();
    Q_EMIT frameChanged(frame);
  });
  frameRow->addWidget(frameLabel_);
  frameRow->addWidget(frameSlider_);
  player_ = new FramePlayer(frameSlider_);
  frameRow->addWidget(player_);
  row->addWidget(frameControls_);
  row->addStretch(1);
  return bar;
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
    for (QLabel* label : {readouts_[side], details_[side]}) label->setWordWrap(true);
    details_[side]->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    views_[side] = new SliceView(Plane::axial);
    connectView(views_[side]);
    int row = 0;
    for (QLabel* label : {captions_[side], readouts_[side], details_[side]}) label->setMargin(inset / 2);
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

// --- what is compared -------------------------------------------------------------------------------

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
  fillBoxes();
  const std::shared_ptr<const Image> now[2] = {image(shown_), image(reference_)};
  const bool same = before[0] == now[0] && before[1] == now[1];
  const bool sameSize = before[0] && now[0] && before[0]->size == now[0]->size;
  if (!same) {
    nrmse_ = none;
    difference_ = nullptr;
    differenceJob_.drop();
  }
  if (!same || !now[0]) applyImages(!sameSize);
  if (!same) requestDifference();
  updateTexts();
}

void CompareView::fillBoxes() {
  for (const Side side : {shownSide, referenceSide}) {
    QComboBox& box = *boxes_[side];
    box.clear();
    for (const CompareItem& item : items_) box.addItem(item.title, item.id);
    box.setCurrentIndex(box.findData(side == shownSide ? shown_ : reference_));
    box.setEnabled(items_.size() > 1);
  }
}

// The same result on both sides would say nothing: the other one then takes its place.
void CompareView::choose(Side side, int id) {
  int a = side == shownSide ? id : shown_, b = side == referenceSide ? id : reference_;
  if (a == b) (side == shownSide ? b : a) = side == shownSide ? shown_ : reference_;
  fillBoxes();
  if (a != shown_ || b != reference_) Q_EMIT pairChosen(a, b);
}

void CompareView::applyImages(bool fit) {
  const CompareItem* const pair[2] = {find(shown_), find(reference_)};
  const Image* first = pair[0] ? pair[0]->image.get() : nullptr;
  const int frames = first ? first->frames : 1;
  {
    const QSignalBlocker quiet(frameSlider_);
    frameSlider_->setRange(0, frames - 1);
  }
  frameControls_->setVisible(frames > 1);
  if (frames < 2) player_->setPlaying(false);
  const int frame = frameSlider_->value();
  const bool flat = first && first->size[2] == 1;
  for (QAbstractButton* button : planes_->buttons()) button->setVisible(!flat);
  if (flat) setPlane(nativePlane(pixelAxes(*first)));
  // What fits the reference: a tenfold error of the other one must look like one.
  const Image* scale = pair[1] ? pair[1]->image.get() : first;
  if (scale && fit) fitting_ = fittingWindows(*scale, frame);
  for (const Side side : {shownSide, referenceSide}) {
    SliceView& view = *views_[side];
    view.setEmptyText(tr("Nothing to compare with yet: reconstruct once more, or click a point of a chart"));
    view.setImage(pair[side] ? pair[side]->image : nullptr, frame, fit);
    view.setFittingWindows(fitting_);
    if (fit) view.setWindows(fitting_);
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
  differenceJob_.start([function, image = a->image,
                        reference = b->image](std::stop_token) { return function(*image, *reference); },
                       [this](const Difference& difference) { takeDifference(difference); },
                       [this](const QString& failure) {
                         Q_EMIT message(failure);
                         takeDifference({});
                       });
}

void CompareView::takeDifference(const Difference& difference) {
  difference_ = difference.image;
  nrmse_ = difference.nrmse;
  SliceView &view = *views_[differenceSide], &from = *views_[shownSide];
  const int frame = frameSlider_->value();
  view.setImage(difference_, frame);
  if (difference_) {
    differenceFitting_ = fittingWindows(*difference_, frame);
    view.setWindows(differenceFitting_);
    view.setFittingWindows(differenceFitting_);
    applyMode(from.mode());
    view.setCursorIndex(from.cursorIndex());
    view.setView(from.zoom(), from.pan());
  } else {
    view.setEmptyText(tr("The difference could not be computed"));
  }
  updateTexts();
  Q_EMIT differenceReady(nrmse_);
}

// --- words ------------------------------------------------------------------------------------------

void CompareView::updateTexts() {
  const CompareItem* const pair[2] = {find(shown_), find(reference_)};
  const std::array<QString, 2> roles{tr("Result %1"), tr("Reference: result %1")};
  for (const Side side : {shownSide, referenceSide}) {
    const CompareItem* item = pair[side];
    captions_[side]->setText(item ? roles[side].arg(item->id) : QString());
    if (side == shownSide && item && pair[1] && style_ == Style::wipe)
      captions_[side]->setText(
          tr("Left of the line: result %1, right of it: result %2").arg(item->id).arg(reference_));
    if (side == shownSide && item && pair[1] && style_ == Style::flicker)
      captions_[side]->setText(referenceIsUp() ? roles[1].arg(reference_) : roles[0].arg(shown_));
    details_[side]->setText(item ? item->details : QString());
  }
  QString caption = tr("Difference");
  const SliceView& view = *views_[differenceSide];
  if (difference_ && view.mode() != DisplayMode::phase) {
    const double brighter = views_[referenceSide]->window().width / view.window().width;
    caption = tr("Difference, drawn %1 times brighter").arg(valueText(brighter));
  }
  captions_[differenceSide]->setText(caption);
  details_[differenceSide]->setText(
      !difference_ ? QString()
      : differenceOf_ == DifferenceOf::magnitudes
          ? tr("magnitude of result %1, scaled to fit, minus that of result %2").arg(shown_).arg(reference_)
          : tr("result %1, scaled to fit, minus result %2").arg(shown_).arg(reference_));
  for (const Side side : {shownSide, referenceSide, differenceSide})
    readouts_[side]->setText(views_[side]->image() ? views_[side]->readout(views_[side]->cursorIndex())
                                                   : QString());
  nrmseLabel_->setVisible(difference_ != nullptr);
  nrmseLabel_->setText(std::isfinite(nrmse_) ? tr("NRMSE %1").arg(valueText(nrmse_))
                                             : tr("NRMSE: reference is zero"));
  frameLabel_->setText(tr("Frame %1 / %2").arg(frameSlider_->value()).arg(frameSlider_->maximum()));
}

// --- what the user or the window asks for -----------------------------------------------------------

Plane CompareView::plane() const {
  return views_[shownSide]->plane();
}

void CompareView::setPlane(Plane plane) {
  planes_->button(int(plane))->setChecked(true);
  forEachView(nullptr, [plane](SliceView& view) { view.setPlane(plane); });
  updateTexts();
}

}  // namespace spokelab
