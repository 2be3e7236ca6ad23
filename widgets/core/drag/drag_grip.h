// A handle of six dots. A drag of it takes a picture or a table out of the window, a click copies
// the same. The window makes the files that other programs want (DragOutFeature).
#pragma once

#include <QPixmap>
#include <QString>
#include <QToolButton>

#include <functional>

namespace spokelab {

struct DragContent {
  QString name;           // of its file, without an ending
  QPixmap picture;        // null: none
  QString table;          // numbers as text; empty: none
  bool isPicture = true;  // else the file is the table
};

class DragGrip : public QToolButton {
  Q_OBJECT

 public:
  // Asks for the content at each drag and click.
  DragGrip(const QString& name, const QString& help, std::function<DragContent()> content,
           QWidget* parent = nullptr);

  DragContent content() const { return content_(); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void dragged();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<DragContent()> content_;
  QPoint pressed_;
};

// The property of a widget below the views that no picture of them shows.
inline constexpr const char* notInPictures = "notInPictures";
// A picture of the views below a bar, without it.
QPixmap pictureBelow(const QWidget& bar);

}  // namespace spokelab
