import { z } from 'zod';
import { plain } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { clip, renderCount } from '../../words.ts';
import { buildCommonProperties, type Field, type FieldOptions } from '../field.ts';

interface TextOptions extends FieldOptions {
  multiline?: boolean;
  placeholder?: string;
  /** Maximum number of UTF-16 units. Defaults to 3,000, Slack's limit. */
  maxLength?: number;
  /** See `Field`. */
  isSecret?: boolean;
  /** Finds another error of the value (plain text). Undefined if there is none. */
  findFault?(value: string): string | undefined;
}

/** A field for text of one or several lines. A required field doesn't accept blank text. */
export function textField(
  options: TextOptions,
): Field<string> & { validate(value: string): string | undefined } {
  const { multiline = false, placeholder, maxLength = LIMITS.inputText, isSecret = false } = options;
  const field = buildCommonProperties(options);
  return {
    ...field,
    ...textProperties,
    isSecret,
    renderElement: ({ actionId, value }) => ({
      type: 'plain_text_input',
      action_id: actionId,
      max_length: maxLength,
      ...(multiline && { multiline }),
      ...(placeholder !== undefined && { placeholder: plain(placeholder, LIMITS.placeholder) }),
      ...(field.isLive && { dispatch_action_config: { trigger_actions_on: [...ON_EACH_CHARACTER] } }),
      ...(!isSecret && buildInitialValue(value, maxLength)),
    }),
    validate: (value) =>
      (!field.optional && isBlank(value) ? `Fill in “${field.label}”.` : undefined) ??
      (value.length > maxLength
        ? `The text is ${renderCount(value.length - maxLength, 'character')} too long: ${maxLength} fit here.`
        : undefined) ??
      findCharacterError(value) ??
      options.findFault?.(value),
  };
}

/** Finds control characters such as NUL, and lone surrogates. They can't be stored and sent unchanged. */
export function findCharacterError(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  const hasInvalidCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value) || !value.isWellFormed();
  return hasInvalidCharacter
    ? 'This contains an invisible character. Type it again, or paste it as plain text.'
    : undefined;
}

/** Whether a text has no visible character. */
export function isBlank(value: string): boolean {
  return value.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
}

const ON_EACH_CHARACTER = ['on_enter_pressed', 'on_character_entered'] as const;

const textProperties = {
  emptyValue: '',
  valueSchema: z.string(),
  read: getTextInput,
  parsePrefill: (prefill: string) => prefill,
} as const;

/**
 * Builds the initial value of an input. Slack's server counts UTF-16 units and refuses a view with a longer initial
 * value, so the value is clipped. Slack's clients count characters, so people can type a longer text than the server
 * accepts here. An open form still contains the whole text, because Slack preserves the typed text while the block_id
 * stays the same.
 */
function buildInitialValue(value: string, limit: number): { initial_value?: string } {
  return value === '' ? {} : { initial_value: clip(value.toWellFormed(), limit) };
}
