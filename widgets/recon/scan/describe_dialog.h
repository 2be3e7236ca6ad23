// Plain arrays do not say what their axes mean: shows the description that is proposed for them as
// a form and as text, what it was guessed from, and a small picture of each reading. Asks to open
// the scan only with a description that can be read, or the array as an image.
#pragma once

#include <QDialog>
#include <QTimer>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/recon/explore/doctor.h"
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace spokelab {

class DescriptionForm;
class ReadingList;

class DescribeDialog : public QDialog {
  Q_OBJECT

 public:
  // `array`: the file that was to be opened; shapes: of its arrays, by file.
  DescribeDialog(const QString& array, const ProposedDescription& proposal,
                 const std::map<std::string, ArrayHeader>& shapes, QWidget* parent = nullptr);

  DescriptionForm* form() const { return form_; }
  QPlainTextEdit* editor() const { return editor_; }
  QPushButton* openButton() const { return open_; }
  QPushButton* saveButton() const { return save_; }
  ReadingList* readings() const { return readings_; }
  bool isValid() const { return valid_; }

  // A picture for the last request.
  void addReading(const Reading& reading);
  void setPicturesText(const QString& text);  // the progress of pictures, or why there are none

 Q_SIGNALS:
  void openRequested(const QString& description);
  void saveRequested(const QString& description);  // the receiver asks for a place
  void picturesRequested(const QString& description);
  void imageRequested();  // the array is an image, not part of a scan

 private:
  void takeForm();
  std::optional<ScanDescription> check();  // nothing: it cannot be read
  void choose(const QString& topic, const QString& choice);

  std::filesystem::path folder_;
  std::map<std::string, ArrayHeader> shapes_;
  bool valid_ = false;
  QTabWidget* tabs_;
  DescriptionForm* form_;
  QPlainTextEdit* editor_;
  ReadingList* readings_;
  QLabel *problem_, *pictures_;
  QPushButton *open_, *save_;
  QTimer asking_;
};

}  // namespace spokelab
