import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonLimits } from '../../../src/api/json/json-buffer.ts';
import { createJsonReader } from '../../../src/api/json/json-reader.ts';

const WIDE_LIMITS: JsonLimits = { maxRecords: 1_000_000, maxParsedBytes: 2 ** 26, maxValues: 10_000_000 };

/** Reads the text in chunks. `sizes` has their sizes, which are used in turn. */
function read(text: string | Buffer, limits: JsonLimits = WIDE_LIMITS, sizes: readonly number[] = [65_536]) {
  const bytes = Buffer.from(text);
  const reader = createJsonReader(limits);
  let chunkIndex = 0;
  for (let offset = 0; offset < bytes.length; chunkIndex += 1) {
    const size = sizes[chunkIndex % sizes.length] ?? 1;
    reader.add(bytes.subarray(offset, offset + size));
    offset += size;
  }
  const { json, isTruncated } = reader.end();
  return { json: json.toString(), isTruncated };
}

/** Slow reference implementation, which turns integers that would be rounded into strings. */
function parseWithReviver(text: string): unknown {
  const preserveDigits = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    const digits = context?.source ?? '';
    return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits)
      ? digits
      : value;
  };
  return JSON.parse(text, preserveDigits);
}

function tryParse(parse: () => unknown): { value: unknown } | 'invalid JSON' {
  try {
    return { value: parse() };
  } catch {
    return 'invalid JSON';
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
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

describe('a text within the limits', () => {
  test('a text within the limits is parsed as by the reference implementation, however it is split into chunks', () => {
    fc.assert(
      fc.property(json, sizes, (text, chunkSizes) => {
        const { json: output, isTruncated } = read(text, WIDE_LIMITS, chunkSizes);
        expect({ value: JSON.parse(output), isTruncated }).toEqual({
          value: parseWithReviver(text),
          isTruncated: false,
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test('a text that isn’t JSON stays invalid', () => {
    const fragment = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '-', '0', '1', '.', 'e', 'true', '"a"'),
      fc.constantFrom('12345678901234567890', '01234567890123456789', '-9007199254740993', '\ufeff'),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), sizes, (fragments, chunkSizes) => {
        const text = fragments.join('');
        expect(tryParse(() => JSON.parse(read(text, WIDE_LIMITS, chunkSizes).json))).toEqual(
          tryParse(() => parseWithReviver(text)),
        );
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a list over the limits', () => {
  const limits: JsonLimits = { maxRecords: 3, maxParsedBytes: 2 ** 21, maxValues: 10_000 };
  const item = fc.oneof(json, fc.constant('{"Id":"a,]}","tags":[1,[2]]}'));

  test('a list is truncated after the maximum number of records, and the text around it stays', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 0, maxLength: 8 }), sizes, (items, chunkSizes) => {
        const text = `{"data": {"items": [${items.join(' , ')} ], "total": 12345678901234567890}, "success":true}`;
        const { json: output, isTruncated } = read(text, limits, chunkSizes);
        expect(isTruncated).toBe(items.length > 3);
        expect(JSON.parse(output)).toEqual({
          data: { items: items.slice(0, 3).map(parseWithReviver), total: '12345678901234567890' },
          success: true,
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test('a list is truncated if it has too many values or too many bytes', () => {
    const createList = (record: string) => `{"data":[${Array(3).fill(record)}],"success":true}`;
    const fewValues = { ...limits, maxValues: 600 };
    const manyValues = read(createList(JSON.stringify(Array(250).fill(1))), fewValues);
    expect({ ...manyValues, json: JSON.parse(manyValues.json).data.length }).toEqual({
      json: 2,
      isTruncated: true,
    });
    const manyBytes = read(createList(JSON.stringify('x'.repeat(2_000))), {
      ...limits,
      maxParsedBytes: 5_000,
    });
    expect({ ...manyBytes, json: JSON.parse(manyBytes.json).data.length }).toEqual({
      json: 2,
      isTruncated: true,
    });
  });

  test.each([
    ['too long', JSON.stringify({ Id: 'big', Content: 'x'.repeat(1_100_000) })],
    ['of too many values', JSON.stringify({ Id: 'big', Tags: Array(2_000).fill(1) })],
    ['nested too deeply', `{"Id":"big","a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('a record that is %s is replaced by null, and the other records stay', (_what, record) => {
    for (const chunk of [[7], [65_536], [10_000_000]]) {
      const { json: output, isTruncated } = read(`[{"Id":1},${record},{"Id":3}]`, limits, chunk);
      expect({ data: JSON.parse(output), isTruncated }).toEqual({
        data: [{ Id: 1 }, null, { Id: 3 }],
        isTruncated: false,
      });
      expect(JSON.parse(read(`[${record}]`, limits, chunk).json)).toEqual([null]);
    }
  });
});

describe('outside a list', () => {
  const objectLimits: JsonLimits = { maxParsedBytes: 2 ** 20, maxValues: 10_000 };

  test.each([
    ['a text with too many bytes', JSON.stringify({ data: 'x'.repeat(2 ** 21 + 100) })],
    ['a text with too many values', JSON.stringify({ data: Array(20_000).fill(1) })],
    ['endless nesting', '['.repeat(100_000)],
    ['an endless number', '1'.repeat(100_000)],
  ])('%s outside a list exceeds the limits', (_what, text) => {
    expect(() => read(text, objectLimits, [1_000])).toThrow('exceeds its limits');
  });
});
