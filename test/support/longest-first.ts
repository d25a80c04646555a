import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checks.ts';

/**
 * The files that take longest, from a minute and a half to 8 s. Those that mostly wait alternate with those that need
 * the processor, because waiting side by side leaves it idle.
 */
const SLOW_FILES = [
  'test/stories/everything-fails.test.ts',
  'test/explorer/content.test.ts',
  'test/explorer/access.test.ts',
  'test/start/start.test.ts',
  'test/digests/instances.test.ts',
  'test/submissions/crashes.test.ts',
  'test/start/earlier-data.test.ts',
  'test/observability/http-server.test.ts',
  'test/store/pglite/embedded-database.test.ts',
  'packages/slack-workspace/test/build-package.test.ts',
  'test/submissions/uncertain-saves.test.ts',
  'test/simulator/simulator.test.ts',
  'packages/slack-workspace/test/examples.test.ts',
  'packages/practice-service/test/fuzz.test.ts',
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
