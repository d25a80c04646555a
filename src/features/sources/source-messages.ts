import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { ListState } from '../../forms/record-list.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { buildPageButtons, paginate, renderTruncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { MASK, type SeenSource, searchSources } from './seen-source.ts';
import { PUT_BACK, PUT_BACK_LABEL } from './source-submission.ts';

export const EDIT = 'sources.edit';
export const LIST = 'sources.list';
export const PREVIOUS = 'sources.previous';
export const NEXT = 'sources.next';
export const PROJECT = 'sources.project';

const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;

interface Listed {
  items: readonly SeenSource[];
  unreadable: number;
  isTruncated: boolean;
  /** The sources whose old values the person can put back: source id → id of the submission. */
  back: ReadonlyMap<string, string>;
}

/** One page of the list. Values may be secrets, so all are shown as the same mask. */
export function sourceList(
  project: Project,
  { items, unreadable, isTruncated, back }: Listed,
  state: ListState,
): Message {
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const found = searchSources(items, state.words);
  const unread = [
    ...(unreadable > 0 ? [context(`${unreadable} more could not be read.`)] : []),
    ...(isTruncated ? [context(renderTruncationNotice(items.length + unreadable, 'sources'))] : []),
  ];
  if (found.length === 0) return emptyMessage(name, { all: items.length, unread, isTruncated }, state);
  const page = paginate(found, state.page, PAGE_SIZE);
  const count = found.length === 1 ? 'One source' : `${found.length} sources`;
  const filter = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  const title = `${count} of ${name}${page.titleSuffix}${filter}`;
  const pageElements = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  return {
    text: escapeText(`${title}: ${page.items.map((source) => source.name).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.flatMap((source) => sourceBlocks(project, source, back.get(source.id))),
      ...unread,
      ...(pageElements.length > 0 ? [actions(...pageElements)] : []),
    ],
  };
}

/** `submission`: the id of the submission whose old values can be put back. */
function sourceBlocks(
  project: Project,
  { id, name, description = '', value }: SeenSource,
  submission: string | undefined,
): KnownBlock[] {
  const edit = encodeButtonState({ project: project.id, source: id });
  const excerpt = clip(sanitizeLine(description), MAX_EXCERPT_LENGTH);
  const lines = [
    name,
    ...(excerpt === '' || excerpt === name ? [] : [excerpt]),
    `Value: ${value === undefined ? 'none' : MASK}`,
  ];
  return [
    {
      ...plainSection(lines.join('\n')),
      ...(edit !== undefined && { accessory: button('Edit', EDIT, edit) }),
    },
    ...(submission === undefined ? [] : [actions(button(PUT_BACK_LABEL, PUT_BACK, submission))]),
  ];
}

function emptyMessage(
  name: string,
  { all, unread, isTruncated }: { all: number; unread: readonly KnownBlock[]; isTruncated: boolean },
  state: ListState,
): Message {
  if (all === 0) {
    const line = `${name} has no sources${unread.length > 0 ? ' that I can read' : ' yet'}.`;
    const more = 'They are made in the scheduling service, and show up here.';
    return { text: `${escapeText(line)} ${more}`, blocks: [plainSection(line), ...unread, section(more)] };
  }
  const none = isTruncated ? `None of the sources of ${name} that I read` : `No source of ${name}`;
  const line = `${none} holds “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”.`;
  const value = encodeButtonState({ ...state, words: '', page: 0 });
  const show = all === 1 ? 'Show it' : `Show ${isTruncated ? 'the first' : 'all'} ${all}`;
  return {
    text: escapeText(line),
    blocks: [
      plainSection(line),
      ...unread,
      ...(value === undefined ? [] : [actions(button(show, LIST, value))]),
    ],
  };
}
