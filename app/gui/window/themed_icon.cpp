#include "app/gui/window/themed_icon.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QSvgRenderer>

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
    const IconColours& colours = iconColours();
    QString coloured = QString::fromLatin1(drawing_);
    if (mode == QIcon::Disabled)  // a coloured part would look as if it could be used
      coloured.replace(anyColour(), colours.disabled.name());
    else
      coloured.replace(QLatin1String(drawnColour), colours.usable.name());
    QSvgRenderer(coloured.toLatin1()).render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return picture;
  }

  QIconEngine* clone() const override { return new ThemedIcon(*this); }

 private:
  QByteArray drawing_;
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
