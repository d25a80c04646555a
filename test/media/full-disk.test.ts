import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { HOUR_MS } from '../../src/durations.ts';
import { explainFailedFile } from '../../src/media/byte-input.ts';
import { createMedia, deleteUnusedFiles } from '../../src/media/media.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';
import { buildJpeg } from '../support/media-files.ts';
import { startSlackFiles } from '../support/slack-files.ts';

const FULL = 'The storage for files is full. Ask whoever runs Upnext, or use a link.';
const DISK_FULL = '53100';
/** Of seven chunks. */
const PHOTO = buildJpeg({ scanBytes: 400_000 });
const IS_FULL = "exists (select 1 from media_file where id = row.file and workspace = 'T1FULL')";

let slack: Awaited<ReturnType<typeof startSlackFiles>>;
beforeAll(async () => {
  slack = await startSlackFiles();
});
afterAll(() => slack.close());

const findProblem = (taking: Promise<unknown>) => taking.then(() => undefined, explainFailedFile);

onEveryDatabase((create) => {
  async function setUp() {
    const db = await openTestDatabase(create);
    let now = new Date('2026-11-20T12:00:00Z');
    const logged: string[] = [];
    const addLine = (_fields: object, message: string) => void logged.push(message);
    const options = {
      db,
      encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]),
      log: { debug: addLine, info: addLine, warn: addLine, error: addLine },
      now: () => now,
      publicUrl: 'https://upnext.example',
      listUses: async () => new Map<string, undefined>(),
    };
    const media = createMedia(options);
    const count = async (table: 'media_file' | 'media_chunk') => {
      const { rows } = await sql<{ count: number }>`select count(*)::int from ${sql.table(table)}`.execute(
        db,
      );
      return rows[0]?.count;
    };
    return {
      logged,
      take(id: string, workspace: string) {
        slack.files.set(id, { bytes: PHOTO });
        return media.take({ workspace, client: slack.createClient() }, id);
      },
      /** Refuses statements on rows for which `condition` is true (SQL about `row`). */
      async refuse(
        statement: 'insert' | 'update' | 'delete',
        table: string,
        condition: string,
        code = DISK_FULL,
      ) {
        const name = sql.id(`refuse_${statement}`);
        const row = statement === 'delete' ? 'old' : 'new';
        const body = `begin
          if ${condition.replaceAll('row.', `${row}.`)} then raise 'no room' using errcode = '${code}'; end if;
          return ${row};
        end`;
        await sql`create function ${name}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
        await sql`create trigger ${name} before ${sql.raw(statement)} on ${sql.table(table)}
          for each row execute function ${name}()`.execute(db);
        return () => sql`drop function ${name} cascade`.execute(db);
      },
      countRows: async () => ({ files: await count('media_file'), chunks: await count('media_chunk') }),
      async passHours(hours: number) {
        now = new Date(now.getTime() + hours * HOUR_MS);
        await deleteUnusedFiles(options);
      },
    };
  }

  test.each([
    ['the row of a file', 'insert', 'media_file', "row.workspace = 'T1FULL'"],
    ['a chunk in its middle', 'insert', 'media_chunk', `row.position = 3 and ${IS_FULL}`],
    ['its first chunk, which is stored last', 'insert', 'media_chunk', `row.position = 0 and ${IS_FULL}`],
    ['its completion', 'update', 'media_file', "row.workspace = 'T1FULL'"],
  ] as const)(
    'when there is no room for %s, a person reads it, nothing stays, and others and the next file are stored',
    async (_, statement, table, condition) => {
      const { take, refuse, countRows, logged } = await setUp();
      const allow = await refuse(statement, table, condition);
      const [problem] = await Promise.all([findProblem(take('F1', 'T1FULL')), take('F2', 'T2OTHER')]);
      expect(problem).toBe(FULL);
      expect(logged).toContain('could not store a file');
      expect(await countRows()).toEqual({ files: 1, chunks: 7 });
      await allow();
      expect(await findProblem(take('F3', 'T1FULL'))).toBeUndefined();
      expect(await countRows()).toEqual({ files: 2, chunks: 14 });
    },
  );

  test('what a full disk doesn’t let me delete is never served, and deleted when there is room again', async () => {
    const { take, refuse, countRows, passHours } = await setUp();
    const allowInsert = await refuse('insert', 'media_chunk', `row.position = 3 and ${IS_FULL}`);
    const allowDelete = await refuse('delete', 'media_chunk', 'row.position > 0');
    expect(await findProblem(take('F1', 'T1FULL'))).toBe(FULL);
    expect(await countRows()).toEqual({ files: 1, chunks: 2 });
    await allowInsert();
    await expect(passHours(2)).rejects.toThrow('no room');
    expect(await countRows()).toEqual({ files: 1, chunks: 2 });
    // The same file is stored anew, because what was stored of it isn't complete.
    expect(await findProblem(take('F2', 'T1FULL'))).toBeUndefined();
    await allowDelete();
    await passHours(1);
    expect(await countRows()).toEqual({ files: 1, chunks: 7 });
  });

  test('a failure of the database in the middle of a file is told as one that may pass', async () => {
    const { take, refuse, countRows } = await setUp();
    await refuse('insert', 'media_chunk', `row.position = 3 and ${IS_FULL}`, '57014');
    expect(await findProblem(take('F1', 'T1FULL'))).toBe('I couldn’t store this file. Try again.');
    expect(await countRows()).toEqual({ files: 0, chunks: 0 });
  });
});
