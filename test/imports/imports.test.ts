import { type Kysely, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import { postSubmission } from '../../src/features/schedule-post/sent/post-submission.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { cancelHeldPost } from '../../src/held-posts/change.ts';
import { renderCheck } from '../../src/imports/check-message.ts';
import { renderImport } from '../../src/imports/import-messages.ts';
import { pressImport, readMessageInput } from '../../src/imports/imports.ts';
import { POST_IMPORTS } from '../../src/imports/post-import.ts';
import { readLeftRows, readPart, saveImportMessage } from '../../src/imports/stored-import.ts';
import { openDatabase } from '../../src/store/database.ts';
import { lockUntilEnd } from '../../src/store/locks.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { createPostingTimes } from '../support/posting-times.ts';
import { POLICY } from '../support/start-held-posts.ts';
import { buildRow, KEY, setUpImports, startTestImports } from '../support/start-imports.ts';
import { createStoredSlack } from '../support/stored-slack.ts';
import { createTableBudget } from '../support/table-budget.ts';

const fixture = await setUpImports();
const MINUTE_MS = 60_000;
const makeTexts = (count: number) => Array.from({ length: count }, (_, index) => `Post ${index}`);
const readTexts = async () => (await fixture.listRows()).map((row) => fixture.readText(row)).toSorted();

const begin = (context: Parameters<typeof pressImport>[0], id: string) =>
  pressImport(context, { id, ...KEY }, { from: ['checked'], to: 'importing' });

async function countWaitingSessions(db: Kysely<BotSchema>): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return rows.length;
}

