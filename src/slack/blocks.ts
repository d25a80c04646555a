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

/** Builds a plain-text object, which Slack doesn't parse. Use it for text from people and from the service. */
export function plain(text: string, limit: number = LIMITS.sectionText): PlainTextElement {
  // Slack refuses an empty text object and half of a surrogate pair.
  return { type: 'plain_text', text: clip(text.toWellFormed(), limit) || ' ', emoji: false };
}

/** Builds a mrkdwn object. The caller must escape text from people and from the service. */
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text: clip(text.toWellFormed(), LIMITS.sectionText) || ' ', verbatim: true };
}

/** Builds a section of mrkdwn. */
export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** Builds a section of plain text, which shows text from people or from the service unchanged. */
export function plainSection(text: string): SectionBlock {
  return { type: 'section', text: plain(text) };
}

/** Builds a block of small print. Strings are mrkdwn. Pass text from people and from the service as `plain`. */
export function context(...texts: readonly (string | PlainTextElement)[]): ContextBlock {
  const elements = texts.slice(0, LIMITS.contextElements);
  return {
    type: 'context',
    // All elements are on one line, so a bidi control character in a name would reverse the following elements.
    elements: elements.map((text) =>
      typeof text === 'string' ? mrkdwn(text) : { ...text, text: stripBidiControls(text.text) || ' ' },
    ),
  };
}

export function actions(...elements: ActionsBlockElement[]): ActionsBlock {
  return { type: 'actions', elements };
}

/** Builds a button. `value` is an opaque id. The handler checks whether the actor may use the row with this id. */
export function button(text: string, actionId: string, value?: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: plain(stripBidiControls(text), LIMITS.buttonText),
    action_id: actionId,
    ...(value !== undefined && { value }),
    ...(style && { style }),
  };
}

/**
 * Adds a dialog that asks before a press. `danger` makes its button red, for deletions:
 * https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object/
 */
export function withConfirmation(
  base: Button,
  dialog: { title: string; text: string; confirm: string; deny?: string; style?: 'primary' | 'danger' },
): Button {
  const { title, text, confirm, deny = 'Cancel', style } = dialog;
  return {
    ...base,
    confirm: {
      title: plain(title, LIMITS.confirmTitle),
      text: plain(text, LIMITS.confirmText),
      confirm: plain(confirm, LIMITS.confirmButton),
      deny: plain(deny, LIMITS.confirmButton),
      ...(style && { style }),
    },
  };
}

export function option(text: string, value: string): PlainTextOption {
  return { text: plain(stripBidiControls(text), LIMITS.optionText), value };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}
