import type { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeEach } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import type { CheckedRow } from '../../src/imports/check-rows.ts';
import { IMPORT_PACE, type ImportContext, type ImportPace } from '../../src/imports/import-context.ts';
import { createImports } from '../../src/imports/imports.ts';
import type { PostImportRow } from '../../src/imports/post-import.ts';
import { storeImport } from '../../src/imports/stored-import.ts';
import { isTransient } from '../../src/slack/slack-errors.ts';
import { startTestHeldPosts } from './start-held-posts.ts';
import { createTableBudget } from './table-budget.ts';
import { createTestClock } from './test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The author of all imports. */
export const KEY = { workspace: 'T1', author: 'U1' };

/** Starts imports for the tests of a file. They are emptied before each test, and closed after all. */
export async function setUpImports() {
  const fixture = await startTestImports();
  beforeEach(() => fixture.reset());
  afterAll(() => fixture.close());
  return fixture;
}

/** Starts imports with held posts, a database, and a clock that tests can set. */
export async function startTestImports(...args: Parameters<typeof startTestHeldPosts>) {
  const heldPosts = await startTestHeldPosts(...args);
  const { db, submissions, publishAt } = heldPosts;
  let time = publishAt.getTime() - 2 * DAY_MS;
  const now = () => new Date(time);
  const log = SILENT;
  return {
    ...heldPosts,
    now,
    /** Starts an instance. Until then, its rows belong to others. */
    createImportInstance(pace: Partial<ImportPace> = {}, slack?: WebClient) {
      const clock = createTestClock(now);
      const engine = createEngine({ db, clock, log, isTemporary: isTransient });
      const context: ImportContext = createImports({
        ...{ db, engine, clock, log },
        heldPosts: { ...heldPosts.createInstance().context, clock },
        encryption: submissions.context.encryption,
        pace: { ...IMPORT_PACE, scanIntervalMs: 7 * DAY_MS, ...pace },
        findSlackClient: async () => slack,
      });
      return { context, runOnce: engine.runOnce, stop: engine.stop };
    },
    /** Stores a checked import of posts with these texts, an hour apart, in the project. */
    async storeRows(
      context: ImportContext,
      texts: readonly string[],
      others: readonly CheckedRow[] = [],
    ): Promise<PostImportRow> {
      const rows = texts.map((text, index) =>
        buildRow(index + 2, text, publishAt.getTime() + index * 3_600_000),
      );
      return storeImport(
        context,
        {
          ...KEY,
          source: { rows: [], settings: { zone: 'Europe/Berlin' } },
          about: {
            fileName: 'posts.csv',
            projects: [{ id: 'p1', name: 'Harbour Coffee', role: 'publisher' }],
          },
          rows: [...rows, ...others],
        },
        createTableBudget(),
      );
    },
    /** Moves the clock forward, for example past the end of the lease of an instance that was killed. */
    passMs(ms: number) {
      time += ms;
    },
    async readImport(id: string) {
      return db.selectFrom('post_import').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    },
  };
}

export function buildRow(number: number, text: string, instantMs: number): CheckedRow {
  return {
    number,
    outcome: 'good',
    post: {
      project: { id: 'p1', name: 'Harbour Coffee' },
      text,
      media: '',
      platforms: ['LINKEDIN'],
      isDraft: false,
      zone: 'Europe/Berlin',
      moment: { instant: new Date(instantMs), zone: 'Europe/Berlin', notes: [] },
    },
    time: '',
    problems: [],
    notes: [],
  };
}
