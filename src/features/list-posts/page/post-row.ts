import type { KnownBlock, Overflow } from '@slack/types';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Call } from '../../../app/call.ts';
import { storePostCopies, toPostCopy } from '../../../forms/post-copies.ts';
import { momentInReaderZone, momentText } from '../../../posts/moment-words.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { excerpt } from '../../../posts/post-card.ts';
import { context, option, plain, quoted } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { sanitizeLine } from '../../../slack/escape.ts';
import { fetchDisplayName } from '../../../slack/person-name.ts';
import { groupOf, under } from './arrange.ts';
import type { Listed } from './read-list.ts';

export const ROW = 'list-posts.row';

/** What the menu of a row does, before the colon; behind it is the opaque id of what the row shows. */
export const OPEN = 'open';
export const AGAIN = 'again';

/** A text may be long, and there are hundreds of them. */
const LOOKED_AT = 400;
const NAME = 60;
const PLATFORMS = 120;

/** One post on a page. */
export interface Row extends Listed {
  /** The opaque id of what is kept of it. */
  copy: string;
  /** The name of who sent it from here. */
  by?: string | undefined;
}

interface Seen {
  now: Date;
  /** Whose days the list is grouped by. */
  zone: string;
  /** Of who reads, where it is known. */
  readerZone: string | undefined;
}

/** A post: when, how it begins, and what else there is to know at a glance. */
export function rowBlocks(row: Row, seen: Seen): KnownBlock[] {
  const { post } = row;
  const menu: Overflow = {
    type: 'overflow',
    action_id: ROW,
    options: [option('Open', `${OPEN}:${row.copy}`), option(againWords(post), `${AGAIN}:${row.copy}`)],
  };
  return [{ ...quoted(rowWords(post, seen)), accessory: menu }, context(plain(aboutWords(row, seen)))];
}

export function againWords({ status }: Pick<Post, 'status'>): string {
  return status?.toUpperCase() === 'DRAFT' ? 'Schedule a copy' : 'Schedule again';
}

/** "09:00 (Berlin)" and the first words; the day too, where it is another one in the post's own zone. */
export function rowWords(post: Post, seen: Seen): string {
  const day = groupOf(post, seen);
  const moment = post.scheduleDate && momentText(post.scheduleDate, post.timezone, seen.now);
  const words = firstWords(post);
  return moment === undefined ? words : `${under(day, moment)}\n${words}`;
}

/** The beginning of a text that may be anything, on one line. */
export function firstWords({ content, templateId, promptId, media, unread = [] }: Post): string {
  const words = excerpt(sanitizeLine((content ?? '').slice(0, LOOKED_AT)));
  if (words !== '') return words;
  if (unread.includes('Content')) return 'A text that I cannot read';
  if (templateId !== undefined) return `No text, but the template ${clip(sanitizeLine(templateId), NAME)}`;
  if (promptId !== undefined) return `No text, but the prompt ${clip(sanitizeLine(promptId), NAME)}`;
  return media === undefined ? 'No text' : 'No text, but media';
}

/** Its state, its platforms and whatever else is known, on one line. */
export function aboutWords(row: Row, seen: Seen): string {
  const { post, by, copied } = row;
  const day = groupOf(post, seen);
  const own =
    post.scheduleDate &&
    momentInReaderZone(post.scheduleDate, post.timezone ?? 'UTC', seen.readerZone, seen.now);
  const platforms = clip(platformNames(post.platforms), PLATFORMS);
  return [
    statusWords(post.status),
    ...(copied ? [copiedWords(copied, seen.now)] : []),
    platforms === '' ? (post.unread?.includes('Platforms') ? '' : 'No platform yet') : platforms,
    own === undefined ? '' : `Your time: ${under(day, own)}`,
    by === undefined ? '' : `by ${clip(sanitizeLine(by), NAME)}`,
    post.unread === undefined ? '' : `Not readable: ${post.unread.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

export function statusWords(status: string | undefined): string {
  switch (status?.toUpperCase()) {
    case 'PUBLISHED':
      return '✓ Published';
    case 'SCHEDULED':
      return 'Scheduled';
    case 'DRAFT':
      return 'Draft';
    default:
      return status === undefined ? 'No status' : clip(sanitizeLine(status), NAME);
  }
}

/** What became of a draft. */
export function copiedWords({ scheduledAt, zone }: NonNullable<Listed['copied']>, now: Date): string {
  return scheduledAt === undefined
    ? 'copied as another draft'
    : `scheduled as ${momentText(scheduledAt, zone, now)}`;
}

/** The posts of a page with the names of who sent them; what is shown is kept, so that a press needs no service. */
export async function rowsOf(
  call: Call,
  project: Project,
  listed: readonly Listed[],
): Promise<readonly Row[]> {
  const names = await namesOf(call, listed);
  const seen = listed.map((one) => ({ ...one, by: names.get(one.author ?? '') }));
  const copies = await storePostCopies(
    call,
    seen.map((one) => toPostCopy(project, one)),
  );
  return seen.map((one, index) => ({ ...one, copy: copies[index] ?? '' }));
}

async function namesOf(call: Call, listed: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
  const people = [...new Set(listed.flatMap(({ author }) => author ?? []))];
  const named = await Promise.all(
    people.map(async (user) => {
      const name = user === call.who.user ? 'you' : await fetchDisplayName(call, user);
      return [user, name ?? 'somebody'] as const;
    }),
  );
  return new Map(named);
}
