// Maps of the noise in a report: their files, their numbers, and their part of the page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/profile/report/report.h"
#include "engine/profile/report/report_html.h"

namespace spokelab {

// noise.nii.gz, noise.png ...: the files that writeNoiseMaps() makes.
std::vector<std::string> noiseFileNames();

// Writes the maps as NIfTI and as pictures into the folder; returns the pictures.
std::vector<ReportFile> writeNoiseMaps(const NoiseMaps& maps, const std::filesystem::path& folder,
                                       const Progress& progress);

// Empty where the report has no maps. Pictures as `figures` says.
std::string noiseSection(const Report& report, ReportFigures figures);

}  // namespace spokelab
