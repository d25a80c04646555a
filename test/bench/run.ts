import { mkdirSync } from 'node:fs';
import { failWithUsage, readArguments } from '../../src/start/usage.ts';
import { acknowledgements } from './acknowledgements.ts';
import { alteredRequests } from './altered-requests.ts';
import { chaos } from './chaos.ts';
import { crashes } from './crashes.ts';
import { digestPicture } from './digest-picture.ts';
import { digestRush } from './digest-rush.ts';
import { digests } from './digests.ts';
import { firstView } from './first-view.ts';
import { hanging } from './hanging.ts';
import { hostile } from './hostile.ts';
import { hostilePayloads } from './hostile-payloads.ts';
import { hostileTexts } from './hostile-texts.ts';
import { runLanguageBenchmark } from './languages.ts';
import { millionPosts } from './million-posts.ts';
import { outage } from './outage.ts';
import { phrases } from './phrases.ts';
import { races } from './races.ts';
import { scrolling } from './scrolling.ts';
import { slowTexts } from './slow-texts.ts';
import { submissions } from './submissions.ts';
import { throughput } from './throughput.ts';
import { touched } from './touched.ts';
import { workspace } from './workspace.ts';

const BENCHMARKS: Record<string, (args: readonly string[]) => Promise<void>> = {
  digests,
  'digest-rush': digestRush,
  submissions,
  crashes,
  races,
  hanging,
  outage,
  throughput,
  acknowledgements,
  'altered-requests': alteredRequests,
  'hostile-texts': hostileTexts,
  'slow-texts': slowTexts,
  'first-view': firstView,
  'million-posts': millionPosts,
  'digest-picture': digestPicture,
  touched,
  workspace,
  scrolling,
  phrases,
  languages: () => runLanguageBenchmark(),
  chaos,
  hostile,
  'hostile-payloads': hostilePayloads,
};
/** Benchmarks that run only if they are named, because each takes up to half an hour. */
const ONLY_IF_NAMED = ['chaos', 'hostile', 'hostile-payloads'];

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
