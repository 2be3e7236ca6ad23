// How two results are laid beside or over each other, and what their difference is made of.
#include <QButtonGroup>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QTimer>
#include <QToolButton>

#include "widgets/core/tool_button.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int flickerMs = 500;  // each of the two is seen that long

struct StyleButton {
  const char *name, *text, *help;
  int key;
};
constexpr StyleButton styleButtons[] = {
    {"compareSideBySide", QT_TRANSLATE_NOOP("spokelab::CompareView", "Side by side"),
     QT_TRANSLATE_NOOP("spokelab::CompareView", "Two images and their difference (key S)"), Qt::Key_S},
    {"compareWipe", QT_TRANSLATE_NOOP("spokelab::CompareView", "Wipe"),
     QT_TRANSLATE_NOOP("spokelab::CompareView",
                       "Both in one place, with a line between them to drag (key W)"),
     Qt::Key_W},
    {"compareFlicker", QT_TRANSLATE_NOOP("spokelab::CompareView", "Flicker"),
     QT_TRANSLATE_NOOP("spokelab::CompareView", "Now the one, now the other, in one place (key F)"),
     Qt::Key_F}};

}  // namespace

void CompareView::addStyleButtons(QLayout* row) {
  styles_ = new QButtonGroup(this);
  for (int i = 0; i < int(std::size(styleButtons)); ++i) {
    const StyleButton& b = styleButtons[i];
    QToolButton* button = makeToolButton(QString::fromLatin1(b.name), tr(b.text), tr(b.help), true);
    styles_->addButton(button, i);
    row->addWidget(button);
  }
  styles_->button(0)->setChecked(true);
  connect(styles_, &QButtonGroup::idClicked, this, [this](int id) { setStyle(Style(id)); });
  magnitudes_ = makeToolButton(
      QStringLiteral("compareMagnitudes"), tr("|a| − |b|"),
      tr("The signed difference of the magnitudes, in place of the complex one (key G)"), true);
  connect(magnitudes_, &QToolButton::toggled, this,
          [this](bool on) { setDifferenceOf(on ? DifferenceOf::magnitudes : DifferenceOf::complexValues); });
  row->addWidget(magnitudes_);
  flicker_ = new QTimer(this);
  flicker_->setInterval(flickerMs);
  connect(flicker_, &QTimer::timeout, this, &CompareView::flick);
}

void CompareView::setStyle(Style style) {
  styles_->button(int(style))->setChecked(true);
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
  const SecondImage how = style_ == Style::wipe ? SecondImage::wipe : SecondImage::none;
  view.setSecond(one && reference ? reference->image : nullptr, how);
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
  player_->setPlaying(false);
  QWidget::hideEvent(event);
}

// The difference of magnitudes is real: its real part is shown, whatever the mode.
void CompareView::setDifferenceOf(DifferenceOf what) {
  magnitudes_->setChecked(what == DifferenceOf::magnitudes);
  if (what == differenceOf_) return;
  differenceOf_ = what;
  difference_ = nullptr;
  requestDifference();
}

void CompareView::applyMode(DisplayMode mode) {
  for (const Side side : {shownSide, referenceSide}) views_[side]->setMode(mode);
  const bool magnitudes = differenceOf_ == DifferenceOf::magnitudes;
  views_[differenceSide]->setMode(magnitudes ? DisplayMode::real : mode);
}

void CompareView::setMeasurement(Measurement* measurement) {
  for (SliceView* view : views_) view->setMeasurement(measurement);
}

void CompareView::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() == Qt::NoModifier) {
    for (int i = 0; i < int(std::size(styleButtons)); ++i)
      if (event->key() == styleButtons[i].key) return setStyle(Style(i));
    if (event->key() == Qt::Key_G) return magnitudes_->toggle();
    if (event->key() == Qt::Key_Space && frameControls_->isVisible())
      return player_->setPlaying(!player_->isPlaying());
  }
  QWidget::keyPressEvent(event);
}

}  // namespace spokelab
