import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { DAY_MS } from '../../src/durations.ts';
import { createBucket } from '../../src/media/bucket.ts';
import { UnusableMedia } from '../../src/media/byte-input.ts';
import { createMedia, deleteForgottenObjects, deleteUnusedFiles, type Media } from '../../src/media/media.ts';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { openSlackFile } from '../../src/slack/slack-file.ts';
import { forgetWorkspace } from '../../src/workspaces/sql/forget-workspace.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { emptyTables } from '../support/empty-tables.ts';
import { buildJpeg, buildVideo, hasPlace } from '../support/media-files.ts';
import { S3_KEY, startS3Server } from '../support/s3-server.ts';
import { startSlackFiles } from '../support/slack-files.ts';

const WORKSPACE = 'T01HARBOUR';
const NOW = new Date('2026-11-20T12:00:00Z');

let slack: Awaited<ReturnType<typeof startSlackFiles>>;
let database: BotDatabase;
let media: Media;
let door: { port: number; close(): Promise<void> };
let uses: ReadonlyMap<string, Date | undefined> | 'unknown' = new Map();
let now = NOW;
let logged: string[] = [];
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
const addLine = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
const buildOptions = (publicUrl?: string) => ({
  db: database.db,
  encryption,
  log: { debug: addLine, info: addLine, warn: addLine, error: addLine },
  now: () => now,
  publicUrl,
  listUses: async () => uses,
});
const take = (id: string, workspace = WORKSPACE) =>
  media.take({ workspace, client: slack.createClient() }, id);
const findProblem = (id: string) =>
  take(id).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UnusableMedia) return error.problem;
      throw error;
    },
  );
const countRows = async () => {
  const [{ files = 0, chunks = 0 } = {}] = await database.db
    .selectNoFrom((query) => [
      query.selectFrom('media_file').select(query.fn.countAll<number>().as('n')).as('files'),
      query.selectFrom('media_chunk').select(query.fn.countAll<number>().as('n')).as('chunks'),
    ])
    .execute();
  return { files: Number(files), chunks: Number(chunks) };
};

beforeAll(async () => {
  database = await openBotDatabase();
  slack = await startSlackFiles();
  // The door's address has to be known before it opens.
  door = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    serveMedia: (request, response) => media.serve?.(request, response) ?? Promise.resolve(),
  });
});
beforeEach(async () => {
  await emptyTables(database.db);
  [now, uses, logged] = [NOW, new Map(), []];
  media = createMedia(buildOptions(`http://127.0.0.1:${door.port}/`));
});
afterEach(() => slack.files.clear());
afterAll(async () => {
  slack.close();
  await door.close();
  await database.close();
});

