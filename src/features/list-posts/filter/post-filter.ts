import { z } from 'zod';
import { PLATFORMS, POST_STATUSES } from '../../../api/platforms.ts';
import { DAY_MS } from '../../../durations.ts';
import { readDays } from '../../../forms/list.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { HELD_STATUSES } from '../../../posts/post-status.ts';
import { shiftTime } from '../../../posts/post-time.ts';
import { UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { type Range, renderRange } from '../../../when/range.ts';
import { wallClockAt } from '../../../when/zones.ts';

/**
 * The statuses of a filter: those of the service's posts, those of posts that the service may not have yet, and those of
 * held posts.
 */
export const FILTER_STATUSES = [...POST_STATUSES, ...UNSENT_STATUSES, ...HELD_STATUSES] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** The statuses that a status includes: a held post is scheduled too, and a post that needs a decision has failed. */
const INCLUDED_STATUSES: Partial<Record<string, readonly FilterStatus[]>> = {
  SCHEDULED: ['HELD', 'REVIEW'],
  FAILED: ['DECISION'],
};

/** Adds the statuses of held posts that the statuses of a filter include. An empty list matches all posts but cancelled ones. */
export function includeHeldStatuses(statuses: readonly string[]): string[] {
  return statuses.flatMap((status) => [status, ...(INCLUDED_STATUSES[status] ?? [])]);
}

/** What a person calls posts of a status, before the noun. */
const ADJECTIVES: Partial<Record<FilterStatus, string>> = {
  HELD: 'editable',
  REVIEW: 'unreviewed',
  DECISION: 'undecided',
};

/** A filter for posts. An empty list of statuses or platforms matches all posts. */
const postFilter = z.object({
  statuses: z.array(z.enum(FILTER_STATUSES)),
  platforms: z.array(z.enum(PLATFORMS)),
  /** Only posts that the reader sent from Upnext. */
  isMineOnly: z.boolean().optional(),
  /** Only posts scheduled with Upnext by this colleague: a Slack id, or a name as typed. */
  author: z.string().optional(),
  /** Only posts whose text contains all these words. */
  search: z.string().optional(),
  /** Only drafts without a date. */
  isUndatedOnly: z.boolean().optional(),
  /** Of the drafts, only those with a date. */
  omitsUndatedDrafts: z.boolean().optional(),
  /** The first and the last instant of the days, both inclusive, in ms since the epoch. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** The zone of the days. Defaults to the reader's zone. */
  zone: z.string().optional(),
});
export type PostFilter = z.infer<typeof postFilter>;

/** The filter that matches all posts. */
export const MATCH_ALL: PostFilter = { statuses: [], platforms: [] };

/** Whether the filter excludes any posts. */
export function isNarrowed({ statuses, platforms, isMineOnly, isUndatedOnly, ...rest }: PostFilter): boolean {
  const values = [rest.author, rest.search, rest.from, rest.to];
  return (
    statuses.length + platforms.length > 0 ||
    isMineOnly === true ||
    isUndatedOnly === true ||
    values.some((value) => value !== undefined)
  );
}

/** The state of a list, which the list's buttons store. */
export const listState = z.object({
  project: z.string().optional(),
  page: z.number().int(),
  /** The text after the command, which replaces `filter` until it is parsed. */
  words: z.string().optional(),
  filter: postFilter.optional(),
});
export type ListState = z.infer<typeof listState>;

/** Returns the adjective of the posts in a list, with a space: "pending, uncertain or failed ", or "" for all posts. */
export function renderAdjective({ statuses }: Pick<PostFilter, 'statuses'>): string {
  const names = statuses
    .filter((status) => status !== 'DRAFT')
    .map((status) => ADJECTIVES[status] ?? status.toLowerCase());
  return names.length === 0 ? '' : `${names.join(', ').replace(/, (?=[^,]+$)/, ' or ')} `;
}

/** Returns the noun of the posts in a list: "posts", "drafts", or "posts or drafts". */
export function renderNoun({ statuses, isUndatedOnly }: PostFilter): string {
  if (isUndatedOnly || (statuses.includes('DRAFT') && statuses.length === 1)) return 'drafts';
  return statuses.includes('DRAFT') ? 'posts or drafts' : 'posts';
}

/**
 * Describes the restrictions except the status and the text, in plain text: " without a date on X and LinkedIn by @ben"
 * and "Mon 16 Nov to Sun 22 Nov (Berlin)". `authorName`: the name of an author who was chosen in the form.
 */
export function describeFilter(
  filter: PostFilter,
  reader: { now: Date; zone: string },
  authorName = 'a colleague',
): { restrictions: string; days: string } {
  const { from, to, platforms, isMineOnly, isUndatedOnly, author } = filter;
  const hasDatedOnly = filter.omitsUndatedDrafts && renderNoun(filter) === 'drafts';
  const range = readDays({ from, to }, filter.zone ?? reader.zone);
  const restrictions = [
    ...(isUndatedOnly ? ['without a date'] : []),
    ...(hasDatedOnly ? ['with a date'] : []),
    ...(platforms.length > 0 ? [`on ${renderPlatformNames(platforms)}`] : []),
    ...(isMineOnly ? ['by you'] : []),
    ...(author === undefined ? [] : [`by ${isSlackId(author) ? authorName : `@${author}`}`]),
  ];
  return {
    restrictions: restrictions.map((text) => ` ${text}`).join(''),
    days: from === undefined && to === undefined ? '' : renderRange(range, reader),
  };
}

/** Renders days in a sentence: " from Mon 16 Nov to Sun 22 Nov (Lisbon)", " on Sat 21 Nov (Lisbon)". */
export function renderDays(days: string): string {
  if (days === '' || /^(from|until) /.test(days)) return days && ` ${days}`;
  const preposition = / to [A-Z]/.test(days) ? 'from' : 'on';
  return ` ${preposition} ${days}`;
}

/** Renders what to try instead of a filter that matches no post. Mrkdwn. */
export function renderAdvice(filter: PostFilter): string {
  if (!isNarrowed(filter)) return 'Schedule the first one with `/schedule-post` or the button.';
  if (filter.search !== undefined) return 'Try other words, or look through all posts.';
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  if (!hasDays) return 'Try another filter, or look through all posts.';
  const { from: _from, to: _to, ...otherFilter } = filter;
  return isNarrowed(otherFilter) ? 'Try other days or another filter.' : 'Try other days.';
}

/** Whether the author of the filter is a Slack user id, chosen in the form, and not a typed name. */
export function isSlackId(author: string): boolean {
  return /^[UW][A-Z0-9]{2,}$/.test(author);
}

/** Counts the calendar days in a range. Undefined if the range doesn't start and end at midnight in its zone. */
export function countWholeDays({ from, to, zone }: Range): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const start = wallClockAt(from.getTime(), zone);
  const end = wallClockAt(to.getTime(), zone) + 1;
  const isWhole = start % DAY_MS === 0 && end % DAY_MS === 0;
  return isWhole ? (end - start) / DAY_MS : undefined;
}

