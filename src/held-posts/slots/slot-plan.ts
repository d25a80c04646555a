import { PLATFORMS } from '../../api/platforms.ts';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { sortPlatforms } from '../../posts/platforms.ts';
import {
  type FreeSlot,
  filterTimedPlatforms,
  leaveOutPlanned,
  listSearchedRanges,
  listSlots,
  type ProjectCalendar,
  SLOT_HORIZON_DAYS,
  type Slot,
} from '../../preferences/posting-times.ts';
import { findPolicy, holdsPosts, type ProjectPolicy } from '../../preferences/project-policy.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { readLaterPosts } from '../series/occurrences.ts';
import { listTaken, type SlotPlace, toSlotKey } from './slots.ts';

/** The slots of a project as they were when they were read. */
export type SlotPlan = Awaited<ReturnType<typeof readSlotPlan>>;

/** Reads the slots of a project. `from` and `until` default to all that can be taken. */
export async function readSlotPlan(
  context: HeldPostContext,
  key: Pick<SlotPlace, 'workspace' | 'project'>,
  policy: ProjectPolicy,
  { from, until }: { from?: Date; until?: Date } = {},
) {
  const now = context.clock.now();
  const start = from && from > now ? addMs(from, -1) : now;
  const ranges = holdsPosts(policy)
    ? listSearchedRanges(start, now).flatMap((range) => {
        if (until && range.after >= until) return [];
        return [until && until < range.until ? { ...range, until } : range];
      })
    : [];
  const listLaterPosts = await readLaterPosts(context, key);
  const taken = new Set<string>();
  const slots: FreeSlot[] = [];
  for (const range of ranges) {
    const inRange = listByTime(policy, range);
    for (const name of await listTaken(context, context.db, key, { slots: inRange, listLaterPosts }))
      taken.add(name);
    slots.push(...inRange);
  }
  const isFree = (platform: string, { instant }: Slot) => !taken.has(toSlotKey(platform, instant));
  const slotsByPlatforms = new Map<string, readonly Slot[]>();
  const listFor = (platforms: readonly string[]) => {
    const name = platforms.toSorted().join();
    const known =
      slotsByPlatforms.get(name) ?? ranges.flatMap((range) => listSlots(policy, platforms, range));
    slotsByPlatforms.set(name, known);
    return known;
  };
  return {
    /** In order. */
    free: slots.flatMap((slot) => {
      const platforms = slot.platforms.filter((platform) => isFree(platform, slot));
      return platforms.length === 0 ? [] : [{ ...slot, platforms }];
    }),
    /** Takes the first free slot for a post of this plan alone, so that several posts of a file get different ones. */
    take(platforms: readonly string[], after: Date): Slot | undefined {
      const slot = listFor(platforms).find(
        (each) => each.instant >= after && platforms.every((platform) => isFree(platform, each)),
      );
      if (slot) for (const platform of platforms) taken.add(toSlotKey(platform, slot.instant));
      return slot;
    },
    /** Leaves the times of these posts to them. */
    leaveTo(posts: readonly { instant: Date; platforms: readonly string[] }[]) {
      for (const { instant, platforms } of posts)
        for (const platform of platforms)
          taken.add(toSlotKey(platform, new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)));
    },
  };
}

export async function readProjectSlots(
  context: HeldPostContext,
  { until, ...key }: Pick<SlotPlace, 'workspace' | 'project'> & { until: Date },
): Promise<ProjectCalendar & { free: readonly FreeSlot[] }> {
  const policy = await findPolicy(context.db, key);
  const { blackouts } = policy;
  const postingTimes = holdsPosts(policy) ? policy.postingTimes : [];
  if (postingTimes.length === 0) return { postingTimes, blackouts, free: [] };
  const { free } = await readSlotPlan(context, key, policy, { until });
  return { postingTimes, blackouts, free };
}

function listByTime(calendar: ProjectCalendar, range: { after: Date; until: Date }): FreeSlot[] {
  const slots = filterTimedPlatforms(calendar, PLATFORMS).flatMap((platform) =>
    listSlots(calendar, [platform], range).map((slot) => ({ ...slot, platform })),
  );
  const byTime = Map.groupBy(slots, ({ instant }) => instant.getTime());
  return [...byTime]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, [first, ...others]]) =>
      first
        ? [
            {
              instant: first.instant,
              zone: first.zone,
              platforms: sortPlatforms([first, ...others].map(({ platform }) => platform)),
            },
          ]
        : [],
    );
}

/**
 * Lists the slots of a project in a range that no post has and no series will take. `planned`: all posts of the project in
 * the range that go out, so that only the series have to be read.
 */
export async function listOpenSlots(
  context: HeldPostContext,
  key: Pick<SlotPlace, 'workspace' | 'project'>,
  policy: ProjectPolicy,
  {
    from,
    until,
    planned,
  }: { from: Date; until: Date; planned: readonly Pick<FreeSlot, 'instant' | 'platforms'>[] },
): Promise<FreeSlot[]> {
  const now = context.clock.now();
  const after = addMs(from > now ? from : now, -1);
  const horizon = addMs(now, SLOT_HORIZON_DAYS * DAY_MS);
  const range = { after, until: until < horizon ? until : horizon };
  const slots = holdsPosts(policy) && range.after < range.until ? listByTime(policy, range) : [];
  if (slots.length === 0) return [];
  const listLaterPosts = await readLaterPosts(context, key);
  return leaveOutPlanned(slots, [...planned, ...listLaterPosts(range)]);
}
