import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { OptionsCall } from '../app/call.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { FormContext } from './form-context.ts';

/** A record of the service: its id, and the name that people see. */
export const named = z.object({ id: z.string(), name: z.string() });
export type Named = z.infer<typeof named>;

/** What an input is rendered from. */
interface ElementInput<Value> {
  actionId: string;
  value: Value;
  formContext: FormContext;
  now: Date;
}

/** A search in a select with an external data source. */
export interface SearchRequest {
  call: OptionsCall;
  query: string;
  /** The id of the chosen project; undefined if none is chosen, or if the field isn't marked `usesProject`. */
  project: string | undefined;
  formContext: FormContext;
}

/** One input of a form. `inputs/` has a function for each kind of input. */
export interface Field<Value> {
  readonly label: string;
  readonly hint?: string;
  readonly optional: boolean;
  /** The service's names for the field. A message of a 422 whose `loc` has one of them is shown under this field. */
  readonly api: readonly string[];
  /** Slack reports each change at once, and the form is rendered again. */
  readonly live: boolean;
  readonly empty: Value;
  /** The schema of a value that was stored as JSON. */
  readonly value: z.ZodType<Value>;
  element(input: ElementInput<Value>): InputBlock['element'];
  read(values: ViewValues, blockId: string): Value;
  /** Parses the text with which another feature prefills the field. */
  from?(words: string): Value | undefined;
  /** The initial value, given the prefilled or empty value. */
  initialValue?(value: Value, formContext: FormContext): Value;
  /** Text shown in place of the input if there is nothing to choose. */
  fixedText?(formContext: FormContext): string | undefined;
  /** An error in plain text, or undefined. Checks the field alone. */
  validate?(value: Value, formContext: FormContext): string | undefined;
  /** The value is a project of the service, or a list of projects. */
  readonly holdsProjects?: boolean;
  /** The options depend on the project chosen in the form. */
  readonly usesProject?: boolean;
  /** Answers searches in a select with an external data source; at most 100 options. */
  search?(request: SearchRequest): Promise<PlainTextOption[]>;
}

/** The inputs of a form by name, in the order of the view. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldName<F extends Fields> = keyof F & string;

/** The values of a form by field. */
export type Typed<F extends Fields> = { [Name in keyof F]: F[Name]['empty'] };

/** The options that all kinds of input share. */
export interface Labelled {
  label: string;
  hint?: string;
  optional?: boolean;
  api?: string | readonly string[];
  live?: boolean;
}

/** Turns the shared options into properties of a field. */
export function labels({ label, hint, optional = false, api = [], live = false }: Labelled) {
  return {
    label,
    optional,
    live,
    api: typeof api === 'string' ? [api] : api,
    ...(hint !== undefined && { hint }),
  };
}

/** Whether every field has a value of its type. */
export function isTyped<F extends Fields>(fields: F, values: unknown): values is Typed<F> {
  const read = z.record(z.string(), z.unknown()).safeParse(values);
  if (!read.success) return false;
  return Object.entries(fields).every(([name, field]) => field.value.safeParse(read.data[name]).success);
}

/** The initial values of a form: prefilled values where they are valid, else each field's default. */
export function prefillFields<F extends Fields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  formContext: FormContext,
): Typed<F> {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const read = field.value.safeParse(given[name]);
      const value = read.success && given[name] !== undefined ? read.data : field.empty;
      return [name, field.initialValue ? field.initialValue(value, formContext) : value];
    }),
  );
  if (!isTyped(fields, values)) throw new Error('a field has an initial value of another type');
  return values;
}

/** The project chosen in a form; null if none is chosen. */
export function chosenProject(typed: Readonly<Record<string, unknown>>): Named | null {
  return named.safeParse(typed.project).data ?? null;
}

/** How often the app has set each field's value. Fields that are not listed have 0. */
export type Generations = Readonly<Record<string, number>>;

/** The action_id of a field's element, and of a form's own buttons. */
export function actionId(form: string, name: string): string {
  return `${form}.${name}`;
}

/**
 * The block_id of a field. Slack preserves the typed value while the id stays the same, and applies an initial value
 * only if it changes, so a field whose value the app sets gets the next generation.
 */
export function blockId(field: string, generations: Generations): string {
  return `${field}.${generations[field] ?? 0}`;
}

/** The generations of an open form, parsed from the ids of its blocks. */
export function generationsOf(fields: readonly string[], blockIds: readonly string[]): Generations {
  const found = blockIds.flatMap((id) => {
    const [, field = '', digits] = /^([\w-]+)\.(\d{1,5})$/.exec(id) ?? [];
    return fields.includes(field) ? [[field, Number(digits)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Increments the generations of the fields whose values the app is about to set. */
export function nextGenerations(generations: Generations, fields: readonly string[]): Generations {
  const next = fields.map((field) => [field, (generations[field] ?? 0) + 1] as const);
  return { ...generations, ...Object.fromEntries(next) };
}

/** The private_metadata of a form's view: version and opaque id. */
export function formMetadata(version: number, formId: string): string {
  return `${version}.${formId}`;
}

/** The id in a form's private_metadata; undefined for a form of another version. */
export function formIdOf(version: number, metadata: string): string | undefined {
  const [found, id] = metadata.split('.');
  return found === String(version) && id !== undefined && id !== '' ? id : undefined;
}
