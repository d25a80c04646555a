import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Template } from '../../api/templates.ts';
import type { ListState } from '../../forms/record-list.ts';
import { actions, button, context, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { pageButtons, paginate, truncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { encodeButtonState } from '../../slack/view-values.ts';

export const VIEW = 'templates.view';
export const USE = 'templates.use';
export const LIST = 'templates.list';
export const PREVIOUS = 'templates.previous';
export const NEXT = 'templates.next';
export const PROJECT = 'templates.project';

/** On a page: with its button each is one block, and all of a message's blocks hold about 10,000 characters. */
const LISTED = 8;
const NAME = 100;
const EXCERPT = 200;
/** Of a template's text so much is shown: three sections of a message's 10,000 characters. */
const SHOWN_SECTIONS = 3;

function templateName(template: Template): string {
  return clip(sanitizeLine(template.name), NAME);
}

/** Those whose name or text holds all the words. */
function fitting(items: readonly Template[], words: string): readonly Template[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ id, name, content = '' }) => {
    const held = `${name}\n${content}`.toLowerCase();
    return id === words.trim() || wanted.every((word) => held.includes(word));
  });
}

export function templateList(
  project: Project,
  { items, unreadable, isTruncated }: Records<Template>,
  state: ListState,
): Message {
  const found = fitting(items, state.words);
  const name = clip(sanitizeLine(project.name), NAME);
  const unread = [
    ...(unreadable > 0 ? [context(`${unreadable} more could not be read.`)] : []),
    ...(isTruncated ? [context(truncationNotice(items.length + unreadable, 'templates'))] : []),
  ];
  if (found.length === 0) return empty(name, { all: items.length, unread, isTruncated }, state);
  const page = paginate(found, state.page, LISTED);
  const count = found.length === 1 ? 'One template' : `${found.length} templates`;
  const title = `${count} of ${name}${page.where}`;
  const said = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), NAME)}”`;
  const turned = pageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  return {
    text: escapeText(`${title}${said}: ${page.items.map(templateName).join(', ')}`),
    blocks: [
      section(`*${escapeText(`${title}${said}`)}*`),
      ...page.items.map((template) => entry(template, state)),
      ...unread,
      ...(turned.length > 0 ? [actions(...turned)] : []),
    ],
  };
}

function entry(template: Template, state: ListState): KnownBlock {
  const excerpt = clip(sanitizeLine(template.content ?? ''), EXCERPT);
  const value = encodeButtonState({ ...state, template: template.id });
  return {
    ...plainSection(`${templateName(template)}\n${excerpt === '' ? '(no text)' : excerpt}`),
    ...(value !== undefined && { accessory: button('View', VIEW, value) }),
  };
}

function empty(
  name: string,
  { all, unread, isTruncated }: { all: number; unread: readonly KnownBlock[]; isTruncated: boolean },
  state: ListState,
): Message {
  if (all === 0) {
    const line = `${name} has no templates${unread.length > 0 ? ' that I can read' : ' yet'}.`;
    const more = 'They are made in the scheduling service, and show up here.';
    return { text: `${escapeText(line)} ${more}`, blocks: [plainSection(line), ...unread, section(more)] };
  }
  const none = isTruncated ? `None of the templates of ${name} that I read` : `No template of ${name}`;
  const line = `${none} holds “${clip(sanitizeLine(state.words), NAME)}”.`;
  const value = encodeButtonState({ ...state, words: '', page: 0 });
  return {
    text: escapeText(line),
    blocks: [
      plainSection(line),
      ...unread,
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

/** One template, as far as a message holds it. */
export function templateCard(project: Project, template: Template, state: ListState): Message {
  const text = (template.content ?? '').toWellFormed();
  const parts = sections(text);
  const rest = text.trimEnd().length - parts.join('').length;
  const use = encodeButtonState({ ...state, template: template.id });
  const back = encodeButtonState(state);
  const title = `Template “${templateName(template)}” of ${clip(sanitizeLine(project.name), NAME)}`;
  return {
    text: escapeText(`${title}: ${clip(sanitizeLine(text), EXCERPT)}`),
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

/** The beginning of a text in pieces that a section holds, none of which ends within a character. */
function sections(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (parts.length < SHOWN_SECTIONS && text.slice(start).trim() !== '') {
    const end = start + LIMITS.sectionText;
    const isWithin = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    parts.push(text.slice(start, isWithin ? end - 1 : end));
    start = isWithin ? end - 1 : end;
  }
  return parts;
}
