// Plain arrays do not say what their axes mean: shows the description that is proposed for them and
// what it was guessed from, to be checked and corrected; asks to open the scan only with a
// description that can be read, or the array as an image.
#pragma once

#include <QDialog>

#include <filesystem>

#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace spokelab {

class DescribeDialog : public QDialog {
  Q_OBJECT

 public:
  // `array`: the file that was to be opened.
  DescribeDialog(const QString& array, const ProposedDescription& proposal, QWidget* parent = nullptr);

  QPlainTextEdit* editor() const { return editor_; }
  QPushButton* openButton() const { return open_; }
  bool isValid() const { return valid_; }

 Q_SIGNALS:
  void openRequested(const QString& description);
  void imageRequested();  // the array is an image, not part of a scan

 private:
  void check();

  std::filesystem::path folder_;
  bool valid_ = false;
  QPlainTextEdit* editor_;
  QLabel* problem_;
  QPushButton* open_;
};

}  // namespace spokelab
