import { readFileSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { Agent, request } from 'undici';
import { createEncryption } from '../../src/access/access.ts';
import { features } from '../../src/app/features.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { saveCredential } from '../../src/workspaces/credentials.ts';
import { findFreePort, listenOnFreePort } from '../../test/support/listening-port.ts';
import { createSelfSignedCertificate } from '../../test/support/tls-front.ts';
import { startServer } from '../server.ts';

/** Slack's requests come from another address than the attacks, as those of any stranger do. */
export const SLACK_ADDRESS = '127.0.0.3';
/** Whoever checks the health does so from a third one. */
export const MONITORING_ADDRESS = '127.0.0.4';

type Team = ReturnType<Workspace['admin']['addTeam']>;

/** The app with two tenants, each with a service of its own. Ana's tenant attacks; Rosa's is the neighbour. */
export interface Target {
  workspace: Workspace;
  /** Whoever sends `/upnext help` and opens forms meanwhile. */
  neighbour: Team;
  /** The folder of the app's data, and of what an attack needs. */
  dataDir: string;
  /** The control of the attacker's service. */
  controlUrl: string;
  /** Where Slack sends its requests, and people install the app: a proxy that records them. */
  publicUrl: string;
  url: string;
  port: number;
  /** Lists the payloads of this type that Slack has sent to the app. */
  listSentPayloads(type: string): Record<string, unknown>[];
  /** Reads the peak memory of the app's process. Undefined if the system doesn't report it. */
  readPeakMemoryMb(): number | undefined;
  /** Reads how long ago the app last said that it is ready. */
  readUptimeSeconds(): number;
  /** Whether the app's process has ended by itself. */
  hasEnded(): boolean;
  /** Stops the app, changes its database, and starts it again. */
  changeDatabase(change: (db: Kysely<BotSchema>) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const dispatcher = new Agent({ connect: { localAddress: SLACK_ADDRESS } });

/** Starts the app in its own process, over HTTP. Slack, and the neighbour's service, run in this process. */
export async function startTarget(
  { port: servicePort, controlUrl }: { port: string; controlUrl: string },
  env: Record<string, string>,
  { folder, dataDir }: { folder: string; dataDir: string },
): Promise<Target> {
  const bodies: string[] = [];
  const port = await findFreePort();
  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray());
    bodies.push(body.toString());
    const { 'content-length': _, connection: _connection, ...headers } = incoming.headers;
    const isGet = incoming.method === 'GET';
    const answer = await request(`http://127.0.0.1:${port}${incoming.url}`, {
      ...{ method: isGet ? 'GET' : 'POST', headers, body: isGet ? null : body, dispatcher },
    });
    response.writeHead(answer.statusCode, answer.headers);
    response.end(await answer.body.text());
  };
  // The app's public address, so that what Slack sends can be sent again.
  const proxy = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  const publicUrl = `http://127.0.0.1:${await listenOnFreePort(proxy)}`;
  const requestUrl = `${publicUrl}/slack/events`;
  const workspace = await startWorkspace({
    port: 0,
    manifest: buildManifest(features, { requestUrl }),
    delivery: { kind: 'http', url: requestUrl },
    installed: false,
    waitMs: TIMEOUT_MS,
  });
  const ownService = createSecureServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"success":true,"data":[{"Id":"p1","Name":"Night Market"}]}');
  });
  const ownPort = await listenOnFreePort(ownService);
  const certificateFile = join(dataDir, 'certificate.pem');
  writeFileSync(certificateFile, cert);
  const startApp = () =>
    startServer(
      'src/main.ts',
      {
        DATA_DIR: dataDir,
        NODE_EXTRA_CA_CERTS: certificateFile,
        LOG_LEVEL: 'fatal',
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        SLACK_SIGNING_SECRET: workspace.signingSecret,
        SLACK_CLIENT_ID: workspace.clientId,
        SLACK_CLIENT_SECRET: workspace.clientSecret,
        SLACK_API_URL: workspace.apiUrl,
        ALLOW_PRIVATE_SERVICE_ADDRESSES: 'true',
        ENCRYPTION_KEYS: `${KEY.id}:${KEY.key.toString('base64')}`,
        ...env,
      },
      { folder },
    );
  let app = startApp();
  let hasEnded = false;
  let readyAt = 0;
  const watchEnd = async () => {
    const watched = app;
    await watched.exit;
    hasEnded ||= watched === app;
  };
  const stopApp = async () => {
    const stopped = app;
    app = { ...app };
    stopped.stop();
    await stopped.exit;
  };
  const target: Target = {
    workspace,
    neighbour: workspace.admin.addTeam({ name: 'Night Market Books', people: NEIGHBOURS }),
    dataDir,
    controlUrl,
    publicUrl,
    url: `http://127.0.0.1:${port}/slack/events`,
    port,
    listSentPayloads: (type) => bodies.flatMap(parsePayload).filter((payload) => payload.type === type),
    readPeakMemoryMb: () => readVmHwmMb(app.pid),
    readUptimeSeconds: () => (performance.now() - readyAt) / 1_000,
    hasEnded: () => hasEnded,
    async changeDatabase(change) {
      await stopApp();
      const opened = env.DATABASE_URL
        ? { dialect: createPostgresDialect(env.DATABASE_URL), close: async () => {} }
        : await openThreadedPGlite(resolve(dataDir, 'database'));
      const db = await openDatabase<BotSchema>({ dialect: opened.dialect, migrations });
      await change(db);
      await db.destroy();
      await opened.close();
      app = startApp();
      void watchEnd();
      await app.waitForOutput(/port (\d+)/);
      readyAt = performance.now();
    },
    async stop() {
      await stopApp();
      await workspace.close();
      closeAll(proxy);
      closeAll(ownService);
    },
  };
  await app.waitForOutput(/port (\d+)/);
  await workspace.as('Ana').install(`${publicUrl}/slack/install`);
  await target.neighbour.as('Rosa0').install(`${publicUrl}/slack/install`);
  await target.changeDatabase(async (db) => {
    await connectService(db, workspace.team.id, servicePort);
    await connectService(db, target.neighbour.id, `${ownPort}`);
  });
  return target;
}

