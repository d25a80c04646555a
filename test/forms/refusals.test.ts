import { expect, test } from 'vitest';
import { textField } from '../../src/forms/inputs/text.ts';
import { groupProblemsByField, renderRefusal } from '../../src/forms/refusals.ts';

const fields = {
  words: textField({ label: 'Words', apiFields: ['Content', 'Text'] }),
  other: textField({ label: 'Other', apiFields: 'Other' }),
};
const isShown = () => true;
const problem = (field: string | undefined, message: string) => ({ field, loc: [], message, type: '' });
const invalid = (...problems: ReturnType<typeof problem>[]) => ({ kind: 'invalid' as const, problems });

test('each message is shown under its field; several messages of a field are joined', () => {
  const refusal = invalid(
    problem('Content', 'is loud.'),
    problem('Text', 'is long.'),
    problem('Other', 'is odd.'),
  );
  expect(groupProblemsByField(refusal, fields, isShown)).toEqual({
    warnings: { words: 'is loud. is long.', other: 'is odd.' },
    otherProblems: [],
  });
});

test('messages without a field, or with a hidden one, are shown on top with the service’s field name', () => {
  const refusal = invalid(
    problem('Mood', 'is missing'),
    problem(undefined, 'is odd'),
    problem('Other', 'is odd'),
  );
  const { generalMessages, warnings, banner } = renderRefusal(refusal, fields, (field) => field !== 'other');
  expect(generalMessages).toBe('• Mood: is missing\n• is odd\n• Other: is odd');
  expect(warnings).toEqual({});
  expect(banner).toContain('did not accept this.');
});

test('5,000 messages are counted, and long messages are shortened', () => {
  const refusal = invalid(
    ...Array.from({ length: 5_000 }, (_, index) => problem(`F${index}`, '<&>'.repeat(300))),
    ...Array.from({ length: 100 }, () => problem('Content', 'x'.repeat(900))),
  );
  const { generalMessages, warnings } = renderRefusal(refusal, fields, isShown);
  expect(generalMessages).toContain('…and 4995 more.');
  expect(generalMessages.length).toBeLessThan(3_000);
  expect(warnings.words?.length).toBeLessThanOrEqual(500);
});

test('a property that every object inherits is not a field', () => {
  expect(
    groupProblemsByField(invalid(problem('__proto__', 'x')), fields, isShown).otherProblems,
  ).toHaveLength(1);
});
