#include "app/gui/window/themed_icon.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QSvgRenderer>

#include <map>
#include <tuple>

namespace spokelab {
namespace {

constexpr const char* drawnColour = "#c8ced6";  // of the lines in resources/icons

const QRegularExpression& anyColour() {
  static const QRegularExpression colour(QStringLiteral("#[0-9a-f]{6}"));
  return colour;
}

struct IconColours {
  QColor usable{QString::fromLatin1(drawnColour)}, disabled{Qt::gray};
};

IconColours& iconColours() {
  static IconColours colours;
  return colours;
}

class ThemedIcon : public QIconEngine {
 public:
  explicit ThemedIcon(QByteArray drawing) : drawing_(std::move(drawing)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const double ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect, drawn(rect.size() * ratio, mode));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override { return drawn(size, mode); }

  QIconEngine* clone() const override { return new ThemedIcon(*this); }

 private:
  // Kept, as a window draws all of its icons whenever it is drawn.
  const QPixmap& drawn(const QSize& size, QIcon::Mode mode) {
    const bool disabled = mode == QIcon::Disabled;
    const IconColours& colours = iconColours();
    const QRgb colour = (disabled ? colours.disabled : colours.usable).rgb();
    const auto [place, isNew] = pictures_.try_emplace({size.width(), size.height(), disabled, colour});
    if (!isNew) return place->second;
    QString coloured = QString::fromLatin1(drawing_);
    if (disabled)  // a coloured part would look as if it could be used
      coloured.replace(anyColour(), colours.disabled.name());
    else
      coloured.replace(QLatin1String(drawnColour), colours.usable.name());
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    QSvgRenderer(coloured.toLatin1()).render(&painter, QRect(QPoint(), size));
    painter.end();
    return place->second = picture;
  }

  QByteArray drawing_;
  std::map<std::tuple<int, int, bool, QRgb>, QPixmap> pictures_;
};

}  // namespace

QIcon themedIcon(const QString& file) {
  QFile resource(file);
  if (!resource.open(QIODevice::ReadOnly)) return QIcon(file);
  return QIcon(new ThemedIcon(resource.readAll()));
}

void setIconColour(const QColor& usable, const QColor& disabled) {
  iconColours() = {usable, disabled};
}

}  // namespace spokelab
