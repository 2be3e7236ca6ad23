// Sine, cosine, sinc and exponential for the loops of Gdft, on vectors of one instruction set
// (xsimd batches). Everything is a template on the batch, whose type names the set: code made for
// one set is never linked in place of another's.
#pragma once

#include <bit>
#include <limits>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace spokelab::gdft {

template <class Real>
struct Constants;
// Polynomials in q = y^2, |y| <= 1/4 turns, highest power first: sin(2 pi y) / y and cos(2 pi y).
template <>
struct Constants<float> {                         // interpolated at Chebyshev nodes: errors 3e-8 / 5e-8
  static constexpr float rounding = 12582912.0F;  // 1.5 * 2^23: adding it rounds to whole
  static constexpr float split = 4097.0F;         // 2^12 + 1
  static constexpr float perTurn = 2.3283064365386963e-10F;  // 2^-32
  static constexpr int signShift = 31, mantissa = 23;
  static constexpr float sine[] = {39.75982708F, -76.58117264F, 81.60247637F, -41.34168061F, 6.28318528F};
  static constexpr float cosine[] = {56.23870044F, -85.23987026F, 64.93457265F, -19.73917121F, 0.99999995F};
  static constexpr float power[] = {1.5461445e-4F, 1.3400428e-3F, 9.6180567e-3F, 5.5503272e-2F,
                                    2.4022651e-1F, 6.9314721e-1F, 1.0F};  // 2^x, |x| <= 1/2: 2e-9
  static constexpr float minExponent = -126, maxExponent = 126;
};
template <>
struct Constants<double> {                                // Taylor: next terms below 1e-17
  static constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double split = 134217729.0;            // 2^27 + 1
  static constexpr double perTurn = 1;
  static constexpr int signShift = 63, mantissa = 52;
  static constexpr double sine[] = {
      0.0011309237482517961877, -0.012031585942120627233, 0.1042291622081398411727, -0.718122301778500512231,
      3.8199525848482821277337, -15.09464257682299039182, 42.058693944897653144986, -76.70585975306138584163,
      81.605249276075054203397, -41.34170224039976023396, 6.2831853071795864769252};
  static constexpr double cosine[] = {
      -0.000322991067207097788, 0.0037798342006800393792, -0.036382841142545670771, 0.2820059684557912150702,
      -1.714390711088672065421, 7.9035363713184688042121, -26.42625678337439745290, 60.244641371876660362721,
      -85.45681720669372773601, 64.939394022668291490960, -19.73920880217871723766, 1};
  static constexpr double power[] = {2.5678435993488205e-11,
                                     4.4455382718708115e-10,
                                     7.0549116208011233e-9,
                                     1.0178086009239700e-7,
                                     1.3215486790144309e-6,
                                     1.52527338040598402e-5,
                                     1.540353039338160995e-4,
                                     1.3333558146428443423e-3,
                                     9.6181291076284771619e-3,
                                     5.55041086648215799531e-2,
                                     0.2402265069591007123335,
                                     0.6931471805599453094172,
                                     1};
  static constexpr double minExponent = -1022, maxExponent = 1022;
};

template <class B>
using IntegerBatch = xsimd::batch<xsimd::as_integer_t<typename B::value_type>, typename B::arch_type>;

// a b + c, rounded once on every set that has such an instruction. xsimd 8 knows none for AVX-512
// and leaves it to the compiler whether product and sum are fused; reducedProduct must not depend
// on that.
template <class B>
inline B fma(const B& a, const B& b, const B& c) {
#ifdef __AVX512F__
  if constexpr (sizeof(B) == sizeof(__m512)) {
    if constexpr (std::is_same_v<typename B::value_type, float>)
      return _mm512_fmadd_ps(a, b, c);
    else
      return _mm512_fmadd_pd(a, b, c);
  } else
#endif
    return xsimd::fma(a, b, c);
}

template <class B, class Real, std::size_t n>
inline B polynomial(const Real (&coefficient)[n], const B& q) {
  B sum(coefficient[0]);
  for (std::size_t i = 1; i < n; ++i) sum = gdft::fma(sum, q, B(coefficient[i]));
  return sum;
}

template <class B>
inline B nearest(const B& x) {
  const B magic(Constants<typename B::value_type>::rounding);
  return (x + magic) - magic;
}

// a b - whole, |result| <= 1/2, with one rounding; whole: the nearest whole number.
template <bool fused, class B>
inline B reducedProduct(const B& a, const B& b) {
  const B product = a * b;
  const B whole = nearest(product);
  if constexpr (fused) {
    return gdft::fma(a, b, -whole);
  } else {  // Dekker's product: a b = product + error, exactly
    const B factor(Constants<typename B::value_type>::split);
    const B ca = factor * a, ah = ca - (ca - a), al = a - ah;
    const B cb = factor * b, bh = cb - (cb - b), bl = b - bh;
    const B error = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
    return (product - whole) + error;
  }
}

// Sine and cosine of s turns; |s| below 2^20 (float) keeps its own accuracy.
template <class B>
inline void sinCosTurns(const B& s, B& sine, B& cosine) {
  using Real = typename B::value_type;
  using C = Constants<Real>;
  const B magic(C::rounding);
  const B halves = gdft::fma(s, B(2), magic);
  const B y = gdft::fma(halves - magic, B(Real(-0.5)), s);
  const B sign = std::bit_cast<B>(std::bit_cast<IntegerBatch<B>>(halves) << C::signShift);
  const B q = y * y;
  sine = (polynomial(C::sine, q) * y) ^ sign;
  cosine = polynomial(C::cosine, q) ^ sign;
}

// sin(pi x), |x| below 2^20.
template <class B>
inline B sinPi(const B& x) {
  using C = Constants<typename B::value_type>;
  const B magic(C::rounding);
  const B whole = x + magic;
  const B sign = std::bit_cast<B>(std::bit_cast<IntegerBatch<B>>(whole) << C::signShift);
  const B y = (x - (whole - magic)) * B(typename B::value_type(0.5));
  return (polynomial(C::sine, y * y) * y) ^ sign;
}

// x, or a tiny positive number where |x| is smaller: sinc is 1 there, and nothing divides by zero.
template <class B>
inline B awayFromZero(const B& x) {
  using Real = typename B::value_type;
  const B tiny(std::is_same_v<Real, float> ? Real(1e-6) : Real(1e-10));
  return xsimd::select(xsimd::abs(x) < tiny, tiny, x);
}

// sinc(x) sinc(y) sinc(z) with one division.
template <class B>
inline B sincProduct(const B& x0, const B& y0, const B& z0) {
  const B x = awayFromZero(x0), y = awayFromZero(y0), z = awayFromZero(z0);
  const B inversePiCubed(typename B::value_type(0.03225153443319949));  // 1 / pi^3
  return sinPi(x) * sinPi(y) * (sinPi(z) * inversePiCubed) / (x * y * z);
}

// 2^x; what is beyond the range of exponents is clamped to it.
template <class B>
inline B power2(const B& x0) {
  using C = Constants<typename B::value_type>;
  const B x = xsimd::min(xsimd::max(x0, B(C::minExponent)), B(C::maxExponent));
  const B magic(C::rounding);
  const B whole = x + magic;
  const IntegerBatch<B> exponent = std::bit_cast<IntegerBatch<B>>(whole) << C::mantissa;
  const B value = polynomial(C::power, x - (whole - magic));
  return std::bit_cast<B>(std::bit_cast<IntegerBatch<B>>(value) + exponent);
}

}  // namespace spokelab::gdft
