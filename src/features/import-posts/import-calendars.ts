import { selectPlannedTimes } from '../../api/cached-reads.ts';
import { listAllPosts } from '../../api/list-all-posts.ts';
import type { Budget } from '../../budget.ts';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { Call } from '../../handlers/call.ts';
import { describeWithoutTime, readPostsWithoutTime } from '../../held-posts/held-post-context.ts';
import { readSlotPlan, type SlotPlan } from '../../held-posts/slots/slot-plan.ts';
import { describeMissingSlot, warnIfBlackout } from '../../held-posts/slots/slot-text.ts';
import type { OpenTable } from '../../imports/open-table.ts';
import { readTimeCells } from '../../imports/read-row.ts';
import { findLeadingSlot } from '../../posts/slot-phrase.ts';
import { SLOT_HORIZON_DAYS, type Slot } from '../../preferences/posting-times.ts';
import { DEFAULT_POLICY, listPaidPlatforms, listPolicies } from '../../preferences/project-policy.ts';
import { within } from '../../promises.ts';

/**
 * Reads what the rows depend on in their projects: the blackout days, the accounts that pay, and the free slots of those
 * projects that have any if a row asks for one.
 */
export async function readCalendars(call: Call, table: Pick<OpenTable, 'rows' | 'columns'>, budget: Budget) {
  const { workspace } = call.actor;
  const now = call.now();
  const policies = await listPolicies(call.context.db, workspace);
  const needsSlots = await asksForSlots(table, budget);
  const context = call.context.heldPosts;
  const plans = new Map<string, { plan: SlotPlan; known: Set<string> }>();
  for (const [project, policy] of needsSlots ? policies : []) {
    if (policy.postingTimes.length === 0 || !call.may('viewer', project)) continue;
    const plan = await readSlotPlan(context, { workspace, project }, policy);
    const posts = await readPostsWithoutTime(context, context.db, { workspace, project });
    plans.set(project, { plan, known: new Set(posts.keys()) });
  }
  const left = await within(
    MAX_WAIT_MS,
    Promise.all([...plans].map(([project, { plan }]) => leaveServicePosts(call, project, plan))),
  );
  return {
    areSlotsCompared: left?.every((isComplete) => isComplete) ?? false,
    isRepeated(project: string, content: unknown): boolean {
      const request = describeWithoutTime(context, content);
      const known = plans.get(project)?.known;
      const isKnown = known?.has(request) ?? false;
      known?.add(request);
      return isKnown;
    },
    takeSlot(project: string, platforms: readonly string[], from: Date): Slot | string {
      const slot = plans.get(project)?.plan.take(platforms, from);
      if (slot) return slot;
      const policy = policies.get(project) ?? DEFAULT_POLICY;
      const { headline, advice } = describeMissingSlot(policy, platforms, { now, from });
      return `${headline} ${advice}`;
    },
    listPaidPlatforms: (project: string) => listPaidPlatforms(policies.get(project) ?? DEFAULT_POLICY),
    findBlackout(project: string, time: Slot): string | undefined {
      const policy = policies.get(project);
      return policy && warnIfBlackout(policy, time, now);
    },
  };
}

/** Whether a row asks for the next slot. */
async function asksForSlots({ rows, columns }: Pick<OpenTable, 'rows' | 'columns'>, budget: Budget) {
  budget.resume();
  for (const row of rows) {
    await budget.giveWay();
    if (findLeadingSlot(readTimeCells(row, columns))) return true;
  }
  return false;
}

/** Maximum posts of the service in a project whose times are left to them. */
const MAX_SERVICE_POSTS = 2_000;
/** Afterwards slots may be those of posts in the service, which people read. */
const MAX_WAIT_MS = 8_000;

/** Resolves with whether the plan then leaves the times of all posts of the service. */
async function leaveServicePosts(call: Call, project: string, plan: SlotPlan): Promise<boolean> {
  const scheduledFrom = call.now();
  const range = { scheduledFrom, scheduledTo: addMs(scheduledFrom, SLOT_HORIZON_DAYS * DAY_MS) };
  const options = { maxPosts: MAX_SERVICE_POSTS, readsAtOnce: true };
  const outcome = await listAllPosts(call.context.api, { projectId: project, ...range }, options);
  if (outcome.kind !== 'done') return false;
  const { times, isComplete } = selectPlannedTimes(outcome.data, range);
  plan.leaveTo(times);
  return isComplete;
}
