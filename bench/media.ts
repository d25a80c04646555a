import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { HOSTILE_MEDIA, type HostileFile, streamFile } from '../test/support/hostile-media.ts';
import { listenOnFreePort } from '../test/support/listening-port.ts';
import { box, buildChunk, buildJpeg, buildPng, buildVideo } from '../test/support/media-files.ts';
import { printVerdict } from './print-verdict.ts';
import { readMemoryMb, startServer } from './server.ts';

/**
 * Takes hostile files, a file of 50 MB, and ten at once, into the embedded database. Prints for each what people read, how
 * much the process grows meanwhile, how much of that are the heap and the buffers of the thread that reads files, and the
 * longest time that another request takes: HEAD of a small file.
 */

const [MAX_GROWTH_MB, MAX_DELAY_MS] = [64, 500];
const [SAMPLE_MS, SETTLE_MS] = [20, 1_500];
const MB = 1024 * 1024;

const PNG_HEAD = buildPng().subarray(0, 33);
/** A head that says that the file is longer than it is. */
const withLength = (head: Buffer, length: number) => {
  const copy = Buffer.from(head);
  copy.writeUInt32BE(length);
  return copy;
};
const followedByZeros = (start: Buffer, bytes: number): HostileFile => ({
  start,
  part: Buffer.alloc(64),
  bytes,
});
/** A chunk that is as long as the file. */
const longChunk = (type: string) =>
  Buffer.concat([PNG_HEAD, withLength(buildChunk(type, Buffer.alloc(0)), 95 * MB).subarray(0, 8)]);

const HOSTILE_FILES: Readonly<Record<string, HostileFile>> = {
  'a picture of 60,000 × 60,000': { start: buildPng({ width: 60_000, height: 60_000 }) },
  'an SVG with a script': { start: Buffer.from('<svg xmlns="x"><script>alert(1)</script></svg>') },
  'a program named photo.jpg': { start: Buffer.from(`MZ${'\0'.repeat(200)}`) },
  'a PNG with a text chunk of 95 MB': followedByZeros(longChunk('zTXt'), 95 * MB),
  'a PNG with a colour profile of 95 MB': followedByZeros(longChunk('iCCP'), 95 * MB),
  'a video that never ends': followedByZeros(
    Buffer.concat([buildVideo().subarray(0, 20), withLength(box('mdat'), 0)]),
    10_000 * MB,
  ),
  ...Object.fromEntries(Object.entries(HOSTILE_MEDIA).map(([name, { build }]) => [name, build(24 * MB)])),
};
const largeVideo = buildVideo({ dataBytes: 50 * MB });
const largePhoto = buildJpeg({ width: 8_000, height: 6_000, scanBytes: 50 * MB });

export async function measureMedia(): Promise<void> {
  const slack = await startSlack();
  const folder = mkdtempSync(join(tmpdir(), 'bench-media-'));
  const failures: string[] = [];
  const measure = async (name: string, list: readonly HostileFile[]) => {
    const { seconds, growthMb, threadGrowthMb, delayMs, answers } = await measureFiles(folder, slack, list);
    const figures = [
      `${seconds.toFixed(1)} s`,
      `+${growthMb.toFixed(0)} MB`,
      `(+${threadGrowthMb.toFixed(0)} MB)`,
      `${delayMs.toFixed(0)} ms`,
    ];
    const columns = figures.map((figure) => figure.padStart(10)).join('');
    console.log(`  ${name.padEnd(60)}${columns}  ${[...new Set(answers)].join('\n'.padEnd(105))}`);
    if (growthMb > MAX_GROWTH_MB || delayMs > MAX_DELAY_MS) failures.push(name);
  };
  for (const [name, file] of Object.entries(HOSTILE_FILES)) await measure(name, [file]);
  await measure('all of them at once', Object.values(HOSTILE_FILES));
  await measure('a video of 50 MB', [{ start: largeVideo }]);
  await measure(
    'ten files of 50 MB at once',
    Array.from({ length: 10 }, (_, index) => ({ start: index % 2 ? largeVideo : largePhoto })),
  );
  slack.stop();
  rmSync(folder, { recursive: true, force: true });
  printVerdict(`${MAX_GROWTH_MB} MB and ${MAX_DELAY_MS} ms`, failures);
}

/** Starts a Slack that has the files of the map. */
async function startSlack() {
  const files = new Map<string, HostileFile>();
  const server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    const file = files.get(id) ?? { start: Buffer.alloc(0) };
    if (request.url !== '/api/files.info') return void Readable.from(streamFile(file)).pipe(response);
    request.setEncoding('utf8').once('data', (body: string) => {
      const file = { mode: 'hosted', url_private: `${url}/${new URLSearchParams(body).get('file')}` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, file }));
    });
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  return {
    url,
    files,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts the app, and measures it while it takes files that are sent at once. */
async function measureFiles(
  folder: string,
  { url: slackUrl, files }: Awaited<ReturnType<typeof startSlack>>,
  list: readonly HostileFile[],
) {
  const app = startServer('bench/servers/taking-media.ts', { SLACK_URL: slackUrl, DATA_DIR: folder });
  const [, url = ''] = await app.waitForOutput(/takes files at (\S+)/);
  const take = async (taken: readonly HostileFile[]) => {
    const ids = taken.map(() => randomUUID());
    for (const [index, file] of taken.entries()) files.set(ids[index] ?? '', file);
    const [response] = (await once(
      get(`${url}/take?${ids.map((id) => `file=${id}`).join('&')}`),
      'response',
    )) as [IncomingMessage];
    return (await json(response)) as { address?: string; problem?: string }[];
  };
  // Loads the code, and makes the memory that every process needs sooner or later.
  const [small] = await take([{ start: buildJpeg() }, { start: buildJpeg({ scanBytes: 5 * MB }) }]);
  await delay(SETTLE_MS);
  const readThreadMb = async () => Number(await (await fetch(`${url}/memory`)).text());
  const [memoryBefore, threadBefore] = [readMemoryMb(app.pid), await readThreadMb()];
  let [isRunning, growthMb, threadGrowthMb, delayMs] = [true, 0, 0, 0];
  const watch = async () => {
    while (isRunning) {
      const startedAt = performance.now();
      await fetch(small?.address ?? '', { method: 'HEAD' });
      delayMs = Math.max(delayMs, performance.now() - startedAt);
      growthMb = Math.max(growthMb, readMemoryMb(app.pid) - memoryBefore);
      threadGrowthMb = Math.max(threadGrowthMb, (await readThreadMb()) - threadBefore);
      await delay(SAMPLE_MS);
    }
  };
  const watching = watch();
  const startedAt = performance.now();
  const answers = await take(list);
  const seconds = (performance.now() - startedAt) / 1_000;
  isRunning = false;
  await watching;
  app.stop();
  await app.exit;
  return {
    seconds,
    growthMb,
    threadGrowthMb,
    delayMs,
    answers: answers.map(({ problem = 'taken' }) => problem),
  };
}