describe('a picture from Slack', () => {
  test('the service gets it at its address, without its private data, in whole and in ranges', async () => {
    slack.files.set('F1', { bytes: buildJpeg({ scanBytes: 700_000 }) });
    const { address, facts } = await take('F1');
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\/[\w-]{43}\.jpg$/);
    const response = await fetch(address);
    const whole = Buffer.from(await response.arrayBuffer());
    expect(whole.length).toBe(facts.bytes);
    expect(hasPlace(whole)).toBe(false);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(facts.bytes),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f]{12}\.jpg"$/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    for (const [range, expected] of [
      ['bytes=0-9', whole.subarray(0, 10)],
      ['bytes=262140-262150', whole.subarray(262_140, 262_151)],
      ['bytes=600000-', whole.subarray(600_000)],
      ['bytes=-5', whole.subarray(-5)],
      ['bytes=10-99999999', whole.subarray(10)],
    ] as const) {
      const part = await fetch(address, { headers: { range } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true);
    }
    const beyond = await fetch(address, { headers: { range: 'bytes=99999999-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${facts.bytes}`]);
    expect((await fetch(address, { headers: { range: 'bytes=0-1,5-6' } })).status).toBe(200);
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(facts.bytes),
      '',
    ]);
    expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  });

  test('nobody finds it by guessing, and there is no list', async () => {
    slack.files.set('F1', { bytes: buildJpeg() });
    const { address } = await take('F1');
    const base = address.slice(0, address.lastIndexOf('/') + 1);
    for (const name of [
      '',
      '.',
      '..',
      'x.jpg',
      `${'a'.repeat(43)}.jpg`,
      '%2e%2e/secret',
      `${address.slice(-46, -4)}.jpg`,
    ])
      expect((await fetch(base + name)).status).toBe(404);
  });

  test('the database has neither the picture nor its address in plain text', async () => {
    const bytes = buildJpeg({ scanBytes: 5_000 });
    slack.files.set('F1', { bytes });
    const { address } = await take('F1');
    const rows = JSON.stringify(await database.db.selectFrom('media_file').selectAll().execute());
    expect(rows).not.toContain(address.slice(-40, -4));
    const [chunk] = await database.db.selectFrom('media_chunk').selectAll().execute();
    expect(Buffer.from(chunk?.data ?? []).includes('ICC_PROFILE')).toBe(false);
  });

  test('it is taken once, also by other instances, and belongs to its workspace', async () => {
    slack.files.set('F1', { bytes: buildJpeg() });
    const [one, two] = await Promise.all([take('F1'), take('F1')]);
    const other = createMedia(buildOptions(`http://127.0.0.1:${door.port}`));
    expect([two, await other.take({ workspace: WORKSPACE, client: slack.createClient() }, 'F1')]).toEqual([
      one,
      one,
    ]);
    expect(await countRows()).toEqual({ files: 1, chunks: 1 });
    expect(await media.find(WORKSPACE, one.address)).toEqual(one);
    expect(await media.find('T02OTHER', one.address)).toBe('gone');
    expect(await media.find(WORKSPACE, 'https://example.com/a.jpg')).toBeUndefined();
  });

  test('equal pictures of a workspace have one address, if they were uploaded at the same time too', async () => {
    const bytes = buildJpeg({ scanBytes: 200_000 });
    for (const name of ['F1', 'F2', 'F3']) slack.files.set(name, { bytes });
    slack.files.set('F4', { bytes: buildJpeg({ scanBytes: 200_000, width: 41 }) });
    const [one, two] = await Promise.all([take('F1'), take('F2')]);
    const complete = await countRows();
    expect(two).toEqual(one);
    expect(await take('F3')).toEqual(one);
    expect(await countRows()).toEqual({ files: 1, chunks: complete.chunks });
    // Another press about the same file doesn't read it again.
    slack.files.delete('F3');
    expect(await take('F3')).toEqual(one);
    for (const other of [await take('F4'), await take('F1', 'T02OTHER')])
      expect(other.address).not.toBe(one.address);
  });

  test.each(['keep-alive', 'close'])(
    'a slow reader gets all of it after Slack has closed the connection (%s)',
    async (connection) => {
      // The last bytes of some lengths wait in a buffer when the connection ends.
      const lengths = [64, 96, 128, 192, 256].map((kilobytes) => kilobytes * 1024);
      for (const length of lengths)
        slack.files.set(`F${length}`, {
          bytes: Buffer.alloc(length, 7),
          send(_request, response) {
            response.setHeader('connection', connection).end(Buffer.alloc(length, 7));
            response.once('finish', () => response.socket?.end());
          },
        });
      const readSlowly = async (length: number) => {
        let read = 0;
        const file = await openSlackFile(slack.createClient(), `F${length}`, { maxBytes: length });
        for await (const piece of file.read()) {
          read += piece.length;
          await delay(200);
        }
        return read;
      };
      expect(await Promise.all(lengths.map(readSlowly))).toEqual(lengths);
    },
  );

  test('few of one workspace are stored at once, and others don’t wait for them', async () => {
    const begun: ServerResponse[] = [];
    const names = ['F1', 'F2', 'F3', 'F4', 'F5'];
    for (const name of names)
      slack.files.set(name, { bytes: buildJpeg(), send: (_request, response) => void begun.push(response) });
    slack.files.set('F6', { bytes: buildJpeg() });
    const taking = Promise.all(names.map((name) => take(name)));
    await expect.poll(() => begun.length).toBe(2);
    await take('F6', 'T02OTHER');
    expect(begun).toHaveLength(2);
    for (let sent = 0; sent < names.length; sent += 1) {
      await expect.poll(() => begun.length).toBeGreaterThan(sent);
      begun[sent]?.end(buildJpeg());
    }
    expect(await taking).toHaveLength(5);
  });

  test('without a public address, none is taken or served', () => {
    const closed = createMedia(buildOptions());
    expect([closed.takesFiles, closed.serve]).toEqual([false, undefined]);
  });
});

