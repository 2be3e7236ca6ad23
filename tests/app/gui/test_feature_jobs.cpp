// Features' jobs do not cancel each other's: what was asked for together all comes.
#include "app/gui/features/profile/explorer_feature.h"
#include "engine/recon/explore/density_comparison.h"
#include "tests/app/gui/workbench.h"
#include "widgets/recon/density_view.h"

namespace test_feature_jobs {

using namespace spokelab;

class TestFeatureJobs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void densityPointSpreadAndAPlanThatIsClickedAllArrive() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const Features& features = bench.window.features();
    const ReconOptions options = bench.window.views().parameters->options();
    const PlanInfo shown = bench.results().newest()->result->plan;
    Candidate plan;
    plan.backend = shown.backend;
    plan.options = shown.options;
    QSignalSpy densities(features.density, &DensityFeature::compared);
    QSignalSpy spreads(features.density, &DensityFeature::pointSpreadReady);
    QSignalSpy results(&bench.session, &Session::resultReady);

    features.density->compare(options);
    features.density->pointSpread(options);
    features.reconstruct->reconstructWith(plan, options);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(densities.count(), 1);
    QCOMPARE(spreads.count(), 1);
    QCOMPARE(results.count(), 1);
  }
};

SPOKELAB_WINDOW_TEST(TestFeatureJobs)

}  // namespace test_feature_jobs

#include "test_feature_jobs.moc"
