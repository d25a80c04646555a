import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crashChain, crashWhileMigrating, POINTS } from '../support/crash-run.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { startTruthService, type TruthService } from '../support/truth-service.ts';

/** Enough for thirty processes on a busy machine. */
const LONG_MS = 300_000;
/** Processes per kind of database at the same time. */
const CHAINS = 2;

/** One service per process. The test tells each process its crash point. */
const services: TruthService[] = [];
const service = async () => {
  const started = await startTruthService();
  services.push(started);
  return started;
};

let url = '';
beforeAll(async () => {
  ({ url } = await service());
});
afterAll(() => Promise.all(services.map((one) => one.stop())));

/** After each crash the post is soon in the service once, or its author is asked. It is never lost or duplicated. */
async function expectRecovery(databases: readonly string[], pressesAgain: boolean) {
  const seen: string[] = [];
  const chain = async (database: string, which: number) => {
    const points = POINTS.filter((_point, index) => index % databases.length === which);
    const options = { points, database, service: await service(), pressesAgain: () => pressesAgain };
    for await (const run of crashChain(options)) {
      const { point, copies, state, ms } = run;
      seen.push(point);
      expect(copies, JSON.stringify(run)).toBeLessThan(2);
      expect(state, JSON.stringify(run)).toBe(copies === 1 ? 'confirmed' : 'needs-person');
      const words = state === 'confirmed' ? /Scheduled/ : /Not sure|could not find/;
      expect(run.shown.join(), JSON.stringify(run)).toMatch(words);
      expect(ms, point).toBeLessThan(60_000);
    }
  };
  await Promise.all(databases.map(chain));
  expect(seen.toSorted()).toEqual([...POINTS].sort());
}

describe.concurrent('after a kill at each crash point and a restart', () => {
  test('on the embedded database', { timeout: LONG_MS }, async () => {
    const folders = await Promise.all(Array.from({ length: CHAINS }, newDatabaseFolder));
    expect(await crashWhileMigrating(folders[0] ?? '', url)).toBe(true);
    await expectRecovery(folders, false);
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  onPostgres((url) => {
    test('on Postgres, with the form submitted once more', { timeout: LONG_MS }, async () => {
      const databases = await Promise.all(Array.from({ length: CHAINS }, () => createOnPostgres(url)));
      const urls = databases.map((database) => database.url);
      expect(await crashWhileMigrating(urls[0] ?? '', services[0]?.url ?? '')).toBe(true);
      await expectRecovery(urls, true);
      await Promise.all(databases.map((database) => database.close()));
    });
  });
});