describe('an import', () => {
  test('stores nothing before its author says so, and then each row once as a held post', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await runOnce();
    expect(await fixture.listRows()).toEqual([]);
    await begin(context, id);
    expect((await begin(context, id)).kind).toBe('outdated');
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 120, position: 3 });
    expect(await readTexts()).toEqual(makeTexts(120).toSorted());
    expect(new Set(await fixture.listStates())).toEqual(new Set(['held']));
    expect(fixture.service.calls).toEqual([]);
  });

  test('of rows that take slots makes each post once, although they were checked twice before', async () => {
    const postingTimes = [
      createPostingTimes(['LINKEDIN'], 'every day 9:00', { zone: 'Europe/Berlin', now: fixture.now() }),
    ];
    await fixture.setPolicy({ ...POLICY, postingTimes });
    const { context, runOnce } = fixture.createImportInstance();
    const rows = ['A', 'B'].map((text, index) => {
      const row = buildRow(index + 2, text, fixture.publishAt.getTime());
      return { ...row, post: { ...row.post, slotFrom: fixture.now() } };
    });
    const [first, second] = [
      await fixture.storeRows(context, [], rows),
      await fixture.storeRows(context, [], rows),
    ];
    await begin(context, first.id);
    await begin(context, second.id);
    await runOnce();
    await runOnce();
    expect(await readTexts()).toEqual(['A', 'B']);
    const done = await Promise.all([first, second].map(({ id }) => fixture.readImport(id)));
    // The two were imported in any order.
    const [row = done[0], other] = done.toSorted((one, another) => one.imported - another.imported);
    expect(row).toMatchObject({ state: 'done', imported: 0, faulty: 0 });
    expect(other).toMatchObject({ state: 'done', imported: 2 });
    const text = JSON.stringify(row && renderImport({ row, about: undefined }));
    expect(text).toContain('2 rows left out: the same post exists already.');
    expect(text).not.toContain('correct');
  });

  test('keeps the texts of platforms that get another one', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const row = buildRow(2, 'A long story', fixture.publishAt.getTime());
    const post = { ...row.post, platforms: ['X', 'LINKEDIN'], ownTexts: { X: 'Short' } };
    const { id } = await fixture.storeRows(context, [], [{ ...row, post }]);
    await begin(context, id);
    await runOnce();
    await fixture.runAt(0.5);
    const sent = fixture.service.created().map(({ Platforms, Content }) => [Platforms, Content]);
    expect(sent.toSorted()).toEqual([
      [['LINKEDIN'], 'A long story'],
      [['X'], 'Short'],
    ]);
  });

  test.each(['before-batch', 'after-batch'] as const)(
    'that is killed %s again and again doubles and loses nothing',
    async (crashPoint) => {
      const texts = makeTexts(500);
      const first = fixture.createImportInstance();
      const { id } = await fixture.storeRows(first.context, texts);
      await begin(first.context, id);
      for (let kill = 0; kill < 10; kill += 1) {
        let passed = 0;
        const killed = fixture.createImportInstance({
          onCrashPoint: (point) => {
            if (point === crashPoint) passed += 1;
            // The process never comes back from here.
            return passed > 1 ? new Promise<void>(() => undefined) : undefined;
          },
        });
        void killed.runOnce();
        await expect.poll(() => passed).toBeGreaterThan(kill === 9 ? 0 : 1);
        fixture.passMs(2 * MINUTE_MS);
      }
      await first.runOnce();
      expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 500 });
      expect(await readTexts()).toEqual(texts.toSorted());
    },
  );

  test('stores nothing more after somebody has stopped it, and goes on where it was', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    let batches = 0;
    const slow = fixture.createImportInstance({
      async onCrashPoint(point) {
        if (point !== 'before-batch') return;
        batches += 1;
        if (batches === 2) await pressImport(context, { id, ...KEY }, { from: ['importing'], to: 'stopped' });
      },
    });
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await begin(context, id);
    await slow.runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'stopped', imported: 50 });
    expect(await fixture.listRows()).toHaveLength(50);
    await pressImport(context, { id, ...KEY }, { from: ['stopped'], to: 'importing' });
    await runOnce();
    expect(await readTexts()).toEqual(makeTexts(120).toSorted());
  });

  test('counts each post once if an instance finishes a batch during a stop', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const [read, nextBatch] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const transaction = fixture.db.transaction();
    const execute = transaction.execute.bind(transaction);
    vi.spyOn(transaction, 'execute').mockImplementation(async (change) => {
      read.resolve();
      await nextBatch.promise;
      return execute(change);
    });
    let batches = 0;
    let stop: ReturnType<typeof pressImport> | undefined;
    const slow = fixture.createImportInstance({
      async onCrashPoint(point) {
        if (point !== 'before-batch') return;
        batches += 1;
        if (batches === 1) {
          vi.spyOn(fixture.db, 'transaction').mockReturnValueOnce(transaction);
          stop = pressImport(context, { id, ...KEY }, { from: ['importing'], to: 'stopped' });
          await read.promise;
        }
        if (batches === 2) {
          nextBatch.resolve();
          await stop;
        }
      },
    });
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await begin(context, id);
    await slow.runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'stopped', imported: 50, position: 1 });
    await pressImport(context, { id, ...KEY }, { from: ['stopped'], to: 'importing' });
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 120 });
    expect(await readTexts()).toEqual(makeTexts(120).toSorted());
  });

  test('is undone while its posts are held, also those of the last batch before a stop', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const stopping = fixture.createImportInstance({
      async onCrashPoint(point) {
        if (point === 'after-batch')
          await pressImport(context, { id, ...KEY }, { from: ['importing'], to: 'stopped' });
      },
    });
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await begin(context, id);
    await stopping.runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'stopped', position: 0 });
    const show = async () => renderImport(await readMessageInput(context, await fixture.readImport(id))).text;
    expect(await show()).toContain('posts.csv: 50 of 120 posts imported.');
    await pressImport(context, { id, ...KEY }, { from: ['stopped', 'done'], to: 'undoing' });
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'undone', undone: 50 });
    expect(await show()).toContain('The import of posts.csv is undone: 50 posts cancelled.');
    expect(new Set(await fixture.listStates())).toEqual(new Set(['cancelled']));
  });

  test('that is stopped in mid-batch says how many posts went out when it is undone', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const stopping = fixture.createImportInstance({
      async onCrashPoint(point) {
        if (point === 'after-batch')
          await pressImport(context, { id, ...KEY }, { from: ['importing'], to: 'stopped' });
      },
    });
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await begin(context, id);
    await stopping.runOnce();
    await fixture.db.updateTable('held_post').set({ state: 'handed-over' }).where('item', '<', 10).execute();
    const show = async () => renderImport(await readMessageInput(context, await fixture.readImport(id))).text;
    expect(await show()).toContain('posts.csv: 50 of 120 posts imported.');
    await pressImport(context, { id, ...KEY }, { from: ['stopped', 'done'], to: 'undoing' });
    await runOnce();
    expect(await show()).toContain('is undone in part: 40 posts cancelled.');
    expect(await show()).toContain('10 posts have gone to the scheduling service');
  });

  test('counts only the posts that its undo cancels, also after a second attempt', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const { id } = await fixture.storeRows(context, makeTexts(10));
    await begin(context, id);
    await runOnce();
    const [first] = await fixture.listRows();
    await cancelHeldPost(context.heldPosts, { id: first?.id ?? '', workspace: 'T1', actor: 'U2' });
    // The clock of the posts stands still in these tests.
    const changed_at = new Date(fixture.now().getTime() - MINUTE_MS);
    await fixture.db.updateTable('held_post').set({ changed_at }).where('state', '=', 'cancelled').execute();
    await pressImport(context, { id, ...KEY }, { from: ['stopped', 'done'], to: 'undoing' });
    const { byPerson } = context.heldPosts.verbs;
    const races = vi.spyOn(context.heldPosts.verbs, 'byPerson');
    races.mockImplementation(async (...args) =>
      races.mock.calls.length > 3 ? undefined : byPerson(...args),
    );
    await runOnce();
    races.mockRestore();
    expect((await fixture.listStates()).filter((state) => state === 'cancelled')).toHaveLength(4);
    fixture.passMs(2 * MINUTE_MS);
    await runOnce();
    const { text } = renderImport(await readMessageInput(context, await fixture.readImport(id)));
    expect(text).toContain('The import of posts.csv is undone: 9 posts cancelled.');
    expect(text).not.toContain('scheduling service');
  });

  test('whose undo loses every race for a post cancels it later', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const { id } = await fixture.storeRows(context, makeTexts(1));
    await begin(context, id);
    await runOnce();
    await pressImport(context, { id, ...KEY }, { from: ['stopped', 'done'], to: 'undoing' });
    const races = vi.spyOn(context.heldPosts.verbs, 'byPerson').mockResolvedValue(undefined);
    await runOnce();
    races.mockRestore();
    fixture.passMs(2 * MINUTE_MS);
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'undone', undone: 1 });
    expect(await fixture.listStates()).toEqual(['cancelled']);
  });

  test('leaves out rows whose time has passed meanwhile, and they come back to be corrected', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const past = buildRow(9, 'Too late', fixture.publishAt.getTime() - 60 * MINUTE_MS * 24 * 3);
    const { id } = await fixture.storeRows(context, makeTexts(3), [past]);
    await begin(context, id);
    await runOnce();
    const row = await fixture.readImport(id);
    expect(row).toMatchObject({ state: 'done', good: 3, imported: 3, faulty: 1 });
    expect(
      (await readLeftRows(context, row)).map(({ number, problems }) => [number, problems[0]?.problem]),
    ).toEqual([[9, 'This time has passed. Write a later one.']]);
  });

  test('tells its author the result once, with the rows to correct as a file', async () => {
    const slack = createStoredSlack();
    const uploads: unknown[] = [];
    Object.assign(slack.client, {
      files: { uploadV2: async (upload: unknown) => void uploads.push(upload) },
    });
    const { context, runOnce } = fixture.createImportInstance({}, slack.client);
    const faulty = {
      ...buildRow(5, 'Bad', 0),
      outcome: 'faulty' as const,
      problems: [{ column: 'Time', value: 'soonish', problem: 'I don’t understand “soonish”.' }],
    };
    const { id } = await fixture.storeRows(context, ['One'], [faulty]);
    await begin(context, id);
    await runOnce();
    await runOnce();
    expect(slack.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('1 post imported from posts.csv for Harbour Coffee.'),
    ]);
    expect(uploads).toEqual([expect.objectContaining({ filename: 'posts-to-correct.csv' })]);
    const { file } = uploads[0] as { file: Buffer };
    expect(file.toString()).toContain('Time: I don’t understand “soonish”.');
  });

  test('names the columns that it doesn’t use before long notes, which don’t fit into its check', async () => {
    const { context } = fixture.createImportInstance();
    const row = await fixture.storeRows(context, ['A']);
    const rows = Array.from({ length: 10 }, (_, index) => {
      return { ...buildRow(index + 2, 'A', 0), notes: [`${index} ${'long '.repeat(80)}`] };
    });
    const { blocks } = await renderCheck(
      {
        ...{ row, about: undefined, rows, rowCount: rows.length, settings: {}, outlooks: [] },
        ...{
          unusedFiles: [],
          tableNotes: [],
          unusedColumns: ['Caption'],
          unknownZoneText: '',
          locale: undefined,
          isUncompared: false,
        },
      },
      createTableBudget(),
    );
    expect(JSON.stringify(blocks)).toContain('Columns I don’t use: Caption.');
  });

  test('shows its progress in its message, and goes on while Slack is down', async () => {
    const slack = createStoredSlack();
    const shown: string[] = [];
    const { chat } = slack.client;
    Object.assign(chat, {
      update: async (message: { text: string }) => {
        shown.push(message.text);
        if (shown.length === 1) throw new Error('Slack is down');
      },
    });
    const { context, runOnce } = fixture.createImportInstance({ progressMs: 0 }, slack.client);
    const { id } = await fixture.storeRows(context, makeTexts(120));
    await saveImportMessage(fixture.db, { id }, { channel: 'D1', ts: '1.1' });
    await begin(context, id);
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 120 });
    const progress = shown.flatMap((text) => /\d+ of 120 posts so far/.exec(text) ?? []);
    expect(progress.length).toBeGreaterThan(1);
    expect(new Set(progress).size).toBe(progress.length);
  });

  test('stops after a restored backup', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const { id } = await fixture.storeRows(context, makeTexts(3));
    await begin(context, id);
    await POST_IMPORTS.restore(fixture.db, fixture.now());
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'stopped', reason: 'restored' });
    expect(await fixture.listRows()).toEqual([]);
  });
});

