import { DateTime } from 'luxon';
import type { Post } from '../api/posts.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { escapeText, renderDateForReaders } from '../slack/blocks.ts';
import { formatMoment, formatMomentParts, type MomentParts } from '../when/format-moment.ts';
import {
  earliestMoment,
  type MomentReading,
  type MomentsReading,
  type NamedMoment,
  type Shift,
} from '../when/when.ts';
import { instantAfterGap, instantsShowing, isZone, wallClockAt } from '../when/zones.ts';

/** The one person who reads a text. Each value is absent if it is unknown. */
export interface Viewer {
  zone?: string | undefined;
  /** E.g. `en-US`. */
  locale?: string | undefined;
}

export type Viewers = Viewer | 'everyone';

interface PostTime {
  /** Plain text: "Tue 1 Dec, 08:00 (09:00 Berlin)". */
  plain: string;
  /** The same as mrkdwn. For everyone, Slack shows it in the zone and with the clock of each reader. */
  mrkdwn: string;
  /** "Tue 1 Dec", or "Di., 1. Dez." for one viewer whose locale is German. */
  day: string;
  /** "Tue". */
  weekday: string;
  /** "08:00", or "8:00 AM" in a locale with a 12-hour clock. */
  clock: string;
  /** The zone of `clock`: "Berlin". */
  place: string;
  /** The time in the post's zone, or the zone of `clock` if it isn't the viewer's: " (09:00 Berlin)", " (UTC)" or "". */
  zoneNote: string;
}

/**
 * Renders a post's time with the viewer's clock: the viewer's time first, and the time in the post's zone if it differs.
 * Everyone reads only their own time, because Slack doesn't tell us whether it differs.
 */
export function renderPostTime(
  { instant, zone }: { instant: Date; zone: string | undefined },
  viewers: Viewers,
  now: Date,
): PostTime {
  const viewer = viewers === 'everyone' ? {} : viewers;
  const viewerZone = findZone(viewer.zone);
  const postZone = findZone(zone);
  const render = (shownZone: string | undefined) =>
    formatMomentParts({ instant, zone: shownZone ?? 'UTC' }, { now, locale: viewer.locale });
  const shown = render(viewerZone ?? postZone);
  const { day, weekday, clock, place } = shown;
  const zoneNote = renderZoneNote(shown, {
    isViewersZone: viewerZone !== undefined,
    original: viewerZone && postZone ? render(postZone) : shown,
  });
  const plain = `${day}, ${clock}${zoneNote}`;
  return {
    ...{ plain, day, weekday, clock, place, zoneNote },
    mrkdwn: viewers === 'everyone' ? renderMomentForReaders(instant, plain) : escapeText(plain),
  };
}

/** A reading in which "now" has become the earliest possible time. `isNow` marks it, because it changes every minute. */
export type PostTimeReading =
  | Exclude<MomentReading, { kind: 'now' }>
  | (Extract<MomentReading, { kind: 'understood' }> & { isNow: true });

/** A post can't be scheduled in the current minute, so "now" becomes the earliest possible time. */
export function scheduleNow(reading: MomentReading, now: Date): PostTimeReading {
  if (reading.kind !== 'now') return reading;
  return { kind: 'understood', ...earliestTime(reading.moment.zone, now), isNow: true };
}

/** The same for several moments. */
export function scheduleNowInList(reading: MomentsReading, now: Date): MomentsReading {
  const schedule = (each: NamedMoment) =>
    each.isNow ? { ...each, ...earliestTime(each.moment.zone, now) } : each;
  switch (reading.kind) {
    case 'understood': {
      const [first, ...others] = reading.moments;
      return { ...reading, moments: [schedule(first), ...others.map(schedule)] };
    }
    case 'ambiguous':
      return { ...reading, candidates: reading.candidates.map((list) => list.map(schedule)) };
    case 'faulty':
      return { ...reading, moments: reading.moments.map(schedule) };
    case 'not-understood':
      return reading;
  }
}

function earliestTime(zone: string, now: Date): Pick<NamedMoment, 'moment' | 'notes'> {
  return { moment: earliestMoment(zone, now), notes: ['The earliest possible time.'] };
}

const SIX_DAYS_MS = 6 * DAY_MS;

