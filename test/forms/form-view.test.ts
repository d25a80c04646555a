import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachError, type SearchRequest, shortenShownErrors } from '../../src/forms/field.ts';
import { invalid } from '../../src/forms/form.ts';
import { groupProblemsByField, renderFormView, renderRefusal } from '../../src/forms/form-view.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { section } from '../../src/slack/blocks.ts';
import { NOW } from '../support/bot.ts';
import { NOTE_BELOW } from '../support/form-steps.ts';

const fields = {
  text: textField({ label: 'Text', apiFields: ['Content', 'Text'] }),
  other: textField({ label: 'Other', apiFields: 'Other' }),
};
const fixedField = { ...fields.other, renderFixedText: () => 'Only choice' };
const formContext = { projects: [], hasMore: false };
const createProblem = (field: string | undefined, message: string) => ({ field, loc: [], message, type: '' });
const createRefusal = (...problems: ReturnType<typeof createProblem>[]) => ({
  kind: 'invalid' as const,
  problems,
});

test('each message of a refusal is shown under its field, and several messages for a field are joined', () => {
  const refusal = createRefusal(
    createProblem('Content', 'is loud.'),
    createProblem('Text', 'is long.'),
    createProblem('Other', 'is odd.'),
  );
  expect(groupProblemsByField(refusal, fields, formContext)).toEqual({
    warnings: { text: 'is loud. is long.', other: 'is odd.' },
    otherProblems: [],
  });
});

test('messages without a field or with a hidden field are shown above the form, with the field name of the service', () => {
  const refusal = createRefusal(
    createProblem('Mood', 'is missing'),
    createProblem(undefined, 'is odd'),
    createProblem('Other', 'is odd'),
  );
  const form = {
    fields: { ...fields, other: fixedField },
    check: () => invalid({}),
    onSubmit: { respond: async () => ({ errors: {} }) },
  };
  const state = { values: {}, formContext, now: NOW };
  const { generalMessages, warnings, banner } = renderRefusal(refusal, form, state);
  expect(generalMessages).toBe('• Mood: is missing\n• is odd\n• Other: is odd');
  expect(warnings).toEqual({});
  expect(banner).toContain('didn’t accept this.');
});

describe('a problem that a line below its field says', () => {
  const line = attachError(section('*Too long.* Shorten it.'), 'Too long. Shorten it.');
  const form = {
    ...{ name: 'note', version: 1, title: 'Note', submitLabel: 'Save', noun: 'note', command: '/note' },
    fields,
    renderBelowFields: () => ({ text: [section('A count.'), line] }),
    contextLoader: { schema: z.custom<typeof formContext>(), load: async () => ({ formContext }) },
    check: () => invalid({}),
    onSubmit: { respond: async () => ({ errors: {} }) },
  };
  const state = { values: { text: 'x', other: '' }, formContext, now: NOW };
  const render = (warnings: Record<string, string>) =>
    renderFormView(form, { formId: 'f1', state, blockVersions: { text: 3 }, warnings }).blocks;
  const blockIds = render({}).map((block) => block.block_id ?? '');

  test('isn’t said again under the field', () =>
    expect(
      shortenShownErrors(
        { 'text.3': 'Too long. Shorten it.', 'other.0': 'Too long. Shorten it.' },
        { blockIds },
      ),
    ).toEqual({ 'text.3': NOTE_BELOW, 'other.0': 'Too long. Shorten it.' }));

  test('is said under the field if the open view has another line, or none yet', () => {
    const errors = { 'text.3': 'Too loud.' };
    expect(shortenShownErrors(errors, { blockIds })).toEqual(errors);
    expect(shortenShownErrors(errors, { blockIds: ['text.3'] })).toEqual(errors);
  });

  test('isn’t said again below the line when the form is shown again', () => {
    const shown = JSON.stringify(render({ text: 'Too long. Shorten it.', other: 'Missing.' }));
    expect(shown.match(/Shorten it/g)).toHaveLength(1);
    expect(shown).toContain('Missing.');
  });
});

test('a message about “__proto__”, a property of every object, belongs to no field', () =>
  expect(
    groupProblemsByField(createRefusal(createProblem('__proto__', 'x')), fields, formContext).otherProblems,
  ).toHaveLength(1));

test('a search in a truncated list shows a note, followed by the option to use the typed text', async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => ({ id: `t${index}`, name: `Template ${index}` }));
  const field = searchableField({
    label: 'Template',
    emptyText: 'No templates',
    renderQueryLabel: (query) => `Use the ID “${query}”`,
    find: async () => ({ kind: 'done', data: { items, isTruncated: true }, requestId: 'r' }),
  });
  const options = await field.search?.({ query: 'Template' } as SearchRequest);
  expect(options).toHaveLength(100);
  expect(options?.slice(-2).map(({ text }) => text.text)).toEqual([
    'Searching only those that I could read',
    'Use the ID “Template”',
  ]);
});

test.each([
  ['an unreadable list', { items: [], isTruncated: false, isReadable: false }],
  ['a list of unreadable records', { items: [], isTruncated: false, unreadableCount: 2 }],
])('a search in %s doesn’t say that there is nothing', async (_, data) => {
  const field = searchableField({
    label: 'Source',
    emptyText: 'No sources',
    find: async () => ({ kind: 'done', data, requestId: 'r' }),
  });
  const options = await field.search?.({ query: '' } as SearchRequest);
  expect(options?.map(({ text }) => text.text)).toEqual(['Searching only those that I could read']);
});
