import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { BotSchema } from '../../../src/app/schema.ts';
import { type Program, startProgram } from '../program.ts';
import { createUpnext } from './upnext.ts';
import type { World } from './world.ts';

/** An instance of Upnext that works while the clock stands still, and dies now and then. */
export interface Instance {
  /** Whether the instance runs. After its death, another one starts in its place. */
  isRunning(): boolean;
  /** Resolves when the instance runs. */
  start(): Promise<void>;
  /** Does everything that is due, or dies meanwhile. */
  run(): Promise<void>;
  /** Ends the instance until `start`. */
  stop(): Promise<void>;
}

/** Creates an instance in this process. It dies at crash points: the step never continues. */
export function createInstance(db: Kysely<BotSchema>, world: World): Instance {
  const { random, clock, permissions, surroundings, deaths } = world;
  const create = () => {
    const death = Promise.withResolvers<void>();
    const upnext = createUpnext({
      ...{ db, surroundings },
      now: () => new Date(clock.read()),
      findPermission: (user) => permissions.get(user) ?? 'yes',
      async onCrashPoint() {
        if (!random.drawBoolean(deaths.atCrashPoint)) return;
        death.resolve();
        await new Promise(() => {});
      },
    });
    return { upnext, death: death.promise };
  };
  let current: ReturnType<typeof create> | undefined;
  return {
    isRunning: () => current !== undefined,
    async start() {
      current ??= create();
    },
    async run() {
      if (!current) return;
      const { upnext, death } = current;
      const isDead = await Promise.race([upnext.runDueWork().then(() => false), death.then(() => true)]);
      if (!isDead) return;
      deaths.count += 1;
      current = create();
    },
    async stop() {
      await current?.upnext.stop();
      current = undefined;
    },
  };
}

const PROGRAM = new URL('../../held-posts/programs/instance.ts', import.meta.url);

/** The parameters of the program. */
export const programInput = z.object({
  database: z.string(),
  surroundings: z.object({ serviceUrl: z.string(), slackUrl: z.string() }),
});
/** What the program is told before it does everything that is due. */
export const programRun = z.object({
  time: z.number(),
  permissions: z.array(z.tuple([z.string(), z.enum(['no', 'unknown'])])),
});
export type ProgramRun = z.infer<typeof programRun>;

/** Creates an instance in a process of its own, which is killed (SIGKILL) at random times while it works. */
export function createInstanceProcess(database: string, world: World): Instance {
  const { random, clock, permissions, surroundings, deaths } = world;
  let program: Program | undefined;
  let starting: Promise<void> | undefined;
  let lastRunMs = 0;
  const start = async () => {
    const started = await startProgram(PROGRAM, JSON.stringify({ database, surroundings }));
    await started.readLine();
    program = started;
    starting = undefined;
  };
  return {
    isRunning: () => program !== undefined,
    async start() {
      if (program) return;
      starting ??= start();
      await starting;
    },
    async run() {
      if (!program) return;
      const working = program;
      let kill: Promise<unknown> | undefined;
      const startedAt = performance.now();
      const killAfterMs = random.drawBoolean(deaths.inRun) ? random.next() * lastRunMs : undefined;
      const timer =
        killAfterMs === undefined
          ? undefined
          : setTimeout(() => {
              kill = working.kill();
            }, killAfterMs);
      working.send(JSON.stringify({ time: clock.getTime(), permissions: [...permissions] }));
      const isDone = await working.readLine().then(
        () => true,
        () => false,
      );
      clearTimeout(timer);
      if (isDone) lastRunMs = performance.now() - startedAt;
      if (isDone && !kill) return;
      if (!kill) throw new Error('an instance has ended by itself');
      await kill;
      deaths.count += 1;
      program = undefined;
      starting = start();
    },
    async stop() {
      await starting;
      await program?.kill();
      program = undefined;
    },
  };
}
