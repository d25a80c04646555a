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

/** The only input of a block; undefined where the view has no such block. */
function elementOf(values: ViewValues, blockId: string): Element | undefined {
  return Object.hasOwn(values, blockId) ? Object.values(values[blockId] ?? {})[0] : undefined;
}

/** What was typed, as it was typed; '' where nothing was. */
export function textInputValue(values: ViewValues, blockId: string): string {
  return elementOf(values, blockId)?.value ?? '';
}

/** The chosen option with the words it was shown with. */
export function chosenOption(
  values: ViewValues,
  blockId: string,
): { value: string; label: string } | undefined {
  const option = elementOf(values, blockId)?.selected_option;
  return option ? { value: option.value, label: option.text?.text ?? option.value } : undefined;
}

/** What was chosen among Slack's own: the id of a conversation or person, or a day; '' where nothing was. */
export function chosenInSlack(values: ViewValues, blockId: string): string {
  const element = elementOf(values, blockId);
  return element?.selected_conversation ?? element?.selected_user ?? element?.selected_date ?? '';
}

/** The chosen options with the words they were shown with, each once. */
export function chosenOptions(values: ViewValues, blockId: string): { value: string; label: string }[] {
  const options = elementOf(values, blockId)?.selected_options ?? [];
  const byValue = new Map(options.map(({ value, text }) => [value, { value, label: text?.text ?? value }]));
  return [...byValue.values()];
}

/** Slack's ids of the chosen people, each once. */
export function chosenPeople(values: ViewValues, blockId: string): string[] {
  return [...new Set(elementOf(values, blockId)?.selected_users ?? [])];
}

/** The values of the chosen options, each once. */
export function chosenValues(values: ViewValues, blockId: string): string[] {
  const options = elementOf(values, blockId)?.selected_options ?? [];
  return [...new Set(options.map((option) => option.value))];
}

/** Everything that was written into the view's text inputs, whichever they are. */
export function typedTexts(values: ViewValues): string[] {
  return Object.values(values)
    .flatMap((block) => Object.values(block))
    .filter(({ type }) => type === 'plain_text_input')
    .flatMap(({ value }) => (value === null || value === undefined || value.trim() === '' ? [] : [value]));
}
