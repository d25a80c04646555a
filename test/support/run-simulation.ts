import { checkDigests, type Verdict } from './digest-checker.ts';
import { pressConfirmSent, pressSendAgain } from './digest-presses.ts';
import { createWorld, DAY, HOUR, type SimulationOptions, type World } from './digest-simulation.ts';
import { traceFault } from './digest-trace.ts';
import { isSilent } from './start-digests.ts';

const MINUTE = 60_000;
/** Number of rounds in which owners answer questions at the end. An answer may lead to another question. */
const MIN_ROUNDS = 4;
const MAX_ROUNDS = 20;
const MAX_TRACES = 5;

interface SimulationResult {
  verdict: Verdict;
  /** Traces of the first faults. */
  traces: string[];
  /** Number of scans. */
  scanCount: number;
  kills: number;
  calls: Record<string, number>;
  states: Record<string, number>;
  world: World;
}

/** Runs a simulation and checks the result. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const world = createWorld(options);
  // An index for the query for paused digests, which runs after each scan.
  await options.db.schema
    .createIndex('digest_paused')
    .ifNotExists()
    .on('digest')
    .column('state')
    .where('state', '=', 'paused')
    .execute();
  for (let channel = 0; channel < options.channels; channel += 1) {
    for (let zone = 0; zone < options.zones.length; zone += 1) await world.createDigest(channel, zone);
  }
  const until = Date.parse(options.until);
  const plan = createPlan(() => world.state.clock);
  for (let day = world.state.clock; day < until; day += DAY) {
    if (options.hasFaults) planDay(world, plan);
    await runDay(world, plan, Math.min(day + DAY, until));
    options.onDay?.(new Date(world.now()).toISOString().slice(0, 10), world.state.turns);
  }
  await runToCompletion(world);
  const rows = await options.db
    .selectFrom('digest_occurrence')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const verdict = checkDigests({
    digests: [...world.histories.values()],
    jumps: world.jumps,
    end: { at: world.state.order++, now: world.now() },
    messages: world.slack.messages,
    isSilent,
  });
  return {
    verdict,
    traces: await Promise.all(verdict.faults.slice(0, MAX_TRACES).map((fault) => traceFault(fault, world))),
    scanCount: world.state.turns,
    kills: world.state.kills,
    calls: world.slack.calls,
    world,
    states: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
  };
}

interface PlannedEvent {
  at: number;
  run(): void | Promise<void>;
}

/** Creates a plan of events, ordered by time. */
function createPlan(clock: () => number) {
  const plan: PlannedEvent[] = [];
  return {
    add(afterMs: number, run: PlannedEvent['run']) {
      plan.push({ at: clock() + afterMs, run });
      plan.sort((a, b) => a.at - b.at);
    },
    getFirstTime: () => plan[0]?.at ?? Number.POSITIVE_INFINITY,
    takeFirst: () => plan.shift(),
  };
}

type Plan = ReturnType<typeof createPlan>;

async function runDay(world: World, plan: Plan, until: number): Promise<void> {
  while (world.state.clock < until) {
    await runUntil(world, Math.min(until, plan.getFirstTime()));
    if (plan.getFirstTime() > world.state.clock) continue;
    await Promise.resolve(plan.takeFirst()?.run()).catch(ignoreKill);
  }
}

/** A change during which the instance is killed has no effect. */
function ignoreKill(error: unknown): void {
  if (!(error instanceof Error && error.message === 'killed')) throw error;
}

/** Runs the instance until this time of the clock. Restarts an instance that is killed meanwhile. */
async function runUntil(world: World, until: number): Promise<void> {
  while (world.state.clock < until) {
    if (world.life.isDead) {
      world.state.clock = until;
      return;
    }
    const next = await world.turn();
    // A killed instance does nothing until it is restarted.
    const restartAt = world.state.clock + world.random.pick([MINUTE, 5 * MINUTE, HOUR]);
    if (world.life.isDead && restartAt < until) {
      world.state.clock = restartAt;
      world.restart();
    } else {
      const grain = Math.ceil(next / world.grainMs) * world.grainMs;
      world.state.clock = Math.min(until, Math.max(grain, world.state.clock));
    }
  }
}

/** Ends all faults, and runs the digests until the owners have answered all questions. */
async function runToCompletion(world: World): Promise<void> {
  world.state.slackFaultShare = 0;
  world.slack.revoked.clear();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    world.restart();
    await runUntil(world, world.state.clock + 2 * HOUR);
    const answeredCount = await answerQuestions(world);
    if (round >= MIN_ROUNDS && answeredCount === 0) break;
  }
  await runUntil(world, world.state.clock + 40 * MINUTE);
  while ((await world.turn()) <= world.state.clock);
}

/** Answers all questions about uncertain messages, as owners do who look at the channel. Returns the number. */
async function answerQuestions(world: World): Promise<number> {
  world.slack.applyLateWork();
  const uncertain = await world.db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where('state', '=', 'uncertain')
    // After 15 minutes, late messages have arrived.
    .where('changed_at', '<', new Date(world.state.clock - 15 * MINUTE))
    .execute();
  for (const row of uncertain) {
    const isSent = world.slack.messages.some(
      ({ metadata }) => JSON.stringify(metadata?.event_payload) === JSON.stringify({ occurrence: row.id }),
    );
    if (!isSent) world.histories.get(row.digest)?.resendRequests.push({ date: row.slot, now: world.now() });
    await (isSent ? pressConfirmSent : pressSendAgain)(world.digests, row);
  }
  return uncertain.length;
}

