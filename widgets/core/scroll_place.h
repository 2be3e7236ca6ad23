// Holds a view and scrolls it when it has less room than the view needs, so that no view limits how
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
