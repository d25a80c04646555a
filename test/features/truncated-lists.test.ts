import { expect, test } from 'vitest';
import { renderExportMessage, renderLogList } from '../../src/features/logs/logs.ts';
import { renderRecordList } from '../../src/lists/record-list.ts';

/** The texts of truncated and complete lists. */

const project = { id: 'p1', name: 'Harbour' };
const now = new Date('2026-11-20T12:00:00Z');
const items = Array.from({ length: 3 }, (_, index) => ({
  id: `i${index}`,
  name: `Name ${index}`,
  content: 'text',
}));

const list = {
  command: '/upnext templates',
  noun: 'template',
  readRecords: () => Promise.reject(new Error('not read')),
  getSearchText: ({ name }: { name: string }) => name,
  renderEntry: () => [],
};

const LISTS: Record<string, (searchWords: string, isTruncated: boolean) => object> = {
  templates: (words, isTruncated) =>
    renderRecordList(list, {
      project,
      records: { isReadable: true, items, unreadableCount: 1, isTruncated },
      state: { words, page: 0 },
    }),
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
  const note = `I can read only the first 4 ${listName}. There are more.`;
  expect(renderList(listName, '', true)).toContain(note);
  expect(renderList(listName, 'nothing like this', true)).toContain(note);
  expect(renderList(listName, '', false)).not.toContain('There are more');
});

test.each([
  ['templates', 'I found no Harbour template with “nothing like this”.'],
  ['lines that the service lists', 'I found no line in the Harbour log with “nothing like this”.'],
])('a search without results in a list of %s says only what was found', (listName, text) => {
  expect(renderList(listName, 'nothing like this', true)).toContain(text);
  expect(renderList(listName, 'nothing like this', false)).toContain(text);
});

test('an exported log says whether it is complete', () => {
  const renderComment = (isPartial: boolean) =>
    renderExportMessage(project, '', { items: [], undatedCount: 0, unreadableDateCount: 0, isPartial });
  expect(renderComment(true)).toContain('more than I can read, so these are only some');
  expect(renderComment(false)).toContain('The service may have older ones');
});
