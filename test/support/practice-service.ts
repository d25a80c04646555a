import {
  migrations,
  type PracticeService,
  type ServiceSchema,
  startService,
} from 'scheduling-service-emulator';
import { openDatabase } from '../../src/store/database.ts';
import { createDatabaseFolder } from './database-folder.ts';
import { openPGlite } from './open-pglite.ts';
import { createDialectFactory, shareDatabase } from './shared-database.ts';

const SCHEDULING_API = new URL('../../openapi/scheduling-service.yaml', import.meta.url);

export const SERVICE_TOKEN = 'a-token-for-tests';

interface PracticeOptions {
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
    document: SCHEDULING_API,
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
