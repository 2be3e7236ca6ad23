#include "widgets/recon/density_view.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QImage>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double rangeDecibels = 80;
constexpr int pictureSize = 260, zoomed = 8, brightest = 255;
constexpr double decibel = 20;

QString decibels(double ratio) {
  return fixedLabel(decibel * std::log10(std::max(ratio, 1e-12)), 1) + QStringLiteral(" dB");
}

QString percent(double share) {
  constexpr double hundred = 100;
  return fixedLabel(hundred * share, 1) + QStringLiteral(" %");
}

QString numbersOf(const DensityTrial& trial, const DensityTrial* first, int dims) {
  QStringList width;
  for (int d = 0; d < dims; ++d) width << fixedLabel(trial.spread.fwhm[std::size_t(d)], 2);
  QStringList lines;
  lines << DensityView::tr("FWHM %1 pixels").arg(width.join(QStringLiteral(" × ")));
  lines << DensityView::tr("Side lobes %1").arg(decibels(trial.spread.sideLobe));
  lines << DensityView::tr("%1 of the energy beyond the main lobe").arg(percent(trial.spread.beyond));
  lines << DensityView::tr("Weights add up to %1 of k-space").arg(percent(trial.spread.peak));
  if (first && first != &trial)
    lines << DensityView::tr("Differs from the first by %1 within %2 of the radius")
                 .arg(percent(trial.agreement.rms), percent(innerShare));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

QImage spreadPicture(const Image& spread, double range, int zoom) {
  const auto nx = int(spread.size[0]), ny = int(spread.size[1]);
  const int width = std::max(1, nx / zoom), height = std::max(1, ny / zoom);
  const int left = nx / 2 - width / 2, top = ny / 2 - height / 2;
  const std::int64_t slice = spread.size[2] / 2 * spread.size[0] * spread.size[1];
  QImage picture(width, height, QImage::Format_Grayscale8);
  for (int y = 0; y < height; ++y) {
    uchar* line = picture.scanLine(y);
    for (int x = 0; x < width; ++x) {
      const double size = std::abs(spread.data[std::size_t(slice + std::int64_t(y + top) * nx + x + left)]);
      const double level = 1 + decibel * std::log10(std::max(size, 1e-12)) / range;
      line[x] = uchar(std::lround(brightest * std::clamp(level, 0.0, 1.0)));
    }
  }
  return picture;
}

DensityView::DensityView(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  auto* near = new QCheckBox(tr("Only the middle, enlarged"));
  near->setObjectName(QStringLiteral("near"));
  connect(near, &QCheckBox::toggled, this, [this](bool on) {
    zoom_ = on ? zoomed : 1;
    rebuild();
  });
  grid_ = new QGridLayout;
  layout->addLayout(grid_, 1);
  layout->addWidget(near);
  auto* legend =
      new QLabel(tr("Black to white: −%1 … 0 dB, over twice the field of view").arg(rangeDecibels));
  legend->setEnabled(false);
  layout->addWidget(legend);
}

void DensityView::setTrials(std::shared_ptr<const DensityTrials> trials) {
  trials_ = std::move(trials);
  rebuild();
}

void DensityView::rebuild() {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  if (!trials_) return;
  const DensityTrial* first = nullptr;
  int column = 0;
  QStringList refused;
  for (const DensityTrial& trial : trials_->trials) {
    const auto methodName = densityName(trial.method);
    const QString name = QString::fromUtf8(methodName.data(), qsizetype(methodName.size()));
    if (!trial.refused.empty()) {
      refused << tr("%1: not possible, %2").arg(name, QString::fromStdString(trial.refused));
      continue;
    }
    auto* heading = new QLabel(name);
    heading->setProperty("role", "heading");
    grid_->addWidget(heading, 0, column);
    auto* origin = new QLabel(QString::fromStdString(trial.weights.origin));
    origin->setWordWrap(true);
    grid_->addWidget(origin, 1, column, Qt::AlignTop);
    auto* picture = new QLabel;
    picture->setObjectName(QStringLiteral("psf-") + name);
    picture->setPixmap(QPixmap::fromImage(
        spreadPicture(trial.spread.image, rangeDecibels, zoom_)
            .scaled(pictureSize, pictureSize, Qt::KeepAspectRatio, Qt::FastTransformation)));
    grid_->addWidget(picture, 2, column);
    if (!first) first = &trial;
    auto* numbers = new QLabel(numbersOf(trial, first, trials_->dims));
    numbers->setObjectName(QStringLiteral("numbers-") + name);
    numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    numbers->setWordWrap(true);
    numbers->setMinimumWidth(pictureSize);
    grid_->addWidget(numbers, 3, column, Qt::AlignTop);
    ++column;
  }
  if (refused.isEmpty()) return;
  auto* others = new QLabel(refused.join(QLatin1Char('\n')));
  others->setObjectName(QStringLiteral("refused"));
  others->setWordWrap(true);
  others->setEnabled(false);
  grid_->addWidget(others, 4, 0, 1, std::max(1, column));
}

}  // namespace spokelab
