import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/json.ts';
import { DATE, type FieldRule, type Problem, type Schema } from '../../src/rules/field-rule.ts';
import {
  FIELD_RULES,
  findBlockProblems,
  findOptionsProblems,
  findViewProblems,
} from '../../src/rules/find-problems.ts';
import { EXAMPLES, placeObject } from './examples.ts';

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
  if (kind === 'options_answer') return { at: `/${field}`, problems: findOptionsProblems(object) };
  const { pointer, blocks, view } = placeObject(kind, object);
  const problems = blocks ? findBlockProblems(blocks) : isRecord(view) ? findViewProblems(view) : [];
  return {
    at: `${pointer}/${field}`,
    problems: problems.map(({ message, pointer }) => ({ message, pointer })),
  };
}

function makeExample(value: Schema): unknown {
  switch (value.kind) {
    case 'textObject':
      return { type: value.textTypes[0], text: 'x' };
    case 'string':
      return value.values?.[0] ?? 'x'.repeat(value.min);
    case 'array':
      return Array.from({ length: value.min }, () => makeExample(value.items));
    case 'object':
      return EXAMPLES[value.objectKind];
    case 'typedObject':
      return EXAMPLES[value.objectKinds[0] ?? ''];
    case 'integer':
      return value.min;
    case 'boolean':
      return true;
    case 'any':
      return {};
  }
}

function makeSized(value: Schema & { max: number }, size: number): unknown {
  switch (value.kind) {
    case 'textObject':
      return { type: value.textTypes[0], text: 'x'.repeat(size) };
    case 'string':
      return 'x'.repeat(size);
    case 'array':
      return Array.from({ length: size }, () => makeExample(value.items));
    default:
      return size;
  }
}

type Case = { name: string; value: unknown; error?: string; subPointer?: string };

/** Lists valid values of a field, without `error`, and invalid ones with Slack's error and its pointer below the field. */
function listCases(value: Schema): Case[] {
  switch (value.kind) {
    case 'textObject':
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
      if (value.values) {
        return [
          ...value.values.map((allowed) => ({ name: allowed, value: allowed })),
          { name: 'another word', value: 'fancy', error: 'must be a valid enum value' },
        ];
      }
      if (value === DATE) {
        return [
          { name: 'a day', value: '2028-02-29' },
          { name: 'no day of the calendar', value: '2026-02-30', error: 'failed to match schema' },
          { name: 'another form', value: '1 Dec', error: 'failed to match schema' },
        ];
      }
      if (value.fits)
        return [{ name: 'another form', value: 'soon', error: value.misfit ?? 'failed to match schema' }];
      return [
        ...listSizeCases(value, 'must be less than N characters', 'must be more than N characters'),
        { name: 'a number', value: 7, error: 'must provide a string' },
      ];
    case 'array':
      return [
        ...listSizeCases(value, 'no more than N items allowed', 'must provide at least N items'),
        { name: 'no list', value: 'x', error: 'must provide an array' },
      ];
    case 'integer':
      return [
        ...listSizeCases(value, 'must be less than N', 'must be greater than N'),
        { name: 'a text', value: 'x', error: 'must provide an integer' },
      ];
    case 'boolean':
      return [
        { name: 'true', value: true },
        { name: 'a text', value: 'true', error: 'must provide a boolean' },
      ];
    case 'object':
      return [
        { name: 'an example', value: makeExample(value) },
        { name: 'bare text', value: 'x', error: 'must provide an object' },
      ];
    case 'typedObject':
      return [
        ...value.objectKinds.map((kind) => ({ name: kind, value: EXAMPLES[kind] })),
        {
          name: 'another type',
          value: { type: 'fancy' },
          error: 'unsupported type: fancy',
          subPointer: '/type',
        },
      ];
    case 'any':
      return [];
  }
}

function listSizeCases(
  value: Schema & { min: number; max: number },
  maxError: string,
  minError: string,
  subPointer = '',
): Case[] {
  // An error names the limit for items, and one beyond the limit for characters.
  const fillNumber = (template: string, items: number, others: number) =>
    template.replace('N', String(value.kind === 'array' ? items : others));
  const checkedMax =
    value.max > 1e9 && value.kind === 'integer' && value.max !== 9_999_999_999 ? [] : [value.max];
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

const RULES = Object.entries(FIELD_RULES).flatMap(([kind, fields]) =>
  Object.entries(fields).map(([field, rule]): [string, string, FieldRule] => [kind, field, rule]),
);

describe('every rule', () => {
  it.each(RULES)('the rule for %s.%s is enforced', (kind, field, rule) => {
    const { at: missingAt, problems: problemsWithoutField } = checkField(kind, field, {});
    const parent = missingAt.slice(0, -field.length - 1);
    const missing = { message: `missing required field: ${field}`, pointer: parent };
    if (rule.isRequired) expect(problemsWithoutField).toContainEqual(missing);
    for (const { name, value, error, subPointer = '' } of listCases(rule.schema)) {
      const { at, problems } = checkField(kind, field, { [field]: value });
      const expected = error ? [{ message: error, pointer: at + subPointer }] : [];
      expect({ name, problems }).toEqual({ name, problems: expected });
    }
  });

  it('every kind of object has an example', () => {
    expect(Object.keys(FIELD_RULES).filter((kind) => !EXAMPLES[kind])).toEqual([]);
  });

  it.each(Object.keys(FIELD_RULES))('%s: a field unknown to Slack is refused', (kind) => {
    const { at, problems } = checkField(kind, 'colour', { colour: 'red' });
    expect(problems).toEqual([
      { message: 'invalid additional property: colour', pointer: at.slice(0, -'/colour'.length) },
    ]);
  });
});
