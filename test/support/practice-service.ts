import { rm } from 'node:fs/promises';
import type { FaultCounts } from '../../src/emulators/service/faults/fault-draw.ts';
import { type FaultPlan, type PracticeService, startService } from '../../src/emulators/service/service.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { newDatabaseFolder } from './database-folder.ts';

export const SERVICE_TOKEN = 'a-token-for-tests';

export interface PracticeOptions {
  now?: () => Date;
  /** The data folder, which outlives the service. Defaults to a temporary folder. */
  folder?: string;
  /** Whether other processes may set its faults. */
  control?: boolean;
  onFault?: (error: unknown) => void;
}

/** Starts the service emulator with its sample projects, and gives access to its `faults` and `posts`. */
export async function startPracticeService(
  options: PracticeOptions = {},
): Promise<PracticeService & { token: string }> {
  const { folder: given, ...rest } = options;
  const folder = given ?? (await newDatabaseFolder());
  const database = await openPGlite(folder);
  const service = await startService({ dialect: database.dialect, port: 0, token: SERVICE_TOKEN, ...rest });
  return {
    ...service,
    token: SERVICE_TOKEN,
    async close() {
      await service.close();
      await database.close();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

interface FaultState {
  plan: FaultPlan;
  counts: FaultCounts;
}

/** The faults and posts of a service emulator in another thread or process, by its `control` address. */
export function faultsAt(control: string, token = SERVICE_TOKEN) {
  const ask = async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    set: async (plan: FaultPlan) => (await ask('PUT', control, plan)) as FaultState,
    clear: async () => (await ask('PUT', control, {})) as FaultState,
    state: async () => (await ask('GET', control)) as FaultState,
    /** The number of posts by content. */
    posts: async () => (await ask('GET', new URL('posts', control).href)) as Record<string, number>,
  };
}
