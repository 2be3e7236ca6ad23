// A handle of six dots. Dragging it takes a picture or a table out of the window; clicking it
// copies the same. DragOutFeature receives both signals and makes the files for other programs.
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
  // The user began a drag; a click emits clicked().
  void dragged();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::function<DragContent()> content_;
  QPoint pressed_;
};

// Name of a bool property. pictureBelow() ends above a visible sibling of the bar that has it set.
inline constexpr const char* notInPictures = "notInPictures";
// A picture of the bar's parent below the bar.
QPixmap pictureBelow(const QWidget& bar);

}  // namespace spokelab
