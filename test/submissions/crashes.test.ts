import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crashChain, crashWhileMigrating, POINTS } from '../support/crash-run.ts';
import { createOnPostgres, newDatabaseFolder, onPostgres } from '../support/databases.ts';
import { startTruthService, type TruthService } from '../support/truth-service.ts';

/** Thirty processes, one after the other. */
const LONG_MS = 300_000;

let service: TruthService;

beforeAll(async () => {
  service = await startTruthService();
});
afterAll(() => service.stop());

/** Whatever the point: once in the service, or asked of its person; never lost, never twice, and soon. */
async function expectWhole(database: string, pressesAgain: boolean) {
  const seen: string[] = [];
  for await (const run of crashChain({ points: POINTS, database, service, pressesAgain })) {
    const { point, there, state, ms } = run;
    seen.push(point);
    expect(there, JSON.stringify(run)).toBeLessThan(2);
    expect(state, JSON.stringify(run)).toBe(there === 1 ? 'confirmed' : 'needs-person');
    const words = state === 'confirmed' ? /Scheduled/ : /Not sure|could not find/;
    expect(run.told.join(), JSON.stringify(run)).toMatch(words);
    expect(ms, point).toBeLessThan(60_000);
  }
  expect(seen).toEqual(POINTS);
}

describe('stopped by kill -9 at every point and started again', () => {
  test('on the embedded database', { timeout: LONG_MS }, async () => {
    const folder = await newDatabaseFolder();
    expect(await crashWhileMigrating(folder, service.url)).toBe(true);
    await expectWhole(folder, false);
    await rm(folder, { recursive: true });
  });

  onPostgres((url) => {
    test('where the form is sent once more', { timeout: LONG_MS }, async () => {
      const database = await createOnPostgres(url);
      expect(await crashWhileMigrating(database.url, service.url)).toBe(true);
      await expectWhole(database.url, true);
      await database.close();
    });
  });
});
