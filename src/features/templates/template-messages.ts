import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Template } from '../../api/templates.ts';
import type { ListState } from '../../forms/record-list.ts';
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
import type { Message } from '../../slack/message.ts';

export const VIEW_ACTION = 'templates.view';
export const USE_ACTION = 'templates.use';
export const LIST_ACTION = 'templates.list';

const MAX_NAME_LENGTH = 100;
const MAX_EXCERPT_LENGTH = 200;
/** Maximum sections for a template's text. Three full sections fit in the 10,000 characters of a message's blocks. */
const MAX_TEXT_SECTIONS = 3;

function renderTemplateName(template: Template): string {
  return clip(sanitizeLine(template.name), MAX_NAME_LENGTH);
}

/** Renders a template in the list, with an excerpt of its text, and buttons to use it and to see the whole text. */
export function renderTemplateEntry(template: Template, state: ListState): KnownBlock[] {
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
