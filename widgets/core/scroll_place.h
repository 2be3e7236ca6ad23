// Scrolls a view that has less room than it needs. A view therefore does not limit how small the
// window can be.
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
