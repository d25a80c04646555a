import { mkdirSync } from 'node:fs';
import { failWithUsage, readArguments } from '../../src/start/usage.ts';
import { measureAcknowledgements } from './acknowledgements.ts';
import { sendAlteredRequests } from './altered-requests.ts';
import { runChaosBenchmark } from './chaos.ts';
import { countCodePaths } from './code-paths.ts';
import { measureCrashRecovery } from './crashes.ts';
import { measureDigestPicture } from './digest-picture.ts';
import { measureDigestRush } from './digest-rush.ts';
import { simulateDigests } from './digests.ts';
import { sendToEmulatorEdges } from './emulator-edges.ts';
import { measureFailovers } from './failover.ts';
import { measureFairness } from './fairness.ts';
import { measureFirstViews } from './first-view.ts';
import { measureHangingService } from './hanging.ts';
import { simulateHolding } from './held.ts';
import { measureHomeCalls } from './home.ts';
import { measureAttacks } from './hostile.ts';
import { measureHostilePayloads } from './hostile-payloads.ts';
import { measureHostileTexts } from './hostile-texts.ts';
import { runLanguageBenchmark } from './languages.ts';
import { measureLargeTables } from './large-tables.ts';
import { runManyInstances } from './many-instances.ts';
import { measureMillionPosts } from './million-posts.ts';
import { measureOutages } from './outage.ts';
import { measurePhrases } from './phrases.ts';
import { runRaces } from './races.ts';
import { measureScrolling } from './scrolling.ts';
import { findSlowTexts } from './slow-texts.ts';
import { runSoak } from './soak.ts';
import { measureSubmissions } from './submissions.ts';
import { measureTenants } from './tenants.ts';
import { measureThroughput } from './throughput.ts';
import { measureUnitCosts } from './unit-costs.ts';
import { measureWorkspace } from './workspace.ts';

const BENCHMARKS: Record<string, (args: readonly string[]) => Promise<void>> = {
  digests: simulateDigests,
  'digest-rush': measureDigestRush,
  submissions: measureSubmissions,
  crashes: measureCrashRecovery,
  races: runRaces,
  held: simulateHolding,
  home: measureHomeCalls,
  hanging: measureHangingService,
  outage: measureOutages,
  throughput: measureThroughput,
  fairness: measureFairness,
  'large-tables': measureLargeTables,
  'unit-costs': measureUnitCosts,
  acknowledgements: measureAcknowledgements,
  tenants: measureTenants,
  'altered-requests': sendAlteredRequests,
  'hostile-texts': measureHostileTexts,
  'slow-texts': findSlowTexts,
  'first-view': measureFirstViews,
  'million-posts': measureMillionPosts,
  'digest-picture': measureDigestPicture,
  'code-paths': countCodePaths,
  workspace: measureWorkspace,
  scrolling: measureScrolling,
  phrases: measurePhrases,
  languages: () => runLanguageBenchmark(),
  chaos: runChaosBenchmark,
  failover: measureFailovers,
  'many-instances': runManyInstances,
  soak: runSoak,
  hostile: measureAttacks,
  'hostile-payloads': measureHostilePayloads,
  'emulator-edges': sendToEmulatorEdges,
};
/** Benchmarks that run only if they are named, because each takes up to half an hour. */
const ONLY_IF_NAMED = [
  'chaos',
  'emulator-edges',
  'failover',
  'fairness',
  'hostile',
  'hostile-payloads',
  'large-tables',
  'many-instances',
  'soak',
  'tenants',
];

const USAGE = `Usage: npm run bench [-- NAME … [OPTIONS]]

Runs the named benchmarks, or without a name all but ${ONLY_IF_NAMED.join(', ')}, which takes an hour.

  NAME      ${Object.keys(BENCHMARKS).join(', ')}
  OPTIONS   options of the named benchmark, such as --minutes 30 for chaos

Settings: none.

Example: npm run bench -- acknowledgements`;

const argv = process.argv.slice(2);
const optionIndex = argv.findIndex((word) => word.startsWith('--'));
const names = optionIndex < 0 ? argv : argv.slice(0, optionIndex);
const args = optionIndex < 0 ? [] : argv.slice(optionIndex);
// Each benchmark reads its own options.
readArguments(USAGE, { strict: false });
if (names.length === 0 && args.length > 0) failWithUsage(USAGE, `${args[0]} needs the NAME of a benchmark`);
const unknownNames = names.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknownNames.length > 0) failWithUsage(USAGE, `Unknown benchmark: ${unknownNames.join(', ')}`);
mkdirSync('.cache', { recursive: true });
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (names.length > 0 ? !names.includes(name) : ONLY_IF_NAMED.includes(name)) continue;
  console.log(`\n${name}`);
  await benchmark(args);
}
