import { describe, expect, test } from 'vitest';
import { filterLog, formatLogCsv, renderLogLine, sortNewestFirst } from '../../../src/features/logs/logs.ts';
import { parseListSearch } from '../../../src/lists/list.ts';

const now = new Date('2026-11-20T12:00:00Z');
const createDate = (iso: string) => new Date(iso);

test('a line shows time, event, message and user, in the reader’s zone', () => {
  const entry = {
    at: createDate('2026-11-20T08:00:00Z'),
    kind: 'post.created',
    message: 'post_7 was created.',
    actor: 'Ana',
  };
  expect(renderLogLine(entry, 'Europe/Berlin', now)).toBe('Fri 20 Nov, 09:00 · A post was created. · Ana');
});

test('a line has readable text instead of ids and internal names', () => {
  const renderEntry = (entry: Parameters<typeof renderLogLine>[0]) =>
    renderLogLine({ at: createDate('2026-11-20T08:00:00Z'), ...entry }, 'UTC', now);
  expect(renderEntry({ kind: 'webhook.failed', message: 'Connection refused', actor: 'user_7' })).toBe(
    'Fri 20 Nov, 08:00 · Webhook failed · Connection refused',
  );
  expect(renderEntry({ message: 'user_3 is now ADMIN and ACTIVE.' })).toContain(
    'A user is now admin and active.',
  );
  expect(renderEntry({ message: 'Post 0b9d7a52-6c1e-4f0e-9a35-2f6f3d7f8c11 failed: BIG SALE' })).toContain(
    'Post … failed: BIG SALE',
  );
});

test('a line has no line breaks or direction marks', () =>
  expect(renderLogLine({ message: 'a\nb\u202ec' }, 'UTC', now)).toBe('no date · a bc'));

test('the newest lines come first, and lines without a date last', () => {
  const lines = [
    { message: 'x' },
    { message: 'old', at: createDate('2026-01-01') },
    { message: 'new', at: createDate('2026-02-01') },
  ];
  expect(sortNewestFirst(lines).map(({ message }) => message)).toEqual(['new', 'old', 'x']);
});

describe('a filter', () => {
  const lines = [
    { message: 'Source was updated', actor: 'Ana', at: createDate('2026-11-19T23:30:00Z') },
    { message: 'Post was made', at: createDate('2026-11-18T10:00:00Z') },
    { message: 'Source lost', details: 'Code: E7' },
  ];

  test('a filter finds lines that contain all its words, in any field', () => {
    expect(filterLog(lines, { words: 'SOURCE “ana”' }).items).toEqual([lines[0]]);
    expect(filterLog(lines, { words: 'e7' }).items).toEqual([lines[2]]);
  });

  test('a filter includes both ends of its range, and counts lines without a date', () => {
    const range = {
      from: createDate('2026-11-19T23:30:00Z').getTime(),
      to: createDate('2026-11-19T23:30:00Z').getTime(),
    };
    expect(filterLog(lines, { words: 'source', ...range })).toEqual({
      items: [lines[0]],
      undatedCount: 1,
      unreadableDateCount: 0,
    });
    const unreadableLine = { message: 'source', hasUnparsedDate: true as const };
    expect(filterLog([...lines, unreadableLine], { words: 'source', ...range })).toMatchObject({
      undatedCount: 1,
      unreadableDateCount: 1,
    });
    expect(renderLogLine(unreadableLine, 'UTC', now)).toBe('unreadable date · source');
  });

  test('days in the text of a filter are resolved in the reader’s zone', () => {
    const search = parseListSearch('source updates yesterday', {
      now,
      zone: 'Europe/Berlin',
      locale: 'en-GB',
    });
    expect(search).toMatchObject({
      kind: 'parsed',
      search: { words: 'source updates', from: createDate('2026-11-18T23:00:00Z').getTime() },
    });
  });
});

describe('CSV', () => {
  const formatRow = (message: string) => formatLogCsv([{ message, id: '1' }], 'UTC').split('\r\n')[1];

  test('a CSV file starts with a byte order mark, and has a row for each line', () => {
    const line = { at: now, kind: 'k', actor: 'Zoë', message: 'm', details: 'a: 1', id: '1' };
    const csv = formatLogCsv([line], 'Europe/Berlin');
    expect(csv).toBe(
      '\ufeffTime (Europe/Berlin),Event,Who,Message,Details,Id\r\n2026-11-20 13:00:00,k,Zoë,m,a: 1,1\r\n',
    );
  });

  test('a time that the clock shows twice has its offset', () => {
    const twice = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => ({
      ...{ at: new Date(at), message: 'm' },
    }));
    const csv = formatLogCsv(twice, 'Europe/Berlin');
    expect(csv).toContain('2026-10-25 02:30:00 +02:00,');
    expect(csv).toContain('2026-10-25 02:30:00 +01:00,');
  });

  const asciiFormulas = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\u200b=1', '\u0000=1'];
  const unicodeFormulas = ['＝1', '＋1', '－1', '＠SUM(A1)', '﹦1', '﹢1', '﹣1', '﹫SUM(A1)', '\u3000﹦1'];
  test.each([...asciiFormulas, ...unicodeFormulas])('the text %j doesn’t become a formula', (text) =>
    expect(formatRow(text)?.replace(/^,,,"?/, '')).toMatch(/^'/),
  );

  test.each(['1=1', 'ﬁrst ﹢1', '½'])('the text %j stays unchanged', (text) =>
    expect(formatRow(text)).toBe(`,,,${text},,1`),
  );

  test('quotes, commas, line breaks and control characters stay in their CSV cell', () =>
    expect(formatRow('say "hi", you\nand\u0000 \ud800')).toBe(',,,"say ""hi"", you\nand �",,1'));
});
