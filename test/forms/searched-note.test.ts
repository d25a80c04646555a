import { expect, test } from 'vitest';
import type { SearchRequest } from '../../src/forms/field.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';

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
    'Searching only the first 2000',
    'Use the ID “Template”',
  ]);
});
