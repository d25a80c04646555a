import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Dialect } from 'kysely';
import { z } from 'zod';
import type { EncryptionKey, Settings, SlackSettings } from '../config/config.ts';
import type { OutsideSwitch } from '../emulators/slack/slack.ts';
import { migrations } from '../store/migrations.ts';
import { keptSecret } from './kept-secret.ts';
import { hearMovedAside, type OnMovedAside } from './moved-aside.ts';
import { practiceClock } from './practice-clock.ts';
import { practiceSwitches } from './practice-switches.ts';
import { startedBy } from './start-error.ts';
import { startThread } from './thread.ts';

/**
 * The outside parts, each the real one that the settings name or the embedded default. `onEnd` is told when an
 * embedded part ends by itself.
 */

type OnEnd = (error: Error) => void;
type Close = () => Promise<void>;
const nothing: Close = async () => {};

interface SlackPart {
  connection: Exclude<SlackSettings, { kind: 'embedded' }>;
  /** The practice workspace's page; absent with a real Slack. */
  page?: string;
  /** The time by the practice workspace's clock, which that page can move; with a real Slack the computer's. */
  now: () => Date;
  /** Tells of each move of that clock, by the ms that it is ahead of the computer's; and at once. */
  onClock(moved: (offsetMs: number) => void): void;
  /** What else can be made to fail from that page. */
  offerSwitches?(switches: readonly OutsideSwitch[]): void;
  close: Close;
}

const workspaceFacts = z.object({
  url: z.string(),
  apiUrl: z.string(),
  botToken: z.string(),
  appToken: z.string(),
});

export async function startSlack(
  settings: Settings,
  onEnd: OnEnd,
  onMovedAside: OnMovedAside,
): Promise<SlackPart> {
  const { slack, dataDir, workspacePort: port } = settings;
  if (slack.kind !== 'embedded') {
    return { connection: slack, now: () => new Date(), onClock: () => undefined, close: nothing };
  }
  const clock = practiceClock();
  const data = { dataDir, port, manifest: 'manifest.yml' };
  const entry = new URL('../cli/workspace.ts', import.meta.url);
  const { facts, tell, close } = await startThread(entry, data, onEnd, (said) => {
    clock.told(said);
    hearMovedAside(said, onMovedAside);
  });
  const { url: page, ...connection } = workspaceFacts.parse(facts);
  const offerSwitches = (switches: readonly OutsideSwitch[]) => tell?.(switches);
  const { now, onClock } = clock;
  return { connection: { kind: 'socket', ...connection }, page, now, onClock, offerSwitches, close };
}

interface ServicePart {
  url: string;
  token: string;
  /** Nothing is published by the practice service. */
  practice: boolean;
  /** How it can be made to fail, where it is the practice service. */
  switches: readonly OutsideSwitch[];
  /** The practice service goes by the practice workspace's clock: by how many ms it is ahead. */
  followClock(aheadMs: number): void;
  close: Close;
}

const serviceFacts = z.object({ url: z.string(), token: z.string(), control: z.string() });

export async function startService(
  settings: Settings,
  onEnd: OnEnd,
  onMovedAside: OnMovedAside,
): Promise<ServicePart> {
  const { service, dataDir, servicePort: port, serviceToken: token } = settings;
  if (service.kind === 'remote')
    return { ...service, practice: false, switches: [], followClock: () => undefined, close: nothing };
  const data = { dataDir, port, ...(token && { token }) };
  const { facts, tell, close } = await startThread(
    new URL('../cli/service.ts', import.meta.url),
    data,
    onEnd,
    (said) => hearMovedAside(said, onMovedAside),
  );
  const { control, ...at } = serviceFacts.parse(facts);
  const switches = practiceSwitches({ url: control, token: at.token });
  const followClock = (aheadMs: number) => tell?.({ clockOffset: aheadMs });
  return { ...at, practice: true, switches, followClock, close };
}

interface DatabasePart {
  dialect: Dialect;
  /** The setting to name when the database cannot be used. */
  setting: 'DATABASE_URL' | 'DATA_DIR';
  /** Nobody else can open it. */
  isAlone: boolean;
  close: Close;
}

/** With `onMovedAside`, the data of an earlier version makes room; without, opening the database refuses it. */
export async function startDatabase(
  { database, dataDir }: Settings,
  onEnd: OnEnd,
  onMovedAside?: OnMovedAside,
): Promise<DatabasePart> {
  if (database.kind === 'postgres') {
    const { postgresDialect } = await import('../store/postgres-dialect.ts');
    return {
      dialect: postgresDialect(database.url),
      setting: 'DATABASE_URL',
      isAlone: false,
      close: nothing,
    };
  }
  const { openThreadedPGlite } = await import('../store/pglite/threaded-pglite.ts');
  const replacing = onMovedAside && { migrations: Object.keys(migrations), onMovedAside };
  const opening = openThreadedPGlite(join(dataDir, 'database'), onEnd, replacing);
  const opened = await startedBy('DATA_DIR', opening);
  return { ...opened, setting: 'DATA_DIR', isAlone: true };
}

/** The keys for what is kept encrypted; while every part is embedded they are made once in the data folder. */
export function encryptionKeys({ encryptionKeys: given, dataDir }: Settings): readonly EncryptionKey[] {
  if (given) return given;
  const key = keptSecret(dataDir, 'encryption-key', () => randomBytes(32).toString('base64'));
  return [{ id: 'made-here', key: Buffer.from(key, 'base64') }];
}
