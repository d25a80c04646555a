import { checkDigests, type Verdict } from './digest-checker.ts';
import { isSilent } from './digest-machine.ts';
import { pressConfirmSent, pressSendAgain } from './digest-presses.ts';
import { createWorld, DAY, HOUR, type SimulationOptions, type World } from './digest-simulation.ts';
import { traceFault } from './digest-trace.ts';

const MINUTE = 60_000;
/** Rounds of questions to owners at the end. There are several, because an answer may lead to another question. */
const MIN_ROUNDS = 4;
const MAX_ROUNDS = 20;
const MAX_TRACES = 5;

interface SimulationResult {
  verdict: Verdict;
  /** Traces of the first faults. */
  traces: string[];
  turns: number;
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
  const plan = createPlan(() => world.world.clock);
  for (let day = world.world.clock; day < until; day += DAY) {
    if (options.isTroubled) planDay(world, plan);
    await runDay(world, plan, Math.min(day + DAY, until));
    options.onDay?.(new Date(world.now()).toISOString().slice(0, 10), world.world.turns);
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
    end: { at: world.world.order++, now: world.now() },
    messages: world.slack.messages,
    isSilent,
  });
  return {
    verdict,
    traces: await Promise.all(verdict.faults.slice(0, MAX_TRACES).map((fault) => traceFault(fault, world))),
    turns: world.world.turns,
    kills: world.world.kills,
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
    after(afterMs: number, run: PlannedEvent['run']) {
      plan.push({ at: clock() + afterMs, run });
      plan.sort((a, b) => a.at - b.at);
    },
    firstAt: () => plan[0]?.at ?? Number.POSITIVE_INFINITY,
    takeFirst: () => plan.shift(),
  };
}

type Plan = ReturnType<typeof createPlan>;

async function runDay(world: World, plan: Plan, until: number): Promise<void> {
  while (world.world.clock < until) {
    await runUntil(world, Math.min(until, plan.firstAt()));
    if (plan.firstAt() > world.world.clock) continue;
    await Promise.resolve(plan.takeFirst()?.run()).catch(ignoreKill);
  }
}

/** A change during which the instance is killed has no effect. */
function ignoreKill(error: unknown): void {
  if (!(error instanceof Error && error.message === 'killed')) throw error;
}

/** Runs all events until a moment, each at its time, unless the instance is dead. */
async function runUntil(world: World, until: number): Promise<void> {
  while (world.world.clock < until) {
    if (world.life.isDead) {
      world.world.clock = until;
      return;
    }
    const next = await world.turn();
    // A killed instance does nothing until it is restarted.
    const restartAt = world.world.clock + world.random.pick([MINUTE, 5 * MINUTE, HOUR]);
    if (world.life.isDead && restartAt < until) {
      world.world.clock = restartAt;
      world.restart();
    } else {
      const grain = Math.ceil(next / world.grainMs) * world.grainMs;
      world.world.clock = Math.min(until, Math.max(grain, world.world.clock));
    }
  }
}

/** Ends all faults, and runs the digests until no question is open. */
async function runToCompletion(world: World): Promise<void> {
  world.world.slackShare = 0;
  world.slack.revoked.clear();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    world.restart();
    await runUntil(world, world.world.clock + 2 * HOUR);
    const answeredCount = await answerQuestions(world);
    if (round >= MIN_ROUNDS && answeredCount === 0) break;
  }
  await runUntil(world, world.world.clock + 40 * MINUTE);
  while ((await world.turn()) <= world.world.clock);
}

