import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceSchema } from 'scheduling-service-emulator';
import type { WorkspaceOptions } from 'slack-workspace-emulator';
import { readLocalTime } from '../durations.ts';
import { openDatabase } from '../store/database.ts';
import { blameSetting, requireInstalled, StartError } from './run.ts';
import { readOrCreateSecret } from './secrets.ts';

/** The emulated service and workspace, of `npm start` and of the programs that run each alone. */

/** Called when the data of an earlier version was moved to the folder `to`. */
export type OnMovedAside = (to: string) => void;

/** For an emulator that runs alone. */
export const printMovedAside: OnMovedAside = (to) =>
  console.log(`An earlier version's data was moved aside to ${to}; starting without it.`);

const DOCUMENT = new URL('../../openapi/scheduling-service.yaml', import.meta.url);

export const loadServiceEmulator = () =>
  requireInstalled(
    'practice service',
    'SCHEDULING_API_URL and SCHEDULING_API_TOKEN, to use a scheduling service',
    import('scheduling-service-emulator'),
  );

/** Opens the service's database, which has a thread of its own. `onEnd` is called if it ends by itself. */
export async function openServiceDatabase(
  dataDir: string,
  onEnd: (error: Error) => void,
  onMovedAside: OnMovedAside,
) {
  const { openThreadedPGlite } = await import('../store/pglite/threaded-pglite.ts');
  const { migrations } = await loadServiceEmulator();
  const earlierVersion = { migrations: Object.keys(migrations), onMovedAside };
  const opening = openThreadedPGlite(join(dataDir, 'service'), onEnd, earlierVersion);
  const { dialect } = await blameSetting('DATA_DIR', opening);
  return blameSetting('DATA_DIR', openDatabase<ServiceSchema>({ dialect, migrations }));
}

export async function startServiceEmulator(
  { dataDir, port, token }: { dataDir: string; port: number; token?: string | undefined },
  onEnd: (error: Error) => void,
  onMovedAside: OnMovedAside,
) {
  let clockOffsetMs = 0;
  const secret =
    token ?? readOrCreateSecret(dataDir, 'service-token', () => randomBytes(24).toString('base64url'));
  const db = await openServiceDatabase(dataDir, onEnd, onMovedAside);
  const { startService } = await loadServiceEmulator();
  const now = () => new Date(readLocalTime() + clockOffsetMs);
  const options = { db, document: DOCUMENT, port, token: secret, now, onFault: printFault, control: true };
  const service = await blameSetting('SERVICE_PORT', startService(options));
  return {
    url: service.url,
    token: secret,
    control: service.control,
    /** The service publishes posts by this clock: at the next request after it has moved. */
    followClock(aheadMs: number) {
      clockOffsetMs = aheadMs;
    },
    close: service.close,
  };
}

/** Prints only the error's name and code, because a database's message may contain a post. */
function printFault(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  console.error(`The practice service failed: ${error instanceof Error ? error.name : typeof error}${code}`);
}

const loadWorkspaceEmulator = () =>
  requireInstalled(
    'practice workspace',
    'SLACK_BOT_TOKEN with SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, to connect Upnext to Slack',
    import('slack-workspace-emulator'),
  );

export const loadWorkspaceCommand = async () => (await loadWorkspaceEmulator()).loadCommand();

/** `manifest`: the path of the app's manifest, YAML or JSON. Its commands and shortcuts appear on the page. */
export async function startWorkspaceEmulator({
  dataDir,
  manifest,
  ...options
}: Omit<WorkspaceOptions, 'manifest' | 'folder'> & {
  dataDir: string;
  manifest: string;
}) {
  const { CommandProblem, startFromManifest } = await loadWorkspaceCommand();
  const names = { port: 'WORKSPACE_PORT', folder: 'DATA_DIR' };
  const starting = startFromManifest(manifest, { ...options, folder: join(dataDir, 'workspace') }, names);
  return starting.catch((error: unknown) => {
    throw error instanceof CommandProblem ? new StartError(error.message, { cause: error.cause }) : error;
  });
}
