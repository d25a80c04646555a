import { expect } from 'vitest';
import type { Running } from './bot.ts';

type Form = Awaited<ReturnType<ReturnType<Running['workspace']['as']>['modal']>>;

/** What goes into each field: a text that is typed, or the options that are chosen. */
type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** The error under a field if a line below the field shows the whole error. */
export const NOTE_BELOW = 'See the note below.';

/** Fills in fields, one after another. */
export async function fillIn(form: Pick<Form, 'fill' | 'choose'>, values: FieldValues): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await (typeof value === 'string' ? form.fill(label, value) : form.choose(label, value));
}

/** Fills in fields, one after another, and submits the form. */
export async function submitWith(form: Pick<Form, 'fill' | 'choose' | 'submit'>, values: FieldValues) {
  await fillIn(form, values);
  return form.submit();
}

/** Expects that the text has each of these parts. */
export function expectParts(text: string | undefined, ...parts: readonly string[]): void {
  for (const part of parts) expect(text).toContain(part);
}

/** Expects that the text has none of these parts. */
export function expectNone(text: string | undefined, ...parts: readonly string[]): void {
  for (const part of parts) expect(text).not.toContain(part);
}

/** Expects that these fields have these values. */
export function expectValues(form: Pick<Form, 'value'>, values: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(values)) expect(form.value(label), label).toBe(value);
}
