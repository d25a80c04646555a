import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres for all tests of the run: the address of a database named NAME, for a user USER. Null without Postgres. */
    postgresUrl: string | null;
  }
}

/** One private Postgres for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres?.url('NAME', 'USER') ?? null);
  return async () => {
    await postgres?.stop();
  };
}
