import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ContextBlock,
  DividerBlock,
  MrkdwnElement,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from '@slack/types';
import { clip, stripBidiControls } from './escape.ts';
import { LIMITS } from './limits.ts';

/** Plain text, in which Slack parses nothing: for text from people and from the service. */
export function plain(text: string, limit: number = LIMITS.sectionText): PlainTextElement {
  // Slack refuses an empty text object and half of a surrogate pair.
  return { type: 'plain_text', text: clip(text.toWellFormed(), limit) || ' ', emoji: false };
}

/** Text in mrkdwn. Text from people and from the service must be escaped before it gets here. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text: clip(text.toWellFormed(), LIMITS.sectionText) || ' ', verbatim: true };
}

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** A section of plain text: shows text from people or from the service unchanged. */
export function plainSection(text: string): SectionBlock {
  return { type: 'section', text: plain(text) };
}

/** Small print. Strings are mrkdwn; text from people and from the service must be passed as `plain`. */
export function context(...texts: readonly (string | PlainTextElement)[]): ContextBlock {
  const elements = texts.slice(0, LIMITS.contextElements);
  return {
    type: 'context',
    // All elements are on one line: direction characters in a name would reverse the elements after it.
    elements: elements.map((text) =>
      typeof text === 'string' ? mrkdwn(text) : { ...text, text: stripBidiControls(text.text) || ' ' },
    ),
  };
}

export function actions(...elements: ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements };
}

/** `value` is an opaque id. The handler checks the person who presses against the row with that id. */
export function button(text: string, actionId: string, value?: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: plain(stripBidiControls(text), LIMITS.buttonText),
    action_id: actionId,
    ...(value !== undefined && { value }),
    ...(style && { style }),
  };
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plain(stripBidiControls(text), LIMITS.optionText), value };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}
