import {
  type FaultCounts,
  type FaultPlan,
  migrations,
  type PracticeService,
  type ServiceSchema,
  startService,
} from '../../packages/practice-service/src/service.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { createDatabaseFolder } from './database-folder.ts';
import { createDialectFactory, shareDatabase } from './shared-database.ts';

export const SERVICE_TOKEN = 'a-token-for-tests';

export interface PracticeOptions {
  now?: () => Date;
  /** The data folder, which outlives the service. Defaults to an empty database. */
  folder?: string;
  /** Whether other processes may set the faults of the service. */
  control?: boolean;
  onFault?: (error: unknown) => void;
}

/** Starts the service emulator with its sample projects. Tests can set its `faults` and read its `posts`. */
export async function startPracticeService(
  options: PracticeOptions = {},
): Promise<PracticeService & { token: string }> {
  const { folder, ...serviceOptions } = options;
  const { dialect, close } =
    folder === undefined ? await openServiceDatabase() : await openOwnDatabase(folder);
  const service = await startService({
    db: await openDatabase<ServiceSchema>({ dialect: dialect(), migrations }),
    port: 0,
    token: SERVICE_TOKEN,
    ...serviceOptions,
  });
  return {
    ...service,
    token: SERVICE_TOKEN,
    async close() {
      await service.close();
      await close();
    },
  };
}

const openServiceDatabase = shareDatabase({
  createFolder: createDatabaseFolder,
  open: openPGlite,
  migrations,
});

async function openOwnDatabase(folder: string) {
  const database = await openPGlite(folder);
  return { dialect: createDialectFactory(database), close: database.close };
}

interface FaultState {
  plan: FaultPlan;
  counts: FaultCounts;
}

/** Accesses the faults and posts of a service emulator in another thread or process, by its `control` address. */
export function connectToFaults(control: string, token = SERVICE_TOKEN) {
  const request = async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    setFaults: async (plan: FaultPlan) => (await request('PUT', control, plan)) as FaultState,
    clearFaults: async () => (await request('PUT', control, {})) as FaultState,
    readState: async () => (await request('GET', control)) as FaultState,
    /** The number of posts by content. */
    countPosts: async () => (await request('GET', new URL('posts', control).href)) as Record<string, number>,
  };
}
