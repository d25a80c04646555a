import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundJson, type JsonLimits, parseJson } from '../../../src/api/json/bounded-json.ts';

const limits: JsonLimits = { maxBytes: 2 ** 20, maxRecords: 3, maxValues: 10_000 };

function bound(text: string, options: { isWhole?: boolean } & Partial<JsonLimits> = {}) {
  const { isWhole = true, ...changed } = options;
  const bounded = boundJson(Buffer.from(text), isWhole, { ...limits, ...changed });
  return bounded && { data: parseJson(bounded.json.toString()), isTruncated: bounded.isTruncated };
}

/** Reference implementation: turns each integer that would be rounded into a string. */
function parseWithReviver(text: string): unknown {
  const preserveDigits = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    const digits = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits)
      ? digits
      : value;
  };
  return JSON.parse(text, preserveDigits);
}

const number = fc.oneof(
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '1e400', '12345678901234567890.5', '1E+2', '9007199254740993e2'),
);
const blank = fc.constantFrom('', ' ', '\n\t');
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null', '"\\\\"', '"\\"123456789012345678901"', '"\\u00e9"'),
    fc.tuple(blank, fc.array(tie('json'))).map(([space, items]) => `[${items.join(`${space},`)}${space}]`),
    fc
      .tuple(blank, fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), tie('json'))))
      .map(
        ([space, items]) =>
          `{${items.map(([key, value]) => `${JSON.stringify(key)}${space}:${space}${value}`)}}`,
      ),
  ),
}));

const text = fc.oneof(json, fc.constant('{"Id":"a,]}","tags":[1,[2]]}'));

test('every digit of an integer beyond 2^53 in a list or an object is preserved', () => {
  fc.assert(
    fc.property(json, (item) => {
      for (const whole of [`[${item}]`, `{"a" : ${item}}`])
        expect(parseJson(whole)).toEqual(parseWithReviver(whole));
    }),
    { numRuns: 2_000 },
  );
});

test('a list is cut after the maximum number of records, and what is in front of it stays', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (items) => {
      const whole = `{"success":true,"data": {"items": [${items.join(' , ')} ]}, "total": 4}`;
      const data = { items: items.slice(0, 3).map(parseWithReviver) };
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
    fc.property(fc.array(text, { minLength: 2, maxLength: 3 }), fc.nat(), (items, offset) => {
      const whole = `{"data":[${items.join()}]}`;
      const length = '{"data":['.length + (offset % items.join().length);
      const part = bound(whole.slice(0, length), { isWhole: false });
      const { data: list = [] } = (part?.data ?? {}) as { data?: unknown[] };
      expect(part?.isTruncated).toBe(true);
      expect(list).toEqual(items.slice(0, list.length).map(parseWithReviver));
      expect(`{"data":[${items.slice(0, list.length + 1).join()}`.length).toBeGreaterThanOrEqual(length);
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
