// A place for a view that scrolls where it is smaller than the view needs: no view decides how
// small the window can be.
#pragma once

#include <QScrollArea>

namespace spokelab {

class ScrollPlace : public QScrollArea {
  Q_OBJECT

 public:
  explicit ScrollPlace(QWidget* content, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 private:
  QWidget* content_;
};

}  // namespace spokelab
