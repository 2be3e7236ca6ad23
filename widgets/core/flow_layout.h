// A bar's widgets from left to right, wrapped into lines. The rest of a line is given to its
// stretches and to expanding widgets.
#pragma once

#include <QLayout>

#include <vector>

namespace spokelab {

class FlowLayout : public QLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(QWidget* parent = nullptr);
  ~FlowLayout() override;
  void addSpacing(int pixels);  // none where a line begins or ends
  void addStretch();

  void addItem(QLayoutItem* item) override;
  int count() const override { return int(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;  // one widget a line
  QSize sizeHint() const override;     // all in one line
  void setGeometry(const QRect& rect) override;

 private:
  using Line = std::vector<QLayoutItem*>;
  std::vector<Line> lines(int width) const;
  int heightOf(const Line& line) const;
  int widthOf(const Line& line) const;
  void place(const Line& line, const QRect& rect) const;

  std::vector<QLayoutItem*> items_;
};

}  // namespace spokelab
