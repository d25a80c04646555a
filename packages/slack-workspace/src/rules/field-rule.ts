import { getString, type Json } from '../json.ts';

interface StringSchema {
  kind: 'string';
  min: number;
  max: number;
  values?: readonly string[];
  fits?: (text: string) => boolean;
  /** The error of a text that doesn't fit. Defaults to `failed to match schema`. */
  misfit?: string;
}

/**
 * The values that a field accepts. `min` and `max` are inclusive: characters of a string or text object, items of an
 * array, or the integer itself.
 */
export type Schema =
  | { kind: 'textObject'; textTypes: readonly string[]; min: number; max: number }
  | StringSchema
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'boolean' }
  | { kind: 'array'; min: number; max: number; items: Schema }
  /** An object without a `type`, such as an option. */
  | { kind: 'object'; objectKind: string }
  /** An object whose `type` names its kind. */
  | { kind: 'typedObject'; objectKinds: readonly string[] }
  | { kind: 'any' };

/**
 * The sources of a rule. T: types and doc comments of @slack/types 3.2.0 · P: python-slack-sdk's Block Kit validators ·
 * D: docs.slack.dev · M: the schema of app manifests · I: issue threads and reports of developers.
 */
export type Source = 'T' | 'P' | 'D' | 'M' | 'I' | 'T P' | 'T I' | 'D T' | 'D I' | 'P T D' | 'D M I';

export interface FieldRule {
  schema: Schema;
  isRequired: boolean;
  source: Source;
}

export type Fields = Readonly<Record<string, FieldRule>>;

/** Kind of block, element or other object → the rules of its fields. Slack refuses fields that aren't listed. */
export type FieldRules = Readonly<Record<string, Fields>>;

export function requiredField(schema: Schema, source: Source): FieldRule {
  return { schema, isRequired: true, source };
}

export function optionalField(schema: Schema, source: Source): FieldRule {
  return { schema, isRequired: false, source };
}

export const BOOLEAN: Schema = { kind: 'boolean' };
export const ANY: Schema = { kind: 'any' };

export function plainText(max: number, min = 1): Schema {
  return { kind: 'textObject', textTypes: ['plain_text'], min, max };
}

export function textObject(max: number, min = 1): Schema {
  return { kind: 'textObject', textTypes: ['plain_text', 'mrkdwn'], min, max };
}

export const string = (max: number, min = 0): StringSchema => ({ kind: 'string', min, max });

export const matchingString = (pattern: RegExp): Schema => ({
  ...string(100),
  fits: (text) => pattern.test(text),
});

/** An address of any scheme (MacPaw/together-app #4). */
export const ADDRESS: Schema = { ...string(3000), fits: URL.canParse, misfit: 'invalid url' };

/** Whether this is a day of the calendar, such as 2026-12-01. 2026-02-30 is none. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const DATE: Schema = { ...string(Number.POSITIVE_INFINITY), fits: isDay };

export const oneOf = (...values: string[]): Schema => ({ ...string(100), values });

export const integer = (min: number, max: number): Schema => ({ kind: 'integer', min, max });

export function array(items: Schema, min: number, max: number): Schema {
  return { kind: 'array', items, min, max };
}

export const object = (objectKind: string): Schema => ({ kind: 'object', objectKind });

export const typedObject = (...objectKinds: string[]): Schema => ({ kind: 'typedObject', objectKinds });

/** A reason for which Slack refuses a payload. */
export interface Problem {
  message: string;
  /** JSON pointer to the invalid value. */
  pointer: string;
}

export function reportIf(isBroken: boolean, message: string, pointer: string): Problem[] {
  return isBroken ? [{ message, pointer }] : [];
}

/** A problem for each entry whose `key` has the value of an earlier entry. */
export function findDuplicates(
  list: readonly Json[],
  key: string,
  getPointer: (index: number) => string,
): Problem[] {
  const ids = list.map((entry) => getString(entry, key));
  return ids.flatMap((id, index) => {
    const isRepeated = id !== undefined && ids.indexOf(id) < index;
    return reportIf(isRepeated, `\`${key}\` "${id}" already exists`, getPointer(index));
  });
}
