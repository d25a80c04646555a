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
import { clip } from './clip.ts';
import { stripBidiControls } from './escape.ts';
import { LIMITS } from './limits.ts';

/** Text that nothing is parsed in: what people and the service wrote. */
export function plain(text: string, limit: number = LIMITS.sectionText): PlainTextElement {
  // An empty text object is refused, and so is half of a surrogate pair.
  return { type: 'plain_text', text: clip(text.toWellFormed(), limit) || ' ', emoji: false };
}

/** Our own words; what comes from elsewhere is escaped before it gets here. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text: clip(text.toWellFormed(), LIMITS.sectionText) || ' ', verbatim: true };
}

export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** A section that shows somebody's text as it is. */
export function quoted(text: string): SectionBlock {
  return { type: 'section', text: plain(text) };
}

/** Small print. A string is our own mrkdwn; what people and the service wrote comes as `plain`. */
export function context(...texts: readonly (string | PlainTextElement)[]): ContextBlock {
  const elements = texts.slice(0, LIMITS.contextElements);
  return {
    type: 'context',
    // Its elements stand in one line: a name in one must not turn the next one around.
    elements: elements.map((text) =>
      typeof text === 'string' ? mrkdwn(text) : { ...text, text: stripBidiControls(text.text) || ' ' },
    ),
  };
}

export function actions(...elements: ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements };
}

/** `value` is an opaque id: whoever presses is checked against the row behind it. */
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
