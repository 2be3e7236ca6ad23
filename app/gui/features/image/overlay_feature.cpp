#include "app/gui/features/image/overlay_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include <cmath>

#include "app/gui/features/image/image_file.h"
#include "engine/scan/check/resample_image.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/over_bar.h"
#include "widgets/recon/history_list.h"

namespace spokelab {
namespace {

constexpr JobKind overlayJob{.name = "overlay"};

// An overlay is a second image, drawn in colours on top of the shown image (OverImage). This one is
// `image`, resampled to the pixels of `onto`; pixels outside of `image` are 0 and are not drawn.
std::shared_ptr<const OverImage> laidOnto(const Image& onto, const std::shared_ptr<const Image>& image,
                                          const QString& name, const Progress& progress) {
  Image grid;
  grid.size = onto.size;
  grid.geometry = onto.geometry;
  grid.frames = image->frames;
  std::shared_ptr<const Image> laid = onGridOf(grid, image, progress);
  if (laid != image) {
    auto finite = std::make_shared<Image>(*laid);
    for (cfloat& value : finite->data)
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) value = 0;
    laid = finite;
  }
  return overImage(laid, name);
}

}  // namespace

OverlayFeature::OverlayFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), bar_(new OverBar) {
  action_ = makeAction(this, tr("&Lay an image over…"), "action-overlay", {},
                       tr("A mask, a map or another image in colours over the shown one"));
  views_.image->addBar(bar_);
  connect(action_, &QAction::triggered, this, &OverlayFeature::ask);
  connect(bar_, &OverBar::overChanged, views_.image, &ImagePanel::setOver);
  connect(bar_, &OverBar::removed, this, &OverlayFeature::remove);
  connect(views_.history, &HistoryList::overRequested, this, &OverlayFeature::layResult);
  connect(&session_, &Session::resultShown, this, &OverlayFeature::lay);
  connect(&session_, &Session::scanOpened, this, &OverlayFeature::remove);
}

void OverlayFeature::ask() {
  auto* dialog = dialogToOpen(views_.window, tr("Lay an image over the shown one"), "open-overlay",
                              lastFolder(), tr("Images (%1);;All files (*)").arg(imageEndings));
  connect(dialog, &QFileDialog::fileSelected, this, &OverlayFeature::open);
  dialog->open();
}

void OverlayFeature::open(const QString& file) {
  session_.jobs().submit(
      overlayJob, tr("Open %1").arg(QFileInfo(file).fileName()),
      [this, file, scan = session_.scan()](const JobContext& context) -> JobQueue::Delivery {
        const auto read = readImageResult(file.toStdString(), scan.get(), context.progress);
        return [this, read, file] { layOver(read->image, QFileInfo(file).fileName()); };
      });
}

void OverlayFeature::layResult(int id) {
  if (const HistoryEntry* entry = session_.results().find(id)) layOver(entry->result->image, titleOf(*entry));
}

void OverlayFeature::layOver(const std::shared_ptr<const Image>& image, const QString& name) {
  if (!image) return;
  if (!views_.image->image()) {
    Q_EMIT session_.failed({tr("Cannot lay %1 over the image").arg(name), tr("no image is shown"),
                            tr("Reconstruct first, or open an image")});
    return;
  }
  image_ = image;
  name_ = name;
  lay();
}

void OverlayFeature::lay() {
  const auto onto = views_.image->image();
  if (!image_ || !onto) return;
  laying_.start([onto, image = image_,
                 name = name_](std::stop_token stop) { return laidOnto(*onto, image, name, Progress(stop)); },
                [this](const std::shared_ptr<const OverImage>& over) { show(over); },
                [this](const QString& why) {
                  Q_EMIT session_.failed({tr("Cannot lay %1 over the image").arg(name_), why,
                                          tr("Choose an image of the same place")});
                  remove();
                });
}

void OverlayFeature::show(const std::shared_ptr<const OverImage>& over) {
  bar_->setOver(over);
  views_.image->setOver(bar_->over());
}

void OverlayFeature::remove() {
  laying_.drop();
  image_ = nullptr;
  show(nullptr);
}

}  // namespace spokelab
