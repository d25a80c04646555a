import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Template } from '../../api/templates.ts';
import type { ListState } from '../../forms/record-list.ts';
import { renderCount } from '../../posts/post-count.ts';
import {
  actions,
  addAccessibilityLabel,
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
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate, renderTruncationNotice } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';

export const VIEW_ACTION = 'templates.view';
export const USE_ACTION = 'templates.use';
export const LIST_ACTION = 'templates.list';
export const PREVIOUS_ACTION = 'templates.previous';
export const NEXT_ACTION = 'templates.next';
export const PROJECT_ACTION = 'templates.project';

/** Maximum templates on a page. Their excerpts fit in the 10,000 characters that a message's blocks hold. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
/** Maximum sections for a template's text. Three full sections fit in the 10,000 characters of a message's blocks. */
const MAX_TEXT_SECTIONS = 3;

function renderTemplateName(template: Template): string {
  return clip(sanitizeLine(template.name), MAX_NAME_LENGTH);
}

/** Finds the template with this id, and the templates whose name and text together contain all words of the query. */
function findTemplates(items: readonly Template[], query: string): readonly Template[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ id, name, content = '' }) => {
    const searchText = `${name}\n${content}`.toLowerCase();
    return id === query.trim() || queryWords.every((word) => searchText.includes(word));
  });
}

export function renderTemplateList(
  project: Project,
  { items, unreadableCount, isTruncated }: Records<Template>,
  state: ListState,
): Message {
  const matches = findTemplates(items, state.words);
  const projectName = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const unreadNotes = [
    ...(unreadableCount > 0 ? [context(`${unreadableCount} more couldn’t be read.`)] : []),
    ...(isTruncated ? [context(renderTruncationNotice(items.length + unreadableCount, 'templates'))] : []),
  ];
  if (matches.length === 0)
    return renderEmptyList(projectName, { totalCount: items.length, unreadNotes, isTruncated }, state);
  const page = paginate(matches, state.page, PAGE_SIZE);
  const filterText = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  const title = `${projectName}: ${renderCount(matches.length, 'template')}${filterText}${page.titleSuffix}`;
  const pageButtons = buildPageButtons(
    page,
    { previous: PREVIOUS_ACTION, next: NEXT_ACTION },
    (pageNumber) => ({
      ...state,
      page: pageNumber,
    }),
  );
  return {
    text: escapeText(`${title}\n${page.items.map(renderTemplateName).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.flatMap((template) => renderTemplateEntry(template, state)),
      ...unreadNotes,
      ...(pageButtons.length > 0 ? [actions(...pageButtons)] : []),
    ],
  };
}

/** Renders a template in the list, with an excerpt of its text, and buttons to use it and to see the whole text. */
function renderTemplateEntry(template: Template, state: ListState): KnownBlock[] {
  const excerpt = clip(sanitizeLine(template.content ?? ''), MAX_EXCERPT_LENGTH);
  const value = encodeButtonState({ ...state, template: template.id });
  const name = renderTemplateName(template);
  return [
    section(`*${escapeFormatting(name)}*\n${excerpt === '' ? '(no text)' : escapeFormatting(excerpt)}`),
    ...(value === undefined
      ? []
      : [
          actions(
            addAccessibilityLabel(button('Use in a post', USE_ACTION, value), `Use ${name} in a post`),
            addAccessibilityLabel(button('View', VIEW_ACTION, value), `View ${name}`),
          ),
        ]),
  ];
}

/** Renders a list without templates, either because there are none or because none matches the query. */
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
    const line = `${projectName} has no templates${unreadNotes.length > 0 ? ' that I can read' : ' yet'}.`;
    const hint = 'Create them in the scheduling service, and they’ll show up here.';
    return {
      text: `${escapeText(line)} ${hint}`,
      blocks: [plainSection(line), ...unreadNotes, section(hint)],
    };
  }
  const truncationText = isTruncated ? ', among those I can read' : '';
  const line = `No ${projectName} template matches “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”${truncationText}.`;
  const value = encodeButtonState({ ...state, words: '', page: 0 });
  return {
    text: escapeText(line),
    blocks: [
      plainSection(line),
      ...unreadNotes,
      ...(value === undefined
        ? []
        : [
            actions(
              button(
                totalCount === 1 ? 'Show it' : `Show ${isTruncated ? 'the first' : 'all'} ${totalCount}`,
                LIST_ACTION,
                value,
              ),
            ),
          ]),
    ],
  };
}

/** Renders one template, with its whole text or the beginning of a long text. */
export function renderTemplateCard(project: Project, template: Template, state: ListState): Message {
  const text = (template.content ?? '').toWellFormed();
  const sectionTexts = splitIntoSections(text);
  const hiddenLength = text.trimEnd().length - sectionTexts.join('').length;
  const useButtonState = encodeButtonState({ ...state, template: template.id });
  const listButtonState = encodeButtonState(state);
  const title = `Template “${renderTemplateName(template)}” of ${clip(sanitizeLine(project.name), MAX_NAME_LENGTH)}`;
  return {
    text: escapeText(`${title}: ${clip(sanitizeLine(text), MAX_EXCERPT_LENGTH)}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...(sectionTexts.length === 0
        ? [context('I can’t read its text.')]
        : sectionTexts.map((sectionText) => plainSection(sectionText))),
      ...(hiddenLength > 0
        ? [context(`…and ${hiddenLength} more characters. See the whole text in the service.`)]
        : []),
      actions(
        ...(useButtonState === undefined
          ? []
          : [button('Use in a post', USE_ACTION, useButtonState, 'primary')]),
        button('All templates', LIST_ACTION, listButtonState),
      ),
    ],
  };
}

/** Splits the beginning of a text into texts that each fit in a section. Surrogate pairs aren't split. */
function splitIntoSections(text: string): string[] {
  const sectionTexts: string[] = [];
  let start = 0;
  while (sectionTexts.length < MAX_TEXT_SECTIONS && text.slice(start).trim() !== '') {
    const end = start + LIMITS.sectionText;
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length;
    sectionTexts.push(text.slice(start, splitsPair ? end - 1 : end));
    start = splitsPair ? end - 1 : end;
  }
  return sectionTexts;
}
