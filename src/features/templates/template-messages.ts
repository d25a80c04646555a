import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Template } from '../../api/templates.ts';
import type { ListState } from '../../forms/record-list.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate, renderTruncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';

export const VIEW = 'templates.view';
export const USE = 'templates.use';
export const LIST = 'templates.list';
export const PREVIOUS = 'templates.previous';
export const NEXT = 'templates.next';
export const PROJECT = 'templates.project';

/** Templates on a page. Each is one block with its button, and the blocks of a message hold about 10,000 characters. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
/** How much of a template's text is shown: three of the sections that fit in a message's 10,000 characters. */
const MAX_TEXT_SECTIONS = 3;

function templateName(template: Template): string {
  return clip(sanitizeLine(template.name), MAX_NAME_LENGTH);
}

/** The template with this id, and the templates whose name or text contains all the words. */
function findTemplates(items: readonly Template[], words: string): readonly Template[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ id, name, content = '' }) => {
    const searched = `${name}\n${content}`.toLowerCase();
    return id === words.trim() || wanted.every((word) => searched.includes(word));
  });
}

export function templateList(
  project: Project,
  { items, unreadable, isTruncated }: Records<Template>,
  state: ListState,
): Message {
  const found = findTemplates(items, state.words);
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const notes = [
    ...(unreadable > 0 ? [context(`${unreadable} more could not be read.`)] : []),
    ...(isTruncated ? [context(renderTruncationNotice(items.length + unreadable, 'templates'))] : []),
  ];
  if (found.length === 0) return emptyList(name, { all: items.length, notes, isTruncated }, state);
  const page = paginate(found, state.page, PAGE_SIZE);
  const count = found.length === 1 ? 'One template' : `${found.length} templates`;
  const title = `${count} of ${name}${page.titleSuffix}`;
  const filter = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  const pageTurns = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  return {
    text: escapeText(`${title}${filter}: ${page.items.map(templateName).join(', ')}`),
    blocks: [
      section(`*${escapeText(`${title}${filter}`)}*`),
      ...page.items.map((template) => entry(template, state)),
      ...notes,
      ...(pageTurns.length > 0 ? [actions(...pageTurns)] : []),
    ],
  };
}

function entry(template: Template, state: ListState): KnownBlock {
  const excerpt = clip(sanitizeLine(template.content ?? ''), MAX_EXCERPT_LENGTH);
  const value = encodeButtonState({ ...state, template: template.id });
  return {
    ...plainSection(`${templateName(template)}\n${excerpt === '' ? '(no text)' : excerpt}`),
    ...(value !== undefined && { accessory: button('View', VIEW, value) }),
  };
}

function emptyList(
  name: string,
  { all, notes, isTruncated }: { all: number; notes: readonly KnownBlock[]; isTruncated: boolean },
  state: ListState,
): Message {
  if (all === 0) {
    const line = `${name} has no templates${notes.length > 0 ? ' that I can read' : ' yet'}.`;
    const more = 'They are made in the scheduling service, and show up here.';
    return { text: `${escapeText(line)} ${more}`, blocks: [plainSection(line), ...notes, section(more)] };
  }
  const none = isTruncated ? `None of the templates of ${name} that I read` : `No template of ${name}`;
  const line = `${none} holds “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”.`;
  const value = encodeButtonState({ ...state, words: '', page: 0 });
  return {
    text: escapeText(line),
    blocks: [
      plainSection(line),
      ...notes,
      ...(value === undefined
        ? []
        : [
            actions(
              button(all === 1 ? 'Show it' : `Show ${isTruncated ? 'the first' : 'all'} ${all}`, LIST, value),
            ),
          ]),
    ],
  };
}

/** One template. A message shows the beginning of a long text. */
export function templateCard(project: Project, template: Template, state: ListState): Message {
  const text = (template.content ?? '').toWellFormed();
  const parts = splitIntoSections(text);
  const rest = text.trimEnd().length - parts.join('').length;
  const use = encodeButtonState({ ...state, template: template.id });
  const back = encodeButtonState(state);
  const title = `Template “${templateName(template)}” of ${clip(sanitizeLine(project.name), MAX_NAME_LENGTH)}`;
  return {
    text: escapeText(`${title}: ${clip(sanitizeLine(text), MAX_EXCERPT_LENGTH)}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...(parts.length === 0
        ? [context('It has no text that I can read.')]
        : parts.map((part) => plainSection(part))),
      ...(rest > 0 ? [context(`…and ${rest} more characters. The service has the whole text.`)] : []),
      actions(
        ...(use === undefined ? [] : [button('Use in a post', USE, use, 'primary')]),
        button('All templates', LIST, back),
      ),
    ],
  };
}

/** Splits the beginning of a text into parts that fit a section each. No part ends inside a surrogate pair. */
function splitIntoSections(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (parts.length < MAX_TEXT_SECTIONS && text.slice(start).trim() !== '') {
    const end = start + LIMITS.sectionText;
    const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    parts.push(text.slice(start, isInsidePair ? end - 1 : end));
    start = isInsidePair ? end - 1 : end;
  }
  return parts;
}
