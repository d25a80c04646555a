import type { CachedReads, PlannedTime } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import type { ProjectCalendar, Slot } from '../preferences/posting-times.ts';
import { within } from '../within.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { listFreeSlots, type SlotPlace } from './slots.ts';

/** Maximum slots that are compared with the posts that were made in the service. */
const MAX_COMPARED = 10;
/** How long an acknowledgement waits for the service. After that, only the posts of the days that it has listed are considered. */
const SERVICE_TIMEOUT_MS = 600;

/**
 * Finds the first free slot at which the service lists no post on one of the platforms, as far as it answers in time. If all
 * compared slots have one, that is the first slot after them.
 */
export async function findOpenSlot(
  { reads, api, heldPosts }: { reads: CachedReads; api: ApiClient; heldPosts: { context: HeldPostContext } },
  place: SlotPlace,
  calendar: ProjectCalendar,
  from: Date,
): Promise<Slot | undefined> {
  const slots = await listFreeSlots(heldPosts.context, place, calendar, { from, most: MAX_COMPARED });
  const taken = new Set<Slot>();
  const compare = async (slot: Slot) => {
    const time = slot.instant.getTime();
    const outcome = await reads.listPlannedTimes(api, place.project, new Date(time - (time % DAY_MS)));
    if (outcome.kind === 'done' && outcome.data.some((post) => isAt(post, slot, place))) taken.add(slot);
  };
  // At the same time: one after the other, few days would be compared in time.
  await within(SERVICE_TIMEOUT_MS, Promise.all(slots.map(compare)));
  const open = slots.find((slot) => !taken.has(slot));
  const last = slots.at(-1);
  if (open || !last) return open;
  const after = { from: addMs(last.instant, 1), most: 1 };
  const [next] = await listFreeSlots(heldPosts.context, place, calendar, after);
  return next;
}

function isAt(post: PlannedTime, { instant }: Slot, { platforms }: SlotPlace): boolean {
  return (
    Math.abs(post.instant.getTime() - instant.getTime()) < MINUTE_MS &&
    post.platforms.some((platform) => platforms.includes(platform))
  );
}
