// A line of text that ends in "…" if the room is too small, and is empty if only a few letters fit;
// the tool tip then has the whole text.
#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace spokelab {

class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(const QString& whole, QWidget* parent = nullptr) : QLabel(parent) { setWhole(whole); }

  void setWhole(const QString& whole) {
    fullText_ = whole;
    updateGeometry();
    fit();
  }
  const QString& whole() const { return fullText_; }

  QSize sizeHint() const override {
    return {fontMetrics().horizontalAdvance(fullText_) + 1, QLabel::sizeHint().height()};
  }
  QSize minimumSizeHint() const override { return {1, QLabel::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    fit();
  }

 private:
  void fit() {
    constexpr int minLetters = 4;
    QString text = fontMetrics().elidedText(fullText_, Qt::ElideRight, width());
    if (text != fullText_ && text.size() <= minLetters) text.clear();  // the last one is "…"
    if (text == QLabel::text()) return;
    setText(text);
    setToolTip(text == fullText_ ? QString() : fullText_);
  }

  QString fullText_;
};

}  // namespace spokelab