describe('how long a file stays', () => {
  const tidyUp = () => deleteUnusedFiles(buildOptions());
  const takeOne = async () => {
    slack.files.set('F1', { bytes: buildJpeg() });
    return (await take('F1')).address;
  };
  /** Lets days pass, and deletes the files that nothing uses then. */
  async function passDays(days: number) {
    now = new Date(now.getTime() + days * DAY_MS);
    await tidyUp();
  }

  test('a file that no post uses is deleted after two days', async () => {
    const address = await takeOne();
    await passDays(1.9);
    expect((await fetch(address)).status).toBe(200);
    await passDays(0.2);
    expect((await fetch(address)).status).toBe(404);
    expect(await countRows()).toEqual({ files: 0, chunks: 0 });
    expect(await media.find(WORKSPACE, address)).toBe('gone');
  });

  test('the file of a post stays until a week after its time, and that of a draft for 90 days', async () => {
    const address = await takeOne();
    await media.keep(WORKSPACE, address, new Date(NOW.getTime() + 30 * DAY_MS));
    await passDays(36.9);
    expect((await fetch(address)).status).toBe(200);
    await media.keep(WORKSPACE, address, undefined);
    await passDays(89);
    expect((await fetch(address)).status).toBe(200);
    await passDays(2);
    expect((await fetch(address)).status).toBe(404);
  });

  test('a post that was moved, or has no time yet, still has its file', async () => {
    const address = await takeOne();
    uses = new Map([[address, undefined]]);
    await passDays(3);
    uses = new Map([[address, new Date(now.getTime() + 20 * DAY_MS)]]);
    await passDays(3);
    uses = new Map();
    await passDays(20);
    expect((await fetch(address)).status).toBe(200);
    await passDays(5);
    expect((await fetch(address)).status).toBe(404);
  });

  test('while it isn’t known whether a post uses it, a file stays', async () => {
    const address = await takeOne();
    const complete = await countRows();
    // No post can use a file without a readable address, such as an incomplete one that an ended instance left.
    const row = await database.db.selectFrom('media_file').selectAll().executeTakeFirstOrThrow();
    const incomplete = { ...row, id: 'incomplete', slack_file: 'F2', bytes: null, sealed: '' };
    await database.db.insertInto('media_file').values(incomplete).execute();
    uses = 'unknown';
    await passDays(3);
    expect((await fetch(address)).status).toBe(200);
    expect(await countRows()).toEqual(complete);
    expect(logged).toContainEqual(expect.stringMatching(/^kept media because a stored post is unreadable/));
    uses = new Map();
    await passDays(3);
    expect((await fetch(address)).status).toBe(404);
  });

  test('the room of deleted and of refused files is used again', async () => {
    const readRoom = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('media_chunk')::int as bytes`.execute(database.db);
      return rows[0]?.bytes ?? 0;
    };
    const takeAndDelete = async (name: string) => {
      slack.files.set(name, { bytes: buildJpeg({ scanBytes: 2_000_000 }) });
      await take(name);
      await database.db.updateTable('media_file').set({ keep_until: NOW }).execute();
      await tidyUp();
      slack.files.set(`${name}R`, { bytes: buildJpeg({ scanBytes: 2_000_000 }).subarray(0, 1_500_000) });
      expect(await findProblem(`${name}R`)).toContain('too early');
    };
    await takeAndDelete('F1');
    const room = await readRoom();
    for (const name of ['F2', 'F3']) await takeAndDelete(name);
    expect(await readRoom()).toBeLessThan(room + 500_000);
  });

  test('one who leaves many files doesn’t make those of others stay', async () => {
    const address = await takeOne();
    const row = await database.db.selectFrom('media_file').selectAll().executeTakeFirstOrThrow();
    const many = Array.from({ length: 150 }, (_, index) => ({
      ...row,
      ...{ id: `left-${index}`, workspace: 'T02OTHER', slack_file: `L${index}`, keep_until: NOW },
    }));
    await database.db.insertInto('media_file').values(many).execute();
    now = new Date(now.getTime() + 3 * DAY_MS);
    expect([await tidyUp(), await tidyUp()]).toEqual([true, false]);
    expect((await fetch(address)).status).toBe(404);
    expect(await countRows()).toEqual({ files: 0, chunks: 0 });
  });

  test('a file can be taken again after it was deleted', async () => {
    const address = await takeOne();
    await passDays(3);
    expect((await take('F1')).address).not.toBe(address);
  });

  test('a file that is taken again on the day before it is deleted stays for another two days', async () => {
    const address = await takeOne();
    await passDays(1.5);
    expect((await take('F1')).address).toBe(address);
    await passDays(1.9);
    expect((await fetch(address)).status).toBe(200);
    await passDays(0.2);
    expect((await fetch(address)).status).toBe(404);
  });
});

describe('files that can’t be taken', () => {
  afterEach(async () => {
    expect(await countRows()).toEqual({ files: 0, chunks: 0 });
  });

  test('a file that was deleted in Slack, or is deleted before its download', async () => {
    expect(await findProblem('F0')).toBe(
      'I can’t find this file. It was deleted, or it’s in a conversation without me. Upload it here.',
    );
    const deleted = 'This file was deleted in Slack. Upload it again.';
    slack.files.set('F3', { error: 'file_deleted' });
    expect(await findProblem('F3')).toBe(deleted);
    slack.files.set('F1', {
      bytes: buildJpeg(),
      send: (_request, response) => response.writeHead(404).end(),
    });
    expect(await findProblem('F1')).toBe(deleted);
    slack.files.set('F2', { info: { mode: 'tombstone' } });
    expect(await findProblem('F2')).toBe(deleted);
  });

  test('a file of another organisation, and one that isn’t in Slack', async () => {
    const expected =
      'This file belongs to another organisation, and I can’t read it. Download it, and upload it here.';
    slack.files.set('F1', { info: { file_access: 'access_denied' } });
    slack.files.set('F2', { info: { file_access: 'check_file_info', mode: 'file_access' } });
    slack.files.set('F3', { error: 'access_denied' });
    for (const id of ['F1', 'F2', 'F3']) expect(await findProblem(id)).toBe(expected);
    slack.files.set('F4', {
      info: { is_external: true, url_private_download: 'https://drive.google.com/x' },
    });
    expect(await findProblem('F4')).toBe('This file isn’t stored in Slack. Download it, and upload it here.');
  });

  test('a token that expires between the description and the download, or lacks the permission', async () => {
    slack.files.set('F1', { bytes: buildJpeg() });
    const expected = 'Slack didn’t let me read this file. Try again.';
    slack.files.set('F1', {
      bytes: buildJpeg(),
      send: (_request, response) => response.writeHead(302, { location: '/' }).end(),
    });
    expect(await findProblem('F1')).toBe(expected);
    slack.files.set('F2', { error: 'token_expired' });
    expect(await findProblem('F2')).toBe(expected);
    slack.files.set('F3', { error: 'missing_scope' });
    expect(await findProblem('F3')).toContain('I’m not allowed to read files here yet.');
  });

  test('a download that ends too early, or breaks off', async () => {
    const bytes = buildJpeg({ scanBytes: 300_000 });
    slack.files.set('F1', { bytes, send: (_request, response) => response.end(bytes.subarray(0, 100_000)) });
    expect(await findProblem('F1')).toBe('This file ends too early. Upload it again.');
    slack.files.set('F2', {
      bytes,
      send(_request, response) {
        response.writeHead(200, { 'content-length': bytes.length });
        response.write(bytes.subarray(0, 100_000), () => setImmediate(() => response.destroy()));
      },
    });
    expect(await findProblem('F2')).toBe('Slack didn’t let me read this file. Try again.');
  });

  test('a file that is larger than it may be, or doesn’t end where Slack says', async () => {
    slack.files.set('F1', { info: { size: 240 * 1024 * 1024 } });
    expect(await findProblem('F1')).toBe('I take files up to 100 MB, and this has 240 MB.');
    const piece = Buffer.alloc(64 * 1024, 1);
    const start = buildVideo({ dataBytes: 2 ** 20 }).subarray(0, 200);
    slack.files.set('F2', {
      info: { size: 500_000 },
      send(_request, response) {
        response.write(start);
        const more = () => {
          if (!response.destroyed) response.write(piece, () => setImmediate(more));
        };
        more();
      },
    });
    expect(await findProblem('F2')).toBe('This file is damaged. Save it again, and upload the copy.');
  });

  test('the token is sent to Slack only', async () => {
    slack.files.set('F1', { info: { url_private_download: 'http://127.0.0.1:1/steal' } });
    slack.files.set('F2', {
      info: { url_private_download: `${slack.url.replace('//', '//slack.com@')}/files/F2` },
    });
    for (const id of ['F1', 'F2'])
      expect(await findProblem(id)).toBe('Slack didn’t let me read this file. Try again.');
  });
});

describe('with a bucket', () => {
  test('files are stored there without their private data, and deleted with their posts and workspaces', async () => {
    const s3 = await startS3Server();
    const bucket = { url: s3.url, publicUrl: s3.url, ...S3_KEY };
    const options = { ...buildOptions(), bucket };
    media = createMedia(options);
    expect([media.takesFiles, media.serve]).toEqual([true, undefined]);
    slack.files.set('F1', { bytes: buildJpeg({ scanBytes: 700_000 }) });
    slack.files.set('F2', { bytes: buildVideo() });
    const [one, two] = [await take('F1'), await take('F2')];
    expect(one.address).toMatch(new RegExp(`^${s3.url}/[\\w-]{43}\\.jpg$`));
    const response = await fetch(one.address);
    const served = Buffer.from(await response.arrayBuffer());
    expect([response.headers.get('content-type'), served.length, hasPlace(served)]).toEqual([
      'image/jpeg',
      one.facts.bytes,
      false,
    ]);
    expect(await countRows()).toEqual({ files: 2, chunks: 0 });
    expect(await media.find(WORKSPACE, one.address)).toEqual(one);
    // The database has no content of these: whoever stops using the bucket takes them from Slack again.
    media = createMedia(buildOptions(`http://127.0.0.1:${door.port}`));
    slack.files.set('F3', { bytes: buildVideo() });
    const { address } = await take('F3');
    expect((await fetch(address)).status).toBe(200);
    media = createMedia(options);

    // Objects of others stay, and so do those that are just being stored.
    const own = createBucket(bucket);
    s3.objects.set('backup.tar', { content: Buffer.alloc(1), headers: {}, storedAt: new Date(0) });
    await database.db.deleteFrom('media_file').where('slack_file', '=', 'F1').execute();
    now = new Date();
    await deleteForgottenObjects(options, own);
    expect(s3.objects.size).toBe(3);
    now = new Date(Date.now() + DAY_MS / 12);
    await deleteForgottenObjects(options, own);
    expect([...s3.objects.keys()].toSorted()).toEqual(
      [two.address.split('/').at(-1), 'backup.tar'].toSorted(),
    );
    expect((await fetch(one.address)).status).toBe(403);
    expect(await media.find(WORKSPACE, one.address)).toBe('gone');
    await forgetWorkspace(database.db, WORKSPACE, now, async () => undefined);
    await deleteForgottenObjects(options, own);
    expect([...s3.objects.keys()]).toEqual(['backup.tar']);
    s3.close();
  });

  test('a file that the bucket refuses isn’t taken', async () => {
    const s3 = await startS3Server();
    media = createMedia({
      ...buildOptions(),
      bucket: { url: s3.url, publicUrl: s3.url, ...S3_KEY, secretKey: 'another-secret' },
    });
    slack.files.set('F1', { bytes: buildJpeg() });
    await expect(take('F1')).rejects.toThrow('the bucket answered 403 SignatureDoesNotMatch');
    expect(await countRows()).toEqual({ files: 0, chunks: 0 });
    s3.close();
  });
});

test('a file that was refused can be sent again a moment later', async () => {
  slack.files.set('F1', { error: 'internal_error' });
  expect(await findProblem('F1')).toContain('Try again.');
  slack.files.set('F1', { bytes: buildJpeg() });
  await expect.poll(() => findProblem('F1'), { interval: 500 }).toBeUndefined();
});
