import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { ListState } from '../../forms/record-list.ts';
import { renderCount } from '../../posts/post-count.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeFormatting,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons, paginate, renderTruncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { type ListedSource, MASK, searchSources } from './listed-source.ts';

export const EDIT_ACTION = 'sources.edit';
export const LIST_ACTION = 'sources.list';
export const PREVIOUS_ACTION = 'sources.previous';
export const NEXT_ACTION = 'sources.next';
export const PROJECT_ACTION = 'sources.project';

export const SOURCE_EXPLANATION =
  'A source is where the service finds material for posts, such as a blog or a calendar.';

/** Maximum sources on a page. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;

interface SourceRecords {
  items: readonly ListedSource[];
  unreadableCount: number;
  isTruncated: boolean;
}

/** Renders one page of the list. Values may be secrets, so the list shows the same mask for every value. */
export function renderSourceList(
  project: Project,
  { items, unreadableCount, isTruncated }: SourceRecords,
  state: ListState,
): Message {
  const projectName = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const matches = searchSources(items, state.words);
  const unreadNotes = [
    ...(unreadableCount > 0 ? [context(`${unreadableCount} more couldn’t be read.`)] : []),
    ...(isTruncated ? [context(renderTruncationNotice(items.length + unreadableCount, 'sources'))] : []),
  ];
  if (matches.length === 0)
    return renderEmptyList(projectName, { totalCount: items.length, unreadNotes, isTruncated }, state);
  const page = paginate(matches, state.page, PAGE_SIZE);
  const filterText = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  const title = `${projectName}: ${renderCount(matches.length, 'source')}${filterText}${page.titleSuffix}`;
  const pageButtons = buildPageButtons(
    page,
    { previous: PREVIOUS_ACTION, next: NEXT_ACTION },
    (pageNumber) => ({
      ...state,
      page: pageNumber,
    }),
  );
  return {
    text: escapeText(`${title}\n${page.items.map((source) => source.name).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.map((source) => renderSource(project, source)),
      ...unreadNotes,
      ...(pageButtons.length > 0 ? [actions(...pageButtons)] : []),
    ],
  };
}

function renderSource(project: Project, { id, name, description = '', value }: ListedSource): KnownBlock {
  const editState = encodeButtonState({ project: project.id, source: id });
  const excerpt = clip(sanitizeLine(description), MAX_EXCERPT_LENGTH);
  const lines = [
    `*${escapeFormatting(name)}*`,
    ...(excerpt === '' || excerpt === name ? [] : [escapeFormatting(excerpt)]),
    `Value: ${value === undefined ? 'none' : MASK}`,
  ];
  return {
    ...section(lines.join('\n')),
    ...(editState !== undefined && { accessory: button('Edit', EDIT_ACTION, editState) }),
  };
}

/** Renders a list without sources, either because there are none or because none matches the query. */
function renderEmptyList(
  projectName: string,
  {
    totalCount,
    unreadNotes,
    isTruncated,
  }: { totalCount: number; unreadNotes: readonly KnownBlock[]; isTruncated: boolean },
  state: ListState,
): Message {
  if (totalCount === 0) {
    const line = `${projectName} has no sources${unreadNotes.length > 0 ? ' that I can read' : ' yet'}.`;
    const hint = 'Create them in the scheduling service, and they’ll show up here.';
    return {
      text: `${escapeText(line)} ${hint}`,
      blocks: [plainSection(line), ...unreadNotes, section(hint), context(SOURCE_EXPLANATION)],
    };
  }
  const truncationText = isTruncated ? ', among those I can read' : '';
  const line = `No ${projectName} source matches “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”${truncationText}.`;
  const value = encodeButtonState({ ...state, words: '', page: 0 });
  const showLabel = totalCount === 1 ? 'Show it' : `Show ${isTruncated ? 'the first' : 'all'} ${totalCount}`;
  return {
    text: escapeText(line),
    blocks: [
      plainSection(line),
      ...unreadNotes,
      ...(value === undefined ? [] : [actions(button(showLabel, LIST_ACTION, value))]),
    ],
  };
}