onPostgres((buildUrl) => {
  const startOnPostgres = async () => {
    const postgres = await startTestImports(async () => {
      const database = await createOnPostgres(buildUrl);
      const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
      const close = async () => {
        await db.destroy();
        await database.close();
      };
      return { ...database, db, close };
    });
    await postgres.reset();
    return postgres;
  };

  test('a row is left out if somebody sends its post from a form while others store theirs', async () => {
    const postgres = await startOnPostgres();
    try {
      const { context, runOnce } = postgres.createImportInstance();
      const { id } = await postgres.storeRows(context, ['Post 0', 'Post 1']);
      const [row] = (await readPart(context, { id, workspace: 'T1' }, 'batch')) ?? [];
      const content = row && postSubmission.post.compose(row.post).content;
      if (!content) throw new Error('the import has no row');
      await begin(context, id);
      const importing = await postgres.db.transaction().execute(async (transaction) => {
        await lockUntilEnd(transaction, 'imported posts T1/p1');
        const running = runOnce();
        await expect.poll(() => countWaitingSessions(postgres.db)).toBe(1);
        const submission = { workspace: 'T1', author: 'U1', origin: 'a form', item: 0, content };
        const saving = await saveAndSend(postgres.submissions.context, postSubmission, [submission]);
        if (typeof saving === 'string') throw new Error(saving);
        await saving.attemptedRows;
        return [running];
      });
      await Promise.all(importing);
      expect(await postgres.readImport(id)).toMatchObject({ state: 'done', imported: 1, good: 2 });
      expect((await postgres.listRows()).map((post) => postgres.readText(post))).toEqual(['Post 1']);
    } finally {
      await postgres.close();
    }
  });

  test('an undo also cancels the posts of a batch that an instance is just storing', async () => {
    const postgres = await startOnPostgres();
    try {
      const { context, runOnce } = postgres.createImportInstance();
      const { id } = await postgres.storeRows(context, ['Post 0']);
      await begin(context, id);
      const undo = async () => {
        await pressImport(context, { id, ...KEY }, { from: ['importing'], to: 'stopped' });
        await pressImport(context, { id, ...KEY }, { from: ['stopped', 'done'], to: 'undoing' });
        await postgres.createImportInstance().runOnce();
      };
      const pending = await postgres.db.transaction().execute(async (transaction) => {
        await sql`lock table held_post in share mode`.execute(transaction);
        const running = runOnce();
        await expect.poll(() => countWaitingSessions(postgres.db)).toBe(1);
        const undoing = undo();
        await Promise.race([undoing, expect.poll(() => countWaitingSessions(postgres.db)).toBe(2)]);
        return [running, undoing];
      });
      await Promise.all(pending);
      expect(await postgres.readImport(id)).toMatchObject({ state: 'undone' });
      expect(await postgres.listStates()).toEqual(['cancelled']);
    } finally {
      await postgres.close();
    }
  });

  test('two instances that both believe to have an import store each row once', async () => {
    const postgres = await startOnPostgres();
    try {
      const { context } = postgres.createImportInstance();
      const { id } = await postgres.storeRows(context, makeTexts(200));
      await begin(context, id);
      const frozen = Promise.withResolvers<void>();
      const zombie = postgres.createImportInstance({
        onCrashPoint: (point) => (point === 'before-batch' ? frozen.promise : undefined),
      });
      const running = zombie.runOnce();
      await expect.poll(async () => (await postgres.readImport(id)).lease_until).not.toBeNull();
      postgres.passMs(2 * MINUTE_MS);
      const other = postgres.createImportInstance().runOnce();
      frozen.resolve();
      await Promise.all([running, other]);
      await expect.poll(async () => (await postgres.readImport(id)).state).toBe('done');
      expect(await postgres.listRows()).toHaveLength(200);
    } finally {
      await postgres.close();
    }
  });
});
