import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { Kysely } from 'kysely';
import type { BotSchema } from '../../../src/app/schema.ts';
import { createPostgresDialect } from '../../../src/store/postgres-dialect.ts';
import { type ProgramRun, programInput, programRun } from '../../support/held-simulation/instance.ts';
import { createSimulatedClock } from '../../support/held-simulation/simulated-clock.ts';
import { createUpnext } from '../../support/held-simulation/upnext.ts';

/**
 * An instance of Upnext in a process of its own. Each line of its input has the time of the simulated clock. The
 * instance then does everything that is due at that time, and prints a line.
 */
const { database, surroundings } = programInput.parse(JSON.parse(process.argv[2] ?? '{}'));
let permissions: ProgramRun['permissions'] = [];
const clock = createSimulatedClock(0);
const upnext = createUpnext({
  db: new Kysely<BotSchema>({ dialect: createPostgresDialect(database) }),
  surroundings,
  now: () => new Date(clock.read()),
  findPermission: (user) => permissions.find(([id]) => id === user)?.[1] ?? 'yes',
});
process.stdout.write('started\n');
// A killed process doesn't write its compile cache.
flushCompileCache();
for await (const line of createInterface({ input: process.stdin })) {
  const run = programRun.parse(JSON.parse(line));
  permissions = run.permissions;
  clock.set(run.time);
  await upnext.runDueWork();
  process.stdout.write('done\n');
}
process.exit(0);
