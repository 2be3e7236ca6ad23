#include "widgets/image/compare/compare_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/tool_button.h"
#include "widgets/image/compare/compare_text.h"
#include "widgets/image/display/frame_bar.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/display/group_box.h"

namespace spokelab {
namespace {

constexpr int barInset = 6, partGap = 8;  // pixels
constexpr int minTitleLetters = 16, frameSliderWidth = 100;

struct StyleButton {
  const char *name, *text, *help;
  int key;
};
constexpr StyleButton styleButtons[] = {
    {"compareSideBySide", QT_TRANSLATE_NOOP("spokelab::CompareBar", "Side by side"),
     QT_TRANSLATE_NOOP("spokelab::CompareBar", "Two images and their difference (key S)"), Qt::Key_S},
    {"compareWipe", QT_TRANSLATE_NOOP("spokelab::CompareBar", "Wipe"),
     QT_TRANSLATE_NOOP("spokelab::CompareBar", "Both in one place, with a line between them to drag (key W)"),
     Qt::Key_W},
    {"compareFlicker", QT_TRANSLATE_NOOP("spokelab::CompareBar", "Flicker"),
     QT_TRANSLATE_NOOP("spokelab::CompareBar", "Now the one, now the other, in one place (key F)"),
     Qt::Key_F}};

}  // namespace

CompareBar::CompareBar(QWidget* parent) : QWidget(parent) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(barInset, 2, barInset, 2);
  rows->setSpacing(2);
  auto* row = new FlowLayout;
  rows->addLayout(row);
  shownBox_ = addBox(row, QStringLiteral("compareShown"), tr("The result that is compared"));
  connect(shownBox_, &QComboBox::activated, this,
          [this](int index) { Q_EMIT shownChosen(shownBox_->itemData(index).toInt()); });
  row->addWidget(new QLabel(tr("against")));
  referenceBox_ = addBox(row, QStringLiteral("compareReference"), tr("The reference"));
  connect(referenceBox_, &QComboBox::activated, this,
          [this](int index) { Q_EMIT referenceChosen(referenceBox_->itemData(index).toInt()); });
  auto* swap = makeToolButton(QStringLiteral("compareSwap"), tr("Swap"),
                              tr("Make the reference the compared result, and the other way round"), false);
  connect(swap, &QToolButton::clicked, this, &CompareBar::swapRequested);
  row->addWidget(swap);
  nrmse_ = new QLabel;
  nrmse_->setObjectName(QStringLiteral("compareNrmse"));
  row->addWidget(nrmse_);
  auto* close =
      makeToolButton(QStringLiteral("compareClose"), tr("Close"), tr("Back to slices and volume"), false);
  connect(close, &QToolButton::clicked, this, &CompareBar::closeRequested);
  row->addWidget(close);
  row = new FlowLayout;
  rows->addLayout(row);
  addPlaneButtons(row);
  row->addSpacing(partGap);
  addStyleButtons(row);
  groups_ = new GroupBox(QStringLiteral("compareGroup"));
  row->addWidget(groups_);
  frames_ = new FrameBar(QStringLiteral("compareFrame"), frameSliderWidth);
  frames_->layout()->setContentsMargins(partGap, 0, 0, 0);
  row->addWidget(frames_);
  row->addWidget(new DragGrip(QStringLiteral("dragComparison"),
                              tr("Drag the picture to another program; a click copies it"), [this] {
                                return DragContent{tr("comparison"), pictureBelow(*this), {}};
                              }));
}

QComboBox* CompareBar::addBox(FlowLayout* row, const QString& name, const QString& help) {
  auto* box = new QComboBox;
  box->setObjectName(name);
  box->setAccessibleName(help);
  box->setToolTip(help);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(minTitleLetters);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  row->addWidget(box);
  return box;
}

void CompareBar::addPlaneButtons(FlowLayout* row) {
  planes_ = new QButtonGroup(this);
  for (const Plane plane : imagePlanes) {
    auto* button = makeToolButton(QStringLiteral("comparePlane%1").arg(int(plane)), planeTitle(plane),
                                  tr("%1 slices").arg(planeTitle(plane)), true);
    planes_->addButton(button, int(plane));
    row->addWidget(button);
  }
  planes_->button(int(Plane::axial))->setChecked(true);
  connect(planes_, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT planeChosen(Plane(id)); });
}

void CompareBar::addStyleButtons(FlowLayout* row) {
  styles_ = new QButtonGroup(this);
  for (int i = 0; i < int(std::size(styleButtons)); ++i) {
    const StyleButton& b = styleButtons[i];
    QToolButton* button = makeToolButton(QString::fromLatin1(b.name), tr(b.text), tr(b.help), true);
    styles_->addButton(button, i);
    row->addWidget(button);
  }
  styles_->button(0)->setChecked(true);
  connect(styles_, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT styleChosen(CompareStyle(id)); });
  magnitudes_ = makeToolButton(
      QStringLiteral("compareMagnitudes"), tr("|a| − |b|"),
      tr("The signed difference of the magnitudes, in place of the complex one (key G)"), true);
  connect(magnitudes_, &QToolButton::toggled, this, &CompareBar::magnitudesToggled);
  row->addWidget(magnitudes_);
}

void CompareBar::setItems(const std::vector<CompareItem>& items, int shown, int reference) {
  for (QComboBox* box : {shownBox_, referenceBox_}) {
    box->clear();
    for (const CompareItem& item : items) box->addItem(item.title, item.id);
    box->setCurrentIndex(box->findData(box == shownBox_ ? shown : reference));
    box->setEnabled(items.size() > 1);
  }
}

void CompareBar::setPlane(Plane plane) {
  planes_->button(int(plane))->setChecked(true);
}

void CompareBar::setPlanesVisible(bool visible) {
  for (QAbstractButton* button : planes_->buttons()) button->setVisible(visible);
}

void CompareBar::setStyle(CompareStyle style) {
  styles_->button(int(style))->setChecked(true);
}

void CompareBar::setMagnitudes(bool on) {
  magnitudes_->setChecked(on);
}

void CompareBar::setNrmse(double nrmse, bool visible, bool ofMagnitudes) {
  nrmse_->setVisible(visible);
  nrmse_->setText(nrmseText(nrmse, ofMagnitudes));
}

bool CompareBar::takeKey(const QKeyEvent& event) {
  if (event.modifiers() != Qt::NoModifier) return false;
  for (int i = 0; i < int(std::size(styleButtons)); ++i)
    if (event.key() == styleButtons[i].key) {
      Q_EMIT styleChosen(CompareStyle(i));
      return true;
    }
  if (event.key() == Qt::Key_G) {
    magnitudes_->toggle();
    return true;
  }
  if (event.key() == Qt::Key_Space && frames_->isVisible()) {
    frames_->player()->setPlaying(!frames_->player()->isPlaying());
    return true;
  }
  return false;
}

}  // namespace spokelab