/** Renders a time for one line of facts as mrkdwn: "Tue 08:00", or "Tue 1 Dec, 08:00" if it is further away. */
export function renderShortTime(
  { instant, zone }: { instant: Date; zone: string | undefined },
  viewers: Viewers,
  now: Date,
): string {
  const time = renderPostTime({ instant, zone }, viewers, now);
  if (viewers === 'everyone') return time.mrkdwn;
  const isNear = Math.abs(instant.getTime() - now.getTime()) < SIX_DAYS_MS;
  return escapeText(`${isNear ? time.weekday : `${time.day},`} ${time.clock}`);
}

function findZone(zone: string | undefined): string | undefined {
  return zone !== undefined && isZone(zone) ? zone : undefined;
}

function renderZoneNote(
  { day, clock, place }: MomentParts,
  { isViewersZone, original }: { isViewersZone: boolean; original: MomentParts },
): string {
  if (original.day !== day) return ` (${original.day}, ${original.clock} ${original.place})`;
  if (original.clock !== clock) return ` (${original.clock} ${original.place})`;
  // The place has an offset if the clock shows this time twice.
  return isViewersZone && !place.includes(',') ? '' : ` (${place})`;
}

/** Renders an instant in a zone, or in UTC if the zone is missing or unknown. `locale` defaults to English. */
export function renderMoment(
  instant: Date,
  zone: string | undefined,
  now: Date,
  locale?: string | undefined,
): string {
  return formatMoment({ instant, zone: findZone(zone) ?? 'UTC' }, { now, locale });
}

/**
 * Renders an instant as mrkdwn that Slack shows in the zone of each reader, with its weekday and whose time it is.
 * `fallback`: plain text.
 */
export function renderMomentForReaders(instant: Date, fallback: string): string {
  return renderDateForReaders(instant, '{date_long}, {time} your time', escapeText(fallback));
}

/** Renders an instant in the actor's zone. Undefined if the clock shows the same there, or the zone isn't known. */
export function renderMomentInActorZone(
  instant: Date,
  zone: string,
  { zone: actorZone, locale, now }: Viewer & { now: Date },
): string | undefined {
  if (actorZone === undefined || !isZone(actorZone)) return undefined;
  const postText = renderMoment(instant, zone, now, locale);
  const actorText = renderMoment(instant, actorZone, now, locale);
  return removePlace(postText) === removePlace(actorText) ? undefined : actorText;
}

function removePlace(moment: string): string {
  return moment.endsWith(')') ? moment.slice(0, moment.lastIndexOf(' (')) : moment;
}

/** Moves an instant. `zone`: an IANA name. The 31st moves to the last day of a shorter month. */
export function shiftTime(
  instant: Date,
  zone: string,
  { months = 0, days = 0, minutes = 0 }: Partial<Shift>,
): Date {
  const clock = DateTime.fromMillis(wallClockAt(instant.getTime(), zone), { zone: 'utc' });
  const wall = clock.plus({ months, days }).toMillis();
  const [shifted = instantAfterGap(wall, zone)] =
    months === 0 && days === 0 ? [instant.getTime()] : instantsShowing(wall, zone);
  return new Date(shifted + minutes * MINUTE_MS);
}

type OrderedPost = Pick<Post, 'id' | 'scheduleDate'>;

/** Compares posts by time and then by id, so that every view has the same order. Those without a date come last. */
export function comparePosts(first: OrderedPost, second: OrderedPost): number {
  const [firstTime, secondTime] = [first, second].map(
    ({ scheduleDate }) => scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  if (firstTime !== secondTime) return Number(firstTime) - Number(secondTime);
  const [firstId = '', secondId = ''] = [first.id, second.id];
  if (firstId === secondId) return 0;
  return firstId < secondId ? -1 : 1;
}

type Planned = { post: OrderedPost };

/** Counts the other posts in the same minute. */
export function countAtSameTime(planned: Planned, posts: readonly Planned[]): number {
  const minute = getMinute(planned);
  if (minute === undefined) return 0;
  return posts.filter((other) => other.post !== planned.post && getMinute(other) === minute).length;
}

function getMinute({ post: { scheduleDate } }: Planned): number | undefined {
  return scheduleDate && Math.floor(scheduleDate.getTime() / MINUTE_MS);
}

/** Renders the note on the first of several posts in the same minute. No note if there is only this post. */
export function renderSameTimeNote(otherCount: number): string[] {
  return otherCount === 0 ? [] : [`+${otherCount} at the same time`];
}
