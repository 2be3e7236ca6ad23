// ISMRMRD files as the tests want them: any header text, any acquisitions, right or wrong.
#pragma once

#include <ismrmrd/ismrmrd.h>

#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab::test {

struct TestAcquisition {
  ISMRMRD::ISMRMRD_AcquisitionHeader head{};
  std::vector<float> trajectory;             // [sample, column]
  std::vector<std::complex<float>> samples;  // [channel, sample]
};

struct TestSpace {
  double x = 0, y = 0, z = 1;           // matrix, as text: it may be nonsense
  double fovX = 0, fovY = 0, fovZ = 5;  // mm
};

// Fills in the lengths that the arrays have; afterwards a test may falsify them.
TestAcquisition acquisition(int samples, int channels, int columns);

// The scan's shots as a sound file holds them: frame -> repetition, slice -> slice, cycles/FOV.
std::vector<TestAcquisition> acquisitionsOf(const Scan& scan);

std::string headerText(const TestSpace& encoded, const TestSpace& recon, const std::string& limits = "",
                       int encodings = 1);
TestSpace spaceOf(const Scan& scan);

void writeVariant(const std::filesystem::path& file, const std::string& xml,
                  const std::vector<TestAcquisition>& acquisitions, const std::string& group = "dataset");

}  // namespace spokelab::test
