import type { KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import { context, plainSection, section } from '../../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../../slack/escape.ts';
import type { Page } from '../../../slack/list-pages.ts';
import type { Message } from '../../../slack/message.ts';
import {
  countText,
  describeFilter,
  EVERYTHING,
  isNarrowed,
  nounFor,
  type PostFilter,
} from '../filter/post-filter.ts';
import { groupTitle } from './arrange.ts';
import { listButtons } from './list-buttons.ts';
import { type Row, rowBlocks, rowText } from './post-row.ts';
import type { FoundPosts, ListedPost } from './read-list.ts';

/** Posts on a page. Each has two blocks with up to 700 characters; a message holds 50 blocks and about 10,000. */
export const PAGE_SIZE = 10;
const MAX_NAME_LENGTH = 100;
const MAX_FALLBACK_LENGTH = 1_000;

/** A page of posts, for rendering. */
interface PostPage {
  project: Project;
  filter: PostFilter;
  found: FoundPosts;
  page: Page<ListedPost>;
  /** The posts of the page. */
  rows: readonly Row[];
  reader: Reader;
}

type Blocks = Message & { blocks: KnownBlock[] };

export function postList(shown: PostPage): Blocks {
  const { found, filter, page, reader, project } = shown;
  const count = found.dated.length + found.undated.length;
  if (count === 0) return emptyList(shown);
  const title = `${titleText(found, filter)} of ${projectName(project)}${undatedDraftsText(found)}${page.where}`;
  const about = describeFilter(filter, reader).join(' · ');
  const seen = readerTime(shown);
  const lines = shown.rows.map(({ post }) => `${groupTitle(post, seen)}: ${rowText(post, seen)}`);
  return {
    text: escapeText(
      clip(
        `${[title, about].filter(Boolean).join(', ')}. ${lines.slice(0, 3).join('\n')}`,
        MAX_FALLBACK_LENGTH,
      ),
    ),
    blocks: [
      section(`*${escapeText(title)}*${about === '' ? '' : `\n${escapeText(about)}`}`),
      ...groupedBlocks(shown),
      ...notes(shown),
      listButtons(project, filter, page),
    ],
  };
}

function projectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** Counts the posts of the list, without the undated drafts that are shown with a week. */
function titleText({ dated, undated, isTruncated, undatedDrafts }: FoundPosts, filter: PostFilter): string {
  const count = dated.length + (undatedDrafts ? 0 : undated.length);
  return count === 0 ? `No ${nounFor(filter, 2)}` : countText(filter, count, isTruncated);
}

function undatedDraftsText({ undated, undatedDrafts }: FoundPosts): string {
  if (!undatedDrafts || undated.length === 0) return '';
  const drafts = nounFor({ ...EVERYTHING, statuses: ['DRAFT'] }, undated.length);
  return ` and ${undatedDrafts.isTruncated ? 'at least ' : ''}${undated.length} ${drafts} without a date`;
}

function readerTime({ filter, reader }: PostPage) {
  return { now: reader.now, zone: filter.zone ?? reader.zone, actorZone: reader.knownZone };
}

/** The posts of the page, under the title of their day. */
function groupedBlocks(shown: PostPage): KnownBlock[] {
  const seen = readerTime(shown);
  let before: string | undefined;
  return shown.rows.flatMap((row) => {
    const group = groupTitle(row.post, seen);
    const isNew = group !== before;
    before = group;
    // Posts without a date may continue on other pages, so their title has the total.
    const size = shown.found.undated.filter(({ post }) => groupTitle(post, seen) === group).length;
    const count = size > 0 ? ` (${size})` : '';
    return [...(isNew ? [section(`*${escapeText(group)}*${count}`)] : []), ...rowBlocks(row, seen)];
  });
}

function notes({ found, filter }: PostPage): KnownBlock[] {
  const { unreadable, isTruncated } = found;
  const texts = [
    ...(isTruncated
      ? [
          `The service has more than I read. These are among the first that it gave, in its own order, ${MAX_READ_POSTS} at most: *Filter* narrows them down.`,
        ]
      : []),
    ...(unreadable > 0 ? [`${unreadable} more could not be read.`] : []),
    ...(filter.mine ? ['Of what was sent from elsewhere I do not know by whom.'] : []),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}

/** Says that no post matches the filter, and what to do. */
function emptyList(shown: PostPage): Blocks {
  const { project, filter, reader, found } = shown;
  const about = describeFilter(filter, reader);
  const among = found.isTruncated ? ' among those that I read' : '';
  const which = about.length === 0 ? '' : `: ${about.join(' · ')}`;
  const line = `There are no ${nounFor(filter, 2)} of ${projectName(project)}${among}${which}.`;
  const more = isNarrowed(filter)
    ? 'Other days, another filter, or a new post?'
    : 'Type `/schedule-post`, or press the button, for the first one.';
  return {
    text: `${escapeText(line)} ${more}`,
    blocks: [plainSection(line), section(more), ...notes(shown), listButtons(project, filter, shown.page)],
  };
}
