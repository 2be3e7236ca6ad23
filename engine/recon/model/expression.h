// A linear model as an expression of operators: E of minimize ½ |W^½ (E x - y)|² + λ R(x), and the
// normal operator Eᴴ W E that iterations apply, before and after rules (rewrite.h) put a faster
// operator in place of a part.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

enum class Operator {
  transform,           // F: image to samples, a NUFFT
  exactSums,           // G: the same by exact sums, with the field
  segments,            // S = Σ_l b_l F a_l: a field's phase by NUFFTs of time segments
  coils,               // C: an image times a coil's map
  phase,               // P: an image times a shot's phase
  basis,               // B: a frame from the images of a temporal basis
  weights,             // W: samples times their weights
  convolution,         // T: an image convolved with the point spread function
  segmentConvolutions  // Σ_k a_kᴴ T_k a_k
};

struct Expression {
  enum class Kind { single, adjoint, product, stack, sum, batch };
  Kind kind = Kind::single;
  Operator op = Operator::transform;  // single
  std::string index;                  // single: what it differs with; stack, sum, batch: what is run over
  std::vector<Expression> parts;      // adjoint, stack, sum, batch: one; product: applied from the last on

  bool operator==(const Expression&) const = default;
};

Expression single(Operator op, std::string index = "");
Expression adjointOf(Expression e);
Expression product(std::vector<Expression> parts);
// Samples of all c, one below the other; Σ_c; Σ_c whose terms are computed together.
Expression stackOver(std::string index, Expression e);
Expression sumOver(std::string index, Expression e);
Expression batchOver(std::string index, Expression e);

// Eᴴ W E. The normal operator of a stack is the sum over its parts; a product has the normal
// operator of its first part in the middle.
Expression normalOf(const Expression& e);

// "Σ_c C_cᴴ Fᴴ W F C_c"; of a batch "Σ_c {C_cᴴ T C_c}".
std::string expressionText(const Expression& e);

}  // namespace spokelab