/** Enough people that none of them reaches a rate limit. The first installs the app. */
export const NEIGHBOURS = Array.from({ length: 40 }, (_, index) => ({
  name: `Rosa${index} Lima`,
  id: `U0ROSA${index}`,
}));
/** How often the form looks for its fields, every half a second. After other attacks, the attacker's come late. */
const FIELD_TRIES = 120;

/** Opens the attacker's form of a post with a command, and waits for its fields. */
export async function openPostForm({ workspace }: Target, line = '/schedule-post') {
  const ana = workspace.as('Ana').in('#general');
  await ana.type(line);
  const form = await ana.modal('Schedule a post');
  for (let tries = 0; tries < FIELD_TRIES && !form.blocks.some(({ type }) => type === 'input'); tries += 1)
    await delay(500);
  return form;
}

const KEY = { id: 'bench', key: Buffer.alloc(32, 1) };
/** The certificate of both services. */
export const { key, cert } = createSelfSignedCertificate(['localhost']);
/** Longer than any answer takes. */
const TIMEOUT_MS = 20_000;

/** Connects a tenant's service on this machine. */
async function connectService(db: Kysely<BotSchema>, workspace: string, port: string): Promise<void> {
  const url = `https://localhost:${port}/`;
  await saveCredential(db, {
    ...{ id: `c${workspace}`, workspace, project: '', connected_by: 'U01ANAFERR', connected_at: new Date() },
    connection: createEncryption([KEY]).encrypt(JSON.stringify({ url, token: 'bench' }), workspace, ''),
  });
}

function closeAll(server: HttpServer): void {
  server.close();
  server.closeAllConnections();
}

function parsePayload(body: string): Record<string, unknown>[] {
  if (body.startsWith('{')) return [JSON.parse(body) as Record<string, unknown>];
  const payload = new URLSearchParams(body).get('payload');
  return payload === null ? [] : [JSON.parse(payload) as Record<string, unknown>];
}

/** Reads the peak memory of a process, which only Linux reports, as VmHWM (proc_pid_status(5)). */
function readVmHwmMb(pid: number | undefined): number | undefined {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}
