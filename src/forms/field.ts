import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { OptionsCall } from '../app/call.ts';
import type { ViewValues } from '../slack/view-values.ts';
import type { Loaded } from './loaded.ts';

/** Something of the service's with its id, and the name that people see. */
export const named = z.object({ id: z.string(), name: z.string() });
export type Named = z.infer<typeof named>;

/** What an input is drawn from. */
interface Drawing<Value> {
  actionId: string;
  value: Value;
  loaded: Loaded;
  now: Date;
}

/** What a searched select asks: the words in it, and what it goes by. */
export interface Ask {
  call: OptionsCall;
  query: string;
  /** The id of the form's project, once there is one; only for a field that says `usesProject`. */
  project: string | undefined;
  /** What the form rests on. */
  loaded: Loaded;
}

/** One input of a form. The makers of the kinds that there are stand in `inputs/`. */
export interface Field<Value> {
  readonly label: string;
  readonly hint?: string;
  readonly optional: boolean;
  /** The service's names for it: where its 422 puts one into `loc`, the message stands under this field. */
  readonly api: readonly string[];
  /** Every change is told at once, and the form is settled and drawn anew. */
  readonly live: boolean;
  readonly empty: Value;
  /** Reads back what was kept as JSON. */
  readonly value: z.ZodType<Value>;
  element(at: Drawing<Value>): InputBlock['element'];
  read(values: ViewValues, blockId: string): Value;
  /** The value that these words stand for, where another feature opens the form with them. */
  from?(words: string): Value | undefined;
  /** The value to begin with, seen with what was loaded. */
  begun?(value: Value, loaded: Loaded): Value;
  /** Words that stand in its place where there is nothing to ask. */
  instead?(loaded: Loaded): string | undefined;
  /** What is wrong with it, whatever the form is about. Plain text. */
  fault?(value: Value, loaded: Loaded): string | undefined;
  /** What stands in it is a project of the service's, or several. */
  readonly holdsProjects?: boolean;
  /** What it finds depends on the project chosen in the form. */
  readonly usesProject?: boolean;
  /** Of a searched select, at most 100. */
  search?(ask: Ask): Promise<PlainTextOption[]>;
}

/** The inputs of a form by name, in the order in which they stand. */
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldName<F extends Fields> = keyof F & string;

/** What stands in a form. */
export type Typed<F extends Fields> = { [Name in keyof F]: F[Name]['empty'] };

/** What an input says of itself, whatever its kind. */
export interface Labelled {
  label: string;
  hint?: string;
  optional?: boolean;
  api?: string | readonly string[];
  live?: boolean;
}

/** The same for a field. */
export function labels({ label, hint, optional = false, api = [], live = false }: Labelled) {
  return {
    label,
    optional,
    live,
    api: typeof api === 'string' ? [api] : api,
    ...(hint !== undefined && { hint }),
  };
}

/** True where every field has a value of its own kind. */
export function isTyped<F extends Fields>(fields: F, values: unknown): values is Typed<F> {
  const read = z.record(z.string(), z.unknown()).safeParse(values);
  if (!read.success) return false;
  return Object.entries(fields).every(([name, field]) => field.value.safeParse(read.data[name]).success);
}

/** What a form that is opened shows: what is given, else where each field begins. */
export function begunWith<F extends Fields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  loaded: Loaded,
): Typed<F> {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const read = field.value.safeParse(given[name]);
      const value = read.success && given[name] !== undefined ? read.data : field.empty;
      return [name, field.begun ? field.begun(value, loaded) : value];
    }),
  );
  if (!isTyped(fields, values)) throw new Error('a field begins with what is no value of its own');
  return values;
}

/** The project that stands in a form; null where none is chosen. */
export function chosenProject(typed: Readonly<Record<string, unknown>>): Named | null {
  return named.safeParse(typed.project).data ?? null;
}

/** How often each field has been given a new value from here; fields that are not listed have 0. */
export type Generations = Readonly<Record<string, number>>;

/** The action_id of a field's element, and of a form's own buttons. */
export function actionId(form: string, name: string): string {
  return `${form}.${name}`;
}

/**
 * The block_id of a field. Slack keeps what was typed where the id stays, and takes initial values only where it
 * changes: a field that gets its value from here has the next generation.
 */
export function blockId(field: string, generations: Generations): string {
  return `${field}.${generations[field] ?? 0}`;
}

/** The generations of a form as it stands, from the ids of its blocks. */
export function generationsOf(fields: readonly string[], blockIds: readonly string[]): Generations {
  const found = blockIds.flatMap((id) => {
    const [, field = '', digits] = /^([\w-]+)\.(\d{1,5})$/.exec(id) ?? [];
    return fields.includes(field) ? [[field, Number(digits)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Those fields are about to get values from here. */
export function nextGenerations(generations: Generations, fields: readonly string[]): Generations {
  const next = fields.map((field) => [field, (generations[field] ?? 0) + 1] as const);
  return { ...generations, ...Object.fromEntries(next) };
}

/** What Slack keeps of a form: its version and its opaque id. */
export function formMetadata(version: number, formId: string): string {
  return `${version}.${formId}`;
}

/** The id of a form of this version; undefined for every other. */
export function formIdOf(version: number, metadata: string): string | undefined {
  const [found, id] = metadata.split('.');
  return found === String(version) && id !== undefined && id !== '' ? id : undefined;
}
