import { sql } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import { WORKSPACES } from './cast.ts';
import type { Entry } from './history.ts';
import { ENCRYPTION_KEY } from './instance.ts';
import type { Counts } from './model/check-end.ts';
import { checkEnd } from './model/check-end.ts';
import { createTruthCheck, RESTORED } from './model/check-truth.ts';
import { createLedger } from './model/ledger.ts';
import { RESUMES_ALL } from './model/promptness.ts';
import type { Target } from './network.ts';
import { createPeople } from './people.ts';
import type { Plan } from './plan.ts';
import { addReached, type Reached } from './reached.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** Longer than the lease of any row. */
const MIN_FROZEN_MS = 10 * MINUTE;
/** After the last step everything works again, and attempts end within so long. */
const REST_MS = 26 * HOUR;
/** How long attempts wait at most after a failure. */
const RETRY_MS = 5 * HOUR;
/** After the time of the last post and a scan, the checks whether it went out end within so long. */
const AFTER_POSTS_MS = 6 * HOUR;
/** The last hours, in which nothing may happen any more. */
const IDLE_MS = 12 * HOUR;

/** How many calls a climate affects: few enough that most of what people do works. */
const CLIMATE_SHARES = { service: 0.25, slack: 0.04 };

export interface SimulationResult {
  violations: string[];
  history: readonly Entry[];
  counts: Counts;
  reached: Reached;
}

/** Runs one plan from the beginning. The seed draws what the plan leaves open. */
export async function simulate(world: World, plan: Plan, seed: string): Promise<SimulationResult> {
  const { time, network, database, note } = world;
  const violations: string[] = [];
  const ledger = createLedger(WORKSPACES, {
    listsAll: plan.service.pages === 'whole' && ['fine', 'slow'].includes(plan.climate.service),
  });
  const truth = createTruthCheck();
  const add = (found: readonly string[]) => {
    for (const violation of found) {
      violations.push(violation);
      note(`VIOLATION ${violation}`);
    }
  };
  await world.begin(seed, {
    startsAt: Date.parse(plan.start),
    scanIntervalMs: plan.scanIntervalMs,
    service: plan.service,
    onEntry: (entry) => {
      add(ledger.add(entry));
      add(truth.add(entry));
    },
  });
  for (let number = 1; number <= plan.instances; number += 1) world.start(`instance-${number}`);
  await time.runUntil(time.now() + 5_000);
  for (const target of ['service', 'slack'] as const)
    if (plan.climate[target] !== 'fine')
      note(`${target} is ${plan.climate[target]} now and then`, {
        ...{ forMs: Number.POSITIVE_INFINITY, isOfService: target === 'service' },
        leavesLists: target === 'slack',
      });
  const people = createPeople(world);
  let hasBackup = false;
  const setUsual = (target: Target) => {
    if (target === 'database') network.setCondition(target, 'fine');
    else network.setCondition(target, plan.climate[target], CLIMATE_SHARES[target]);
  };
  setUsual('service');
  setUsual('slack');
  const pick = (index: number) => world.instances[index % Math.max(1, world.instances.length)];

  async function runStep(step: Step): Promise<void> {
    switch (step.kind) {
      case 'condition':
        note(`${step.target} is ${step.condition} for ${Math.round(step.forMs / 1000)} s`, {
          ...{ forMs: step.forMs + RETRY_MS, isOfService: step.target === 'service' },
          leavesLists: step.target === 'slack' || ['busy', 'unclear', 'late'].includes(step.condition),
        });
        network.setCondition(step.target, step.condition);
        if (step.target === 'database' && step.condition === 'down') void database.breakConnections();
        time.after(step.forMs, () => {
          if (network.getCondition(step.target) === step.condition) setUsual(step.target);
        });
        return;
      case 'kill': {
        const { calls, isAfterEffect, target, downMs } = step;
        const frozen = step.freezes ? { frozenMs: Math.max(downMs, MIN_FROZEN_MS) } : {};
        const instance = target === 'any' ? pick(step.instance) : undefined;
        const restart = () => {
          while (world.instances.length < plan.instances) world.start('restarted');
        };
        network.planDeath({
          ...{ process: instance?.process, target: target === 'any' ? undefined : target, isAfterEffect },
          ...{ calls: target === 'any' ? calls : 1 + (calls % 4), ...frozen },
          onEnded: () => time.after(downMs, restart),
        });
        if (step.freezes || !instance) return;
        time.after(downMs, () => {
          world.kill(instance.process);
          restart();
        });
        return;
      }
      case 'freeze': {
        const instance = pick(step.instance);
        if (!instance) return;
        world.freeze(instance.process);
        time.after(step.forMs, () => world.thaw(instance.process));
        return;
      }
      case 'clock': {
        const instance = pick(step.instance);
        if (!instance) return;
        if (!step.isJump) world.kill(instance.process);
        const { process } = step.isJump ? instance : world.start('restarted', step.offsetMs);
        process.clockOffsetMs = step.offsetMs;
        note(`the clock of ${process.name} is ${Math.round(step.offsetMs / 1000)} s ahead`, {
          forMs: Number.POSITIVE_INFINITY,
        });
        return;
      }
      case 'token': {
        const { token } = WORKSPACES[step.workspace]?.account ?? { token: '' };
        note(`the service refuses the token of ${WORKSPACES[step.workspace]?.id}`, {
          forMs: step.forMs + RETRY_MS,
        });
        world.service.setTokenRefused(token, true);
        time.after(step.forMs, () => world.service.setTokenRefused(token, false));
        return;
      }
      case 'backup':
        if (!step.isRestore || !hasBackup) {
          note('a backup is made');
          await world.waitFor(database.copy('backup'));
          hasBackup = true;
          return;
        }
        for (const { process } of world.instances) world.kill(process);
        note(RESTORED);
        await world.restoreBackup();
        ledger.forget(() => true);
        for (let number = 1; number <= plan.instances; number += 1) world.start('restored');
        return;
      default:
        return people.act(step);
    }
  }
  for (const { waitMs, step } of [...plan.opening, ...plan.steps]) {
    await time.runUntil(time.now() + waitMs);
    await runStep(step);
  }
  await time.runUntil(time.now() + MINUTE);
  for (const target of ['database', 'slack', 'service'] as const) network.setCondition(target, 'fine');
  for (const { account } of WORKSPACES) world.service.setTokenRefused(account.token, false);
  for (const { process } of world.instances) world.thaw(process);
  note('everything works again', hadTrouble(plan) ? { forMs: plan.scanIntervalMs + RETRY_MS } : undefined);
  while (world.instances.length < 2) world.start('late');
  network.cancelDeaths();
  await world.waitFor(resumeAll(world));
  await time.runUntil(time.now() + REST_MS);
  await world.waitFor(endSeries(world));
  const lastPublishTime = await world.waitFor(readLastPublishTime(world));
  await time.runUntil(Math.max(time.now(), lastPublishTime + plan.scanIntervalMs + AFTER_POSTS_MS));
  const readUsage = () => ({ calls: network.readCounts(), statements: database.readStatements() });
  const before = readUsage();
  await time.runUntil(time.now() + IDLE_MS);
  const after = readUsage();
  const encryption = createEncryption([ENCRYPTION_KEY]);
  const { wishes } = ledger;
  const waiting = truth.listWaiting();
  const end = await checkEnd({ world, people, wishes, waiting, encryption, idle: { before, after } });
  add(end.violations);
  add(truth.listDenials());
  add(world.failures);
  for (const { process } of world.instances) world.kill(process);
  const steps = [...plan.opening, ...plan.steps].map(({ step }) => ({ [nameStep(step)]: 1 }));
  const reached = addReached(end.reached, ledger.readMatched(), truth.readMatched(), ...steps);
  return { violations, history: world.history, counts: end.counts, reached };
}

