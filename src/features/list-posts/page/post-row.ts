import type { KnownBlock, Overflow } from '@slack/types';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { storePostCopies, toPostCopy } from '../../../forms/post-copies.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMoment, renderMomentInActorZone, toExcerpt } from '../../../posts/render-post.ts';
import { context, option, plain, plainSection } from '../../../slack/blocks.ts';
import { clip, sanitizeLine } from '../../../slack/escape.ts';
import { fetchDisplayName } from '../../../slack/fetch-display-name.ts';
import { groupTitle, stripDay } from './arrange.ts';
import type { ListedPost } from './read-list.ts';

export const ROW = 'list-posts.row';

/** Options of a row's menu. The value is the option, a colon, and the opaque id of the stored post. */
export const OPEN = 'open';
export const AGAIN = 'again';

/** Texts may be long, and a page has several, so only their start is processed. */
const MAX_EXCERPT_SOURCE_LENGTH = 400;
const MAX_NAME_LENGTH = 60;
const MAX_PLATFORMS_LENGTH = 120;

/** A post on a page. */
export interface Row extends ListedPost {
  /** The opaque id of the stored post. */
  copy: string;
  /** The author's name, if the post was sent from Upnext. */
  by?: string | undefined;
}

interface ReaderTime {
  now: Date;
  /** The zone whose days group the list. */
  zone: string;
  /** The reader's zone, if known. */
  actorZone: string | undefined;
}

/** A post: its time, an excerpt and its most important fields. */
export function rowBlocks(row: Row, readerTime: ReaderTime): KnownBlock[] {
  const { post } = row;
  const menu: Overflow = {
    type: 'overflow',
    action_id: ROW,
    options: [option('Open', `${OPEN}:${row.copy}`), option(copyButtonText(post), `${AGAIN}:${row.copy}`)],
  };
  return [
    { ...plainSection(rowText(post, readerTime)), accessory: menu },
    context(plain(detailsText(row, readerTime))),
  ];
}

export function copyButtonText({ status }: Pick<Post, 'status'>): string {
  return status?.toUpperCase() === 'DRAFT' ? 'Schedule a copy' : 'Schedule again';
}

/** "09:00 (Berlin)" and an excerpt. Includes the day if it is another day in the post's own zone. */
export function rowText(post: Post, readerTime: ReaderTime): string {
  const day = groupTitle(post, readerTime);
  const moment = post.scheduleDate && renderMoment(post.scheduleDate, post.timezone, readerTime.now);
  const words = excerptText(post);
  return moment === undefined ? words : `${stripDay(day, moment)}\n${words}`;
}

/** An excerpt of the text on one line, or what the post has in its place. */
export function excerptText({ content, templateId, promptId, media, unread = [] }: Post): string {
  const words = toExcerpt(sanitizeLine((content ?? '').slice(0, MAX_EXCERPT_SOURCE_LENGTH)));
  if (words !== '') return words;
  if (unread.includes('Content')) return 'A text that I cannot read';
  if (templateId !== undefined)
    return `No text, but the template ${clip(sanitizeLine(templateId), MAX_NAME_LENGTH)}`;
  if (promptId !== undefined)
    return `No text, but the prompt ${clip(sanitizeLine(promptId), MAX_NAME_LENGTH)}`;
  return media === undefined ? 'No text' : 'No text, but media';
}

/** Status, platforms and other known fields, on one line. */
export function detailsText(row: Row, readerTime: ReaderTime): string {
  const { post, by, copied } = row;
  const day = groupTitle(post, readerTime);
  const own =
    post.scheduleDate &&
    renderMomentInActorZone(post.scheduleDate, post.timezone ?? 'UTC', readerTime.actorZone, readerTime.now);
  const platforms = clip(renderPlatformNames(post.platforms), MAX_PLATFORMS_LENGTH);
  return [
    statusText(post.status),
    ...(copied ? [copiedText(copied, readerTime.now)] : []),
    platforms === '' ? (post.unread?.includes('Platforms') ? '' : 'No platform yet') : platforms,
    own === undefined ? '' : `Your time: ${stripDay(day, own)}`,
    by === undefined ? '' : `by ${clip(sanitizeLine(by), MAX_NAME_LENGTH)}`,
    post.unread === undefined ? '' : `Not readable: ${post.unread.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

export function statusText(status: string | undefined): string {
  switch (status?.toUpperCase()) {
    case 'PUBLISHED':
      return '✓ Published';
    case 'SCHEDULED':
      return 'Scheduled';
    case 'DRAFT':
      return 'Draft';
    default:
      return status === undefined ? 'No status' : clip(sanitizeLine(status), MAX_NAME_LENGTH);
  }
}

/** Describes the copy of a draft. */
export function copiedText({ scheduledAt, zone }: NonNullable<ListedPost['copied']>, now: Date): string {
  return scheduledAt === undefined
    ? 'copied as another draft'
    : `scheduled as ${renderMoment(scheduledAt, zone, now)}`;
}

/** Adds the authors' names, and stores a copy of each post, so that a press can show it without the service. */
export async function createRows(
  call: Call,
  project: Project,
  listed: readonly ListedPost[],
): Promise<readonly Row[]> {
  const names = await findAuthorNames(call, listed);
  const named = listed.map((one) => ({ ...one, by: names.get(one.author ?? '') }));
  const copies = await storePostCopies(
    call,
    named.map((one) => toPostCopy(project, one)),
  );
  return named.map((one, index) => ({ ...one, copy: copies[index] ?? '' }));
}

async function findAuthorNames(
  call: Call,
  listed: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(listed.flatMap(({ author }) => author ?? []))];
  const named = await Promise.all(
    people.map(async (user) => {
      const name = user === call.actor.user ? 'you' : await fetchDisplayName(call, user);
      return [user, name ?? 'somebody'] as const;
    }),
  );
  return new Map(named);
}