const DAYS_PER_WEEK = 7;

/** Whether a filter is for seven whole days. */
export function isWholeWeek({ from, to, zone }: PostFilter): boolean {
  if (from === undefined || to === undefined || zone === undefined) return false;
  return countWholeDays({ from: new Date(from), to: new Date(to), zone }) === DAYS_PER_WEEK;
}

/**
 * Lists the middles of the days of a week. Empty for other filters, and for those that leave out posts, because a day
 * without listed posts may have others.
 */
export function listDaysOfWeek(filter: PostFilter): Date[] {
  const { from, to: _to, zone, ...others } = filter;
  if (!isWholeWeek(filter) || from === undefined || zone === undefined || isNarrowed(others)) return [];
  return Array.from({ length: DAYS_PER_WEEK }, (_, days) =>
    shiftTime(new Date(from), zone, { days, minutes: 12 * 60 }),
  );
}

/** Shifts a range of whole days by `days`; negative is earlier. Keeps the wall times when the clocks change. */
export function shiftDays({ from, to, zone }: Range, days: number): Range {
  const shift = (instant: number) => shiftTime(new Date(instant), zone, { days, minutes: 0 });
  return {
    zone,
    ...(from && { from: shift(from.getTime()) }),
    ...(to && { to: new Date(shift(to.getTime() + 1).getTime() - 1) }),
  };
}
