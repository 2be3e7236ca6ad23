// Models as expressions: their normal operators, the rules that rewrite them, and each rule's operator beside
// the plain product of forward transform, weights and adjoint.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/recon/model/job_model.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/sense_plan.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_rewriting {

using namespace spokelab;

namespace {

constexpr std::int64_t side = 12, pixels = side * side, samples = 90, coils = 3;

Expression coilStack(Operator op) {
  return stackOver("c", product({single(op), single(Operator::coils, "c")}));
}

// Random points, weights and maps; a field over 20 ms.
SenseProblem smallProblem(TransformKind transform, NormalMethod normal, std::int64_t batch) {
  SenseProblem p;
  p.matrix = {side, side, 1};
  for (std::uint64_t j = 0; j < samples; ++j) {
    const cdouble random = complexNormal(3, j);
    p.points.own().push_back(side * std::remainder(random.real(), 1.0));
    p.points.own().push_back(side * std::remainder(random.imag(), 1.0));
    p.weights.own().push_back(1 + 0.5 * std::cos(double(j)));
    p.times.push_back(20e-3 * double(j) / samples);
  }
  p.shotOffsets = {0, samples};
  p.coils.assign(coils, static_cast<const cdouble*>(nullptr));
  p.precision = Precision::double64;
  p.transform = transform;
  p.batch = batch;
  p.nufft.accuracy = 1e-6;
  p.nufft.normal = normal;
  p.nufft.threads = 1;
  for (std::int64_t i = 0; i < coils * pixels; ++i)
    p.maps.push_back(cfloat(complexNormal(5, std::uint64_t(i))));
  if (knowsField(transform))
    for (std::int64_t i = 0; i < pixels; ++i) p.field.push_back(60 * std::cos(0.3 * double(i % side)));
  return p;
}

using Space = HostSpace<double>;
using Vector = std::vector<cdouble>;

Vector randomVector(std::int64_t count, std::uint64_t seed) {
  Vector v;
  for (std::int64_t i = 0; i < count; ++i) v.push_back(complexNormal(seed, std::uint64_t(i)));
  return v;
}

cdouble inner(const Vector& a, const Vector& b) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

double apart(const Vector& a, const Vector& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(difference / norm);
}

}  // namespace

class TestRewriting : public QObject {
  Q_OBJECT

 private slots:
  void normalOperatorsHaveTheWeightsInTheMiddle() {
    const Expression f = single(Operator::transform);
    QCOMPARE(expressionText(normalOf(f)), std::string("Fᴴ W F"));
    QCOMPARE(expressionText(normalOf(coilStack(Operator::transform))), std::string("Σ_c C_cᴴ Fᴴ W F C_c"));
    const Expression shots =
        stackOver("g", stackOver("c", product({single(Operator::transform, "g"), single(Operator::coils, "c"),
                                               single(Operator::phase, "g")})));
    QCOMPARE(expressionText(normalOf(shots)), std::string("Σ_g Σ_c P_gᴴ C_cᴴ F_gᴴ W_g F_g C_c P_g"));
    QVERIFY(adjointOf(adjointOf(f)) == f);
  }

  void rulesRewriteWhatTheyApplyTo() {
    const auto text = [](Operator op, const ModelFacts& facts) {
      return expressionText(rewriteNormal(coilStack(op), facts).rewritten);
    };
    QCOMPARE(text(Operator::transform, {NormalMethod::gridded, false, 1}),
             std::string("Σ_c C_cᴴ Fᴴ W F C_c"));
    QCOMPARE(text(Operator::transform, {NormalMethod::toeplitz, false, 1}), std::string("Σ_c C_cᴴ T C_c"));
    QCOMPARE(text(Operator::transform, {NormalMethod::toeplitzShifted, false, 4}),
             std::string("Σ_c {C_cᴴ T C_c}"));
    QCOMPARE(text(Operator::segments, {NormalMethod::toeplitz, false, 1}),
             std::string("Σ_c C_cᴴ Sᴴ W S C_c"));
    QCOMPARE(text(Operator::segments, {NormalMethod::gridded, true, 2}),
             std::string("Σ_c {C_cᴴ Σ_k a_kᴴ T_k a_k C_c}"));
    QCOMPARE(text(Operator::exactSums, {NormalMethod::toeplitz, true, 1}),
             std::string("Σ_c C_cᴴ Gᴴ W G C_c"));
    QVERIFY(rewriteNormal(coilStack(Operator::exactSums), {}).rules.empty());
    const Expression basis =
        stackOver("t", stackOver("c", product({single(Operator::transform, "t"), single(Operator::coils, "c"),
                                               single(Operator::basis, "t")})));
    const auto kernels = rewriteNormal(basis, {NormalMethod::toeplitz, false, 2, true});
    QCOMPARE(expressionText(kernels.normal), std::string("Σ_t Σ_c B_tᴴ C_cᴴ F_tᴴ W_t F_t C_c B_t"));
    QCOMPARE(expressionText(kernels.rewritten), std::string("Σ_ij Σ_c {C_cᴴ T_ij C_c}"));
    QCOMPARE(expressionText(rewriteNormal(basis, {NormalMethod::toeplitz, false, 1}).rewritten),
             std::string("Σ_t Σ_c B_tᴴ C_cᴴ T_t C_c B_t"));
  }

