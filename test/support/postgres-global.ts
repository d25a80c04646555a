import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's Postgres, with placeholders NAME and USER. Null if Postgres isn't installed. */
    postgresUrl: string | null;
  }
}

/** Starts one Postgres for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres?.url('NAME', 'USER') ?? null);
  return async () => {
    await postgres?.stop();
  };
}