/** Whether anything was broken in a plan. */
function hadTrouble({ climate, opening, steps }: Plan): boolean {
  const kinds = ['condition', 'kill', 'freeze', 'clock', 'token', 'backup'];
  return (
    Object.values(climate).some((condition) => condition !== 'fine') ||
    [...opening, ...steps].some(({ step }) => kinds.includes(step.kind))
  );
}

/** Names what a step does, for the counters. */
function nameStep(step: Step): string {
  if (step.kind === 'condition') return `step: ${step.target} ${step.condition}`;
  if (step.kind === 'kill')
    return `step: ${step.freezes ? 'freeze' : 'kill'} at ${step.target}, ${step.isAfterEffect ? 'after' : 'before'} the effect`;
  if (step.kind === 'press') return `step: press ${step.label}`;
  return `step: ${step.kind}`;
}

/** Resumes all projects, because drafts without a time would wait for that for ever. */
async function resumeAll({ database, record }: World): Promise<void> {
  await sql`delete from sending_stop`.execute(database.admin);
  for (const { id: workspace, account, people } of WORKSPACES)
    record({
      ...{ kind: 'deed', workspace, person: people[0]?.id ?? '', text: RESUMES_ALL },
      ...{ pressed: 'Resume', saw: account.projects.map(({ name }) => name).join(', ') },
    });
}

/** Ends all series and their later posts, which would go out for weeks. */
async function endSeries({ database, time }: World): Promise<void> {
  const later = new Date(time.now() + HOUR);
  await sql`update series set state = 'cancelled', next_at = null, fence = fence + 1, lease_until = null
    where state in ('running', 'paused')`.execute(database.admin);
  await sql`update held_post set state = 'cancelled', reason = 'series', next_at = null, notify_at = null, fence = fence + 1,
    lease_until = null where series is not null and publish_at > ${later} and state in ('held', 'awaiting-review')`.execute(
    database.admin,
  );
}

async function readLastPublishTime({ database, time }: World): Promise<number> {
  const { rows } = await sql<{ last: Date | null }>`
    select greatest((select max(publish_at) from held_post where state <> 'cancelled'), (select max(publish_at) from submission)) as last`.execute(
    database.admin,
  );
  return rows[0]?.last?.getTime() ?? time.now();
}
