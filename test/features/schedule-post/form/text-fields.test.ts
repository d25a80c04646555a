import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitPrefilledTexts, splitText } from '../../../../src/features/schedule-post/form/text-fields.ts';

describe('a long text in fields of 3,000 characters', () => {
  test.each([
    ['an empty text', '', 0],
    ['a text that fits', 'a'.repeat(3_000), 1],
    ['one character more', 'a'.repeat(3_001), 2],
    ['9,000 letters', 'a'.repeat(9_000), 3],
    ['9,000 characters of words', 'word '.repeat(1_800), 3],
    ['9,000 characters with an emoji across a limit', `${'a'.repeat(2_998)}🧑‍🔧${'b'.repeat(5_997)}`, 3],
    ['an emoji across the limit', `${'a'.repeat(2_999)}🧑‍🔧${'b'.repeat(10)}`, 2],
    ['one character that is longer than a field', `e${'\u0301'.repeat(7_000)}`, 3],
  ])('%s is split into fields and joined unchanged', (_content, text, count) => {
    const { parts, excessText } = splitText(text);
    expect(parts.join('')).toBe(text);
    expect(excessText).toBe('');
    expect(parts).toHaveLength(count);
    expect(parts.every((part) => part.length <= 3_000 && part.isWellFormed())).toBe(true);
  });

  test('a field ends at a paragraph break if there is one near its limit', () => {
    const [firstPart] = splitText(`${'a'.repeat(2_900)}\n\n${'b c '.repeat(500)}`).parts;
    expect(firstPart?.endsWith('a\n\n')).toBe(true);
  });

  test('text beyond the last field is returned separately', () => {
    // The last field ends behind the joiner.
    const { parts, excessText } = splitText(`${'a'.repeat(8_997)}🧑‍🔧${'b'.repeat(3_000)}`);
    expect(parts.join('')).toBe('a'.repeat(8_997));
    expect(excessText).toBe(`🧑‍🔧${'b'.repeat(3_000)}`);
  });

  test('typed texts that fit stay in their fields', () => {
    expect(fitPrefilledTexts({ text: 'one', text2: '', text3: 'three', media: 'x' })).toEqual({
      values: { text: 'one', text2: '', text3: 'three' },
      excessText: '',
    });
  });

  test('a text that is longer than all fields is kept', () => {
    const text = Array.from({ length: 14 }, (_, index) => String.fromCharCode(97 + index).repeat(2_000)).join(
      '',
    );
    const { values, excessText } = fitPrefilledTexts({ text });
    expect(Object.values(values).join('') + excessText).toBe(text);
    expect(excessText).toHaveLength(28_000 - 9_000);
  });

  test('any text of up to 8,990 characters is split and joined unchanged', () => {
    const fragmentArbitrary = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(' ', '\n', '👩‍👩‍👧‍👦', 'שלום ', '. '),
    );
    fc.assert(
      fc.property(
        fc.array(fragmentArbitrary, { maxLength: 40 }),
        fc.integer({ min: 1, max: 400 }),
        (fragments, times) => {
          const text = fragments.join('').repeat(times).slice(0, 8_990).toWellFormed();
          const { parts, excessText } = splitText(text);
          expect(parts.join('') + excessText).toBe(text);
          expect(excessText).toBe('');
        },
      ),
      { numRuns: 60 },
    );
  });
});
