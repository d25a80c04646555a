import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Kysely, sql } from 'kysely';
import { createEncryption } from '../src/access/access.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { listenOnFreePort } from '../test/support/listening-port.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { sendSigned } from '../test/support/send-signed.ts';
import { printVerdict } from './print-verdict.ts';
import { readMemoryMb, startServer } from './server.ts';

/**
 * Measures the memory of an instance with many active workspaces, on Postgres. Each workspace has installed the app and
 * connected a service of its own, which keeps its connections open, or with `--service refuses` accepts none. One person
 * of each sends `/upnext help` and opens Home. The figures to compare are the memory afterwards, and the time of a start.
 * `--workspaces N` changes the number of active workspaces, `--stored N` stores more that nobody uses, and
 * `--folder FOLDER` measures another checkout, with its packages installed. Resolves with the figures.
 */

const WORKSPACE_COUNT = 10_000;
const MAX_MEMORY_MB = 600;
const MAX_START_MS = 5_000;
export const TENANTS_GOAL = `${MAX_MEMORY_MB} MB, and a start in ${MAX_START_MS} ms`;
/** A port that nobody listens on: discard (RFC 863), which systems don't offer any more. */
const REFUSING_PORT = 9;
/** Number of requests at a time. */
const CONCURRENCY = 8;
const signingSecret = 'b'.repeat(32);
const KEY = Buffer.alloc(32, 1);

const getWorkspaceId = (index: number) => `T${String(index).padStart(8, '0')}`;

/** Creates a server with the methods that a command and Home call. The token contains the workspace. */
function createFakeSlack() {
  return createServer((request, response) => {
    request.resume();
    const [, team = ''] = /xoxb-(T\d+)/.exec(request.headers.authorization ?? '') ?? [];
    const user = { id: 'U000ANA', team_id: team, name: 'ana', is_admin: true, tz: 'Europe/Lisbon' };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ ok: true, user, view: { id: 'V1', hash: '1' }, bot: { app_id: 'A000BENCH' } }),
    );
  });
}

/** Creates a service without any projects. It keeps its connections open, as long as the app does. */
function createService() {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: [] }));
  });
  server.keepAliveTimeout = 0;
  return server;
}

async function listenOnAllAddresses(server: Server): Promise<number> {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Address of a workspace's service. Every address of 127.0.0.0/8 leads to this machine, and each is another origin. */
const getServiceUrl = (index: number, port: number) =>
  `http://127.${1 + Math.floor(index / 62_500)}.${Math.floor(index / 250) % 250}.${1 + (index % 250)}:${port}`;

/** Stores the installations and connections of all workspaces. */
async function storeWorkspaces(
  databaseUrl: string,
  { count, servicePort }: { count: number; servicePort: number },
): Promise<void> {
  const db = new Kysely<BotSchema>({ dialect: createPostgresDialect(databaseUrl) });
  const encryption = createEncryption([{ id: 'bench', key: KEY }]);
  const at = new Date();
  for (let start = 0; start < count; start += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, count - start) }, (_, index) =>
      getWorkspaceId(start + index),
    );
    await db
      .insertInto('installation')
      .values(
        ids.map((id) => ({
          id,
          name: id,
          tokens: encryption.encrypt(JSON.stringify({ bot: `xoxb-${id}-bench` }), id),
          bot_user: 'U000BOT',
          installed_by: 'U000ANA',
          installed_at: at,
          expires_at: null,
        })),
      )
      .execute();
    await db
      .insertInto('installed_workspace')
      .values(ids.map((id) => ({ workspace: id, installation: id, since: at })))
      .execute();
    await db
      .insertInto('credential')
      .values(
        ids.map((id, index) => ({
          id: `c${id}`,
          workspace: id,
          project: '',
          connection: encryption.encrypt(
            JSON.stringify({ url: getServiceUrl(start + index, servicePort), token: 'bench' }),
            id,
            '',
          ),
          connected_by: 'U000ANA',
          connected_at: at,
        })),
      )
      .execute();
  }
  await sql`analyze`.execute(db);
  await db.destroy();
}

