#include "widgets/recon/noise_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int noiseInset = 6, noiseGap = 8, minReplicas = 2, maxReplicas = 10000, usualReplicas = 50;

}  // namespace

NoiseView::NoiseView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("noiseView"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(noiseInset, 2, noiseInset, noiseInset);
  auto* bar = new QHBoxLayout;
  make_ = new QToolButton;
  make_->setObjectName(QStringLiteral("mapNoise"));
  make_->setText(tr("Map the noise"));
  make_->setToolTip(tr("Reconstruct the scan again and again with drawn noise, with the parameters of now"));
  connect(make_, &QToolButton::clicked, this, &NoiseView::mapsRequested);
  bar->addWidget(make_);
  replicas_ = new QSpinBox;
  replicas_->setObjectName(QStringLiteral("noiseReplicas"));
  replicas_->setAccessibleName(tr("Replicas"));
  replicas_->setToolTip(tr("Noisy images whose spread is taken; 100 tell the noise of a pixel to 7 %"));
  replicas_->setRange(minReplicas, maxReplicas);
  replicas_->setValue(usualReplicas);
  replicas_->setSuffix(tr(" replicas"));
  bar->addWidget(replicas_);
  status_ = new ElidedLabel({});
  status_->setObjectName(QStringLiteral("noiseStatus"));
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  bar->addWidget(status_, 1);
  column->addLayout(bar);
  auto* row = new QHBoxLayout;
  row->setSpacing(noiseGap);
  for (const Map map : {noiseMap, snrMap, gFactorMap}) row->addWidget(makeColumn(map), 1);
  column->addLayout(row, 1);
  const auto takeColours = [this] {
    for (SliceView* view : views_) view->setColourMap(mapColours());
  };
  takeColours();
  followScreenTheme(this, takeColours);
  setMaps(nullptr);
}

QString NoiseView::titleOf(Map map) const {
  return map == noiseMap ? tr("Noise") : map == snrMap ? tr("SNR") : tr("g-factor");
}

QWidget* NoiseView::makeColumn(Map map) {
  static const std::array<QString, 3> names{QStringLiteral("noise"), QStringLiteral("snr"),
                                            QStringLiteral("gFactor")};
  auto* column = new QWidget;
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  captions_[map] = new QLabel;
  captions_[map]->setObjectName(names[map] + QStringLiteral("Caption"));
  captions_[map]->setProperty("role", "heading");
  captions_[map]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  overs_[map] = new QToolButton;
  overs_[map]->setObjectName(names[map] + QStringLiteral("Over"));
  overs_[map]->setText(tr("Over the image"));
  overs_[map]->setToolTip(tr("Lay this map over the image in colours"));
  overs_[map]->setAutoRaise(true);
  connect(overs_[map], &QToolButton::clicked, this, [this, map] {
    if (const auto image = imageOf(map)) Q_EMIT overRequested(image, titleOf(map));
  });
  auto* top = new QHBoxLayout;
  top->addWidget(captions_[map], 1);
  top->addWidget(overs_[map]);
  layout->addLayout(top);
  views_[map] = new SliceView;
  views_[map]->setAccessibleName(titleOf(map));
  connect(views_[map], &SliceView::cursorMoved, this, [this, map](const Index3& index) {
    for (SliceView* other : views_)
      if (other && other != views_[map]) other->setCursorIndex(index);
  });
  layout->addWidget(views_[map], 1);
  return column;
}

std::shared_ptr<const Image> NoiseView::imageOf(Map map) const {
  if (!maps_) return nullptr;
  return map == noiseMap ? maps_->noise : map == snrMap ? maps_->snr : maps_->gFactor;
}

int NoiseView::replicas() const {
  return replicas_->value();
}

void NoiseView::setBusy(bool busy) {
  if (busy != make_->isEnabled()) return;
  make_->setEnabled(!busy);
  make_->setText(busy ? tr("Mapping…") : tr("Map the noise"));
}

void NoiseView::setMaps(std::shared_ptr<const NoiseMaps> maps) {
  maps_ = std::move(maps);
  for (const Map map : {noiseMap, snrMap, gFactorMap}) {
    const auto image = imageOf(map);
    views_[map]->setImage(image);
    if (image) views_[map]->setPlane(nativePlane(pixelAxes(*image)));
    views_[map]->setEmptyText(tr("Map the noise to see it"));
    overs_[map]->setEnabled(image != nullptr);
    captions_[map]->setText(titleOf(map));
  }
  if (!maps_) return status_->setWhole(tr("Noise, SNR and g-factor by pseudo-replicas"));
  captions_[snrMap]->setText(tr("SNR, median %1").arg(valueText(maps_->medianSnr)));
  captions_[gFactorMap]->setText(tr("g-factor, median %1").arg(valueText(maps_->medianG)));
  status_->setWhole(tr("%1 replicas: the noise of a pixel to %2")
                        .arg(maps_->replicas)
                        .arg(percentLabel(maps_->relativeError)));
}

}  // namespace spokelab
