import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../../src/emulators/slack/json.ts';
import type { Problem } from '../../../../src/emulators/slack/rules/problem.ts';
import {
  KINDS,
  problemsOfBlocks,
  problemsOfOptions,
  problemsOfView,
} from '../../../../src/emulators/slack/rules/problems.ts';
import type { FieldRule, Value } from '../../../../src/emulators/slack/rules/rule.ts';
import { EXAMPLES, placed } from './examples.ts';

/** A field that cannot stand beside another. */
const INSTEAD_OF: Record<string, string> = { slack_file: 'image_url', option_groups: 'options' };

/** The object with this field changed, in a place where it may stand: what Slack would say, and where it is. */
function judged(kind: string, field: string, change: object): { at: string; problems: Problem[] } {
  const {
    [field]: _,
    [INSTEAD_OF[field] ?? '']: __,
    ...rest
  } = { ...EXAMPLES[kind] } as Record<string, unknown>;
  const object = { ...rest, ...change };
  if (kind === 'options_answer') return { at: `/${field}`, problems: problemsOfOptions(object) };
  const { pointer, blocks, view } = placed(kind, object);
  const problems = blocks ? problemsOfBlocks(blocks) : isRecord(view) ? problemsOfView(view) : [];
  return { at: `${pointer}/${field}`, problems };
}

function example(value: Value): unknown {
  switch (value.kind) {
    case 'words':
      return { type: value.of[0], text: 'x' };
    case 'string':
      return value.among?.[0] ?? 'x'.repeat(value.min);
    case 'list':
      return Array.from({ length: value.min }, () => example(value.of));
    case 'thing':
      return EXAMPLES[value.is];
    case 'typed':
      return EXAMPLES[value.among[0] ?? ''];
    case 'number':
      return value.min;
    case 'boolean':
      return true;
    case 'anything':
      return {};
  }
}

function sized(value: Value & { max: number }, size: number): unknown {
  switch (value.kind) {
    case 'words':
      return { type: value.of[0], text: 'x'.repeat(size) };
    case 'string':
      return 'x'.repeat(size);
    case 'list':
      return Array.from({ length: size }, () => example(value.of));
    default:
      return size;
  }
}

type Case = { name: string; value: unknown; says?: string; below?: string };

/** What just keeps to a rule (no `says`) and what just breaks it. `below` is where, under the field. */
function casesOf(value: Value): Case[] {
  switch (value.kind) {
    case 'words':
      return [
        ...sizes(value, 'must be less than N characters', 'must be more than N characters', '/text'),
        {
          name: 'another type',
          value: { type: 'fancy', text: 'x' },
          says: 'must be a valid enum value',
          below: '/type',
        },
        { name: 'bare text', value: 'x', says: 'must provide an object' },
      ];
    case 'string':
      if (value.among) {
        return [
          ...value.among.map((one) => ({ name: one, value: one })),
          { name: 'another word', value: 'fancy', says: 'must be a valid enum value' },
        ];
      }
      if (value.like) return [{ name: 'another form', value: 'soon', says: 'failed to match schema' }];
      return [
        ...sizes(value, 'must be less than N characters', 'must be more than N characters'),
        { name: 'a number', value: 7, says: 'must provide a string' },
      ];
    case 'list':
      return [
        ...sizes(value, 'no more than N items allowed', 'must provide at least N items'),
        { name: 'no list', value: 'x', says: 'must provide an array' },
      ];
    case 'number':
      return [
        ...sizes(value, 'must be less than N', 'must be greater than N'),
        { name: 'a text', value: 'x', says: 'must provide an integer' },
      ];
    case 'boolean':
      return [
        { name: 'true', value: true },
        { name: 'a text', value: 'true', says: 'must provide a boolean' },
      ];
    case 'thing':
      return [
        { name: 'an example', value: example(value) },
        { name: 'bare text', value: 'x', says: 'must provide an object' },
      ];
    case 'typed':
      return [
        ...value.among.map((kind) => ({ name: kind, value: EXAMPLES[kind] })),
        { name: 'another type', value: { type: 'fancy' }, says: 'unsupported type: fancy', below: '/type' },
      ];
    case 'anything':
      return [];
  }
}

function sizes(value: Value & { min: number; max: number }, over: string, under: string, below = ''): Case[] {
  // Items are counted up to the limit, characters up to one beyond it.
  const n = (words: string, items: number, others: number) =>
    words.replace('N', String(value.kind === 'list' ? items : others));
  const most = value.max > 1e9 && value.kind === 'number' && value.max !== 9_999_999_999 ? [] : [value.max];
  return [
    { name: `${value.min}`, value: sized(value, value.min) },
    ...most.map((max) => ({ name: `${max}`, value: sized(value, max) })),
    ...most.map((max) => ({
      name: `${max + 1}`,
      value: sized(value, max + 1),
      says: n(over, max, max + 1),
      below,
    })),
    ...(value.min > 0
      ? [
          {
            name: `${value.min - 1}`,
            value: sized(value, value.min - 1),
            says: n(under, value.min, value.min - 1),
            below,
          },
        ]
      : []),
  ];
}

const RULES = Object.entries(KINDS).flatMap(([kind, fields]) =>
  Object.entries(fields).map(([field, rule]): [string, string, FieldRule] => [kind, field, rule]),
);

describe('every rule of the table', () => {
  it.each(RULES)('%s.%s', (kind, field, rule) => {
    const { at: gone, problems: without } = judged(kind, field, {});
    const parent = gone.slice(0, -field.length - 1);
    const missing = { says: `missing required field: ${field}`, pointer: parent };
    if (rule.required) expect(without).toContainEqual(missing);
    for (const { name, value, says, below = '' } of casesOf(rule.value)) {
      const { at, problems } = judged(kind, field, { [field]: value });
      expect({ name, problems }).toEqual({ name, problems: says ? [{ says, pointer: at + below }] : [] });
    }
  });

  it('has an example of its kind that is taken as it is', () => {
    expect(Object.keys(KINDS).filter((kind) => !EXAMPLES[kind])).toEqual([]);
  });

  it.each(Object.keys(KINDS))('%s: a field that Slack does not know is refused', (kind) => {
    const { at, problems } = judged(kind, 'colour', { colour: 'red' });
    expect(problems).toEqual([
      { says: 'invalid additional property: colour', pointer: at.slice(0, -'/colour'.length) },
    ]);
  });
});
