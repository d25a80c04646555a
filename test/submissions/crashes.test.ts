import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrashRun, crashWhileMigrating, POINTS, runCrashChain } from '../support/crash-run.ts';
import { createDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { type InspectableService, startInspectableService } from '../support/inspectable-service.ts';

/** Enough for thirty processes on a busy machine, where each takes up to half a minute to start. */
const LONG_MS = 1_200_000;
/** Number of concurrent processes per kind of database. */
const CHAIN_COUNT = 2;

/** One service per process, because a service kills its own process at the crash point. */
const services: InspectableService[] = [];
const startService = async () => {
  const service = await startInspectableService();
  services.push(service);
  return service;
};

let url = '';
beforeAll(async () => {
  ({ url } = await startService());
});
afterAll(() => Promise.all(services.map((service) => service.stop())));

/** Expects that the author was sent one receipt or message at most, and doesn't read the result twice. */
function expectOneResult(run: CrashRun) {
  const sentLines = run.shown.filter((line) => /^(?:receipt|message) /.test(line));
  expect(sentLines.length, JSON.stringify(run)).toBeLessThan(2);
  if (run.point === 'before-receipt') expect(run.shown).toEqual(['view Scheduled']);
  if (run.point === 'after-receipt')
    expect(run.shown).toEqual([expect.stringMatching(/^receipt .*Scheduled/)]);
}

/** Expects that soon after each crash the service has the post exactly once, or the author is asked what to do. */
async function expectRecovery(databases: readonly string[], pressesAgain: boolean) {
  const reachedPoints: string[] = [];
  const runChain = async (database: string, chainIndex: number) => {
    const points = POINTS.filter((_point, index) => index % databases.length === chainIndex);
    const options = { points, database, service: await startService(), pressesAgain: () => pressesAgain };
    for await (const run of runCrashChain(options)) {
      const { point, copies, state, finishedAfterMs } = run;
      reachedPoints.push(point);
      expect(copies, JSON.stringify(run)).toBeLessThan(2);
      expect(state, JSON.stringify(run)).toBe(copies === 1 ? 'confirmed' : 'needs-person');
      const expectedText = state === 'confirmed' ? /Scheduled/ : /Not sure|could not find/;
      expect(run.shown.join(), JSON.stringify(run)).toMatch(expectedText);
      if (!pressesAgain) expectOneResult(run);
      // Waits are short here, so that only a submission that nobody resumed takes so long, even on a busy machine.
      expect(finishedAfterMs, point).toBeLessThan(240_000);
    }
  };
  await Promise.all(databases.map(runChain));
  expect(reachedPoints.toSorted()).toEqual([...POINTS].sort());
}

describe.concurrent('after a kill at each crash point and a restart', () => {
  test('no post is lost or duplicated on the embedded database', { timeout: LONG_MS }, async () => {
    const folders = await Promise.all(Array.from({ length: CHAIN_COUNT }, createDatabaseFolder));
    expect(await crashWhileMigrating(folders[0] ?? '', url)).toBe(true);
    await expectRecovery(folders, false);
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  onPostgres((url) => {
    test('no post is lost or duplicated on Postgres if the author submits the form once more', {
      timeout: LONG_MS,
    }, async () => {
      const databases = await Promise.all(Array.from({ length: CHAIN_COUNT }, () => createOnPostgres(url)));
      const urls = databases.map((database) => database.url);
      expect(await crashWhileMigrating(urls[0] ?? '', services[0]?.url ?? '')).toBe(true);
      await expectRecovery(urls, true);
      await Promise.all(databases.map((database) => database.close()));
    });
  });
});
