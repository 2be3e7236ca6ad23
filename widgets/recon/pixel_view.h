// The answer of a pixel: its point spread function in decibels, what is known about it in lines,
// and the shots that it depends on, which may be left out.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "engine/recon/explore/pixel/pixel_answer.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace spokelab {

class SliceView;

// An answer with its pictures, which are made on a worker because they take a while.
struct ShownAnswer {
  PixelAnswer answer;
  std::shared_ptr<const Image> decibels;  // inDecibels() of its point spread
  int dims = 2;
  QString title;  // "Result 2, pixel 14, 20"
};

class PixelView : public QWidget {
  Q_OBJECT

 public:
  explicit PixelView(QWidget* parent = nullptr);

  // Null: a hint.
  void setAnswer(std::shared_ptr<const ShownAnswer> answer);
  const std::shared_ptr<const ShownAnswer>& answer() const { return answer_; }
  std::vector<int> chosenShots() const;

 Q_SIGNALS:
  void leaveOutRequested(const std::vector<int>& shots);
  void spreadRequested();  // as a result

 private:
  QWidget* makeSpread();
  QWidget* makeShots();
  void fillShots();
  void updateButton();

  std::shared_ptr<const ShownAnswer> answer_;
  QLabel* hint_;
  QWidget* contents_;
  SliceView* spread_;
  QLabel* text_;
  QTreeWidget* shots_;
  QPushButton *leave_, *keep_;
};

}  // namespace spokelab
