#include "engine/recon/model/expression.h"

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 9> symbols = {
    "F", "G", "S", "C", "P", "B", "W", "T", "Σ_k a_kᴴ T_k a_k"};

Expression over(Expression::Kind kind, std::string index, Expression e) {
  Expression result;
  result.kind = kind;
  result.index = std::move(index);
  result.parts.push_back(std::move(e));
  return result;
}

void append(std::vector<Expression>& parts, Expression e) {
  if (e.kind == Expression::Kind::product)
    parts.insert(parts.end(), std::move_iterator(e.parts.begin()), std::move_iterator(e.parts.end()));
  else
    parts.push_back(std::move(e));
}

}  // namespace

Expression single(Operator op, std::string index) {
  Expression e;
  e.op = op;
  e.index = std::move(index);
  return e;
}

Expression adjointOf(Expression e) {
  if (e.kind == Expression::Kind::adjoint) return std::move(e.parts.front());
  return over(Expression::Kind::adjoint, "", std::move(e));
}

Expression product(std::vector<Expression> parts) {
  Expression e;
  e.kind = Expression::Kind::product;
  for (Expression& part : parts) append(e.parts, std::move(part));
  return e;
}

Expression stackOver(std::string index, Expression e) {
  return over(Expression::Kind::stack, std::move(index), std::move(e));
}
Expression sumOver(std::string index, Expression e) {
  return over(Expression::Kind::sum, std::move(index), std::move(e));
}
Expression batchOver(std::string index, Expression e) {
  return over(Expression::Kind::batch, std::move(index), std::move(e));
}

Expression normalOf(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::stack:
      return sumOver(e.index, normalOf(e.parts.front()));
    case Expression::Kind::product: {
      std::vector<Expression> parts;
      for (std::size_t i = e.parts.size() - 1; i > 0; --i) parts.push_back(adjointOf(e.parts[i]));
      append(parts, normalOf(e.parts.front()));
      parts.insert(parts.end(), e.parts.begin() + 1, e.parts.end());
      return product(std::move(parts));
    }
    default:
      return product({adjointOf(e), single(Operator::weights, e.index), e});
  }
}

std::string expressionText(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::single:
      return std::string(symbols[std::size_t(e.op)]) + (e.index.empty() ? "" : '_' + e.index);
    case Expression::Kind::adjoint:
      return expressionText(e.parts.front()) + "ᴴ";
    case Expression::Kind::product: {
      std::string text;
      for (const Expression& part : e.parts) text += (text.empty() ? "" : " ") + expressionText(part);
      return text;
    }
    case Expression::Kind::stack:
      return "[" + e.index + "] " + expressionText(e.parts.front());
    case Expression::Kind::sum:
      return "Σ_" + e.index + ' ' + expressionText(e.parts.front());
    case Expression::Kind::batch:
      return "Σ_" + e.index + " {" + expressionText(e.parts.front()) + '}';
  }
  return {};
}

}  // namespace spokelab
