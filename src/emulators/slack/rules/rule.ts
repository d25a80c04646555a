/** What a field may hold. Lengths in characters, counts in items, both ends included. */
export type Value =
  | { kind: 'words'; of: readonly string[]; min: number; max: number }
  | { kind: 'string'; min: number; max: number; among?: readonly string[]; like?: RegExp }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'boolean' }
  | { kind: 'list'; min: number; max: number; of: Value }
  /** An object of one kind of this table. */
  | { kind: 'thing'; is: string }
  /** An object whose `type` names its kind. */
  | { kind: 'typed'; among: readonly string[] }
  | { kind: 'anything' };

/**
 * Where a rule is known from. T: doc comments and types of @slack/types 3.2.0 · P: python-slack-sdk's Block Kit
 * validators · D: docs.slack.dev · M: the schema of app manifests · I: what people met and reported.
 */
export type Source = 'T' | 'P' | 'D' | 'M' | 'I' | 'T P' | 'T I' | 'D T' | 'D I' | 'P T D' | 'D M I';

export interface FieldRule {
  value: Value;
  required: boolean;
  source: Source;
}

/** Kind of block, element or object → its fields. A field that is not listed is refused. */
export type Kinds = Readonly<Record<string, Readonly<Record<string, FieldRule>>>>;

export function must(value: Value, source: Source): FieldRule {
  return { value, required: true, source };
}

export function may(value: Value, source: Source): FieldRule {
  return { value, required: false, source };
}

export const FLAG: Value = { kind: 'boolean' };
export const ANYTHING: Value = { kind: 'anything' };

export function plain(max: number, min = 1): Value {
  return { kind: 'words', of: ['plain_text'], min, max };
}

export function words(max: number, min = 1): Value {
  return { kind: 'words', of: ['plain_text', 'mrkdwn'], min, max };
}

export function string(max: number, min = 0): Value {
  return { kind: 'string', min, max };
}

export function like(pattern: RegExp): Value {
  return { kind: 'string', min: 0, max: 100, like: pattern };
}

export function oneOf(...among: string[]): Value {
  return { kind: 'string', min: 0, max: 100, among };
}

export function number(min: number, max: number): Value {
  return { kind: 'number', min, max };
}

export function list(of: Value, min: number, max: number): Value {
  return { kind: 'list', of, min, max };
}

export function thing(is: string): Value {
  return { kind: 'thing', is };
}

export function typed(...among: string[]): Value {
  return { kind: 'typed', among };
}
