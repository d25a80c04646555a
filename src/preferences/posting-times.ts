import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { occurrencesOf } from '../when/recurrence.ts';
import { wallClockAt } from '../when/zones.ts';

const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/** The dates that repeat, as `when` reads them. The times are wall times in the zone. */
export const recurrenceSchema = z.object({
  on: z.discriminatedUnion('unit', [
    z.object({ unit: z.literal('day') }),
    z.object({ unit: z.literal('week'), weekdays: z.array(z.number()).readonly() }),
    z.object({
      unit: z.literal('month'),
      monthDays: z
        .array(
          z.union([
            z.object({ day: z.number() }),
            z.object({ weekday: z.number(), nth: z.number() }),
            z.object({ workday: z.number() }),
          ]),
        )
        .readonly(),
    }),
    z.object({ unit: z.literal('year'), month: z.number(), day: z.number() }),
  ]),
  interval: z.number(),
  times: z
    .array(z.object({ hour: z.number(), minute: z.number() }))
    .min(1)
    .readonly(),
  zone: z.string(),
  start: date.exactOptional(),
  until: date.exactOptional(),
  count: z.number().exactOptional(),
  except: z
    .array(z.object({ from: date, to: date }))
    .readonly()
    .exactOptional(),
});
export type ZonedRecurrence = z.infer<typeof recurrenceSchema>;

/** The posting times of some platforms. Without platforms, those of all. */
export const postingTimesSchema = z.object({
  platforms: z.array(z.string()).readonly(),
  recurrence: recurrenceSchema,
});
export type PostingTimes = z.infer<typeof postingTimesSchema>;

/** Days on which a project doesn't post, with both ends. The dates are local: those of a post's zone. */
export const blackoutSchema = z.object({ from: date, to: date, name: z.string() });
export type Blackout = z.infer<typeof blackoutSchema>;

/** When a project posts, and when it doesn't. */
export const projectCalendarSchema = z.object({
  /** A post may take the next free one of these times. */
  postingTimes: z.array(postingTimesSchema).readonly().default([]),
  blackouts: z.array(blackoutSchema).readonly().default([]),
});
export type ProjectCalendar = z.infer<typeof projectCalendarSchema>;
/** The days on which a project doesn't post. */
export type ClosedDays = Omit<ProjectCalendar, 'postingTimes'>;

/** A time at which a post may go out. `zone`: that of the posting times. */
export interface Slot {
  instant: Date;
  zone: string;
}

export interface FreeSlot extends Slot {
  platforms: readonly string[];
}

export function findBlackout(calendar: ClosedDays, { instant, zone }: Slot): Blackout | undefined {
  return findBlackoutOn(calendar, new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 10));
}

/** `day`: "2026-12-24", in the zone of the post. */
export function findBlackoutOn({ blackouts }: ClosedDays, day: string): Blackout | undefined {
  return blackouts.find(({ from, to }) => from <= day && day <= to);
}

/** Leaves the blackout days out of a rule, which has no other dates instead. */
export function leaveOutBlackouts(
  recurrence: ZonedRecurrence,
  { blackouts }: ClosedDays,
): ZonedRecurrence & { leftOut?: readonly Blackout[] } {
  return blackouts.length === 0 ? recurrence : { ...recurrence, leftOut: blackouts };
}

/** The platforms of a post that have posting times. The others follow them. */
export function filterTimedPlatforms(
  { postingTimes }: Pick<ProjectCalendar, 'postingTimes'>,
  platforms: readonly string[],
): string[] {
  return platforms.filter((platform) => postingTimes.some((times) => appliesTo(times, platform)));
}

function appliesTo({ platforms }: PostingTimes, platform: string): boolean {
  return platforms.length === 0 || platforms.includes(platform);
}

/**
 * Lists the slots of a post for these platforms, in order, whether or not they are free: the times that all of its
 * platforms have in common, except on blackout days. A platform without posting times follows the others.
 */
export function listSlots(
  calendar: ProjectCalendar,
  platforms: readonly string[],
  range: { after: Date; until: Date },
): Slot[] {
  const [first = [], ...others] = filterTimedPlatforms(calendar, platforms).map((platform) =>
    calendar.postingTimes
      .filter((times) => appliesTo(times, platform))
      .flatMap(({ recurrence }) => {
        const kept = leaveOutBlackouts(recurrence, calendar);
        return occurrencesOf(kept, range).map(({ instant }): Slot => ({ instant, zone: recurrence.zone }));
      }),
  );
  const times = others.map((slots) => new Set(slots.map(({ instant }) => instant.getTime())));
  const shared = first.filter(({ instant }) => times.every((known) => known.has(instant.getTime())));
  const unique = new Map(shared.map((slot) => [slot.instant.getTime(), slot]));
  return [...unique.values()].toSorted((one, other) => one.instant.getTime() - other.instant.getTime());
}

/** Leaves out the platforms of slots, or of other times, on which posts are planned for the same minute. */
export function leaveOutPlanned<Time extends Pick<FreeSlot, 'instant' | 'platforms'>>(
  slots: readonly Time[],
  planned: readonly Pick<FreeSlot, 'instant' | 'platforms'>[],
): Time[] {
  const toMinute = (instant: Date) => Math.floor(instant.getTime() / MINUTE_MS);
  const byMinute = Map.groupBy(planned, ({ instant }) => toMinute(instant));
  return slots.flatMap((slot) => {
    const others = byMinute.get(toMinute(slot.instant)) ?? [];
    const platforms = slot.platforms.filter((name) => !others.some((post) => post.platforms.includes(name)));
    return platforms.length === 0 ? [] : [{ ...slot, platforms }];
  });
}

/** How far ahead slots are taken. */
export const SLOT_HORIZON_DAYS = 91;
/** Slots are looked for in steps, because the first one is usually near. */
const SEARCHED_DAYS = 14;

/** Divides the time in which slots are looked for. */
export function listSearchedRanges(after: Date, now: Date): { after: Date; until: Date }[] {
  const end = now.getTime() + SLOT_HORIZON_DAYS * DAY_MS;
  const steps = Math.max(0, Math.ceil((end - after.getTime()) / (SEARCHED_DAYS * DAY_MS)));
  return Array.from({ length: steps }, (_, index) => {
    const start = after.getTime() + index * SEARCHED_DAYS * DAY_MS;
    return { after: new Date(start), until: new Date(Math.min(end, start + SEARCHED_DAYS * DAY_MS)) };
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Renders the days of a blackout: "24 Dec to 26 Dec", or "24 Dec 2026 to 26 Dec 2026". Plain text. */
export function renderBlackoutDays({ from, to }: Blackout, { hasYear }: { hasYear: boolean }): string {
  const render = (date: string) => {
    const [year, month = '', day] = date.split('-');
    return `${Number(day)} ${MONTHS[Number(month) - 1]}${hasYear ? ` ${year}` : ''}`;
  };
  return from === to ? render(from) : `${render(from)} to ${render(to)}`;
}
