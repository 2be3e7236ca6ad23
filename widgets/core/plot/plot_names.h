// Names inside a plot, beside their line, mark or bar, each in its colour. Names that would overlap
// give way up or down, or are not drawn; a name that would leave the plot moves inside. Names also
// give way to bars, unless a bar is in every place that a name can reach.
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
  // Names also avoid a bar from the axis up to `top` at `x`, both in axis coordinates; it is
  // `pixels` wide. A name crosses a bar only if no other place is free.
  void leaveFreeBar(double x, double top, double pixels) { bars_.push_back({x, top, pixels}); }
  void clear();  // the plot has removed, or removes, the texts
  // Moves or hides names inside `area` (pixels); call it after each layout of the plot.
  void keepApart(const QRect& area);
  // Rectangles of the drawn names, in pixels; a hidden name has none.
  std::vector<QRectF> places() const;
  std::vector<QRectF> barPlaces() const;  // in pixels; empty without names

 private:
  struct Name {
    QCPItemText* text;
    QPointF at;
  };
  struct Bar {
    double x, top, pixels;
  };
  std::vector<Name> names_;
  std::vector<Bar> bars_;
  std::vector<QCPItemText*> others_;
};

}  // namespace spokelab
