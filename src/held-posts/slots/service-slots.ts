import { performance } from 'node:perf_hooks';
import type { CachedReads } from '../../api/cached-reads.ts';
import type { ApiClient } from '../../api/client.ts';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { ProjectCalendar, Slot } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { within } from '../../promises.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { describeMissingSlot, describeSlot, findSlotProblem, type SlotProblem } from './slot-text.ts';
import { findOwnSlot, freeSlot, listFreeSlots, type SlotPlace, type SlotRequest, takeSlot } from './slots.ts';

/** What finds a slot: Upnext's own posts, and those that the service lists. */
interface SlotSources {
  reads: Pick<CachedReads, 'listPlannedTimes'>;
  api: ApiClient;
  heldPosts: HeldPostContext;
}

/** Maximum slots that are compared with the posts that were made in the service. */
const MAX_COMPARED = 10;

/**
 * Finds the first free slot at which the service lists no post on one of the platforms, as far as it answers in time. If all
 * compared slots have one, that is the first slot after them.
 */
async function findOpenSlot(
  sources: SlotSources,
  place: SlotPlace,
  calendar: ProjectCalendar,
  from: Date,
  maxWaitMs = sources.heldPosts.submissions.context.pace.formReadMs,
): Promise<Slot | undefined> {
  const context = sources.heldPosts;
  const slots = await listFreeSlots(context, place, calendar, { from, most: MAX_COMPARED });
  const taken = await findTakenInService(sources, place, slots, maxWaitMs);
  const open = slots.find((slot) => !taken.has(slot));
  const last = slots.at(-1);
  if (open || !last) return open;
  const after = { from: addMs(last.instant, 1), most: 1 };
  const [next] = await listFreeSlots(context, place, calendar, after);
  return next;
}

/**
 * Finds the slot that a post would take now, with a note that names it (plain text), or says why there is none.
 * `origin`: that of the post, if it may have taken a slot already.
 */
export async function findNextSlot(
  sources: SlotSources,
  place: SlotPlace,
  { from, origin }: { from: Date; origin?: string | undefined },
): Promise<{ slot: Slot; note: string } | { problem: SlotProblem }> {
  const context = sources.heldPosts;
  const { platforms } = place;
  const now = context.clock.now();
  const policy = await findPolicy(context.db, place);
  const obstacle = findSlotProblem(policy, platforms, now);
  if (obstacle) return { problem: obstacle };
  const ownSlot =
    origin !== undefined &&
    (await findOwnSlot(context, context.db, { ...place, origin, item: 0, from }, policy));
  const slot = ownSlot || (await findOpenSlot(sources, place, policy, from));
  return slot
    ? { slot, note: describeSlot(policy, platforms) }
    : { problem: describeMissingSlot(policy, platforms, { now, from }) };
}

/** Finds the slots at which the service lists a post on one of the platforms, as far as it answers in time. */
async function findTakenInService(
  { reads, api }: SlotSources,
  place: SlotPlace,
  slots: readonly Slot[],
  maxWaitMs: number,
): Promise<ReadonlySet<Slot>> {
  const taken = new Set<Slot>();
  const compare = async (slot: Slot) => {
    const time = slot.instant.getTime();
    const outcome = await reads.listPlannedTimes(api, place.project, new Date(time - (time % DAY_MS)));
    const posts = outcome.kind === 'done' ? outcome.data : [];
    const isTaken = posts.some(
      ({ instant, platforms }) =>
        Math.abs(instant.getTime() - time) < MINUTE_MS &&
        platforms.some((platform) => place.platforms.includes(platform)),
    );
    if (isTaken) taken.add(slot);
  };
  // At the same time: one after the other, few days would be compared in time.
  await within(maxWaitMs, Promise.all(slots.map(compare)));
  return taken;
}

export class NoFreeSlot extends Error {
  override name = 'NoFreeSlot';
}

/** A content with its time. `slot`: the one that it has taken. */
export interface TimedContent {
  content: unknown;
  slot?: Slot;
}

/** Gives a content its slot, if it takes one. Throws `NoFreeSlot` if none is free. */
export async function giveSlot(
  context: HeldPostContext,
  owner: Pick<HeldPostRow, 'workspace' | 'project'> & Pick<SlotRequest, 'origin' | 'item' | 'present'>,
  content: unknown,
  maxWaitMs = context.submissions.context.pace.formReadMs,
): Promise<TimedContent> {
  const { post } = context.kind;
  const from = post.getSlotStart(content);
  if (!from) return { content };
  const { platforms } = post.toPost(content);
  const { workspace, project, origin, item, present } = owner;
  const calendar = await findPolicy(context.db, owner);
  const request = { workspace, project, origin, item, platforms, from, ...(present && { present }) };
  const slot = await takeOpenSlot(context, request, calendar, maxWaitMs);
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
  maxWaitMs: number,
): Promise<Slot> {
  const { reads, submissions } = context;
  const deadline = performance.now() + maxWaitMs;
  const getRemainingMs = () => Math.max(0, deadline - performance.now());
  const api = await submissions.context.findApiClient(request.workspace, request.project);
  for (let { from } = request; ; ) {
    const slot = await takeSlot(context, { ...request, from }, calendar);
    if (!slot) throw new NoFreeSlot();
    if (!api) return slot;
    const sources = { reads, api, heldPosts: context };
    const taken = await findTakenInService(sources, request, [slot], getRemainingMs());
    if (!taken.has(slot)) return slot;
    await freeSlot(context.db, request, slot.instant);
    const after = addMs(slot.instant, 1);
    const open = await findOpenSlot(sources, request, calendar, after, getRemainingMs());
    if (!open) throw new NoFreeSlot();
    from = open.instant;
  }
}
