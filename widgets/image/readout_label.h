// Shows the value under the cursor in one line: place in pixels, place in the patient, value. In
// little room the parts move closer together; then the place in the patient is left out.
#pragma once

#include <QLabel>

namespace spokelab {

class ReadoutLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ReadoutLabel(QWidget* parent = nullptr);
  // text: the three parts, separated by four spaces each.
  void setReadout(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QString readout_;
};

}  // namespace spokelab
