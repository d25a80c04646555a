import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { UnusableMedia } from '../../src/media/byte-input.ts';
import { createMedia } from '../../src/media/media.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';

/**
 * Takes files from the Slack at `SLACK_URL`: `/take?file=F1&file=F2`, all at once, each for a workspace of its own. Also
 * serves the files it has taken, and says at `/memory` how many MB the heap and the buffers of its main thread have: the
 * database has a thread of its own.
 */

const { SLACK_URL = '', DATA_DIR = '' } = process.env;
const database = await openThreadedPGlite(DATA_DIR);
const db = await openDatabase<BotSchema>({ dialect: database.dialect, migrations });
// Postgres' shared buffers, of 16 MB, are full in every process that has run for a while.
await sql`create table if not exists earlier_row as select repeat(md5(n::text), 30) as text from generate_series(1, 30000) n`.execute(
  db,
);
await sql`select count(*) from earlier_row where text like '%x%'`.execute(db);
const log = (fields: object, message: string) => console.log(message, fields);
const server = createServer((request, response) => void answer(request.url ?? '', request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const media = createMedia({
  db,
  publicUrl,
  encryption: createEncryption([{ id: 'bench', key: randomBytes(32) }]),
  log: { debug: log, info: log, warn: log, error: log },
  now: () => new Date(),
  listUses: async () => new Map(),
});
const client = new WebClient('xoxb-bench', { slackApiUrl: `${SLACK_URL}/api/`, retryConfig: { retries: 0 } });

async function answer(url: string, ...exchange: Parameters<NonNullable<typeof media.serve>>): Promise<void> {
  if (url.startsWith('/media/')) return media.serve?.(...exchange);
  if (url === '/memory') {
    const { heapTotal, external } = process.memoryUsage();
    return void exchange[1].end(String((heapTotal + external) / 1024 / 1024));
  }
  const files = new URL(url, publicUrl).searchParams.getAll('file');
  const answers = await Promise.all(files.map(take));
  exchange[1].end(JSON.stringify(answers));
}

const take = (file: string) =>
  media.take({ workspace: file, client }, file).then(
    ({ address }) => ({ address }),
    (error: unknown) => ({ problem: error instanceof UnusableMedia ? error.problem : String(error) }),
  );

process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void db.destroy().then(() => process.exit());
});
console.log(`takes files at ${publicUrl}`);
