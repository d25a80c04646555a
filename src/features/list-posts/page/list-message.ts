import type { KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import type { Reader } from '../../../forms/reader.ts';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import { context, quoted, section } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../../slack/escape.ts';
import type { Page } from '../../../slack/list-pages.ts';
import type { Message } from '../../../slack/message.ts';
import {
  countWords,
  EVERYTHING,
  isNarrowed,
  narrowings,
  nounFor,
  type PostFilter,
} from '../filter/post-filter.ts';
import { groupOf } from './arrange.ts';
import { listButtons } from './list-buttons.ts';
import { type Row, rowBlocks, rowWords } from './post-row.ts';
import type { Found, Listed } from './read-list.ts';

/** Each is two blocks of up to 700 characters: a message holds 50 blocks and about 10,000 characters. */
export const LISTED = 10;
const NAME = 100;
const TEXT = 1_000;

/** Everything that a page of posts is drawn from. */
interface Shown {
  project: Project;
  filter: PostFilter;
  found: Found;
  page: Page<Listed>;
  /** The posts of the page. */
  rows: readonly Row[];
  reader: Reader;
}

type Blocks = Message & { blocks: KnownBlock[] };

export function postList(shown: Shown): Blocks {
  const { found, filter, page, reader, project } = shown;
  const count = found.dated.length + found.undated.length;
  if (count === 0) return emptyList(shown);
  const title = `${titleOf(found, filter)} of ${nameOf(project)}${besideWords(found)}${page.where}`;
  const about = narrowings(filter, reader).join(' · ');
  const seen = seenBy(shown);
  const lines = shown.rows.map(({ post }) => `${groupOf(post, seen)}: ${rowWords(post, seen)}`);
  return {
    text: escapeText(
      clip(`${[title, about].filter(Boolean).join(', ')}. ${lines.slice(0, 3).join('\n')}`, TEXT),
    ),
    blocks: [
      section(`*${escapeText(title)}*${about === '' ? '' : `\n${escapeText(about)}`}`),
      ...grouped(shown),
      ...notes(shown),
      listButtons(project, filter, page),
    ],
  };
}

function nameOf({ name }: Project): string {
  return clip(sanitizeLine(name), NAME);
}

/** What is counted without the drafts that stand beside a week. */
function titleOf({ dated, undated, isTruncated, beside }: Found, filter: PostFilter): string {
  const count = dated.length + (beside ? 0 : undated.length);
  return count === 0 ? `No ${nounFor(filter, 2)}` : countWords(filter, count, isTruncated);
}

function besideWords({ undated, beside }: Found): string {
  if (!beside || undated.length === 0) return '';
  const drafts = nounFor({ ...EVERYTHING, statuses: ['DRAFT'] }, undated.length);
  return ` and ${beside.isTruncated ? 'at least ' : ''}${undated.length} ${drafts} without a date`;
}

function seenBy({ filter, reader }: Shown) {
  return { now: reader.now, zone: filter.zone ?? reader.zone, readerZone: reader.known };
}

/** A day, and what goes out on it. */
function grouped(shown: Shown): KnownBlock[] {
  const seen = seenBy(shown);
  let before: string | undefined;
  return shown.rows.flatMap((row) => {
    const group = groupOf(row.post, seen);
    const isNew = group !== before;
    before = group;
    // They may go on over many pages.
    const size = shown.found.undated.filter(({ post }) => groupOf(post, seen) === group).length;
    const count = size > 0 ? ` (${size})` : '';
    return [...(isNew ? [section(`*${escapeText(group)}*${count}`)] : []), ...rowBlocks(row, seen)];
  });
}

function notes({ found, filter }: Shown): KnownBlock[] {
  const { unreadable, isTruncated } = found;
  const said = [
    ...(isTruncated
      ? [
          `The service has more than I read. These are among the first that it gave, in its own order, ${MAX_READ_POSTS} at most: *Filter* narrows them down.`,
        ]
      : []),
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(filter.mine ? ['Of what was sent from elsewhere I do not know by whom.'] : []),
  ];
  return said.length === 0 ? [] : [context(...said)];
}

/** Nothing fits: what was looked for, and what to do. */
function emptyList(shown: Shown): Blocks {
  const { project, filter, reader, found } = shown;
  const about = narrowings(filter, reader);
  const among = found.isTruncated ? ' among those that I read' : '';
  const which = about.length === 0 ? '' : `: ${about.join(' · ')}`;
  const line = `There are no ${nounFor(filter, 2)} of ${nameOf(project)}${among}${which}.`;
  const more = isNarrowed(filter)
    ? 'Other days, another filter, or a new post?'
    : 'Type `/schedule-post`, or press the button, for the first one.';
  return {
    text: `${escapeText(line)} ${more}`,
    blocks: [quoted(line), section(more), ...notes(shown), listButtons(project, filter, shown.page)],
  };
}