const createCommand = (team: string) => ({
  command: '/upnext',
  text: 'help',
  team_id: team,
  user_id: 'U000ANA',
  channel_id: 'C000BENCH',
  trigger_id: `1.${team}`,
  response_url: 'https://hooks.slack.com/commands/1',
});
const createHomeEvent = (team: string) => ({
  type: 'event_callback',
  event_id: `Ev${team}`,
  team_id: team,
  authorizations: [{ team_id: team, enterprise_id: null, is_enterprise_install: false }],
  event: { type: 'app_home_opened', user: 'U000ANA', channel: 'D000ANA', tab: 'home' },
});

export async function measureTenants(args: readonly string[] = []): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workspaces: { type: 'string', default: String(WORKSPACE_COUNT) },
      stored: { type: 'string', default: '0' },
      service: { type: 'string', default: 'keeps' },
      folder: { type: 'string', default: '.' },
    },
  });
  const count = Number(values.workspaces);
  const storedCount = Math.max(count, Number(values.stored));
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('  not run: no Postgres');
    return '';
  }
  const slack = createFakeSlack();
  const apiUrl = `http://127.0.0.1:${await listenOnFreePort(slack)}/api/`;
  const service = createService();
  const servicePort = values.service === 'refuses' ? REFUSING_PORT : await listenOnAllAddresses(service);
  const databaseUrl = postgres.url('postgres', 'postgres');
  const dataDir = mkdtempSync(resolve('.cache', 'bench-'));
  const start = () =>
    startServer(
      'src/main.ts',
      {
        SLACK_SIGNING_SECRET: signingSecret,
        SLACK_CLIENT_ID: '1111111111.2222222222',
        SLACK_CLIENT_SECRET: 'c'.repeat(32),
        PUBLIC_URL: 'https://upnext.example',
        SLACK_API_URL: apiUrl,
        ENCRYPTION_KEYS: `bench:${KEY.toString('base64')}`,
        ALLOW_PRIVATE_SERVICE_ADDRESSES: 'true',
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'fatal',
      },
      { folder: values.folder },
    );
  const migrating = start();
  await migrating.waitForOutput(/port (\d+)/);
  migrating.stop();
  await migrating.exit;
  await storeWorkspaces(databaseUrl, { count: storedCount, servicePort });
  const startedAt = performance.now();
  const server = start();
  const [, port] = await server.waitForOutput(/port (\d+)/);
  const startMs = performance.now() - startedAt;
  const target = { url: `http://127.0.0.1:${port}/slack/events`, signingSecret };
  console.log(
    `  ${storedCount} workspaces, ${count} of them active; started in ${startMs.toFixed(0)} ms with ${readMemoryMb(server.pid).toFixed(0)} MB`,
  );
  let nextIndex = 0;
  let failedCount = 0;
  const sendInTurn = async () => {
    for (let index = nextIndex++; index < count; index = nextIndex++) {
      const team = getWorkspaceId(index);
      for (const payload of [createCommand(team), createHomeEvent(team)])
        if ((await sendSigned(target, payload, 0)).status !== 200) failedCount += 1;
      if ((index + 1) % 1_000 === 0)
        console.log(`  ${index + 1} active workspaces: ${readMemoryMb(server.pid).toFixed(0)} MB`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
  const memoryMb = readMemoryMb(server.pid);
  server.stop();
  await server.exit;
  await postgres.stop();
  for (const closing of [slack, service]) {
    closing.close();
    closing.closeAllConnections();
  }
  rmSync(dataDir, { recursive: true, force: true });
  console.log(`  ${memoryMb.toFixed(0)} MB at the end; ${failedCount} of ${2 * count} requests failed`);
  printVerdict(TENANTS_GOAL, [
    ...(memoryMb > MAX_MEMORY_MB ? [`${memoryMb.toFixed(0)} MB`] : []),
    ...(startMs > MAX_START_MS ? [`started in ${startMs.toFixed(0)} ms`] : []),
  ]);
  return `${memoryMb.toFixed(0)} MB, started in ${startMs.toFixed(0)} ms`;
}
