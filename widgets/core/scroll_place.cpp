#include "widgets/core/scroll_place.h"

#include <QEvent>
#include <QLayout>

#include <algorithm>

namespace spokelab {
namespace {

constexpr QSize minPlace(90, 24);

// Fills with its content. A widget with wrapped lines asks a QScrollArea for the height that it
// would like; the holder asks for the least one.
class Holder : public QWidget {
 public:
  explicit Holder(QWidget* content) : content_(content) { content->setParent(this); }

  QSize minimumSizeHint() const override {
    QSize least = content_->minimumSizeHint().expandedTo(content_->minimumSize());
    const QLayout* layout = content_->layout();
    const int width = std::max(least.width(), parentWidget() ? parentWidget()->width() : 0);
    if (layout && layout->hasHeightForWidth())
      least.setHeight(std::max(content_->minimumHeight(), layout->totalMinimumHeightForWidth(width)));
    return least;
  }
  QSize sizeHint() const override { return content_->sizeHint(); }

 protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::event(event);
  }
  void resizeEvent(QResizeEvent*) override { content_->setGeometry(rect()); }

 private:
  QWidget* content_;
};

}  // namespace

ScrollPlace::ScrollPlace(QWidget* content, QWidget* parent) : QScrollArea(parent), content_(content) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setWidgetResizable(true);
  auto* holder = new Holder(content);
  setWidget(holder);
  holder->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
}

QSize ScrollPlace::sizeHint() const {
  return content_->sizeHint();
}

QSize ScrollPlace::minimumSizeHint() const {
  return minPlace;
}

}  // namespace spokelab
