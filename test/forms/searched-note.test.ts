import { expect, test } from 'vitest';
import type { SearchRequest } from '../../src/forms/field.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';

test('a truncated list shows a note next to the option to use the typed text', async () => {
  const items = Array.from({ length: 2_000 }, (_, at) => ({ id: `t${at}`, name: `Template ${at}` }));
  const field = searchableField({
    label: 'Template',
    none: 'No templates',
    renderQueryLabel: (words) => `Use the id “${words}”`,
    find: async () => ({ kind: 'done', data: { items, isTruncated: true }, requestId: 'r' }),
  });
  const options = await field.search?.({ query: 'Template' } as SearchRequest);
  expect(options).toHaveLength(100);
  expect(options?.slice(-2).map(({ text }) => text.text)).toEqual([
    'Only the first 2000 are searched',
    'Use the id “Template”',
  ]);
});