/** Plans the events of a day: faults, restarts, and the actions of people. */
function planDay(world: World, plan: Plan): void {
  const { random } = world;
  const runSometimes = (share: number, run: () => void) => random.drawBoolean(share) && run();
  const planAtRandomTime = (run: PlannedEvent['run']) => plan.add(random.drawInteger(DAY), run);
  runSometimes(0.5, () => planAtRandomTime(() => world.restart()));
  runSometimes(0.7, () =>
    planAtRandomTime(() => {
      world.life.pointsUntilKill = 1 + random.drawInteger(60);
    }),
  );
  runSometimes(0.15, () =>
    planAtRandomTime(() => {
      world.life.isDead = true;
      plan.add(random.pick([20 * MINUTE, 3 * HOUR, 14 * HOUR, 50 * HOUR]), () => world.restart());
    }),
  );
  runSometimes(0.1, () =>
    planAtRandomTime(() => {
      const ms = random.pick([HOUR, 9 * HOUR, DAY, 3 * DAY]);
      world.jump(ms);
      plan.add(random.drawInteger(2 * DAY), async () => {
        // The clock is set back only while an instance runs, so that the instance notices it.
        if (world.life.isDead) world.restart();
        await world.turn();
        world.jump(-ms);
        if (world.life.isDead) world.restart();
        await world.turn();
      });
    }),
  );
  planAtRandomTime(() => {
    world.state.slackFaultShare = random.pick([0, 0, 0.01, 0.01, 0.05, 0.3]);
  });
  runSometimes(0.2, () =>
    planAtRandomTime(() => {
      world.state.serviceDownUntil = world.state.clock + random.pick([5 * MINUTE, 40 * MINUTE, 3 * HOUR]);
    }),
  );
  planPeople(world, plan);
}

function planPeople(world: World, plan: Plan): void {
  const { random, histories, slack } = world;
  /** Plans an action of a person. If no instance runs then, the person retries an hour later. */
  const planAction = (afterMs: number, run: PlannedEvent['run']) => {
    const attempt = () => (world.life.isDead ? plan.add(HOUR, attempt) : run());
    plan.add(afterMs, attempt);
  };
  const planSometimes = (share: number, run: PlannedEvent['run']) =>
    random.drawBoolean(share) && planAction(random.drawInteger(DAY), run);
  const pickDigest = () =>
    random.pick([...histories.values()].filter(({ eventLog }) => eventLog.at(-1)?.kind !== 'removed'));
  /** Resumes the selected digests, but only after their owners were notified of the pauses. */
  const resumeDigests = async (
    isSelected: (digest: { id: string; channel: string; workspace: string }) => boolean,
  ): Promise<void> => {
    const digests = [...histories.values()].filter(isSelected);
    if (digests.some(({ workspace }) => slack.revoked.has(workspace)))
      return planAction(6 * HOUR, () => resumeDigests(isSelected));
    const unnotified = await world.db
      .selectFrom('digest')
      .select('id')
      .where('notify_at', 'is not', null)
      .execute();
    if (unnotified.some(({ id }) => digests.some((digest) => digest.id === id)))
      return planAction(HOUR, () => resumeDigests(isSelected));
    for (const { id, workspace } of digests) {
      const digest = await world.digests.find({ workspace, id });
      if (digest?.state !== 'paused') continue;
      await world.digests.resume({ workspace, id }, digest.pauseReason === 'shared' ? ['T0ROASTER'] : null);
      world.addEvent(id, { kind: 'resumed' });
    }
  };
  planAction(random.drawInteger(DAY), async () => void (await answerQuestions(world)));
  planSometimes(1, () => world.changeDigest(pickDigest().id, random.drawInteger(world.spareZones.length)));
  planSometimes(0.5, async () => {
    const { id, workspace } = pickDigest();
    await world.digests.pause({ workspace, id });
    if (histories.get(id)?.eventLog.at(-1)?.kind !== 'paused')
      world.addEvent(id, { kind: 'paused', by: 'owner' });
    planAction(random.drawInteger(4 * DAY), () => resumeDigests((digest) => digest.id === id));
  });
  planSometimes(0.05, async () => {
    const { id, workspace } = pickDigest();
    await world.digests.remove({ workspace, id });
    world.addEvent(id, { kind: 'removed' });
    await world.replaceDigest(id);
  });
  planSometimes(0.15, () => {
    const channel = `C${random.drawInteger(world.channels)}`;
    slack.archived.add(channel);
    planAction(random.drawInteger(2 * DAY), () => {
      slack.archived.delete(channel);
      return resumeDigests((digest) => digest.channel === channel);
    });
  });
  planSometimes(0.03, () => {
    const workspace = random.pick([...histories.values()]).workspace;
    slack.revoked.add(workspace);
    planAction(random.drawInteger(2 * DAY), async () => {
      slack.revoked.delete(workspace);
      await world.digests.wakeNotifications(workspace);
      planAction(DAY, () => resumeDigests((digest) => digest.workspace === workspace));
    });
  });
}
