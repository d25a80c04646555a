import { mkdirSync } from 'node:fs';
import { failWithUsage, readArguments } from '../src/start/run.ts';

type Benchmark = (args: readonly string[]) => Promise<unknown>;

/** The benchmarks. Each is loaded only if it runs, because loading all of them takes 2 s. */
const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  digests: async () => (await import('./digests.ts')).runDigestInstances,
  'digest-rush': async () => (await import('./digest-rush.ts')).measureDigestRush,
  submissions: async () => (await import('./submissions.ts')).measureSubmissions,
  crashes: async () => (await import('./crashes.ts')).measureCrashRecovery,
  races: async () => (await import('./races.ts')).runRaces,
  imports: async () => (await import('./imports.ts')).measureImports,
  presses: async () => (await import('./presses.ts')).countPresses,
  home: async () => (await import('./home.ts')).measureHomeCalls,
  hanging: async () => (await import('./hanging.ts')).measureHangingService,
  outage: async () => (await import('./outage.ts')).measureOutages,
  throughput: async () => (await import('./throughput.ts')).measureThroughput,
  fairness: async () => (await import('./fairness.ts')).measureFairness,
  'large-tables': async () => (await import('./large-tables.ts')).measureLargeTables,
  'unit-costs': async () => (await import('./unit-costs.ts')).measureUnitCosts,
  ratios: async () => (await import('./ratios.ts')).measureRatios,
  tenants: async () => (await import('./tenants.ts')).measureTenants,
  'altered-requests': async () => (await import('./altered-requests.ts')).sendAlteredRequests,
  'hostile-texts': async () => (await import('./hostile-texts.ts')).measureHostileTexts,
  'slow-texts': async () => (await import('./slow-texts.ts')).findSlowTexts,
  'first-view': async () => (await import('./first-view.ts')).measureFirstViews,
  'million-posts': async () => (await import('./million-posts.ts')).measureMillionPosts,
  'digest-picture': async () => (await import('./digest-picture.ts')).measureDigestPicture,
  'code-paths': async () => (await import('./code-paths.ts')).countCodePaths,
  phrases: async () => (await import('./phrases.ts')).measurePhrases,
  languages: async () => (await import('./languages.ts')).runLanguageBenchmark,
  chaos: async () => (await import('./chaos.ts')).runChaosBenchmark,
  failover: async () => (await import('./failover.ts')).measureFailovers,
  'many-instances': async () => (await import('./many-instances.ts')).runManyInstances,
  soak: async () => (await import('./soak.ts')).runSoak,
  hostile: async () => (await import('./hostile.ts')).measureAttacks,
  media: async () => (await import('./media.ts')).measureMedia,
  'hostile-payloads': async () => (await import('./hostile-payloads.ts')).measureHostilePayloads,
  'emulator-edges': async () => (await import('./emulator-edges.ts')).sendToEmulatorEdges,
};
/** Benchmarks that run only if they are named, because each takes up to half an hour. */
const ONLY_IF_NAMED = [
  ...'chaos emulator-edges failover fairness hostile hostile-payloads large-tables'.split(' '),
  ...'many-instances soak tenants'.split(' '),
];

const USAGE = `Usage: npm run bench [-- NAME … [OPTIONS]]

Runs the named benchmarks. Without a name, runs all in about an hour, except for ${ONLY_IF_NAMED.join(', ')}.

  NAME      ${Object.keys(BENCHMARKS).join(', ')}
  OPTIONS   options of the named benchmark, such as --minutes 30 for chaos. For ratios, --all prints one table with the
            rows of phrases, fairness and tenants, --profile the functions that take the most time, and --scale 0.01
            tries it out with a hundredth of all counts

Settings: none.

Example: npm run bench -- ratios --all`;

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
for (const [name, loadBenchmark] of Object.entries(BENCHMARKS)) {
  if (names.length > 0 ? !names.includes(name) : ONLY_IF_NAMED.includes(name)) continue;
  console.log(`\n${name}`);
  const benchmark = await loadBenchmark();
  await benchmark(args);
}
