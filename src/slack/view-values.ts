import { z } from 'zod';
import { unescapeText } from './escape.ts';

/** Slack may return option labels with `&`, `<` and `>` escaped (bolt-python #513). */
const label = z.string().transform(unescapeText);
const chosen = z.object({ value: z.string(), text: z.object({ text: label }).partial().optional() });

const element = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).nullish(),
  selected_conversation: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_date: z.string().nullish(),
});

/** `view.state.values`: block_id → action_id → the state of one input. */
export const viewValues = z.record(z.string(), z.record(z.string(), element));

export type ViewValues = z.infer<typeof viewValues>;
type Element = z.infer<typeof element>;

/** The only input of a block. Undefined if the view has no such block. */
function elementOf(values: ViewValues, blockId: string): Element | undefined {
  return Object.hasOwn(values, blockId) ? Object.values(values[blockId] ?? {})[0] : undefined;
}

/** The text of an input, unchanged; '' if it is empty. */
export function textInputValue(values: ViewValues, blockId: string): string {
  return elementOf(values, blockId)?.value ?? '';
}

/** The chosen option with its label. */
export function chosenOption(
  values: ViewValues,
  blockId: string,
): { value: string; label: string } | undefined {
  const option = elementOf(values, blockId)?.selected_option;
  return option ? { value: option.value, label: option.text?.text ?? option.value } : undefined;
}

/** The value of one of Slack's own selects: the id of a conversation or person, or a date; '' if nothing was chosen. */
export function chosenInSlack(values: ViewValues, blockId: string): string {
  const element = elementOf(values, blockId);
  return element?.selected_conversation ?? element?.selected_user ?? element?.selected_date ?? '';
}

/** The chosen options with their labels, without duplicates. */
export function chosenOptions(values: ViewValues, blockId: string): { value: string; label: string }[] {
  const options = elementOf(values, blockId)?.selected_options ?? [];
  const byValue = new Map(options.map(({ value, text }) => [value, { value, label: text?.text ?? value }]));
  return [...byValue.values()];
}

/** Slack user ids of the chosen people, without duplicates. */
export function chosenPeople(values: ViewValues, blockId: string): string[] {
  return [...new Set(elementOf(values, blockId)?.selected_users ?? [])];
}

/** The values of the chosen options, without duplicates. */
export function chosenValues(values: ViewValues, blockId: string): string[] {
  const options = elementOf(values, blockId)?.selected_options ?? [];
  return [...new Set(options.map((option) => option.value))];
}

/** The text of every text input of the view that isn't blank. */
export function typedTexts(values: ViewValues): string[] {
  return Object.values(values)
    .flatMap((block) => Object.values(block))
    .filter(({ type }) => type === 'plain_text_input')
    .flatMap(({ value }) => (value === null || value === undefined || value.trim() === '' ? [] : [value]));
}

/**
 * A button's value may have 2,000 UTF-16 units
 * (https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields). The state is encrypted and encoded
 * in base64, which makes it a third longer, and the seal adds the person it belongs to.
 */
const MAX_STATE_BYTES = 1_300;

/**
 * Encodes the state of a button: ids and text, which the handler checks again when the button is pressed. Undefined if
 * the state is too long for a button.
 */
export function encodeButtonState(state: object): string | undefined {
  const value = JSON.stringify(state);
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_STATE_BYTES ? value : undefined;
}

/** Whether a button's value is an encoded state, not the id of a row. */
export function isButtonState(value: string): boolean {
  return value.startsWith('{');
}

/** Undefined if the value is missing or doesn't match the schema. */
export function decodeButtonState<State>(
  schema: z.ZodType<State>,
  value: string | undefined,
): State | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
