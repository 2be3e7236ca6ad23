// The dialog that runs studies of the papers.
#pragma once

namespace spokelab {

class MainWindow;

void showStudies(MainWindow& window);

}  // namespace spokelab
