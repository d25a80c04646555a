import { CAPABILITIES } from '../../../src/app/capabilities.ts';
import { resumeSending } from '../../../src/engine/sending-stop.ts';
import type { HeldPostContext } from '../../../src/held-posts/held-post-context.ts';
import { handOverAll, rescheduleHandOver } from '../../../src/held-posts/policy-change.ts';
import { changePolicy, savePolicy } from '../../../src/preferences/project-policy.ts';
import { listInFlight, stopProject } from '../../../src/submissions/project-stop.ts';
import { AUTHORS, createReviewStep, LEADS, REVIEWERS, WORKSPACE, type World } from './world.ts';

const MANAGER = 'U10';

/** Stores the first policies. */
export async function storePolicies({ db }: HeldPostContext, { projects, clock }: World): Promise<void> {
  const by = { changedBy: MANAGER, changedAt: new Date(clock.read()) };
  for (const [project, { policy }] of projects)
    await savePolicy(db, { workspace: WORKSPACE, project }, policy, by);
}

/** Stops or resumes a project, or changes a policy, while instances work. */
export async function changeProject(context: HeldPostContext, world: World): Promise<void> {
  const { random, projects, clock } = world;
  const id = random.pick([...projects.keys()]);
  const project = projects.get(id);
  if (!project) return;
  const key = { workspace: WORKSPACE, project: id };
  if (project.stop ? random.drawBoolean(0.5) : random.drawBoolean(0.03)) {
    if (project.stop) {
      project.stop = undefined;
      await resumeSending(context.db, CAPABILITIES, new Date(clock.read()), key);
    } else {
      await stopProject(context.submissions.context, key, { reason: '', stoppedBy: MANAGER });
      const inFlight = await listInFlight(context.submissions.context, key);
      // The manager reads the answer now.
      project.stop = { unstoppable: new Set(inFlight.map(({ origin }) => origin)) };
    }
  }
  if (random.drawBoolean(0.05)) await changeRandomPolicy(context, world, id);
}

async function changeRandomPolicy(context: HeldPostContext, world: World, id: string): Promise<void> {
  const { random, projects, clock, rounds } = world;
  const project = projects.get(id);
  if (!project) return;
  const expected = project.policy;
  const leadMinutes = random.pick(LEADS);
  const needsAll = random.drawBoolean(0.5);
  const policy = {
    ...{ ...expected, leadMinutes },
    ...(expected.review === 'required' && { reviewSteps: [createReviewStep(needsAll)] }),
  };
  // Posts may be handed over under the new policy before the manager has the answer.
  rounds.at(-1)?.needingAll.delete(id);
  const handsOver = random.drawBoolean(0.05);
  const by = { changedBy: MANAGER, changedAt: new Date(clock.read()) };
  const key = { workspace: WORKSPACE, project: id };
  const isChanged = await context.db.transaction().execute(async (trx) => {
    if ((await changePolicy(trx, key, { expected, policy }, by)) !== 'changed') return false;
    await rescheduleHandOver(context, trx, key, leadMinutes);
    if (handsOver) await handOverAll(context, trx, key);
    return true;
  });
  if (isChanged) project.policy = policy;
}

/** Takes or gives back the role of a person. */
export function changeRole({ random, permissions }: World): void {
  const user = random.pick([...AUTHORS, ...REVIEWERS]);
  if (permissions.has(user) ? random.drawBoolean(0.3) : random.drawBoolean(0.05)) {
    if (!permissions.delete(user)) permissions.set(user, random.pick(['no', 'unknown']));
  }
}

/** Resumes all projects, and gives back all roles. */
export async function endChanges({ db }: HeldPostContext, { projects, permissions, clock }: World) {
  for (const [id, project] of projects) {
    project.stop = undefined;
    await resumeSending(db, CAPABILITIES, new Date(clock.read()), { workspace: WORKSPACE, project: id });
  }
  permissions.clear();
}
