import type { InputBlock } from '@slack/types';
import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { LIMITS } from '../../slack/limits.ts';
import { textInputValue } from '../../slack/view-values.ts';
import { type Field, type Labelled, labels } from '../field.ts';

interface TextOptions extends Labelled {
  multiline?: boolean;
  placeholder?: string;
  /** In UTF-16 units, as Slack counts; 3,000 without. */
  most?: number;
}

/** One line, or several; 3,000 characters at most. Blank counts as nothing where it is not optional. */
export function text(options: TextOptions): Field<string> {
  const { multiline = false, placeholder, most = LIMITS.inputText } = options;
  const field = labels(options);
  return {
    ...field,
    ...writing,
    element: ({ actionId, value }) => ({
      type: 'plain_text_input',
      action_id: actionId,
      max_length: most,
      ...(multiline && { multiline }),
      ...(placeholder !== undefined && { placeholder: plain(placeholder, LIMITS.placeholder) }),
      ...(field.live && { dispatch_action_config: { trigger_actions_on: [...AT_EACH_LETTER] } }),
      ...initialValue(value, most),
    }),
    fault: (value) => blank(value, field) ?? tooLong(value, most) ?? oddCharacter(value),
  };
}

/** An e-mail address; Slack looks at its shape too. */
export function email(options: Labelled): Field<string> {
  return own(options, 'email_text_input');
}

/** A number with decimals, as the person wrote it. */
export function number(options: Labelled & { least?: number; most?: number }): Field<string> {
  const { least, most } = options;
  const field = labels(options);
  return {
    ...field,
    ...writing,
    element: ({ actionId, value }) => ({
      type: 'number_input',
      action_id: actionId,
      is_decimal_allowed: true,
      ...(least !== undefined && { min_value: String(least) }),
      ...(most !== undefined && { max_value: String(most) }),
      ...initialValue(value, LIMITS.inputText),
    }),
    fault: (value) => blank(value, field) ?? oddCharacter(value),
  };
}

/** Characters that no text has and that do not survive the way: NUL and its kind, and halves of a pair. */
function oddCharacter(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const isOdd = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value) || !value.isWellFormed();
  return isOdd
    ? 'There is an invisible character in here that cannot be sent. Write it anew, or paste it as plain text.'
    : undefined;
}

/** True for a text without anything to see. */
export function isBlank(value: string): boolean {
  return value.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
}

const AT_EACH_LETTER = ['on_enter_pressed', 'on_character_entered'] as const;

const writing = {
  empty: '',
  value: z.string(),
  read: textInputValue,
  from: (words: string) => words,
} as const;

function own(options: Labelled, type: 'email_text_input'): Field<string> {
  const field = labels(options);
  return {
    ...field,
    ...writing,
    element: ({ actionId, value }): InputBlock['element'] => ({
      type,
      action_id: actionId,
      ...initialValue(value, LIMITS.inputText),
    }),
    fault: (value) => blank(value, field) ?? oddCharacter(value),
  };
}

function blank(value: string, { label, optional }: { label: string; optional: boolean }): string | undefined {
  return !optional && isBlank(value) ? `Fill in “${label}”.` : undefined;
}

function tooLong(value: string, most: number): string | undefined {
  return value.length > most
    ? `The text is ${value.length - most} characters too long: ${most} fit here.`
    : undefined;
}

/**
 * Never longer than Slack takes, which would refuse the whole view: its clients let people type more, where they
 * count characters and not UTF-16 units. A form that stands keeps what was typed all the same.
 */
function initialValue(value: string, limit: number): { initial_value?: string } {
  return value === '' ? {} : { initial_value: clip(value.toWellFormed(), limit) };
}
