#include "widgets/image/over_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <utility>

#include "widgets/core/colour_map.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/tool_button.h"

namespace spokelab {
namespace {

constexpr int sides = 6, sliderWidth = 120, wholeOpacity = 100;
constexpr int barSwatchWidth = 40, barSwatchHeight = 10;

}  // namespace

OverBar::OverBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("overBar"));
  name_ = new ElidedLabel(QString());
  opacity_ = new QSlider(Qt::Horizontal);
  opacity_->setObjectName(QStringLiteral("overOpacity"));
  opacity_->setAccessibleName(tr("Opacity of the image on top"));
  opacity_->setToolTip(opacity_->accessibleName());
  opacity_->setRange(0, wholeOpacity);
  opacity_->setValue(wholeOpacity / 2);
  opacity_->setFixedWidth(sliderWidth);
  maps_ = new QComboBox;
  maps_->setObjectName(QStringLiteral("overMap"));
  maps_->setAccessibleName(tr("Colours of the image on top"));
  maps_->setToolTip(maps_->accessibleName());
  for (const QString& name : ColourMap::sequentialNames())
    maps_->addItem(QPixmap::fromImage(ColourMap::legend(DisplayMode::magnitude, ColourMap::sequential(name),
                                                        {barSwatchWidth, barSwatchHeight})),
                   ColourMap::title(name), name);
  maps_->setIconSize({barSwatchWidth, barSwatchHeight});
  maps_->setCurrentIndex(std::max(0, maps_->findData(QStringLiteral("ember"))));
  auto* remove =
      makeToolButton(QStringLiteral("overRemove"), tr("Remove"), tr("Take it off the image"), false);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(sides, 2, sides, 2);
  row->addWidget(name_, 1);
  row->addWidget(new QLabel(tr("Opacity")));
  row->addWidget(opacity_);
  row->addWidget(maps_);
  row->addWidget(remove);
  connect(opacity_, &QSlider::valueChanged, this, &OverBar::tell);
  connect(maps_, &QComboBox::currentIndexChanged, this, &OverBar::tell);
  connect(remove, &QToolButton::clicked, this, &OverBar::removed);
  hide();
}

void OverBar::setOver(std::shared_ptr<const OverImage> over) {
  over_ = over ? styled(*over) : nullptr;
  setVisible(over_ != nullptr);
  if (!over_) return;
  const DisplayWindow& window = over_->window;
  name_->setWhole(tr("Over the image: %1 (%2 to %3)")
                      .arg(over_->name, shortLabel(window.low(), 3), shortLabel(window.high(), 3)));
}

std::shared_ptr<const OverImage> OverBar::styled(const OverImage& over) const {
  auto now = std::make_shared<OverImage>(over);
  now->opacity = double(opacity_->value()) / wholeOpacity;
  now->map = maps_->currentData().toString();
  return now;
}

void OverBar::tell() {
  if (!over_) return;
  over_ = styled(*over_);
  Q_EMIT overChanged(over_);
}

}  // namespace spokelab
