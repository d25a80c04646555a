import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';
import { useMemory } from './test-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's Postgres, with placeholders NAME and USER. Null if Postgres isn't installed. */
    postgresUrl: string | null;
  }
}

/** Starts one Postgres for the whole run. Its data and the folders of the tests are in memory, if possible. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeFolders = useMemory();
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres?.url('NAME', 'USER') ?? null);
  return async () => {
    await postgres?.stop();
    removeFolders();
  };
}
