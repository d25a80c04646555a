import { performance } from 'node:perf_hooks';
import { MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { ProjectCalendar, Slot } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { type PlanSources, readSentPosts, readServicePosts } from './planned-near.ts';
import {
  describeMissingSlot,
  describeSlot,
  findSlotProblem,
  SLOT_UNSURE,
  type SlotProblem,
} from './slot-text.ts';
import { findOwnSlot, freeSlot, listFreeSlots, type SlotPlace, type SlotRequest, takeSlot } from './slots.ts';

/** Maximum slots that are compared with the posts that were made in the service. */
const MAX_COMPARED = 10;

/** A slot that no post of Upnext's has. `isUnsure`: whether the service has a post then couldn't be found out. */
export interface FoundSlot extends Slot {
  isUnsure: boolean;
}

/**
 * Finds the first free slot at which the service lists no post on one of the platforms, as far as it answers in time. If all
 * compared slots have one, that is the first slot after them.
 */
async function findOpenSlot(
  sources: PlanSources,
  place: SlotPlace,
  calendar: ProjectCalendar,
  from: Date,
  maxWaitMs = sources.heldPosts.submissions.context.pace.formReadMs,
): Promise<FoundSlot | undefined> {
  const context = sources.heldPosts;
  const slots = await listFreeSlots(context, place, calendar, { from, most: MAX_COMPARED });
  const states = await compareWithService(sources, place, slots, { maxWaitMs });
  const open = slots.find((slot) => states.get(slot) !== 'taken');
  if (open) return { ...open, isUnsure: states.get(open) === 'unknown' };
  const last = slots.at(-1);
  if (!last) return undefined;
  const after = { from: addMs(last.instant, 1), most: 1 };
  const [next] = await listFreeSlots(context, place, calendar, after);
  return next && { ...next, isUnsure: true };
}

/**
 * Finds the slot that a post would take now, with a note that names it (plain text), or says why there is none.
 * `origin`: that of the post, if it may have taken a slot already.
 */
export async function findNextSlot(
  sources: PlanSources,
  place: SlotPlace,
  { from, origin }: { from: Date; origin?: string | undefined },
): Promise<{ slot: FoundSlot; note: string } | { problem: SlotProblem }> {
  const context = sources.heldPosts;
  const { platforms } = place;
  const now = context.clock.now();
  const policy = await findPolicy(context.db, place);
  const obstacle = findSlotProblem(policy, platforms, now);
  if (obstacle) return { problem: obstacle };
  const ownSlot =
    origin !== undefined &&
    (await findOwnSlot(context, context.db, { ...place, origin, item: 0, from }, policy));
  const slot = ownSlot ? { ...ownSlot, isUnsure: false } : await findOpenSlot(sources, place, policy, from);
  return slot
    ? { slot, note: `${describeSlot(policy, platforms)}${slot.isUnsure ? ` ${SLOT_UNSURE}` : ''}` }
    : { problem: describeMissingSlot(policy, platforms, { now, from }) };
}

/**
 * Compares slots with the posts that the service lists, as far as it answers in time, and with those that Upnext has sent it
 * lately. `unknown`: it couldn't be found out whether another post has the slot.
 */
async function compareWithService(
  sources: PlanSources,
  { workspace, project, platforms }: SlotPlace,
  slots: readonly Slot[],
  options: { maxWaitMs: number; isLive?: boolean },
): Promise<ReadonlyMap<Slot, 'free' | 'taken' | 'unknown'>> {
  const getSearch = (compared: readonly Slot[]) => ({
    ...{ workspace, project, times: compared.map(({ instant }) => instant), rangeMs: MINUTE_MS, ...options },
  });
  if (slots.length === 0) return new Map();
  const sent = await readSentPosts(sources, getSearch(slots));
  // At the same time: one after the other, few days would be compared in time.
  const states = await Promise.all(
    slots.map(async (slot) => {
      const listed = await readServicePosts(sources, getSearch([slot]));
      const isTaken = [...listed.posts, ...sent.posts].some(
        ({ instant, platforms: taken }) =>
          Math.abs(instant.getTime() - slot.instant.getTime()) < MINUTE_MS &&
          taken.some((platform) => platforms.includes(platform)),
      );
      const isKnown = listed.isComplete && sent.isComplete;
      return [slot, isTaken ? 'taken' : isKnown ? 'free' : 'unknown'] as const;
    }),
  );
  return new Map(states);
}

export class NoFreeSlot extends Error {
  override name = 'NoFreeSlot';
}

/** A content with its time. `slot`: the one that it has taken. */
export interface TimedContent {
  content: unknown;
  slot?: FoundSlot;
}

/** Gives a content its slot, if it takes one. Throws `NoFreeSlot` if none is free. */
export async function giveSlot(
  context: HeldPostContext,
  owner: Pick<HeldPostRow, 'workspace' | 'project'> & Pick<SlotRequest, 'origin' | 'item' | 'present'>,
  content: unknown,
  { maxWaitMs = context.submissions.context.pace.formReadMs, isLive = true } = {},
): Promise<TimedContent> {
  const { post } = context.kind;
  const from = post.getSlotStart(content);
  if (!from) return { content };
  const { platforms } = post.toPost(content);
  const { workspace, project, origin, item, present } = owner;
  const calendar = await findPolicy(context.db, owner);
  const request = { workspace, project, origin, item, platforms, from, ...(present && { present }) };
  const slot = await takeOpenSlot(context, request, calendar, { maxWaitMs, isLive });
  return { content: post.moveTo(content, slot), slot };
}

/**
 * Takes the first free slot at which the service lists no post, as far as it answers in time. Each slot is compared after it
 * was taken, because no request may be made while the other posts of the project wait.
 */
async function takeOpenSlot(
  context: HeldPostContext,
  request: SlotRequest,
  calendar: ProjectCalendar,
  { maxWaitMs, isLive }: { maxWaitMs: number; isLive: boolean },
): Promise<FoundSlot> {
  const { reads, submissions } = context;
  const deadline = performance.now() + maxWaitMs;
  const getRemainingMs = () => Math.max(0, deadline - performance.now());
  const api = await submissions.context.findApiClient(request.workspace, request.project);
  for (let { from } = request; ; ) {
    const slot = await takeSlot(context, { ...request, from }, calendar);
    if (!slot) throw new NoFreeSlot();
    const sources = { reads, api, heldPosts: context };
    const options = { maxWaitMs: getRemainingMs(), isLive };
    const state = (await compareWithService(sources, request, [slot], options)).get(slot);
    if (state !== 'taken') return { ...slot, isUnsure: state !== 'free' };
    await freeSlot(context.db, request, slot.instant);
    const after = addMs(slot.instant, 1);
    const open = await findOpenSlot(sources, request, calendar, after, getRemainingMs());
    if (!open) throw new NoFreeSlot();
    from = open.instant;
  }
}
