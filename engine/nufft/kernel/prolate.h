// Prolate spheroidal wave function of order zero, psi_0(c; x) on [-1, 1]: its transform has the
// largest share of energy inside |omega| <= c of all functions on the interval (Slepian & Pollak
// 1961). It is the eigenvector of Bouwkamp's tridiagonal matrix in normalised Legendre
// polynomials with the smallest eigenvalue; the finite Fourier transform of psi_0 is psi_0 again.
#pragma once

#include <vector>

namespace spokelab {

// Coefficients of P_0, P_2, P_4, ... (unnormalised Legendre polynomials), so that psi(0) = 1.
std::vector<double> prolateCoefficients(double c);

// Value at x in [-1, 1].
double prolateValue(const std::vector<double>& coefficients, double x);

}  // namespace spokelab
