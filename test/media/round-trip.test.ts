import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { migrations } from '../../src/app/migrations.ts';
import { DAY_MS } from '../../src/durations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { createBucket } from '../../src/media/bucket.ts';
import {
  createMedia,
  deleteForgottenObjects,
  deleteUnusedFiles,
  type PostFile,
} from '../../src/media/media.ts';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { forgetWorkspace } from '../../src/workspaces/sql/forget-workspace.ts';
import { createBotDatabaseFolder } from '../support/database-folder.ts';
import { buildVideo } from '../support/media-files.ts';
import { S3_KEY, startS3Server } from '../support/s3-server.ts';
import { startSlackFiles } from '../support/slack-files.ts';

/** What a scheduling service gets at the address of a file, from the door and from a bucket. */

const WORKSPACE = 'T01HARBOUR';
const NOW = new Date('2026-11-20T12:00:00Z');
const VIDEO = buildVideo({ dataBytes: 900_000 });

let slack: Awaited<ReturnType<typeof startSlackFiles>>;
let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  [slack, s3] = await Promise.all([startSlackFiles(), startS3Server()]);
  slack.files.set('F1', { bytes: VIDEO });
});
afterAll(() => {
  slack.close();
  s3.close();
});

describe.each(['door', 'bucket'])('%s', (kind) => {
  const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
  let now = NOW;
  let folder: string;
  let port = 0;
  let app: Awaited<ReturnType<typeof startApp>>;

  /** Starts the app on the folder of the one before. The address of its door stays the same, as behind a proxy. */
  async function startApp() {
    const database = await openPGlite(folder);
    const db = await openDatabase<BotSchema>({ dialect: database.dialect, migrations });
    const http = await startHttpServer({
      host: '127.0.0.1',
      port,
      serveMedia: (request, response) => media.serve?.(request, response) ?? Promise.resolve(),
    });
    port = http.port;
    const log = () => undefined;
    const bucket = { url: s3.url, publicUrl: s3.url, ...S3_KEY };
    const options = {
      db,
      encryption,
      log: { debug: log, info: log, warn: log, error: log },
      now: () => now,
      listUses: async () => new Map<string, Date | undefined>(),
      ...(kind === 'door' ? { publicUrl: `http://127.0.0.1:${port}` } : { bucket }),
    };
    const media = createMedia(options);
    return {
      db,
      media,
      async tidyUp() {
        // The bucket's clock is the real one.
        for (const object of s3.objects.values()) object.storedAt = NOW;
        await deleteUnusedFiles(options);
        if (kind === 'bucket') await deleteForgottenObjects(options, createBucket(bucket));
      },
      async stop() {
        await http.close();
        await db.destroy();
        await database.close();
      },
    };
  }

  beforeEach(async () => {
    [now, port] = [NOW, 0];
    folder = await createBotDatabaseFolder();
    app = await startApp();
  });
  afterEach(async () => {
    s3.objects.clear();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Takes the video for a post that goes out in three days. */
  async function takeVideo(): Promise<PostFile> {
    const file = await app.media.take({ workspace: WORKSPACE, client: slack.createClient() }, 'F1');
    await app.media.keep(WORKSPACE, file.address, new Date(NOW.getTime() + 3 * DAY_MS));
    return file;
  }

  async function fetchBytes(address: string, range?: string) {
    const response = await fetch(address, range === undefined ? {} : { headers: { range } });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** Fetches the file in parts of this length, one after the other. */
  async function fetchInRanges({ address, facts }: PostFile, length: number): Promise<Buffer> {
    const parts = [];
    for (let start = 0; start < facts.bytes; start += length) {
      const { status, bytes } = await fetchBytes(address, `bytes=${start}-${start + length - 1}`);
      expect(status).toBe(206);
      parts.push(bytes);
    }
    return Buffer.concat(parts);
  }

  /** Fetches the file ten times at once, and in ranges, and asks for its head. Returns it. */
  async function fetchAsServicesDo(file: PostFile): Promise<Buffer> {
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => fetchBytes(file.address)));
    const bytes = first?.bytes ?? Buffer.alloc(0);
    expect([first?.status, bytes.length]).toEqual([200, VIDEO.length]);
    for (const other of others) expect(other.bytes.equals(bytes)).toBe(true);
    expect((await fetchInRanges(file, 100_000)).equals(bytes)).toBe(true);
    expect((await fetchBytes(file.address, 'bytes=-1000')).bytes.equals(bytes.subarray(-1000))).toBe(true);
    const head = await fetch(file.address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
      200,
      'video/mp4',
      `${VIDEO.length}`,
    ]);
    return bytes;
  }

  test('a service gets the file each of ten times, and until a week after the post', async () => {
    const file = await takeVideo();
    const bytes = await fetchAsServicesDo(file);
    for (const day of [1, 3, 9.9]) {
      now = new Date(NOW.getTime() + day * DAY_MS);
      await app.tidyUp();
      expect((await fetchBytes(file.address)).bytes.equals(bytes)).toBe(true);
    }
  });

  test('a service gets it a day later, after the app has started again', async () => {
    const file = await takeVideo();
    const { bytes } = await fetchBytes(file.address);
    await app.stop();
    now = new Date(NOW.getTime() + DAY_MS);
    app = await startApp();
    await app.tidyUp();
    expect((await fetchAsServicesDo(file)).equals(bytes)).toBe(true);
    expect(await app.media.find(WORKSPACE, file.address)).toEqual(file);
  });

  test('nobody gets it when its time is over, or the app has left the workspace', async () => {
    const gone = kind === 'door' ? 404 : 403;
    const expired = await takeVideo();
    now = new Date(NOW.getTime() + 10.1 * DAY_MS);
    await app.tidyUp();
    expect((await fetchBytes(expired.address)).status).toBe(gone);
    const forgotten = await takeVideo();
    await forgetWorkspace(app.db, WORKSPACE, now, async () => undefined);
    await app.tidyUp();
    expect((await fetchBytes(forgotten.address)).status).toBe(gone);
    expect(s3.objects.size).toBe(0);
  });
});
