import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crashChain, crashWhileMigrating, POINTS } from '../support/crash-run.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { startTruthService, type TruthService } from '../support/truth-service.ts';

/** Thirty processes, on a machine that is busy with others. */
const LONG_MS = 300_000;
/** Side by side on each kind of database: while one waits, another starts. */
const CHAINS = 2;

/** A service for each: it is told where to stop whom. */
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

/** Whatever the point: once in the service, or asked of its person; never lost, never twice, and soon. */
async function expectWhole(databases: readonly string[], pressesAgain: boolean) {
  const seen: string[] = [];
  const chain = async (database: string, which: number) => {
    const points = POINTS.filter((_point, index) => index % databases.length === which);
    const options = { points, database, service: await service(), pressesAgain: () => pressesAgain };
    for await (const run of crashChain(options)) {
      const { point, there, state, ms } = run;
      seen.push(point);
      expect(there, JSON.stringify(run)).toBeLessThan(2);
      expect(state, JSON.stringify(run)).toBe(there === 1 ? 'confirmed' : 'needs-person');
      const words = state === 'confirmed' ? /Scheduled/ : /Not sure|could not find/;
      expect(run.told.join(), JSON.stringify(run)).toMatch(words);
      expect(ms, point).toBeLessThan(60_000);
    }
  };
  await Promise.all(databases.map(chain));
  expect(seen.toSorted()).toEqual([...POINTS].sort());
}

describe.concurrent('stopped by kill -9 at every point and started again', () => {
  test('on the embedded database', { timeout: LONG_MS }, async () => {
    const folders = await Promise.all(Array.from({ length: CHAINS }, newDatabaseFolder));
    expect(await crashWhileMigrating(folders[0] ?? '', url)).toBe(true);
    await expectWhole(folders, false);
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  onPostgres((url) => {
    test('where the form is sent once more', { timeout: LONG_MS }, async () => {
      const databases = await Promise.all(Array.from({ length: CHAINS }, () => createOnPostgres(url)));
      const urls = databases.map((database) => database.url);
      expect(await crashWhileMigrating(urls[0] ?? '', services[0]?.url ?? '')).toBe(true);
      await expectWhole(urls, true);
      await Promise.all(databases.map((database) => database.close()));
    });
  });
});
