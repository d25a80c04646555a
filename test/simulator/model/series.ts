import { BLACKOUT_DAYS } from '../cast.ts';
import type { CreatedPost, Deed } from '../history.ts';
import { isSameTime, placeToZone, readClock, readTimes } from './stated-times.ts';

/** The numbers of posts that repeat begin here, where nobody writes other posts. */
export const FIRST_SERIES = 500;

export const isSeriesToken = (token: string): boolean => Number(token.slice(2)) > FIRST_SERIES;

/** A rule as people read it: "weekdays at 17:00 (Berlin)". */
interface Rule {
  days: string;
  clock: string;
  zone: string;
}

/** What people want of a post that repeats, and what the service has of it. */
export interface SeriesWish {
  /** How often the service has the post for each time. */
  sent: Map<number, number>;
  /** The rules that somebody has saved. */
  rules: Rule[];
  /** Whether somebody has edited or moved one of its posts, which may then go out at any time. */
  isMoved: boolean;
  /** The versions that somebody approved, with the times that the request stated. */
  approvals: { version: string; saw: string }[];
  /** Since when people read that none of its posts goes out. */
  stoppedAt: number | undefined;
  releasedAt: number;
}

export function createSeriesWish(): SeriesWish {
  return {
    ...{ sent: new Map(), rules: [], isMoved: false, approvals: [] },
    ...{ stoppedAt: undefined, releasedAt: Number.NEGATIVE_INFINITY },
  };
}

/** A call that had begun when the series was stopped is sent within so long. */
const CALL_MS = 20_000;
const TRAVEL_MS = 60_000;
const FIRST_ATTEMPT_MS = 60_000;
const RULE = /(every day|weekdays|every Monday) at (\d+):(\d\d)(?: ([AP]M))? \(([^),]+)\)/u;
const STOPPED = /None of its posts goes out|so none of its posts goes out/u;
const VERSION = /§[a-z]\d+(?:\.\d+)?/gu;
/** Presses after which posts may go out again. */
const RELEASE = /resume|undo|take over|schedul|submit|again|approve|new time|move|restore/iu;

/** What somebody did with the series, or one of its posts. */
export function addSeriesDeed(wish: SeriesWish, { pressed = '', saw = '', at }: Deed & { at: number }): void {
  const [, days = '', hour = '', minute = '', half, place = ''] = RULE.exec(saw) ?? [];
  const hours = half ? (Number(hour) % 12) + (half === 'PM' ? 12 : 0) : Number(hour);
  const clock = `${String(hours).padStart(2, '0')}:${minute}`;
  const zone = placeToZone(place);
  if (pressed === 'submit') {
    const rule = zone === undefined ? undefined : { days, clock, zone };
    // The form and its confirmation show the same rule.
    const isKnown = wish.rules.some((known) => JSON.stringify(known) === JSON.stringify(rule));
    if (rule && !isKnown) wish.rules.push(rule);
    wish.isMoved ||= !rule;
  }
  if (pressed.startsWith('Approve'))
    for (const version of saw.match(VERSION) ?? []) wish.approvals.push({ version, saw });
  if (!RELEASE.test(pressed)) return;
  wish.stoppedAt = undefined;
  wish.releasedAt = at;
}

/** What somebody reads of the series. */
export function addSeriesText(wish: SeriesWish, { at, text }: { at: number; text: string }): void {
  if (STOPPED.test(text) && at > wish.releasedAt + TRAVEL_MS) wish.stoppedAt ??= at;
}

/** Each date goes out once, when the rule says so, with its own approval, and not after the series was stopped. */
export function addSeriesPost(
  wish: SeriesWish,
  { content, publishAt = 0, sentAt }: CreatedPost,
  {
    token,
    repeats,
    name,
    reviews,
  }: {
    token: string;
    repeats: number;
    /** The project's name. */
    name: string;
    /** Since when people know that a project's posts need an approval. */
    reviews: ReadonlyMap<string, number>;
  },
): string[] {
  const count = (wish.sent.get(publishAt) ?? 0) + 1;
  wish.sent.set(publishAt, count);
  const time = new Date(publishAt).toISOString();
  const [version = ''] = content.match(VERSION) ?? [];
  const reviewedSince = reviews.get(name) ?? Number.POSITIVE_INFINITY;
  const isApproved = wish.approvals.some(
    (each) => each.version === version && readTimes(each.saw).some((stated) => isSameTime(stated, publishAt)),
  );
  return [
    ...(count > 1 + repeats ? [`${token} is at the service ${count} times for ${time}`] : []),
    ...(wish.isMoved || wish.rules.some((rule) => isDateOf(rule, publishAt))
      ? []
      : [`${token} went out for ${time}, which isn’t a date of its rule`]),
    ...(!wish.isMoved &&
    wish.rules.length > 0 &&
    wish.rules.every((rule) => BLACKOUT_DAYS.includes(readClock(publishAt, rule.zone).day))
      ? [`${token} went out for ${time}, a blackout day`]
      : []),
    ...(sentAt > reviewedSince + FIRST_ATTEMPT_MS && !isApproved
      ? [`${version} went out for ${time} without an approval`]
      : []),
    ...(wish.stoppedAt !== undefined && sentAt > wish.stoppedAt + CALL_MS
      ? [`${token} went out for ${time}, although people read that none of its posts does`]
      : []),
  ];
}

/** Whether the clock of the rule's zone shows its time, on one of its days. */
export function isDateOf({ days, clock, zone }: Rule, at: number): boolean {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const weekday = get('weekday');
  const isDay =
    days === 'every day' ||
    (days === 'weekdays' && !weekday.startsWith('S')) ||
    (days === 'every Monday' && weekday === 'Mon');
  return isDay && clock === `${get('hour')}:${get('minute')}`;
}
