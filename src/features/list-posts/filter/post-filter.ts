import { z } from 'zod';
import { PLATFORMS, POST_STATUSES } from '../../../api/platforms.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import { escapeText } from '../../../slack/blocks.ts';
import { UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { renderRange } from '../../../when/when.ts';

/** The statuses of a filter: those of the service's posts, and those of posts that the service may not have yet. */
export const FILTER_STATUSES = [...POST_STATUSES, ...UNSENT_STATUSES] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

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
  /** Typed text that hasn't been parsed yet. Replaces `filter`. */
  words: z.string().optional(),
  filter: postFilter.optional(),
});
export type ListState = z.infer<typeof listState>;

const STATUS_NAMES = {
  DRAFT: 'draft',
  SCHEDULED: 'scheduled post',
  PUBLISHED: 'published post',
  PENDING: 'pending post',
  UNCERTAIN: 'uncertain post',
  FAILED: 'failed post',
} as const;

/** Returns the noun for a number of posts: "drafts", "scheduled posts", "posts". */
export function getNoun({ statuses, isUndatedOnly }: PostFilter, count: number): string {
  const [onlyStatus] = statuses.length === 1 ? statuses : [];
  const noun = isUndatedOnly ? STATUS_NAMES.DRAFT : onlyStatus ? STATUS_NAMES[onlyStatus] : 'post';
  return count === 1 ? noun : `${noun}s`;
}

/** Renders a count: "One draft", "12 posts", "More than 500 posts", "3 posts among those that I read". */
export function renderCount(filter: PostFilter, count: number, isTruncated: boolean): string {
  const countedNoun = `${count === 1 ? 'One' : count} ${getNoun(filter, count)}`;
  if (!isTruncated) return countedNoun;
  return count >= MAX_READ_POSTS
    ? `More than ${MAX_READ_POSTS} ${getNoun(filter, count)}`
    : `${countedNoun} among those I can read`;
}

/** Describes each restriction, as mrkdwn: "Mon 16 Nov to Sun 22 Nov (Berlin)", "X and LinkedIn". */
export function describeFilter(filter: PostFilter, reader: { now: Date; zone: string }): string[] {
  const { from, to, statuses, platforms, isMineOnly, isUndatedOnly, author, search } = filter;
  const days =
    from === undefined && to === undefined
      ? []
      : [
          renderRange(
            {
              zone: filter.zone ?? reader.zone,
              ...(from !== undefined && { from: new Date(from) }),
              ...(to !== undefined && { to: new Date(to) }),
            },
            reader,
          ),
        ];
  return [
    ...days,
    ...(isUndatedOnly ? ['without a date'] : []),
    ...(statuses.length > 1 ? [statuses.map((status) => status.toLowerCase()).join(' or ')] : []),
    ...(platforms.length > 0 ? [renderPlatformNames(platforms)] : []),
    ...(search === undefined ? [] : [`containing “${escapeText(search)}”`]),
    ...(isMineOnly ? ['scheduled by you'] : []),
    ...(author === undefined ? [] : [`scheduled by ${renderAuthor(author)}`]),
  ];
}

function renderAuthor(author: string): string {
  return isSlackId(author) ? `<@${author}>` : escapeText(`@${author}`);
}

/** Whether the author of the filter is a Slack user id, chosen in the form, and not a typed name. */
export function isSlackId(author: string): boolean {
  return /^[UW][A-Z0-9]{2,}$/.test(author);
}
