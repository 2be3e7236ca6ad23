// The claims of each paper. Internal to the claims.
#pragma once

#include "engine/profile/study/claims/claims.h"

namespace spokelab {

std::vector<Claim> gnufftwClaims();
std::vector<Claim> cufinufftClaims();
std::vector<Claim> nfftJlClaims();
std::vector<Claim> multicoreClaims();

// Numbers that the papers print, for studies whose charts have their rows.
std::vector<PrintedNumber> gnufftwNumbers();
std::vector<PrintedNumber> cufinufftNumbers();
std::vector<PrintedNumber> multicoreNumbers();

}  // namespace spokelab
