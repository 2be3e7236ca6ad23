// A description of arrays as a form: a box for the meaning of each axis beside its size, the unit
// of the trajectory, and numbers that arrays do not hold. Parts of a description that have no row
// are kept as they are.
#pragma once

#include <QWidget>

#include <map>
#include <string>
#include <vector>

#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/read/description/scan_description.h"

class QComboBox;
class QFormLayout;
class QLineEdit;

namespace spokelab {

class DescriptionForm : public QWidget {
  Q_OBJECT

 public:
  explicit DescriptionForm(QWidget* parent = nullptr);

  // shapes: by file, where they are known. Does not emit.
  void setDescription(const ScanDescription& description, const std::map<std::string, ArrayHeader>& shapes);
  const ScanDescription& description() const { return description_; }
  // The axes are known from now on, no guess.
  void setAxes(const AxesReading& reading);
  void setUnit(const std::string& unit);

 Q_SIGNALS:
  void edited();

 private:
  void fill();
  void addPart(const QString& role, const QString& name, ArrayPart& part);
  void addUnit();
  void addNumbers();
  QLineEdit* addLine(const QString& label, const char* name, const QString& text, const QString& hint);
  void take();  // from the boxes and lines

  struct AxisBox {
    QComboBox* box;
    ArrayPart* part;  // of description_
    std::size_t axis;
  };

  ScanDescription description_;
  std::map<std::string, ArrayHeader> shapes_;
  QWidget* rows_ = nullptr;
  QFormLayout* layout_ = nullptr;
  std::vector<AxisBox> axes_;
  QComboBox* unit_ = nullptr;
  QLineEdit *matrix_ = nullptr, *fov_ = nullptr, *dwell_ = nullptr;
};

}  // namespace spokelab
