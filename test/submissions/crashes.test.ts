import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CrashRun,
  killWhileMigrating,
  POINTS,
  type Point,
  runCrashChain,
} from '../support/crash-run.ts';
import { createDatabaseFolder } from '../support/database-folder.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { type InspectableService, startInspectableService } from '../support/inspectable-service.ts';

/** Enough for thirty processes on a busy machine, where each takes up to half a minute to start. */
const LONG_MS = 1_200_000;
/**
 * Points at which the author submits the still open form once more, one for each state that the next process can find:
 * the row is new, its request didn't arrive, the service has the post, or the result is stored. `npm run bench --
 * crashes` does it at every point.
 */
const PRESSED_AGAIN: readonly Point[] = ['after-row', 'before-sending', 'after-body', 'after-result'];
/**
 * Points right after a commit, of the app and of the engine, whose form is submitted once only on the embedded
 * database. What follows the commit is the same on both databases.
 */
const EMBEDDED_POINTS: readonly Point[] = ['after-row', 'after-claim'];
/** Points after which the next process finds the same in the database and in the service as after an earlier one. */
const EQUAL_POINTS: readonly Point[] = ['mid-body', 'after-headers', 'before-result'];
const POSTGRES_POINTS = POINTS.filter((point) => ![...EMBEDDED_POINTS, ...EQUAL_POINTS].includes(point));

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
async function expectRecovery(
  database: string,
  points: readonly Point[],
  pressedAgain: readonly Point[] = [],
) {
  const reachedPoints: string[] = [];
  const allPoints = [...points, ...pressedAgain];
  const pressesAgain = (index: number) => index >= points.length;
  const options = { points: allPoints, database, service: await startService(), pressesAgain };
  for await (const run of runCrashChain(options)) {
    const { point, copies, state, finishedAfterMs } = run;
    const isPressedAgain = pressesAgain(reachedPoints.length);
    reachedPoints.push(point);
    expect(copies, JSON.stringify(run)).toBeLessThan(2);
    expect(state, JSON.stringify(run)).toBe(copies === 1 ? 'confirmed' : 'unsure');
    const expectedText = state === 'confirmed' ? /Scheduled/ : /Not sure|could not find/;
    expect(run.shown.join(), JSON.stringify(run)).toMatch(expectedText);
    if (!isPressedAgain) expectOneResult(run);
    // Waits are short here, so that only a submission that nobody resumed takes so long, even on a busy machine.
    expect(finishedAfterMs, point).toBeLessThan(240_000);
  }
  expect(reachedPoints).toEqual(allPoints);
}

describe.concurrent('after a kill at a crash point and a restart', () => {
  test('no post is lost or duplicated on the embedded database', { timeout: LONG_MS }, async () => {
    const folder = await createDatabaseFolder();
    expect(await killWhileMigrating(folder, url)).toBe(true);
    await expectRecovery(folder, EMBEDDED_POINTS);
    await rm(folder, { recursive: true });
  });

  onPostgres((urlOf) => {
    test('no post is lost or duplicated on Postgres, also if the author submits the form once more', {
      timeout: LONG_MS,
    }, async () => {
      const database = await createOnPostgres(urlOf);
      expect(await killWhileMigrating(database.url, url)).toBe(true);
      await expectRecovery(database.url, POSTGRES_POINTS, PRESSED_AGAIN);
      await database.close();
    });
  });
});
