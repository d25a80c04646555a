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

/** Templates on a page. Their excerpts fit in the 10,000 characters that a message's blocks hold. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
/** Sections of a template's text. Three full sections fit in the 10,000 characters that a message's blocks hold. */
const MAX_TEXT_SECTIONS = 3;

function renderTemplateName(template: Template): string {
  return clip(sanitizeLine(template.name), MAX_NAME_LENGTH);
}

/** Finds the template with this id, and the templates whose name and text contain all words of the query. */
function findTemplates(items: readonly Template[], query: string): readonly Template[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ id, name, content = '' }) => {
    const searchText = `${name}\n${content}`.toLowerCase();
    return id === query.trim() || queryWords.every((word) => searchText.includes(word));
  });
}

export function renderTemplateList(
  project: Project,
  { items, unreadable, isTruncated }: Records<Template>,
  state: ListState,
): Message {
  const matches = findTemplates(items, state.words);
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const notes = [
    ...(unreadable > 0 ? [context(`${unreadable} more could not be read.`)] : []),
    ...(isTruncated ? [context(renderTruncationNotice(items.length + unreadable, 'templates'))] : []),
  ];
  if (matches.length === 0)
    return renderEmptyList(name, { totalCount: items.length, notes, isTruncated }, state);
  const page = paginate(matches, state.page, PAGE_SIZE);
  const count = matches.length === 1 ? 'One template' : `${matches.length} templates`;
  const title = `${count} of ${name}${page.titleSuffix}`;
  const filter = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  const pageElements = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({
    ...state,
    page: number,
  }));
  return {
    text: escapeText(`${title}${filter}: ${page.items.map(renderTemplateName).join(', ')}`),
    blocks: [
      section(`*${escapeText(`${title}${filter}`)}*`),
      ...page.items.map((template) => renderTemplate(template, state)),
      ...notes,
      ...(pageElements.length > 0 ? [actions(...pageElements)] : []),
    ],
  };
}

function renderTemplate(template: Template, state: ListState): KnownBlock {
  const excerpt = clip(sanitizeLine(template.content ?? ''), MAX_EXCERPT_LENGTH);
  const value = encodeButtonState({ ...state, template: template.id });
  return {
    ...plainSection(`${renderTemplateName(template)}\n${excerpt === '' ? '(no text)' : excerpt}`),
    ...(value !== undefined && { accessory: button('View', VIEW, value) }),
  };
}

function renderEmptyList(
  name: string,
  {
    totalCount,
    notes,
    isTruncated,
  }: { totalCount: number; notes: readonly KnownBlock[]; isTruncated: boolean },
  state: ListState,
): Message {
  if (totalCount === 0) {
    const line = `${name} has no templates${notes.length > 0 ? ' that I can read' : ' yet'}.`;
    const hint = 'They are made in the scheduling service, and show up here.';
    return { text: `${escapeText(line)} ${hint}`, blocks: [plainSection(line), ...notes, section(hint)] };
  }
  const subject = isTruncated ? `None of the templates of ${name} that I read` : `No template of ${name}`;
  const line = `${subject} holds “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”.`;
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
              button(
                totalCount === 1 ? 'Show it' : `Show ${isTruncated ? 'the first' : 'all'} ${totalCount}`,
                LIST,
                value,
              ),
            ),
          ]),
    ],
  };
}

/** Renders one template. Of a long text, only the beginning is shown. */
export function renderTemplateCard(project: Project, template: Template, state: ListState): Message {
  const text = (template.content ?? '').toWellFormed();
  const parts = splitIntoSections(text);
  const hiddenLength = text.trimEnd().length - parts.join('').length;
  const useButtonState = encodeButtonState({ ...state, template: template.id });
  const listButtonState = encodeButtonState(state);
  const title = `Template “${renderTemplateName(template)}” of ${clip(sanitizeLine(project.name), MAX_NAME_LENGTH)}`;
  return {
    text: escapeText(`${title}: ${clip(sanitizeLine(text), MAX_EXCERPT_LENGTH)}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...(parts.length === 0
        ? [context('It has no text that I can read.')]
        : parts.map((part) => plainSection(part))),
      ...(hiddenLength > 0
        ? [context(`…and ${hiddenLength} more characters. The service has the whole text.`)]
        : []),
      actions(
        ...(useButtonState === undefined ? [] : [button('Use in a post', USE, useButtonState, 'primary')]),
        button('All templates', LIST, listButtonState),
      ),
    ],
  };
}

/** Splits the beginning of a text into parts that each fit in a section. No part ends inside a surrogate pair. */
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
