import { expect, test } from 'vitest';
import { textField } from '../../src/forms/inputs/text.ts';
import { groupProblemsByField, renderRefusal } from '../../src/forms/refusals.ts';

const fields = {
  words: textField({ label: 'Words', api: ['Content', 'Text'] }),
  other: textField({ label: 'Other', api: 'Other' }),
};
const everywhere = () => true;
const problem = (field: string | undefined, message: string) => ({ field, loc: [], message, type: '' });
const invalid = (...problems: ReturnType<typeof problem>[]) => ({ kind: 'invalid' as const, problems });

test('each message stands under the field that its name belongs to, several joined', () => {
  const why = invalid(
    problem('Content', 'is loud.'),
    problem('Text', 'is long.'),
    problem('Other', 'is odd.'),
  );
  expect(groupProblemsByField(why, fields, everywhere)).toEqual({
    warnings: { words: 'is loud. is long.', other: 'is odd.' },
    others: [],
  });
});

test('what has no field, or one that is not there, stands on top with the service’s name', () => {
  const why = invalid(
    problem('Mood', 'is missing'),
    problem(undefined, 'is odd'),
    problem('Other', 'is odd'),
  );
  const { others, warnings, banner } = renderRefusal(why, fields, (field) => field !== 'other');
  expect(others).toBe('• Mood: is missing\n• is odd\n• Other: is odd');
  expect(warnings).toEqual({});
  expect(banner).toContain('did not accept this.');
});

test('5,000 messages are counted, and none is longer than it is worth', () => {
  const why = invalid(
    ...Array.from({ length: 5_000 }, (_, index) => problem(`F${index}`, '<&>'.repeat(300))),
    ...Array.from({ length: 100 }, () => problem('Content', 'x'.repeat(900))),
  );
  const { others, warnings } = renderRefusal(why, fields, everywhere);
  expect(others).toContain('…and 4995 more.');
  expect(others.length).toBeLessThan(3_000);
  expect(warnings.words?.length).toBeLessThanOrEqual(500);
});

test('a name that every object has is no field', () => {
  expect(groupProblemsByField(invalid(problem('__proto__', 'x')), fields, everywhere).others).toHaveLength(1);
});
