// Names inside a plot, beside their line, mark or bar, each in its colour. Names that would overlap
// give way up or down, or are not drawn; a name that would leave the plot moves inside.
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace spokelab {

class PlotNames {
 public:
  // `at`: its place in the plot's coordinates, or in shares of the axis rectangle. The plot owns
  // the text. The first names keep their places.
  void add(QCPItemText* text, const QPointF& at);
  // Room that names leave free.
  void leaveFree(QCPItemText* text) { others_.push_back(text); }
  void clear();  // the plot has removed, or removes, the texts
  // After each layout of the plot.
  void keepApart(const QRect& area);
  // As drawn, in pixels; of a hidden name nothing.
  std::vector<QRectF> places() const;

 private:
  struct Name {
    QCPItemText* text;
    QPointF at;
  };
  std::vector<Name> names_;
  std::vector<QCPItemText*> others_;
};

}  // namespace spokelab
