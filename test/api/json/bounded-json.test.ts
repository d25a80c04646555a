import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundJson, type JsonLimits, parseJson } from '../../../src/api/json/bounded-json.ts';

const limits: JsonLimits = { maxBytes: 2 ** 20, maxRecords: 3, maxValues: 10_000 };

function bound(text: string, options: { isWhole?: boolean } & Partial<JsonLimits> = {}) {
  const { isWhole = true, ...changed } = options;
  const bounded = boundJson(Buffer.from(text), isWhole, { ...limits, ...changed });
  return bounded && { data: parseJson(bounded.json.toString()), isTruncated: bounded.isTruncated };
}

/** A JSON text, and what it is parsed to. */
interface Sample {
  json: string;
  value: unknown;
}

/** An integer that a number would round is parsed to its digits. */
function createNumber(json: string): Sample {
  const integer = /[.eE]/.test(json) ? 0n : BigInt(json);
  const isRounded = integer >= 2n ** 53n || integer <= -(2n ** 53n);
  return { json, value: isRounded ? json : Number(json) };
}

const number = fc
  .oneof(
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.constantFrom('-0', '1e400', '12345678901234567890.5', '1E+2', '9007199254740993e2'),
  )
  .map(createNumber);
const createText = (value: string): Sample => ({ json: JSON.stringify(value), value });
const blank = fc.constantFrom('', ' ', '\n\t');
const joinJson = (samples: readonly Sample[], separator = ',') =>
  samples.map((sample) => sample.json).join(separator);
const listValues = (samples: readonly Sample[]) => samples.map(({ value }) => value);
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    fc.string({ unit: 'grapheme' }).map(createText),
    fc.constantFrom<Sample>(
      ...[true, false, null].map((value) => ({ json: String(value), value })),
      ...['\\', '"123456789012345678901', '1234567890123456789'].map(createText),
      { json: '"\\u00e9"', value: 'é' },
    ),
    fc.tuple(blank, fc.array(tie('sample'))).map(([space, items]) => ({
      json: `[${joinJson(items, `${space},`)}${space}]`,
      value: listValues(items),
    })),
    fc
      .tuple(blank, fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), tie('sample'))))
      .map(([space, fields]) => ({
        json: `{${fields.map(([key, { json }]) => `${JSON.stringify(key)}${space}:${space}${json}`)}}`,
        value: Object.fromEntries(fields.map(([key, { value }]) => [key, value])),
      })),
  ),
}));

const record = fc.oneof(
  sample,
  fc.constant({ json: '{"Id":"a,]}","tags":[1,[2]]}', value: { Id: 'a,]}', tags: [1, [2]] } }),
);

test('every digit of an integer beyond 2^53 in a list or an object is preserved', () => {
  fc.assert(
    fc.property(sample, ({ json, value }) => {
      expect(parseJson(`[${json}]`)).toEqual([value]);
      expect(parseJson(`{"a" : ${json}}`)).toEqual({ a: value });
    }),
    { numRuns: 2_000 },
  );
});

test('a list is cut after the maximum number of records, and what is in front of it stays', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (items) => {
      const whole = `{"success":true,"data": {"items": [${joinJson(items, ' , ')} ]}, "total": 4}`;
      const data = { items: listValues(items.slice(0, 3)) };
      const isTruncated = items.length > 3;
      expect(bound(whole)).toEqual({
        data: { success: true, data, ...(!isTruncated && { total: 4 }) },
        isTruncated,
      });
    }),
    { numRuns: 1_000 },
  );
});

test('of the beginning of a list, all whole records are read, wherever it ends', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 2, maxLength: 3 }), fc.nat(), (items, offset) => {
      const whole = `{"data":[${joinJson(items)}]}`;
      const length = '{"data":['.length + (offset % joinJson(items).length);
      const part = bound(whole.slice(0, length), { isWhole: false });
      const { data: list = [] } = (part?.data ?? {}) as { data?: unknown[] };
      expect(part?.isTruncated).toBe(true);
      expect(list).toEqual(listValues(items.slice(0, list.length)));
      expect(`{"data":[${joinJson(items.slice(0, list.length + 1))}`.length).toBeGreaterThanOrEqual(length);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['has too many values', JSON.stringify(Array(20_000).fill(1))],
  ['is nested too deeply', `${'['.repeat(100)}${']'.repeat(100)}`],
])('a list is cut in front of a record that %s', (_what, record) => {
  expect(bound(`[1,2,${record}]`)).toEqual({ data: [1, 2], isTruncated: true });
});

describe('outside a list', () => {
  test.each([
    ['the beginning of a text', '{"data":"x', { isWhole: false }],
    ['a text with too many values', JSON.stringify({ data: Array(20_000).fill(1) }), {}],
    ['a text that is nested too deeply', `${'['.repeat(100)}1234567890123456789${']'.repeat(100)}`, {}],
  ])('%s without a list of records exceeds the limits', (_what, whole, options) => {
    const { maxRecords: _, ...single } = limits;
    const { isWhole = true } = options as { isWhole?: boolean };
    expect(boundJson(Buffer.from(whole), isWhole, single)).toBeUndefined();
  });

  test('objects that are nested too deeply are refused in an answer with a list too', () => {
    expect(bound(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)).toBeUndefined();
  });
});
