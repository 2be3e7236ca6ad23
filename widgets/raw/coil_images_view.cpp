#include "widgets/raw/coil_images_view.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "widgets/raw/raw_picture_view.h"

namespace spokelab {
namespace {

constexpr std::int64_t pixelsOfCoil = 64;  // along an axis, at most

}  // namespace

CoilImagesView::CoilImagesView(QWidget* parent) : QWidget(parent), picture_(new RawPictureView) {
  picture_->setObjectName(QStringLiteral("coilImages"));
  picture_->setAccessibleName(tr("Image of each coil"));
  picture_->setScale(RawScale::linear);
  picture_->setSquareCells(true);
  picture_->installEventFilter(this);
  picture_->setAxes(tr("x of each coil"), tr("y of each coil"));
  picture_->setHint(tr("No images yet"));
  // Images are made when they are seen; another size of the view asks for no other ones.
  connect(picture_, &RawPictureView::wanted, this, [this] {
    if (std::exchange(stale_, false)) make();
  });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(picture_);
  connect(picture_, &RawPictureView::placed, this, [this](qint64 column, qint64 row) {
    const std::int64_t coil = images_->coilAt(column, row, across_);
    if (coil >= 0) Q_EMIT coilChosen(coil);
  });
}

void CoilImagesView::setScan(const std::shared_ptr<const Scan>& scan) {
  scan_ = scan;
  place_ = {};
  images_ = std::make_shared<const CoilImages>();
  job_.drop();
  picture_->setPicture({});
  stale_ = true;
  picture_->invalidate();
}

void CoilImagesView::setPlace(const RawPlace& place) {
  const RawPlace before = std::exchange(place_, place);
  if (before.frame != place.frame || before.slice != place.slice) {
    stale_ = true;
    picture_->invalidate();
  } else if (images_->coils > 0 && before.coil != place.coil) {
    show();
  }
}

QPointF CoilImagesView::pointOf(std::int64_t coil) const {
  const std::int64_t nx = images_->matrix[0], ny = images_->matrix[1];
  return picture_->pointOf({coil % across_ * nx + nx / 2, coil / across_ * ny + ny / 2});
}

void CoilImagesView::make() {
  if (!scan_) return tell({});
  tell(tr("Gridding each coil…"));
  job_.start(
      [scan = scan_, place = place_](std::stop_token stop) {
        Made made;
        try {
          made.images = std::make_shared<const CoilImages>(
              coilImages(*scan, place.frame, place.slice, pixelsOfCoil, Progress(stop)));
        } catch (const Error& e) {
          made.failure = QString::fromStdString(e.reason());
        }
        return made;
      },
      [this](const Made& made) {
        images_ = made.images ? made.images : std::make_shared<const CoilImages>();
        if (!made.images) {
          picture_->setPicture({});
          picture_->setHint(tr("No images: %1").arg(made.failure));
          tell(made.failure);
        } else {
          arrange();
        }
        Q_EMIT drawn();
      });
}

std::int64_t CoilImagesView::fittingAcross() const {
  const QSizeF room = picture_->room();
  std::int64_t best = 1;
  double largest = 0;  // pixels on the screen of one of the image
  for (std::int64_t across = 1; across <= images_->coils; ++across) {
    const std::int64_t down = (images_->coils + across - 1) / across;
    const double scale = std::min(room.width() / double(across * images_->matrix[0]),
                                  room.height() / double(down * images_->matrix[1]));
    if (scale > largest) {
      largest = scale;
      best = across;
    }
  }
  return best;
}

void CoilImagesView::arrange() {
  across_ = fittingAcross();
  picture_->setPicture(images_->mosaic(across_));
  show();
}

bool CoilImagesView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == picture_ && event->type() == QEvent::Resize && images_->coils > 0 &&
      fittingAcross() != across_)
    arrange();
  return QWidget::eventFilter(watched, event);
}

void CoilImagesView::show() {
  const std::int64_t nx = images_->matrix[0], ny = images_->matrix[1];
  picture_->setPlace(
      RawPictureView::Cell{place_.coil % across_ * nx + nx / 2, place_.coil / across_ * ny + ny / 2});
  tell(tr("Frame %1, slice %2: coils 0 to %3 by rows, %4 × %5 pixels each; the mark is coil %6")
           .arg(place_.frame + 1)
           .arg(place_.slice + 1)
           .arg(images_->coils - 1)
           .arg(nx)
           .arg(ny)
           .arg(place_.coil));
}

void CoilImagesView::tell(const QString& note) {
  note_ = note;
  Q_EMIT told();
}

}  // namespace spokelab
