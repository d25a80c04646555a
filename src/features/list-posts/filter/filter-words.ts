import { platformNames } from '../../../posts/platforms.ts';
import { MOST_READ } from '../../../posts/read-post-list.ts';
import { sayRange } from '../../../when/when.ts';
import type { PostFilter } from './post-filter.ts';

const STATUS_NAMES = { DRAFT: 'draft', SCHEDULED: 'scheduled post', PUBLISHED: 'published post' } as const;

/** What is counted: "drafts", "scheduled posts", "posts". */
export function nounFor({ statuses, undated }: PostFilter, count: number): string {
  const [only] = statuses.length === 1 ? statuses : [];
  const noun = undated ? STATUS_NAMES.DRAFT : only ? STATUS_NAMES[only] : 'post';
  return count === 1 ? noun : `${noun}s`;
}

/** "One draft", "12 posts", "More than 500 posts", "3 posts among those that I read". */
export function countWords(filter: PostFilter, count: number, isTruncated: boolean): string {
  const counted = `${count === 1 ? 'One' : count} ${nounFor(filter, count)}`;
  if (!isTruncated) return counted;
  return count >= MOST_READ
    ? `More than ${MOST_READ} ${nounFor(filter, count)}`
    : `${counted} among those that I read`;
}

/** What narrows the list down, in plain words: "Mon 16 Nov to Sun 22 Nov (Berlin)", "X and LinkedIn", "yours". */
export function narrowings(filter: PostFilter, reader: { now: Date; zone: string }): string[] {
  const { from, to, statuses, platforms, mine, undated } = filter;
  const days =
    from === undefined && to === undefined
      ? []
      : [
          sayRange(
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
    ...(undated ? ['without a date'] : []),
    ...(statuses.length > 1 ? [statuses.map((status) => status.toLowerCase()).join(' or ')] : []),
    ...(platforms.length > 0 ? [platformNames(platforms)] : []),
    ...(mine ? ['sent by you from here'] : []),
  ];
}