  // Each rule's operator computes what the plain product does, and its adjoint is the forward one's.
  void rulesAgreeWithThePlainProduct_data() {
    QTest::addColumn<int>("transform");
    QTest::addColumn<int>("normal");
    QTest::addColumn<int>("batch");
    const auto row = [](const char* name, TransformKind transform, NormalMethod normal, int batch) {
      QTest::newRow(name) << int(transform) << int(normal) << batch;
    };
    row("none", TransformKind::nufft, NormalMethod::gridded, 1);
    row("coil batches", TransformKind::nufft, NormalMethod::gridded, 2);
    row("toeplitz", TransformKind::toeplitz, NormalMethod::toeplitz, 1);
    row("toeplitz, shifted", TransformKind::toeplitz, NormalMethod::toeplitzShifted, 1);
    row("toeplitz, coil batches", TransformKind::toeplitz, NormalMethod::toeplitz, 3);
    row("segments", TransformKind::segmented, NormalMethod::gridded, 1);
    row("segment convolutions", TransformKind::segmentedToeplitz, NormalMethod::gridded, 2);
    row("exact sums", TransformKind::gdft, NormalMethod::gridded, 1);
  }
  void rulesAgreeWithThePlainProduct() {
    QFETCH(int, transform);
    QFETCH(int, normal);
    QFETCH(int, batch);
    const SenseProblem problem = smallProblem(TransformKind(transform), NormalMethod(normal), batch);
    const auto backend = makeCpuBackend();
    Space space(1);
    SensePlan<Space> plan;
    makeSensePlan(space, *backend, problem, plan, {});
    SenseOperator<Space>& op = *plan.op;
    const Vector x = randomVector(pixels, 11);
    Vector rewritten(pixels), plain(pixels);
    op.normal(x.data(), rewritten.data(), {});
    Vector y(std::size_t(op.batch() * samples));
    for (std::int64_t c = 0; c < op.coils(); c += op.batch()) {
      op.forward(0, c, x.data(), y.data(), {});
      op.addAdjoint(0, c, y.data(), plain.data(), true, c > 0, {});
    }
    const double accuracy = knowsField(problem.transform) ? 1e-4 : 1e-5;
    QVERIFY2(apart(rewritten, plain) < accuracy, qPrintable(QString::number(apart(rewritten, plain))));
    // <E x, y> = <x, Eᴴ y>, and <N x, z> = <x, N z>
    Vector adjoint(pixels);
    cdouble left = 0;
    for (std::int64_t c = 0; c < op.coils(); c += op.batch()) {
      op.forward(0, c, x.data(), y.data(), {});
      Vector other = randomVector(std::int64_t(y.size()), 20 + std::uint64_t(c));
      left += inner(other, y);
      op.addAdjoint(0, c, other.data(), adjoint.data(), false, c > 0, {});
    }
    const cdouble right = inner(adjoint, x);
    QVERIFY2(std::abs(left - right) < accuracy * std::abs(left),
             qPrintable(QString::number(std::abs(left - right))));
    const Vector z = randomVector(pixels, 12);
    Vector normalZ(pixels);
    op.normal(z.data(), normalZ.data(), {});
    const cdouble one = inner(z, rewritten), two = inner(normalZ, x);
    QVERIFY(std::abs(one - two) < accuracy * std::abs(one));
  }
};

SPOKELAB_TEST(TestRewriting)

}  // namespace test_rewriting

#include "test_rewriting.moc"
