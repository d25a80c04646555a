import { expect, test } from 'vitest';
import type { SearchRequest } from '../../src/forms/field.ts';
import { searchableField } from '../../src/forms/inputs/searched.ts';

test('the note of a list that was cut stands beside what may be typed', async () => {
  const items = Array.from({ length: 2_000 }, (_, at) => ({ id: `t${at}`, name: `Template ${at}` }));
  const field = searchableField({
    label: 'Template',
    none: 'No templates',
    renderQueryLabel: (words) => `Use the id “${words}”`,
    find: async () => ({ kind: 'done', data: { items, isTruncated: true }, requestId: 'r' }),
  });
  const offered = await field.search?.({ query: 'Template' } as SearchRequest);
  expect(offered).toHaveLength(100);
  expect(offered?.slice(-2).map(({ text }) => text.text)).toEqual([
    'Only the first 2000 are searched',
    'Use the id “Template”',
  ]);
});
