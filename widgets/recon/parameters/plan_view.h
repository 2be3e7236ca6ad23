// Shows a PlanModel: headings, names and values, and a bar for each stage of the time.
#pragma once

#include <QTableView>

#include <memory>

#include "engine/recon/reconstruction.h"

namespace spokelab {

class PlanModel;

class PlanView : public QTableView {
  Q_OBJECT

 public:
  explicit PlanView(QWidget* parent = nullptr);

  void setResult(std::shared_ptr<const Reconstruction> result);
  PlanModel* planModel() const { return model_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void layOut();

  PlanModel* model_;
};

}  // namespace spokelab
