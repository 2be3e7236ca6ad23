#include "widgets/image/image_grid.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>

#include "widgets/core/image_theme.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int viewGap = 2, noteTop = 30;  // pixels

}  // namespace

ImageGrid::ImageGrid(QWidget* volumePlace, QWidget* parent)
    : QWidget(parent),
      volumePlace_(volumePlace),
      grid_(new QGridLayout(this)),
      note_(new QLabel(this)),
      remark_(new QLabel(this)) {
  setObjectName(QStringLiteral("imageGrid"));
  const auto takeTheme = [this] {
    QPalette ground = palette();
    ground.setColor(QPalette::Window, ImageTheme::frame());
    setPalette(ground);
  };
  takeTheme();
  followScreenTheme(this, takeTheme);
  setAutoFillBackground(true);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(viewGap);
  for (const Plane plane : imagePlanes) {
    views_[std::size_t(plane)] = new SliceView(plane);
    grid_->addWidget(views_[std::size_t(plane)], int(plane) / 2, int(plane) % 2);
  }
  grid_->addWidget(volumePlace_, 1, 1);
  note_->setObjectName(QStringLiteral("previewNote"));
  remark_->setObjectName(QStringLiteral("imageRemark"));
  remark_->setAlignment(Qt::AlignCenter);
  for (QLabel* label : {note_, remark_}) {
    label->setProperty("role", "preview");
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->hide();
  }
}

void ImageGrid::arrange(const Image* image) {
  const bool hadFocus =
      std::any_of(views_.begin(), views_.end(), [](const SliceView* view) { return view->hasFocus(); });
  const bool flat = !image || image->size[2] == 1;
  const Plane single = image ? nativePlane(pixelAxes(*image)) : Plane::axial;
  for (const Plane plane : imagePlanes) views_[std::size_t(plane)]->setVisible(!flat || plane == single);
  volumePlace_->setVisible(!flat);
  const auto stretch = [&](int row, int column) {
    return !flat || (row == int(single) / 2 && column == int(single) % 2);
  };
  for (int i = 0; i < 2; ++i) {
    grid_->setRowStretch(i, stretch(i, 0) || stretch(i, 1) ? 1 : 0);
    grid_->setColumnStretch(i, stretch(0, i) || stretch(1, i) ? 1 : 0);
  }
  for (SliceView* view : views_) view->setCursorVisible(!flat);
  // The view that had it may be hidden now.
  if (hadFocus &&
      std::none_of(views_.begin(), views_.end(), [](const SliceView* view) { return view->hasFocus(); }))
    takeFocus();
}

void ImageGrid::takeFocus() {
  for (SliceView* view : views_)
    if (!view->isHidden()) return view->setFocus();
}

void ImageGrid::setRemark(const QString& text) {
  remark_->setText(text);
  remark_->setVisible(!text.isEmpty());
  placeRemark();
}

QString ImageGrid::remark() const {
  return remark_->text();
}

void ImageGrid::placeRemark() {
  remark_->adjustSize();
  remark_->move((width() - remark_->width()) / 2, (height() - remark_->height()) / 2);
  remark_->raise();
}

void ImageGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeRemark();
}

void ImageGrid::showNote(const QString& text) {
  note_->setText(text);
  note_->adjustSize();
  note_->move((width() - note_->width()) / 2, noteTop);
  note_->show();
  note_->raise();
}

void ImageGrid::hideNote() {
  note_->hide();
}

}  // namespace spokelab
