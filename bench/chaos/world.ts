import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { features } from '../../src/app/features.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { createOnPostgres } from '../../test/support/databases.ts';
import type { PrivatePostgres } from '../../test/support/postgres.ts';
import { startPracticeService } from '../../test/support/practice-service.ts';
import type { Random } from '../../test/support/random.ts';
import type { Incident } from './history.ts';
import { Instance } from './instance.ts';

/** Maximum difference between the clock of an instance and real time. */
export const MAX_CLOCK_OFFSET_MS = 4 * 60_000;

/** How long people wait for a form. It opens within 3 s of the press or not at all, because its trigger ID expires. */
const ACTOR_WAIT_MS = 5_000;

/** Everything outside the app, and the app's instances. */
export interface World {
  /** The address of the database without a proxy. After a failover, on another server. */
  readonly databaseUrl: string;
  databaseName: string;
  workspace: Workspace;
  service: Awaited<ReturnType<typeof startPracticeService>>;
  instances: readonly Instance[];
  incidents: Incident[];
  addIncident(text: string): void;
  /** Closes all connections between Slack and the instances. */
  dropSockets(): void;
  close(): Promise<void>;
}

interface WorldOptions {
  random: Random;
  instanceCount: number;
  /** The checkout whose version the instances run. Defaults to this one. */
  folder?: string | undefined;
  /** The address of a database as the instances use it. Defaults to Postgres' own. */
  buildInstanceUrl?: ((database: string) => string) | undefined;
  onIncident: ((text: string) => void) | undefined;
}

export async function startWorld(
  postgres: Pick<PrivatePostgres, 'url'>,
  options: WorldOptions,
): Promise<World> {
  const { random, instanceCount, onIncident, folder } = options;
  const incidents: Incident[] = [];
  const addIncident = (text: string) => {
    incidents.push({ at: Date.now(), text });
    onIncident?.(text);
  };
  const sockets = watchSockets();
  const workspace = await startWorkspace({
    port: 0,
    waitMs: ACTOR_WAIT_MS,
    manifest: buildManifest(features),
    delivery: { kind: 'socket' },
  });
  const service = await startPracticeService();
  const buildUrl = (name: string) => postgres.url(name, 'postgres');
  const { buildInstanceUrl = buildUrl } = options;
  const database = await createOnPostgres(buildUrl);
  const env = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    SCHEDULING_API_URL: service.url,
    SCHEDULING_API_TOKEN: service.token,
    ENCRYPTION_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
    MEMBERS_DEFAULT_ROLE: 'publisher',
  };
  const drawClockOffsetMs = () => Math.round((2 * random.next() - 1) * MAX_CLOCK_OFFSET_MS);
  const startInstance = (index: number) =>
    Instance.start({
      name: `instance ${index}`,
      env,
      folder,
      databaseUrl: buildInstanceUrl(database.name),
      drawClockOffsetMs,
      onIncident: addIncident,
    });
  // The first instance creates the tables.
  const firstInstance = await startInstance(0);
  const otherInstances = await Promise.all(
    Array.from({ length: instanceCount - 1 }, (_, index) => startInstance(index + 1)),
  );
  const instances = [firstInstance, ...otherInstances];
  const port = Number(new URL(workspace.url).port);
  return {
    databaseName: database.name,
    get databaseUrl() {
      return buildUrl(database.name);
    },
    workspace,
    service,
    instances,
    incidents,
    addIncident,
    dropSockets() {
      for (const instance of instances) instance.disturbances += 1;
      for (const socket of sockets.all) if (socket.localPort === port) socket.resetAndDestroy();
    },
    async close() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await workspace.close();
      await service.close();
      await database.close();
      sockets.stop();
    },
  };
}

/** Collects the connections to servers of this process, because the Slack emulator can't cut its sockets. */
function watchSockets() {
  const all = new Set<Socket>();
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    all.add(socket);
    socket.once('close', () => all.delete(socket));
  };
  subscribe('net.server.socket', add);
  return { all, stop: () => unsubscribe('net.server.socket', add) };
}
