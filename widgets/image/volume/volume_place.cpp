#include "widgets/image/volume/volume_place.h"

#include "widgets/core/image_theme.h"
#include "widgets/image/volume/volume_view.h"

namespace spokelab {
namespace {

void takeColours(QLabel& label, const QColor& text) {
  QPalette palette = label.palette();
  palette.setColor(QPalette::Window, ImageTheme::background());
  palette.setColor(QPalette::WindowText, text);
  label.setPalette(palette);
}

}  // namespace

VolumeView* makeCaptionedVolume(const QFont& font) {
  auto* volume = new VolumeView;
  auto* caption = new QLabel(VolumeView::tr("Volume"), volume);
  caption->setObjectName(QStringLiteral("volumeCaption"));
  const auto colour = [caption] { takeColours(*caption, ImageTheme::text()); };
  colour();
  followScreenTheme(caption, colour);
  caption->setFont(ImageTheme::smallFont(font));
  caption->setAttribute(Qt::WA_TransparentForMouseEvents);
  constexpr int inset = 8;  // pixels
  caption->move(inset, inset);
  return volume;
}

QLabel* makeVolumeSubstitute(const QString& why) {
  auto* label = new QLabel(VolumeView::tr("The volume view is not available: %1.").arg(why));
  label->setObjectName(QStringLiteral("volumeUnavailable"));
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  constexpr int inset = 24;  // pixels
  label->setContentsMargins(inset, inset, inset, inset);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  const auto colour = [label] { takeColours(*label, ImageTheme::hint()); };
  colour();
  followScreenTheme(label, colour);
  label->setAutoFillBackground(true);
  return label;
}

}  // namespace spokelab
