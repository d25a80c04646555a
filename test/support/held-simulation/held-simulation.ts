import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Permission } from '../../../src/access/access.ts';
import { resumeSending, stopSending } from '../../../src/delivery/sending-stop.ts';
import type { PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import type { HeldPostContext } from '../../../src/held-posts/held-post-context.ts';
import { holdPosts } from '../../../src/held-posts/hold.ts';
import { rescheduleHandOver } from '../../../src/held-posts/policy-change.ts';
import { restoreCancelledPost } from '../../../src/held-posts/restore-cancelled.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { findHeldPost, type HeldPostRow } from '../../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY, type ProjectPolicy, savePolicy } from '../../../src/preferences/project-policy.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { createRandom } from '../random.ts';
import { checkSimulation, type Figures, type Ledger } from './checker.ts';
import { createInstance, type World } from './instance.ts';
import { createSimulatedService } from './simulated-service.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const WORKSPACE = 'T1';
/** Approves the posts of the last project, and writes none. */
const REVIEWER = 'U8';
/** The leads of the projects, in minutes. */
const LEADS = [15, 60, 240, 24 * 60];

/** The weekends around whose clock changes posts go out, and zones with other rules. */
const CLOCK_CHANGES = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-25', '2026-11-01'];
const ZONES = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Athens', 'Africa/Casablanca'],
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Halifax'],
  ...['America/St_Johns', 'America/Havana', 'America/Santiago', 'America/Asuncion', 'Australia/Sydney'],
  ...['Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'Asia/Jerusalem', 'Africa/Cairo'],
];

export interface SimulationOptions {
  seed: number;
  posts: number;
  /** A database handle for each instance. */
  dbs: readonly Kysely<BotSchema>[];
  /** Steps of the simulated clock, ms. */
  stepMs: number;
  /** Number of days within which the posts go out. */
  days: number;
  /** An outage of all instances, ms, in which nothing else fails or changes. Undefined: everything fails and changes. */
  outageMs?: number;
}

/**
 * Runs instances on one database while people change posts at random, the service fails, projects are stopped, roles are
 * lost, and instances stop for good at random points. Everything uses one simulated clock.
 */
export async function simulateHeldPosts(options: SimulationOptions): Promise<Figures> {
  const { seed, posts, dbs, stepMs, days, outageMs } = options;
  const random = createRandom(seed);
  const [db] = dbs;
  if (!db) throw new Error('a simulation needs a database');
  const start = Date.parse(`${random.pick(CLOCK_CHANGES)}T00:00:00Z`) - (days / 2) * DAY_MS;
  const clock = { ms: start };
  const faults = outageMs === undefined ? { refused: 0.02, unknown: 0.02 } : { refused: 0, unknown: 0 };
  const service = createSimulatedService(random, () => clock.ms, faults);
  const permissions = new Map<string, Permission>();
  const stopped = new Set<string>();
  let sentWhileStopped = 0;
  const policies = createPolicies({ isReviewed: outageMs === undefined });
  const world = { random, clock, service, permissions, policies };
  const instances = dbs.map((instanceDb) => createInstance(instanceDb, world));
  const ledgers = new Map<string, Ledger>();
  for (const [project, policy] of policies)
    await savePolicy(db, { workspace: WORKSPACE, project }, policy, {
      changedBy: 'U9',
      changedAt: new Date(start),
    });
  const context = () => random.pick(instances).current.context;
  await createPosts(context, world, { posts, start, days, ledgers });
  const ids = [...ledgers.keys()];
  const end = start + (days + 1) * DAY_MS;
  const outage = { from: start + (days / 2) * DAY_MS, ms: outageMs ?? 0 };
  while (clock.ms < end) {
    clock.ms += stepMs;
    if (clock.ms >= outage.from && clock.ms < outage.from + outage.ms) continue;
    service.status.isDown = outageMs === undefined && random.drawBoolean(0.03);
    const callsBefore = service.calls.length;
    const stoppedBefore = new Set(stopped);
    const changes =
      outageMs === undefined
        ? Array.from({ length: Math.ceil(posts / 100) }, () =>
            changeAtRandom(context(), world, { id: random.pick(ids), ledgers }),
          )
        : [];
    await Promise.all([...instances.map((instance) => instance.run()), ...changes]);
    // The stop and the roles change between the rounds, so each call is either before or after.
    for (const call of service.calls.slice(callsBefore))
      if (stoppedBefore.has(call.project)) sentWhileStopped += 1;
    if (outageMs === undefined) await changeProjects(context(), world, stopped);
  }
  for (const project of stopped)
    await resumeSending(db, new Date(clock.ms), { workspace: WORKSPACE, project });
  permissions.clear();
  service.status.isDown = false;
  for (let round = 0; round < 40; round += 1) {
    clock.ms += HOUR_MS;
    await Promise.all(instances.map((instance) => instance.run()));
  }
  for (const instance of instances) await instance.stop();
  return checkSimulation(db, ledgers, service, sentWhileStopped);
}

/** Creates the policies of the projects. The posts of the last project have to be approved by one person. */
function createPolicies({ isReviewed }: { isReviewed: boolean }): Map<string, ProjectPolicy> {
  return new Map(
    LEADS.map((leadMinutes, index) => [
      `p${index}`,
      {
        ...{ ...DEFAULT_POLICY, leadMinutes },
        ...(isReviewed &&
          index === LEADS.length - 1 && {
            review: 'required',
            reviewSteps: [{ approvers: [{ kind: 'person', id: REVIEWER }], needs: 'any' }],
          }),
      },
    ]),
  );
}

