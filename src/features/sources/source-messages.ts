import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { ListState } from '../../forms/record-list.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { pageButtons, paginate, truncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { encodeButtonState } from '../../slack/view-values.ts';
import { MASK, type SeenSource, sourcesWith } from './seen-source.ts';
import { PUT_BACK, PUT_BACK_LABEL } from './source-submission.ts';

export const EDIT = 'sources.edit';
export const LIST = 'sources.list';
export const PREVIOUS = 'sources.previous';
export const NEXT = 'sources.next';
export const PROJECT = 'sources.project';

const LISTED = 8;
const NAME = 100;
const EXCERPT = 200;

interface Listed {
  items: readonly SeenSource[];
  unreadable: number;
  isTruncated: boolean;
  /** What the person has changed and can still put back: source id → id of the submission. */
  back: ReadonlyMap<string, string>;
}

/** One page; a value may be a secret, so all of them are masked, to the same length. */
export function sourceList(
  project: Project,
  { items, unreadable, isTruncated, back }: Listed,
  state: ListState,
): Message {
  const name = clip(sanitizeLine(project.name), NAME);
  const found = sourcesWith(items, state.words);
  const unread = [
    ...(unreadable > 0 ? [context(`${unreadable} more could not be read.`)] : []),
    ...(isTruncated ? [context(truncationNotice(items.length + unreadable, 'sources'))] : []),
  ];
  if (found.length === 0) return empty(name, { all: items.length, unread, isTruncated }, state);
  const page = paginate(found, state.page, LISTED);
  const count = found.length === 1 ? 'One source' : `${found.length} sources`;
  const said = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), NAME)}”`;
  const title = `${count} of ${name}${page.where}${said}`;
  const turned = pageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  return {
    text: escapeText(`${title}: ${page.items.map((source) => source.name).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.flatMap((source) => entry(project, source, back.get(source.id))),
      ...unread,
      ...(turned.length > 0 ? [actions(...turned)] : []),
    ],
  };
}

function entry(
  project: Project,
  { id, name, description = '', value }: SeenSource,
  changed: string | undefined,
): KnownBlock[] {
  const edit = encodeButtonState({ project: project.id, source: id });
  const more = clip(sanitizeLine(description), EXCERPT);
  const lines = [
    name,
    ...(more === '' || more === name ? [] : [more]),
    `Value: ${value === undefined ? 'none' : MASK}`,
  ];
  return [
    {
      ...plainSection(lines.join('\n')),
      ...(edit !== undefined && { accessory: button('Edit', EDIT, edit) }),
    },
    ...(changed === undefined ? [] : [actions(button(PUT_BACK_LABEL, PUT_BACK, changed))]),
  ];
}

function empty(
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
  const line = `${none} holds “${clip(sanitizeLine(state.words), NAME)}”.`;
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
