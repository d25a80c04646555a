import { z } from 'zod';

const chosen = z.object({ value: z.string(), text: z.object({ text: z.string() }).partial().optional() });

const element = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).nullish(),
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
export function typed(values: ViewValues, blockId: string): string {
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

/** The values of the chosen options, each once. */
export function chosenValues(values: ViewValues, blockId: string): string[] {
  const options = elementOf(values, blockId)?.selected_options ?? [];
  return [...new Set(options.map((option) => option.value))];
}
