import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Dialect } from 'kysely';
import { z } from 'zod';
import type { EncryptionKey } from '../config/variables.ts';
import type { Settings } from '../config.ts';
import { keptSecret } from './kept-secret.ts';
import { StartError, startedBy } from './start-error.ts';
import { startThread } from './thread.ts';

/**
 * The outside parts, each the real one that the settings name or the embedded default. `onEnd` is told when an
 * embedded part ends by itself.
 */

type OnEnd = (error: Error) => void;
type Close = () => Promise<void>;
const nothing: Close = async () => {};

interface SlackPart {
  connection: { botToken: string; apiUrl: string } & (
    | { kind: 'socket'; appToken: string }
    | { kind: 'http'; signingSecret: string }
  );
  /** The practice workspace's page; absent with a real Slack. */
  page?: string;
  close: Close;
}

const workspaceFacts = z.object({
  url: z.string(),
  apiUrl: z.string(),
  botToken: z.string(),
  appToken: z.string(),
});

export async function startSlack(settings: Settings, onEnd: OnEnd): Promise<SlackPart> {
  const { slack, dataDir, workspacePort: port } = settings;
  if (slack.kind === 'oauth') {
    throw new StartError(
      'SLACK_CLIENT_ID is for many workspaces, which this version cannot serve yet: use SLACK_BOT_TOKEN',
    );
  }
  if (slack.kind !== 'embedded') return { connection: slack, close: nothing };
  const data = { dataDir, port, manifest: 'manifest.yml' };
  const { facts, close } = await startThread(new URL('../workspace.ts', import.meta.url), data, onEnd);
  const { url: page, ...connection } = workspaceFacts.parse(facts);
  return { connection: { kind: 'socket', ...connection }, page, close };
}

interface ServicePart {
  url: string;
  token: string;
  /** Nothing is published by the practice service. */
  practice: boolean;
  close: Close;
}

const serviceFacts = z.object({ url: z.string(), token: z.string() });

export async function startService(settings: Settings, onEnd: OnEnd): Promise<ServicePart> {
  const { service, dataDir, servicePort: port, serviceToken: token } = settings;
  if (service.kind === 'remote') return { ...service, practice: false, close: nothing };
  const data = { dataDir, port, ...(token && { token }) };
  const { facts, close } = await startThread(new URL('../service.ts', import.meta.url), data, onEnd);
  return { ...serviceFacts.parse(facts), practice: true, close };
}

interface DatabasePart {
  dialect: Dialect;
  /** The setting to name when the database cannot be used. */
  setting: 'DATABASE_URL' | 'DATA_DIR';
  close: Close;
}

export async function startDatabase({ database, dataDir }: Settings, onEnd: OnEnd): Promise<DatabasePart> {
  if (database.kind === 'postgres') {
    const { postgresDialect } = await import('../store/postgres-dialect.ts');
    return { dialect: postgresDialect(database.url), setting: 'DATABASE_URL', close: nothing };
  }
  const { openThreadedPGlite } = await import('../embedded/database/threaded-pglite.ts');
  const opened = await startedBy('DATA_DIR', openThreadedPGlite(join(dataDir, 'database'), onEnd));
  return { ...opened, setting: 'DATA_DIR' };
}

/** The keys for what is kept encrypted; while every part is embedded they are made once in the data folder. */
export function encryptionKeys({ encryptionKeys: given, dataDir }: Settings): readonly EncryptionKey[] {
  if (given) return given;
  const key = keptSecret(dataDir, 'encryption-key', () => randomBytes(32).toString('base64'));
  return [{ id: 'made-here', key: Buffer.from(key, 'base64') }];
}
