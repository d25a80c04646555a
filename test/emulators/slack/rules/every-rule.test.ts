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
import { EXAMPLES, placeObject } from './examples.ts';

/** Fields of charts that must fit each other, so that a changed one breaks another rule too. */
const FITTED_FIELDS =
  /^(data_series\.data|data_point\.label|axis_config\.categories|\w+\.(series|axis_config))$/;

/** Fields that exclude each other: a field, and the field that it replaces. */
const REPLACED_FIELD: Record<string, string> = { slack_file: 'image_url', option_groups: 'options' };

/** Changes one field of an example. Returns the pointer of the field, and the problems that Slack would report. */
function checkField(kind: string, field: string, change: object): { at: string; problems: Problem[] } {
  const {
    [field]: _,
    [REPLACED_FIELD[field] ?? '']: __,
    ...otherFields
  } = { ...EXAMPLES[kind] } as Record<string, unknown>;
  const object = { ...otherFields, ...change };
  if (kind === 'options_answer') return { at: `/${field}`, problems: problemsOfOptions(object) };
  const { pointer, blocks, view } = placeObject(kind, object);
  const problems = blocks ? problemsOfBlocks(blocks) : isRecord(view) ? problemsOfView(view) : [];
  return { at: `${pointer}/${field}`, problems: problems.map(({ says, pointer }) => ({ says, pointer })) };
}

function makeExample(value: Value): unknown {
  switch (value.kind) {
    case 'words':
      return { type: value.of[0], text: 'x' };
    case 'string':
      return value.among?.[0] ?? 'x'.repeat(value.min);
    case 'list':
      return Array.from({ length: value.min }, () => makeExample(value.of));
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

function makeSized(value: Value & { max: number }, size: number): unknown {
  switch (value.kind) {
    case 'words':
      return { type: value.of[0], text: 'x'.repeat(size) };
    case 'string':
      return 'x'.repeat(size);
    case 'list':
      return Array.from({ length: size }, () => makeExample(value.of));
    default:
      return size;
  }
}

type Case = { name: string; value: unknown; error?: string; subPointer?: string };

/** Lists valid values of a field, without `error`, and invalid ones with Slack's error and its pointer below the field. */
function listCases(value: Value): Case[] {
  switch (value.kind) {
    case 'words':
      return [
        ...listSizeCases(value, 'must be less than N characters', 'must be more than N characters', '/text'),
        {
          name: 'another type',
          value: { type: 'fancy', text: 'x' },
          error: 'unsupported type: fancy',
          subPointer: '/type',
        },
        { name: 'bare text', value: 'x', error: 'must provide an object' },
      ];
    case 'string':
      if (value.among) {
        return [
          ...value.among.map((allowed) => ({ name: allowed, value: allowed })),
          { name: 'another word', value: 'fancy', error: 'must be a valid enum value' },
        ];
      }
      if (value.like) return [{ name: 'another form', value: 'soon', error: 'failed to match schema' }];
      return [
        ...listSizeCases(value, 'must be less than N characters', 'must be more than N characters'),
        { name: 'a number', value: 7, error: 'must provide a string' },
      ];
    case 'list':
      return [
        ...listSizeCases(value, 'no more than N items allowed', 'must provide at least N items'),
        { name: 'no list', value: 'x', error: 'must provide an array' },
      ];
    case 'number':
      return [
        ...listSizeCases(value, 'must be less than N', 'must be greater than N'),
        { name: 'a text', value: 'x', error: 'must provide an integer' },
      ];
    case 'boolean':
      return [
        { name: 'true', value: true },
        { name: 'a text', value: 'true', error: 'must provide a boolean' },
      ];
    case 'thing':
      return [
        { name: 'an example', value: makeExample(value) },
        { name: 'bare text', value: 'x', error: 'must provide an object' },
      ];
    case 'typed':
      return [
        ...value.among.map((kind) => ({ name: kind, value: EXAMPLES[kind] })),
        {
          name: 'another type',
          value: { type: 'fancy' },
          error: 'unsupported type: fancy',
          subPointer: '/type',
        },
      ];
    case 'anything':
      return [];
  }
}

function listSizeCases(
  value: Value & { min: number; max: number },
  maxError: string,
  minError: string,
  subPointer = '',
): Case[] {
  // An error names the limit for items, and one beyond the limit for characters.
  const fillNumber = (template: string, items: number, others: number) =>
    template.replace('N', String(value.kind === 'list' ? items : others));
  const checkedMax =
    value.max > 1e9 && value.kind === 'number' && value.max !== 9_999_999_999 ? [] : [value.max];
  return [
    { name: `${value.min}`, value: makeSized(value, value.min) },
    ...checkedMax.map((max) => ({ name: `${max}`, value: makeSized(value, max) })),
    ...checkedMax.map((max) => ({
      name: `${max + 1}`,
      value: makeSized(value, max + 1),
      error: fillNumber(maxError, max, max + 1),
      subPointer,
    })),
    ...(value.min > 0
      ? [
          {
            name: `${value.min - 1}`,
            value: makeSized(value, value.min - 1),
            error: fillNumber(minError, value.min, value.min - 1),
            subPointer,
          },
        ]
      : []),
  ];
}

const RULES = Object.entries(KINDS).flatMap(([kind, fields]) =>
  Object.entries(fields).map(([field, rule]): [string, string, FieldRule] => [kind, field, rule]),
);

describe('every rule', () => {
  it.each(RULES)('the rule for %s.%s is enforced', (kind, field, rule) => {
    const { at: missingAt, problems: problemsWithoutField } = checkField(kind, field, {});
    const parent = missingAt.slice(0, -field.length - 1);
    const missing = { says: `missing required field: ${field}`, pointer: parent };
    if (rule.required) expect(problemsWithoutField).toContainEqual(missing);
    for (const { name, value, error, subPointer = '' } of listCases(rule.value)) {
      const { at, problems } = checkField(kind, field, { [field]: value });
      const expected = error ? [{ says: error, pointer: at + subPointer }] : [];
      const isFitted = FITTED_FIELDS.test(`${kind}.${field}`);
      expect({ name, problems }).toEqual({
        name,
        problems: isFitted ? expect.arrayContaining(expected) : expected,
      });
    }
  });

  it('every kind of object has an example', () => {
    expect(Object.keys(KINDS).filter((kind) => !EXAMPLES[kind])).toEqual([]);
  });

  it.each(Object.keys(KINDS))('%s: a field unknown to Slack is refused', (kind) => {
    const { at, problems } = checkField(kind, 'colour', { colour: 'red' });
    expect(problems).toEqual([
      { says: 'invalid additional property: colour', pointer: at.slice(0, -'/colour'.length) },
    ]);
  });
});