/** Answers questions about uncertain messages: owners look at the channel and press the correct button. */
async function answerQuestions(world: World): Promise<number> {
  world.slack.applyLateWork();
  const uncertain = await world.db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where('state', '=', 'uncertain')
    // Late messages have arrived by then.
    .where('changed_at', '<', new Date(world.world.clock - 15 * MINUTE))
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
  const maybe = (share: number, begin: () => void) => random.chance(share) && begin();
  const atRandomTime = (run: PlannedEvent['run']) => plan.after(random.below(DAY), run);
  maybe(0.5, () => atRandomTime(() => world.restart()));
  maybe(0.7, () =>
    atRandomTime(() => {
      world.life.killIn = 1 + random.below(60);
    }),
  );
  maybe(0.15, () =>
    atRandomTime(() => {
      world.life.isDead = true;
      plan.after(random.pick([20 * MINUTE, 3 * HOUR, 14 * HOUR, 50 * HOUR]), () => world.restart());
    }),
  );
  maybe(0.1, () =>
    atRandomTime(() => {
      const ms = random.pick([HOUR, 9 * HOUR, DAY, 3 * DAY]);
      world.jump(ms);
      plan.after(random.below(2 * DAY), async () => {
        // The clock is set back only while an instance runs and notices it.
        if (world.life.isDead) world.restart();
        await world.turn();
        world.jump(-ms);
        if (world.life.isDead) world.restart();
        await world.turn();
      });
    }),
  );
  atRandomTime(() => {
    world.world.slackShare = random.pick([0, 0, 0.01, 0.01, 0.05, 0.3]);
  });
  maybe(0.2, () =>
    atRandomTime(() => {
      world.world.serviceDownUntil = world.world.clock + random.pick([5 * MINUTE, 40 * MINUTE, 3 * HOUR]);
    }),
  );
  planPeople(world, plan);
}

function planPeople(world: World, plan: Plan): void {
  const { random, histories, slack } = world;
  /** Plans an action of a person, who retries later if no instance runs. */
  const after = (ms: number, run: PlannedEvent['run']) => {
    const attempt = () => (world.life.isDead ? plan.after(HOUR, attempt) : run());
    plan.after(ms, attempt);
  };
  const maybe = (share: number, run: PlannedEvent['run']) =>
    random.chance(share) && after(random.below(DAY), run);
  const pickDigest = () =>
    random.pick([...histories.values()].filter(({ eventLog }) => eventLog.at(-1)?.kind !== 'removed'));
  /** Owners resume a digest only after they were notified of its pause. */
  const resumeAll = async (
    which: (one: { id: string; channel: string; workspace: string }) => boolean,
  ): Promise<void> => {
    const all = [...histories.values()].filter(which);
    if (all.some(({ workspace }) => slack.revoked.has(workspace)))
      return after(6 * HOUR, () => resumeAll(which));
    const unnotified = await world.db
      .selectFrom('digest')
      .select('id')
      .where('notify_at', 'is not', null)
      .execute();
    if (unnotified.some(({ id }) => all.some((one) => one.id === id)))
      return after(HOUR, () => resumeAll(which));
    for (const { id, workspace } of all) {
      const before = await world.digests.find({ workspace, id });
      if (before?.state !== 'paused') continue;
      await world.digests.resume({ workspace, id }, before.pauseReason === 'shared' ? ['T0ROASTER'] : null);
      world.addEvent(id, { kind: 'resumed' });
    }
  };
  after(random.below(DAY), async () => void (await answerQuestions(world)));
  maybe(1, () => world.changeDigest(pickDigest().id, random.below(world.spareZones.length)));
  maybe(0.5, async () => {
    const { id, workspace } = pickDigest();
    await world.digests.pause({ workspace, id });
    if (histories.get(id)?.eventLog.at(-1)?.kind !== 'paused')
      world.addEvent(id, { kind: 'paused', by: 'owner' });
    after(random.below(4 * DAY), () => resumeAll((one) => one.id === id));
  });
  maybe(0.05, async () => {
    const { id, workspace } = pickDigest();
    await world.digests.remove({ workspace, id });
    world.addEvent(id, { kind: 'removed' });
    await world.replaceDigest(id);
  });
  maybe(0.15, () => {
    const channel = `C${random.below(world.channels)}`;
    slack.archived.add(channel);
    after(random.below(2 * DAY), () => {
      slack.archived.delete(channel);
      return resumeAll((one) => one.channel === channel);
    });
  });
  maybe(0.03, () => {
    const workspace = random.pick([...histories.values()]).workspace;
    slack.revoked.add(workspace);
    after(random.below(2 * DAY), async () => {
      slack.revoked.delete(workspace);
      await world.digests.wakeNotifications(workspace);
      after(DAY, () => resumeAll((one) => one.workspace === workspace));
    });
  });
}
