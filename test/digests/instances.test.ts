import { expect, test } from 'vitest';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { runInstances } from '../support/instances-run.ts';

onPostgres((url) => {
  test('each date has exactly one outcome although two instances are killed repeatedly', {
    timeout: 900_000,
  }, async () => {
    const database = await createOnPostgres(url);
    const { verdict, kills, states } = await runInstances({
      database: database.url,
      durationMs: 12_000,
      seed: 1,
    });
    expect(verdict.faults).toEqual([]);
    expect(verdict.sent + verdict.missed).toBe(verdict.expected);
    expect(verdict.sent).toBeGreaterThan(10);
    expect(kills).toBeGreaterThan(2);
    expect(states.filter((state) => state !== 'sent' && state !== 'missed')).toEqual([]);
    await database.close();
  });
});
