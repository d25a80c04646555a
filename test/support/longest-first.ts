import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checks.ts';

/** The files that take longest, from about two minutes to 15 s. */
const SLOW_FILES = [
  'test/stories/every-payload.test.ts',
  'test/emulators/page/accessibility.test.ts',
  'test/start/earlier-data.test.ts',
  'test/features/roles/no-leaks.test.ts',
  'test/start/start.test.ts',
  'test/features/roles/ownership/matrix.test.ts',
  'test/stories/everything-fails.test.ts',
  'test/security/hostile-texts.test.ts',
  'test/security/hostile-payloads.test.ts',
  'test/store/broken-connections.test.ts',
  'test/submissions/crashes.test.ts',
  'test/digests/instances.test.ts',
  'test/held-posts/simulation.test.ts',
  'test/cli/package-workspace.test.ts',
  'test/bad-input/settings.test.ts',
  'test/cli/usage.test.ts',
  'test/stories/first-post.test.ts',
  'test/features/home/home-presses.test.ts',
  'test/features/held-posts/payloads.test.ts',
  'test/emulators/page/channel.test.ts',
];

/**
 * Runs the longest files first, so that no worker is left with one of them at the end. Vitest knows durations only from
 * an earlier run, and otherwise runs the largest files first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const missingFile = SLOW_FILES.find((path) => !existsSync(join(root, path)));
    if (missingFile !== undefined) throw new Error(`SLOW_FILES: ${missingFile} doesn't exist`);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOW_FILES.findIndex((path) => moduleId.endsWith(path));
      return rank === -1 ? SLOW_FILES.length : rank;
    };
    const sorted = await super.sort(specifications);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
