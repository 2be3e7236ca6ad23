// Shows a PlanModel: headings, names and values, and a bar for each stage of the time.
#pragma once

#include <QTableView>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/recon/run/reconstruction.h"

namespace spokelab {

class PlanModel;

class PlanView : public QTableView {
  Q_OBJECT

 public:
  explicit PlanView(QWidget* parent = nullptr);

  void setResult(std::shared_ptr<const Reconstruction> result);
  // The rows of the next reconstruction (job_text.h); empty: none is set up.
  void setJob(std::vector<std::pair<std::string, std::string>> rows);
  PlanModel* planModel() const { return model_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void span();
  void layOut();

  PlanModel* model_;
};

}  // namespace spokelab
