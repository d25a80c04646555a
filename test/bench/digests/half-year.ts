import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/app/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { CHANGING_ZONES, SPARE_ZONES } from '../../support/changing-zones.ts';
import { openDialect } from '../../support/open-dialect.ts';
import { simulate } from '../../support/run-simulation.ts';

/** Simulates a period in its own process. Prints the progress, and then the result as JSON. */
const input = z
  .object({
    database: z.string(),
    from: z.string(),
    until: z.string(),
    seed: z.number(),
    channels: z.number(),
    grainMs: z.number(),
    hasFaults: z.boolean(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const { database, ...period } = input;
const { dialect, close } = await openDialect(database);
const db = await openDatabase<BotSchema>({ dialect, migrations });
const startedAt = performance.now();
const { world, traces, ...result } = await simulate({
  ...period,
  db,
  zones: CHANGING_ZONES,
  spareZones: SPARE_ZONES,
  onDay(day, pollCount) {
    if (day.endsWith('-01')) {
      const elapsedMinutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
      console.log(`  ${day} after ${elapsedMinutes} min and ${pollCount} polls`);
    }
  },
});
const minutes = (performance.now() - startedAt) / 60_000;
for (const trace of traces) console.log(trace);
await db.destroy();
await close();
// The output is long and a pipe is slow, so the process that reads the output ends this one.
console.log(JSON.stringify({ ...result, minutes, jumps: world.jumps.length }));
