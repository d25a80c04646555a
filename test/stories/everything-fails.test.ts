import { expect, test } from 'vitest';
import { planRandomFaults } from '../../bench/chaos/faults.ts';
import { formatReport } from '../../bench/chaos/report.ts';
import { runChaos } from '../../bench/chaos/run-chaos.ts';
import { onPostgres } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';

/** The seed of a short chaos benchmark. With the same seed, every run has the same faults. */
const SEED = 55;
const DURATION_MS = 30_000;

onPostgres(() => {
  test('no post is lost, duplicated or reported wrongly while everything around three instances fails', async () => {
    // This Postgres is restarted, so it can't be the one that other tests use.
    const postgres = await startPostgres();
    if (!postgres) throw new Error('there is no Postgres');
    try {
      const result = await runChaos(postgres, {
        seed: SEED,
        durationMs: DURATION_MS,
        authorCount: 12,
        meanPauseMs: 3_000,
        causeFaults: planRandomFaults(postgres, {
          seed: SEED,
          durationMs: DURATION_MS,
          meanGapMs: 2_500,
          maxFaultMs: 6_000,
        }),
        // It settles within seconds, unless the machine is busy.
        settleMs: 240_000,
        shortensWaits: true,
      });
      // How fast an instance is ready again depends on the machine. `npm run bench -- chaos` measures it.
      const violations = result.violations.filter(({ rule }) => rule !== 'not ready in time');
      expect(violations.length, formatReport(result).join('\n')).toBe(0);
      // Dozens, but few on a busy machine.
      expect(result.observations.posts.length).toBeGreaterThan(0);
    } finally {
      await postgres.stop();
    }
  }, 900_000);
});
