import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Dialect } from 'kysely';
import type { EncryptionKey } from '../access/access.ts';
import { migrations } from '../app/migrations.ts';
import type { Settings } from '../config/config.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { type OnMovedAside, startServiceEmulator, startWorkspaceEmulator } from './emulators.ts';
import { createPracticeClock, createServiceSwitches, type ServiceSwitch } from './practice.ts';
import { blameSetting } from './run.ts';
import { readOrCreateSecret } from './secrets.ts';

/** The external systems, each real or built-in. `onEnd` is called when a built-in database ends by itself. */

type OnEnd = (error: Error) => void;
type Close = () => Promise<void>;
const closeNothing: Close = async () => {};

interface StartedSlack {
  connection: SlackConnection & { apiUrl: string };
  /** The practice workspace's page. Undefined with a real Slack. */
  page?: string;
  /** The practice workspace's clock, which its page can move. With a real Slack, the system clock. */
  getClockOffsetMs: () => number;
  /** Calls `listener` now and after each move of that clock, with its offset from the system clock. */
  onClock(listener: (offsetMs: number) => void): void;
  /** Adds switches to that page, which make other systems fail. */
  offerSwitches?(switches: readonly ServiceSwitch[]): void;
  close: Close;
}

/** The address under which everybody reaches the app. With the built-in Slack and service, that is this machine. */
export function findPublicUrl({ publicUrl, slack, service, host, port }: Settings): string | undefined {
  const isPractice = slack.kind === 'embedded' && service.kind === 'embedded' && port !== 0;
  const name = host === '0.0.0.0' || host.includes(':') ? 'localhost' : host;
  return publicUrl ?? (isPractice ? `http://${name}:${port}/` : undefined);
}

export async function startSlack(settings: Settings, onMovedAside: OnMovedAside): Promise<StartedSlack> {
  const { slack, dataDir, workspacePort: port } = settings;
  if (slack.kind !== 'embedded') {
    return { connection: slack, getClockOffsetMs: () => 0, onClock: () => undefined, close: closeNothing };
  }
  const clock = createPracticeClock();
  const picturesFrom = findPublicUrl(settings);
  const workspace = await startWorkspaceEmulator({
    ...{ dataDir, port, manifest: 'manifest.yml', onClock: clock.setOffset, onMovedAside },
    ...(picturesFrom !== undefined && { picturesFrom }),
  });
  const { url: page, apiUrl, botToken, appToken = '' } = workspace;
  return {
    connection: { kind: 'socket', apiUrl, botToken, appToken },
    page,
    getClockOffsetMs: clock.getOffsetMs,
    onClock: clock.onClock,
    offerSwitches: (switches) => workspace.offerSwitches(switches),
    close: () => workspace.close(),
  };
}

interface StartedService {
  url: string;
  token: string;
  /** The address from which the service has moved. */
  formerUrl?: string | undefined;
  /** The practice service publishes nothing. */
  practice: boolean;
  /** Switches that make the practice service fail; none with a real one. */
  switches: readonly ServiceSwitch[];
  /** Sets the practice service's clock to the practice workspace's. `aheadMs`: its offset from the system clock. */
  followClock(aheadMs: number): void;
  close: Close;
}

export async function startService(
  { service, dataDir, servicePort: port, serviceToken: token }: Settings,
  onEnd: OnEnd,
  onMovedAside: OnMovedAside,
): Promise<StartedService> {
  if (service.kind === 'remote')
    return { ...service, practice: false, switches: [], followClock: () => undefined, close: closeNothing };
  const { control = '', ...emulator } = await startServiceEmulator(
    { dataDir, port, token },
    onEnd,
    onMovedAside,
  );
  const switches = createServiceSwitches({ url: control, token: emulator.token });
  return { ...emulator, practice: true, switches };
}

interface StartedDatabase {
  dialect: Dialect;
  /** The setting to name in errors. */
  setting: 'DATABASE_URL' | 'DATA_DIR';
  /** No other instance can open it. */
  isAlone: boolean;
  close: Close;
}

/** With `onMovedAside`, an earlier version's database is moved aside. Otherwise opening it is refused. */
export async function startDatabase(
  { database, dataDir }: Settings,
  onEnd: OnEnd,
  onMovedAside?: OnMovedAside,
): Promise<StartedDatabase> {
  if (database.kind === 'postgres') {
    const { createPostgresDialect } = await import('../store/postgres-dialect.ts');
    return {
      dialect: createPostgresDialect(database.url),
      setting: 'DATABASE_URL',
      isAlone: false,
      close: closeNothing,
    };
  }
  const { openThreadedPGlite } = await import('../store/pglite/threaded-pglite.ts');
  const earlierVersion = onMovedAside && { migrations: Object.keys(migrations), onMovedAside };
  const opening = openThreadedPGlite(join(dataDir, 'database'), onEnd, earlierVersion);
  const opened = await blameSetting('DATA_DIR', opening);
  return { ...opened, setting: 'DATA_DIR', isAlone: true };
}

/** The encryption keys of the settings; with built-in systems only, a key that is generated once in the data folder. */
export function readEncryptionKeys({ encryptionKeys: given, dataDir }: Settings): readonly EncryptionKey[] {
  if (given) return given;
  const key = readOrCreateSecret(dataDir, 'encryption-key', () => randomBytes(32).toString('base64'));
  return [{ id: 'made-here', key: Buffer.from(key, 'base64') }];
}
