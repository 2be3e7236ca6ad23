// The selected part of the scan, in words and fields (shots, coils, windows of time), and its
// actions. The fields edit the options of the table; the bar holds no values.
#pragma once

#include <QWidget>

#include <memory>

#include "engine/recon/options/options.h"
#include "engine/scan/scan.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace spokelab {

class RangeSlider;

class SelectionBar : public QWidget {
  Q_OBJECT

 public:
  explicit SelectionBar(QWidget* parent = nullptr);

  // Null: nothing can be selected. The windows of time are offered where the scan knows times.
  void setScan(const std::shared_ptr<const Scan>& scan);
  void setOptions(const ReconOptions& options);  // what the fields show; never emits
  // "120 of 804 shots"; a problem is told in its place.
  void setSummary(const QString& text, bool problem = false);
  QString summary() const;
  void setOpen(bool open);  // the fields are shown

 Q_SIGNALS:
  void optionEdited(const QString& name, const QString& value);
  void reconstructRequested();  // with the selection
  void allRequested();          // without any
  void pointSpreadRequested();

 private:
  QLineEdit* addField(const char* name, const QString& label, const QString& hint, int row, int column,
                      int columns);
  struct Window {
    QWidget* row = nullptr;
    RangeSlider* slider = nullptr;
    QLabel* text = nullptr;
    QString unit;
    void tell(double low, double high) const;  // what the window reaches over
  };
  Window addWindow(const char* name, const QString& label, const QString& unit);
  void showWindow(Window& window, const std::string& value);

  QLabel* summary_ = nullptr;
  QToolButton* open_ = nullptr;
  QWidget* fields_ = nullptr;
  QGridLayout* grid_ = nullptr;
  QLineEdit *shots_ = nullptr, *samples_ = nullptr, *coils_ = nullptr;
  Window readout_, scan_;
  QPushButton *reconstruct_ = nullptr, *all_ = nullptr, *spread_ = nullptr;
  bool hasScan_ = false, selects_ = false;  // there is a scan; the options leave out some of it
};

}  // namespace spokelab
