import type { Kysely } from 'kysely';
import type { BotSchema } from '../../../src/app/schema.ts';
import { createRandom, type Random } from '../random.ts';
import { checkCall, checkSimulation, type Figures, NO_DEFECTS } from './checker.ts';
import { drawTimeAroundChange, findClockChange, GRID_MS, listRunTimes, ZONES } from './clock-changes.ts';
import { createInstance, createInstanceProcess, type Instance } from './instance.ts';
import { changePosts, createPosts } from './people.ts';
import { changeProject, changeRole, endChanges, storePolicies } from './projects.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { startSimulatedService } from './simulated-service.ts';
import { startSimulatedSlack } from './simulated-slack.ts';
import { createUpnext } from './upnext.ts';
import { createProjects, type World } from './world.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** Changes of each post, on average. */
const CHANGES_PER_POST = 3;
/** Shares of rounds in which the service is down, and in which an instance is killed. */
const [DOWN_SHARE, KILL_SHARE] = [0.03, 0.03];
/** Share of crash points at which an instance in this process dies. */
const CRASH_SHARE = 0.002;
/** After the last post, instances run so often without any other change. In 24 hours, every attempt has ended. */
const [LAST_RUNS, LAST_INTERVAL_MS] = [14, 3 * HOUR_MS];

export interface SimulationOptions {
  seed: number;
  posts: number;
  /** The database. Instances in this process share this handle. */
  db: Kysely<BotSchema>;
  /** The address of the same database. Instances then run in processes that are killed. Defaults to this process. */
  databaseUrl?: string;
  /** Only posts in so many of the 20 zones. Defaults to all. */
  zones?: number;
  /** Nothing else fails or changes. Everything fails and changes by default. */
  outage?: { of: 'service' | 'upnext'; ms: number };
  report?(text: string): void;
}

const INSTANCE_COUNT = 3;
/** Posts go out so long before and after the change of their zone's clocks. */
const AROUND_CHANGE_MS = 2 * HOUR_MS;
/** An outage begins so long after the first post. */
const BEFORE_OUTAGE_MS = HOUR_MS;

/**
 * Runs instances on one database while people change posts at random, the service fails, projects are stopped, policies
 * change, roles are lost, and instances die. Everything uses one simulated clock.
 */
export async function simulateHeldPosts(options: SimulationOptions): Promise<Figures & { deaths: number }> {
  const { seed, posts, db, databaseUrl, outage, report = () => undefined } = options;
  const random = createRandom(seed);
  const times = drawTimes(random, options);
  const plan = planRuns(times, outage?.ms ?? 0);
  const clock = createSimulatedClock(plan.runTimes[0] ?? 0);
  const slack = await startSimulatedSlack(clock.read);
  const defects = { ...NO_DEFECTS };
  const service = await startSimulatedService({
    random,
    readTime: clock.read,
    faults: outage ? { refused: 0, unknown: 0 } : { refused: 0.02, unknown: 0.02 },
    onCall: (call) => checkCall(world, call, defects),
  });
  const world: World = {
    ...{ random, clock, ledgers: new Map(), postIds: new Map(), rounds: [] },
    surroundings: { serviceUrl: service.url, slackUrl: slack.url },
    permissions: new Map(),
    projects: createProjects({ isReviewed: !outage }),
    deaths: {
      count: 0,
      ...(outage ? { atCrashPoint: 0, inRun: 0 } : { atCrashPoint: CRASH_SHARE, inRun: KILL_SHARE }),
    },
  };
  const instances = Array.from({ length: INSTANCE_COUNT }, () =>
    databaseUrl === undefined ? createInstance(db, world) : createInstanceProcess(databaseUrl, world),
  );
  const now = () => new Date(clock.read());
  const { context, stop } = createUpnext({
    ...{ db, now, surroundings: world.surroundings },
    findPermission: (user) => world.permissions.get(user) ?? 'yes',
  });
  const startAll = () => Promise.all(instances.map((instance) => instance.start()));
  const stopAll = () => Promise.all(instances.map((instance) => instance.stop()));
  await startAll();
  await storePolicies(context, world);
  await createPosts(context, world, times);
  const changeCount = Math.ceil((posts * CHANGES_PER_POST) / plan.runTimes.length);
  for (const time of plan.runTimes) {
    const isOutage = plan.isInOutage(time);
    await service.setDown(outage ? outage.of === 'service' && isOutage : random.drawBoolean(DOWN_SHARE));
    if (outage?.of === 'upnext' && isOutage) {
      await stopAll();
      continue;
    }
    if (outage) await startAll();
    startRound(world, time);
    const changes = outage ? [] : [changePosts(context, world, changeCount), changeProject(context, world)];
    await Promise.all([runInstances(instances), ...changes]);
    if (!outage) changeRole(world);
  }
  await service.setDown(false);
  await endChanges(context, world);
  world.deaths.inRun = 0;
  world.deaths.atCrashPoint = 0;
  await startAll();
  for (let run = 0; run < LAST_RUNS; run += 1) {
    startRound(world, clock.getTime() + LAST_INTERVAL_MS);
    await runInstances(instances);
  }
  const { notifications } = slack;
  const figures = await checkSimulation(db, world, { calls: service.calls, notifications, defects, report });
  await stopAll();
  for (const part of [{ stop }, service, slack]) await part.stop();
  return { ...figures, deaths: world.deaths.count };
}

/** Draws the publishing times, around the changes of the clocks. In a run with an outage, all are on the same day. */
function drawTimes(random: Random, { posts, outage, zones = ZONES.length }: SimulationOptions) {
  const allowedZones = outage ? ['Europe/Berlin'] : ZONES.slice(0, zones);
  return Array.from({ length: posts }, () => {
    const zone = random.pick(allowedZones);
    return { zone, publishAt: drawTimeAroundChange(random, findClockChange(zone), AROUND_CHANGE_MS) };
  });
}

/** Plans when instances run. After an outage, they run each minute for a while. */
function planRuns(times: readonly { publishAt: number }[], outageMs: number) {
  const publishTimes = times.map(({ publishAt }) => publishAt);
  const middle = Math.min(...publishTimes) + BEFORE_OUTAGE_MS;
  const [from, to] = [Math.floor(middle / GRID_MS) * GRID_MS, middle + outageMs];
  const afterwards = Array.from({ length: 20 }, (_, minute) => to + minute * MINUTE_MS);
  const runTimes = [...listRunTimes(publishTimes), ...(outageMs > 0 ? afterwards : [])];
  return {
    runTimes: [...new Set(runTimes)].sort((a, b) => a - b),
    isInOutage: (time: number) => time > from && time < to,
  };
}

/** Sets the clock, and records what stays the same during the round. */
function startRound({ rounds, clock, permissions, projects }: World, time: number): void {
  clock.set(time);
  const needsAll = [...projects].filter(([, { policy }]) => policy.reviewSteps[0]?.needs === 'all');
  const needingAll = new Set(needsAll.map(([id]) => id));
  rounds.push({ time, permissions: new Map(permissions), needingAll });
}

/** Lets all running instances do what is due. A dead one may take a while to start again. */
async function runInstances(instances: readonly Instance[]): Promise<void> {
  if (!instances.some((instance) => instance.isRunning()))
    await Promise.race(instances.map((instance) => instance.start()));
  await Promise.all(instances.map((instance) => instance.run()));
}
