#include "app/gui/window/themed_icon.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace spokelab {
namespace {

constexpr const char* drawnColour = "#c8ced6";  // of the lines in resources/icons

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
    const QColor& colour = mode == QIcon::Disabled ? colours.disabled : colours.usable;
    QByteArray coloured = drawing_;
    QSvgRenderer(coloured.replace(drawnColour, colour.name().toLatin1())).render(painter, rect);
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
