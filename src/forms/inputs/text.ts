import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Field, type Labelled, labels } from '../field.ts';

interface TextOptions extends Labelled {
  multiline?: boolean;
  placeholder?: string;
  /** In UTF-16 units, as Slack counts. Defaults to 3,000, Slack's limit. */
  maxLength?: number;
}

/** Text of one line or several, at most 3,000 characters. A required field doesn't accept blank text. */
export function text(options: TextOptions): Field<string> {
  const { multiline = false, placeholder, maxLength = LIMITS.inputText } = options;
  const field = labels(options);
  return {
    ...field,
    ...textValue,
    element: ({ actionId, value }) => ({
      type: 'plain_text_input',
      action_id: actionId,
      max_length: maxLength,
      ...(multiline && { multiline }),
      ...(placeholder !== undefined && { placeholder: plain(placeholder, LIMITS.placeholder) }),
      ...(field.live && { dispatch_action_config: { trigger_actions_on: [...ON_EACH_CHARACTER] } }),
      ...initialValue(value, maxLength),
    }),
    validate: (value) => blankError(value, field) ?? lengthError(value, maxLength) ?? characterError(value),
  };
}

/** An e-mail address. Slack checks its format. */
export function email(options: Labelled): Field<string> {
  const field = labels(options);
  return {
    ...field,
    ...textValue,
    element: ({ actionId, value }) => ({
      type: 'email_text_input',
      action_id: actionId,
      ...initialValue(value, LIMITS.inputText),
    }),
    validate: (value) => blankError(value, field) ?? characterError(value),
  };
}

/** A number with decimals, as the person wrote it. */
export function number(options: Labelled & { min?: number; max?: number }): Field<string> {
  const { min, max } = options;
  const field = labels(options);
  return {
    ...field,
    ...textValue,
    element: ({ actionId, value }) => ({
      type: 'number_input',
      action_id: actionId,
      is_decimal_allowed: true,
      ...(min !== undefined && { min_value: String(min) }),
      ...(max !== undefined && { max_value: String(max) }),
      ...initialValue(value, LIMITS.inputText),
    }),
    validate: (value) => blankError(value, field) ?? characterError(value),
  };
}

/** Refuses control characters such as NUL, and lone surrogates: they don't survive storage and transport. */
function characterError(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const isOdd = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value) || !value.isWellFormed();
  return isOdd
    ? 'There is an invisible character in here that cannot be sent. Write it anew, or paste it as plain text.'
    : undefined;
}

/** Whether a text has no visible character. */
export function isBlank(value: string): boolean {
  return value.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
}

const ON_EACH_CHARACTER = ['on_enter_pressed', 'on_character_entered'] as const;

const textValue = {
  empty: '',
  value: z.string(),
  read: getTextInput,
  from: (words: string) => words,
} as const;

function blankError(
  value: string,
  { label, optional }: { label: string; optional: boolean },
): string | undefined {
  return !optional && isBlank(value) ? `Fill in “${label}”.` : undefined;
}

function lengthError(value: string, maxLength: number): string | undefined {
  return value.length > maxLength
    ? `The text is ${value.length - maxLength} characters too long: ${maxLength} fit here.`
    : undefined;
}

/**
 * Clipped to Slack's limit in UTF-16 units, because Slack refuses a view with a longer initial value. Slack's clients
 * count characters, so people can type more. The block_id of an open form preserves the whole text.
 */
function initialValue(value: string, limit: number): { initial_value?: string } {
  return value === '' ? {} : { initial_value: clip(value.toWellFormed(), limit) };
}
