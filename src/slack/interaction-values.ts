import { z } from 'zod';
import { limitText } from '../text-limits.ts';
import { unescapeText } from './blocks.ts';

/** Slack may return option labels with `&`, `<` and `>` escaped (bolt-python #513). */
const optionLabel = z.string().transform(unescapeText);
const optionState = z.object({
  value: z.string(),
  text: z.object({ text: optionLabel }).partial().optional(),
});

export const slackFile = z.object({
  id: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => limitText(name ?? '', 'fileName') ?? ''),
});
export type SlackFile = z.infer<typeof slackFile>;

const inputState = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: optionState.nullish(),
  selected_options: z.array(optionState).nullish(),
  selected_conversation: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
  files: z.array(slackFile).nullish(),
});

/** `view.state.values`: block_id → action_id → the state of one input. */
export const viewValues = z.record(z.string(), z.record(z.string(), inputState));

export type ViewValues = z.infer<typeof viewValues>;

/** Finds the only input of a block. Undefined if the view has no such block. */
function findInput(values: ViewValues, blockId: string): z.infer<typeof inputState> | undefined {
  return Object.hasOwn(values, blockId) ? Object.values(values[blockId] ?? {})[0] : undefined;
}

/** Returns the unchanged text of an input. '' if the input is empty. */
export function getTextInput(values: ViewValues, blockId: string): string {
  return findInput(values, blockId)?.value ?? '';
}

export function getChosenOption(
  values: ViewValues,
  blockId: string,
): { value: string; label: string } | undefined {
  const option = findInput(values, blockId)?.selected_option;
  return option ? { value: option.value, label: option.text?.text ?? option.value } : undefined;
}

/** Returns the value of a built-in select: the id of a conversation or user. '' if nothing was chosen. */
export function getBuiltInSelectValue(values: ViewValues, blockId: string): string {
  const element = findInput(values, blockId);
  return element?.selected_conversation ?? element?.selected_user ?? '';
}

/** Returns the chosen options with their labels, without duplicates. */
export function getChosenOptions(values: ViewValues, blockId: string): { value: string; label: string }[] {
  const options = findInput(values, blockId)?.selected_options ?? [];
  const byValue = new Map(options.map(({ value, text }) => [value, { value, label: text?.text ?? value }]));
  return [...byValue.values()];
}

/** Returns the Slack user ids of the chosen people, without duplicates. */
export function getChosenPeople(values: ViewValues, blockId: string): string[] {
  return [...new Set(findInput(values, blockId)?.selected_users ?? [])];
}

export function getChosenFiles(values: ViewValues, blockId: string): SlackFile[] {
  return findInput(values, blockId)?.files ?? [];
}

/** Returns the values of the chosen options, without duplicates. */
export function getChosenValues(values: ViewValues, blockId: string): string[] {
  return getChosenOptions(values, blockId).map(({ value }) => value);
}

/**
 * Slack's limit for the value of a button is 2,000 UTF-16 units
 * (https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields). The limit for the state is lower:
 * sealing adds the user, and base64 makes the encrypted state a third longer.
 */
const MAX_STATE_BYTES = 1_300;

/** Whether a button can have the value. */
export function fitsButton(value: string): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_STATE_BYTES;
}

/**
 * Encodes the state of a button. The state consists of ids and text, and the handler of the button checks them again.
 * Undefined if the state is too long for a button.
 */
export function encodeButtonState(state: object): string | undefined {
  const value = JSON.stringify(state);
  return fitsButton(value) ? value : undefined;
}

/** True if the value of a button is an encoded state, not the id of a row. */
export function isButtonState(value: string): boolean {
  return value.startsWith('{');
}

/** Decodes the state of a button. Undefined if the value is missing or doesn't match the schema. */
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
