import { expect, test } from 'vitest';
import { renderExportMessage, renderLogList } from '../../src/features/logs/log-messages.ts';
import { renderSourceList } from '../../src/features/sources/source-messages.ts';
import { renderTemplateList } from '../../src/features/templates/template-messages.ts';

/** The texts of truncated and complete lists. */

const project = { id: 'p1', name: 'Harbour' };
const now = new Date('2026-11-20T12:00:00Z');
const items = Array.from({ length: 3 }, (_, index) => ({
  id: `i${index}`,
  name: `Name ${index}`,
  content: 'text',
}));

const LISTS: Record<string, (searchWords: string, isTruncated: boolean) => object> = {
  templates: (searchWords, isTruncated) =>
    renderTemplateList(
      project,
      { isReadable: true, items, unreadableCount: 1, isTruncated },
      { words: searchWords, page: 0 },
    ),
  sources: (searchWords, isTruncated) =>
    renderSourceList(project, { items, unreadableCount: 1, isTruncated }, { words: searchWords, page: 0 }),
  'lines that the service lists': (searchWords, isTruncated) => {
    const entries = items.map(({ id, name }) => ({ id, at: now, message: name }));
    return renderLogList(
      { project, entries, unreadableCount: 1, isTruncated, zone: 'UTC', now },
      { words: searchWords, page: 0 },
    );
  },
};
const renderList = (listName: string, searchWords: string, isTruncated: boolean) =>
  JSON.stringify(LISTS[listName]?.(searchWords, isTruncated));

test.each(Object.keys(LISTS))('only a truncated list of %s says how many were read', (listName) => {
  const note = `Showing the first 4 ${listName}. There are more, which I can’t read.`;
  expect(renderList(listName, '', true)).toContain(note);
  expect(renderList(listName, 'nothing like this', true)).toContain(note);
  expect(renderList(listName, '', false)).not.toContain('There are more');
});

test.each([
  ['templates', 'nothing like this”, among those I can read.', 'Show the first 3'],
  ['sources', 'nothing like this”, among those I can read.', 'Show the first 3'],
  ['lines that the service lists', 'nothing like this”, among those I can read.', 'I read 3 lines.'],
])(
  'a search without results in a truncated list of %s says that there may be more',
  (listName, noneText, offerText) => {
    const text = renderList(listName, 'nothing like this', true);
    expect(text).toContain(noneText);
    expect(text).toContain(offerText);
    const completeList = renderList(listName, 'nothing like this', false);
    expect(completeList).not.toContain('those I can read');
    expect(completeList).not.toContain('the first');
  },
);

test('an exported log says whether it is complete', () => {
  const renderComment = (isTruncated: boolean) =>
    renderExportMessage(project, '', { count: 5_000, isTruncated });
  expect(renderComment(true)).toContain('more than I can read, so these are only some');
  expect(renderComment(false)).toContain('The service may have older ones');
});