/** Stores posts whose times are around the clock changes of many zones. */
async function createPosts(
  context: () => HeldPostContext,
  { random, policies }: World,
  {
    posts,
    start,
    days,
    ledgers,
  }: { posts: number; start: number; days: number; ledgers: Map<string, Ledger> },
): Promise<void> {
  const batchSize = 50;
  for (let first = 0; first < posts; first += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, posts - first) }, async (_, index) => {
      const number = first + index;
      const projectIndex = number % LEADS.length;
      const publishAt = start + 6 * HOUR_MS + random.drawInteger(days * 24 * 60) * MINUTE_MS;
      const content = createContent(`post ${number} v1`, `p${projectIndex}`, publishAt, random.pick(ZONES));
      const [post] = await holdPosts(context(), {
        ...{ workspace: WORKSPACE, author: `U${number % 7}`, project: `p${projectIndex}` },
        ...{ origin: randomUUID(), contents: [content] },
        policy: policies.get(`p${projectIndex}`) ?? DEFAULT_POLICY,
      });
      if (post)
        ledgers.set(post.row.id, {
          versions: new Map([[1, `post ${number} v1`]]),
          approvedTexts: new Set(),
          cancelledAt: undefined,
        });
    });
    await Promise.all(batch);
  }
}

function createContent(text: string, project: string, publishAt: number, zone: string): PostContent {
  return {
    values: { text, platforms: ['X'], status: 'SCHEDULED', when: '', zone, media: '' },
    project: { id: project, name: project },
    moment: { instant: new Date(publishAt).toISOString(), zone },
  };
}

/** Edits, moves, cancels or restores a post, as somebody who saw its current version. */
async function changeAtRandom(
  context: HeldPostContext,
  { random, clock }: World,
  { id, ledgers }: { id: string; ledgers: ReadonlyMap<string, Ledger> },
): Promise<void> {
  const row = await findHeldPost(context.db, { id, workspace: WORKSPACE });
  const ledger = ledgers.get(id);
  if (!row || !ledger) return;
  const press = { id, workspace: WORKSPACE, actor: row.author, version: row.version };
  if (row.in_review && random.drawBoolean(0.6)) return approve(context, row, ledger);
  const kind = random.pick(['edit', 'edit', 'move', 'cancel', 'restore'] as const);
  if (kind === 'cancel') {
    if ((await cancelHeldPost(context, press)).kind === 'changed') ledger.cancelledAt = clock.ms;
    return;
  }
  if (kind === 'restore') {
    if ((await restoreCancelledPost(context, press)).kind === 'changed') ledger.cancelledAt = undefined;
    return;
  }
  const name = (ledger.versions.get(1) ?? '').replace(/ v1$/, '');
  const text = `${name} v${row.version + 1} ${random.next()}`;
  const shiftMs = kind === 'move' ? (random.drawInteger(480) - 120) * MINUTE_MS : 0;
  const publishAt = (row.publish_at?.getTime() ?? clock.ms) + shiftMs;
  const content = createContent(text, row.project, publishAt, random.pick(ZONES));
  const result = await editHeldPost(context, press, content, kind === 'move' ? 'moved' : 'edited');
  if (result.kind === 'changed') ledger.versions.set(result.row.version, text);
}

async function approve(context: HeldPostContext, row: HeldPostRow, ledger: Ledger): Promise<void> {
  const { id, version, content_hash: hash } = row;
  const press = { id, workspace: WORKSPACE, actor: REVIEWER, version, hash };
  const result = await approveHeldPost(context, press);
  if (result.kind === 'changed') ledger.approvedTexts.add(ledger.versions.get(version) ?? '');
}

/** Stops or resumes a project, changes a policy, and takes or gives back a role. */
async function changeProjects(
  context: HeldPostContext,
  { random, clock, permissions, policies }: World,
  stopped: Set<string>,
): Promise<void> {
  const { db } = context;
  const project = `p${random.drawInteger(LEADS.length)}`;
  const key = { workspace: WORKSPACE, project };
  if (stopped.has(project) ? random.drawBoolean(0.3) : random.drawBoolean(0.01)) {
    if (stopped.delete(project)) await resumeSending(db, new Date(clock.ms), key);
    else {
      await stopSending(db, { reason: '', since: new Date(clock.ms) }, key);
      stopped.add(project);
    }
  }
  if (random.drawBoolean(0.02)) {
    const leadMinutes = random.pick(LEADS);
    const policy = { ...(policies.get(project) ?? DEFAULT_POLICY), leadMinutes };
    policies.set(project, policy);
    await db.transaction().execute(async (trx) => {
      await savePolicy(trx, key, policy, { changedBy: 'U9', changedAt: new Date(clock.ms) });
      await rescheduleHandOver(context, trx, key, leadMinutes);
    });
  }
  const user = `U${random.drawInteger(7)}`;
  if (permissions.has(user) ? random.drawBoolean(0.2) : random.drawBoolean(0.02)) {
    if (!permissions.delete(user)) permissions.set(user, random.pick(['no', 'unknown']));
  }
}
