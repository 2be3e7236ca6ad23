// Arranges the four places of the image panel: axial and coronal above, sagittal and the volume
// below. An image of one slice shows its plane alone, large. A note and a remark can cover them.
#pragma once

#include <array>

#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"

class QGridLayout;
class QLabel;

namespace spokelab {

class SliceView;

class ImageGrid : public QWidget {
  Q_OBJECT

 public:
  // Makes the slice views; the fourth place shows `volumePlace`.
  explicit ImageGrid(QWidget* volumePlace, QWidget* parent = nullptr);

  const std::array<SliceView*, 3>& views() const { return views_; }  // by plane
  // Arranges the places for this image; null: one plane, as for one slice.
  void arrange(const Image* image);
  void showNote(const QString& text);
  void hideNote();
  // A sentence in the middle of the views about what they show; empty: none.
  void setRemark(const QString& text);
  QString remark() const;
  void takeFocus();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeRemark();

  std::array<SliceView*, 3> views_{};
  QWidget* volumePlace_;
  QGridLayout* grid_;
  QLabel *note_, *remark_;
};

}  // namespace spokelab
