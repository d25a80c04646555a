import type { KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import {
  actions,
  clip,
  clipEscaped,
  context,
  escapeText,
  header,
  sanitizeLine,
  section,
} from '../../../slack/blocks.ts';
import { renderReadFailure } from '../../../slack/list-answers.ts';
import type { Page } from '../../../slack/list-pages.ts';
import type { Message } from '../../../slack/message.ts';
import {
  describeFilter,
  getNoun,
  isNarrowed,
  MATCH_ALL,
  type PostFilter,
  renderCount,
} from '../filter/post-filter.ts';
import { type ListViewer, renderGroupTitle } from './arrange.ts';
import { renderListButtons, renderStateButton } from './list-buttons.ts';
import { SUGGESTION_ACTION } from './list-questions.ts';
import type { ListedPost } from './listed-post.ts';
import { type Row, renderRow, renderRowText } from './post-row.ts';
import type { FoundPosts } from './read-list.ts';

/**
 * Maximum posts on a page. Each post has two blocks with up to 700 characters, and may have a heading. A message holds
 * 50 blocks and about 10,000 characters.
 */
export const PAGE_SIZE = 10;
const MAX_NAME_LENGTH = 60;
/** Maximum length of the text that Slack shows in notifications instead of the blocks. */
const MAX_FALLBACK_LENGTH = 1_000;

/** The data for rendering a page of posts. */
interface PageData {
  project: Project;
  filter: PostFilter;
  posts: FoundPosts;
  page: Page<ListedPost>;
  /** The posts of the page, with the data for rendering them. */
  rows: readonly Row[];
  reader: Reader;
  /** The corrected filter, if the words to search for may be typos. */
  suggestion?: string | undefined;
}

type MessageWithBlocks = Message & { blocks: KnownBlock[] };

export function renderPostList(data: PageData): MessageWithBlocks {
  const { posts, filter, page, reader, project } = data;
  const count = posts.dated.length + posts.undated.length;
  if (count === 0) return renderEmptyList(data);
  const title = `${renderPostCount(posts, filter)} of ${renderProjectName(project)}${renderUndatedDraftCount(posts)}${page.titleSuffix}`;
  const description = describeFilter(filter, reader).join(' · ');
  const lines = data.rows.map((row) => renderRowText(row, getViewer(data)));
  return {
    text: clipEscaped(
      `${[escapeText(title), description].filter(Boolean).join(', ')}. ${escapeText(lines.slice(0, 3).join('\n'))}`,
      MAX_FALLBACK_LENGTH,
    ),
    blocks: [
      header(title),
      ...(description === '' ? [] : [context(description)]),
      ...renderGroups(data),
      ...renderNotes(data),
      renderListButtons(project, filter, page, {
        hasUnsentPosts: data.rows.some(({ isUnsent }) => isUnsent),
      }),
    ],
  };
}

function renderProjectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/**
 * Renders the number of posts in the list: "12 posts". Doesn't count undated drafts, which a list for a week shows too.
 */
function renderPostCount(
  { dated, undated, isTruncated, undatedDrafts }: FoundPosts,
  filter: PostFilter,
): string {
  const count = dated.length + (undatedDrafts ? 0 : undated.length);
  return count === 0 ? `No ${getNoun(filter, 2)}` : renderCount(filter, count, isTruncated);
}

function renderUndatedDraftCount({ dated, undated, undatedDrafts }: FoundPosts): string {
  if (!undatedDrafts || undated.length === 0) return '';
  const drafts = getNoun({ ...MATCH_ALL, statuses: ['DRAFT'] }, undated.length);
  const joint = dated.length === 0 ? ', but' : ' and';
  return `${joint} ${undatedDrafts.isTruncated ? 'at least ' : ''}${undated.length} ${drafts} without a date`;
}

function getViewer({ filter, reader }: PageData): ListViewer {
  return { ...reader, zone: filter.zone ?? reader.zone };
}

/** Renders the posts of the page, grouped by day. */
function renderGroups(data: PageData): KnownBlock[] {
  const viewer = getViewer(data);
  let previousGroup: string | undefined;
  return data.rows.flatMap((row) => {
    const group = renderGroupTitle(row.post, viewer);
    const isNewGroup = group !== previousGroup;
    previousGroup = group;
    // A group of posts without a date may continue on other pages, so its title has the total.
    const undatedPosts = data.posts.undated.filter(({ post }) => renderGroupTitle(post, viewer) === group);
    const countText = undatedPosts.length > 0 ? ` (${undatedPosts.length})` : '';
    return [
      ...(isNewGroup ? [section(`*${escapeText(group)}*${countText}`)] : []),
      ...renderRow(row, viewer),
    ];
  });
}

function renderNotes({ posts, filter }: PageData): KnownBlock[] {
  const { unreadableCount, isTruncated, failure } = posts;
  const notes = [
    ...(failure ? [`I couldn’t load the posts, so there may be more. ${renderReadFailure(failure)}`] : []),
    ...(posts.isWithoutUnsentOfOthers
      ? ['Other people’s posts are included once the service has them.']
      : []),
    ...(isTruncated
      ? [
          `The service has more posts than I can read, so I show some of the first ${MAX_READ_POSTS}. Narrow them down with *Filter*.`,
        ]
      : []),
    ...(unreadableCount > 0 ? [`${unreadableCount} more couldn’t be read.`] : []),
    ...(filter.isMineOnly || filter.author !== undefined
      ? ['Posts made outside Slack aren’t included.']
      : []),
  ];
  return notes.length === 0 ? [] : [context(...notes)];
}

/** Renders a message that no post matches the filter, with a suggestion. */
function renderEmptyList(data: PageData): MessageWithBlocks {
  const { project, filter, reader, posts } = data;
  const restrictions = describeFilter(filter, reader);
  const truncationText = posts.isTruncated ? ' among those I can read' : '';
  const restrictionText = restrictions.length === 0 ? '' : `: ${restrictions.join(' · ')}`;
  const name = renderProjectName(project);
  const line = `There are no ${getNoun(filter, 2)} in ${escapeText(name)}${truncationText}${restrictionText}.`;
  const advice = isNarrowed(filter)
    ? 'Try other days, another filter or a new post.'
    : 'Schedule the first one with `/schedule-post` or the button.';
  return {
    text: `${line} ${advice}`,
    blocks: [
      section(line),
      section(advice),
      ...renderSuggestion(data),
      ...renderNotes(data),
      renderListButtons(project, filter, data.page),
    ],
  };
}

/** Renders a button that shows the list for the corrected filter. */
function renderSuggestion({ project, suggestion }: PageData): KnownBlock[] {
  if (suggestion === undefined) return [];
  const state = { project: project.id, words: suggestion, page: 0 };
  const buttons = renderStateButton(`Show “${suggestion}”`, SUGGESTION_ACTION, state);
  return buttons.length === 0 ? [] : [actions(...buttons)];
}
