import { describe, expect, test } from 'vitest';
import { filtered, inOrder, logLine, logsAsCsv, readLogWords } from '../../../src/features/logs/log-lines.ts';

const now = new Date('2026-11-20T12:00:00Z');
const at = (iso: string) => new Date(iso);

describe('a line', () => {
  test('says when, what and who, in the reader’s zone', () => {
    const entry = {
      at: at('2026-11-20T08:00:00Z'),
      kind: 'post.created',
      message: 'post_7 was created.',
      who: 'Ana',
    };
    expect(logLine(entry, 'Europe/Berlin', now)).toBe(
      'Fri 20 Nov, 09:00 · post.created · post_7 was created. · Ana',
    );
  });

  test('is one line, whatever it holds', () => {
    expect(logLine({ message: 'a\nb\u202ec' }, 'UTC', now)).toBe('no date · a bc');
  });
});

test('the newest come first, and lines without a date last', () => {
  const lines = [
    { message: 'x' },
    { message: 'old', at: at('2026-01-01') },
    { message: 'new', at: at('2026-02-01') },
  ];
  expect(inOrder(lines).map(({ message }) => message)).toEqual(['new', 'old', 'x']);
});

describe('what is wanted', () => {
  const lines = [
    { message: 'Source was updated', who: 'Ana', at: at('2026-11-19T23:30:00Z') },
    { message: 'Post was made', at: at('2026-11-18T10:00:00Z') },
    { message: 'Source lost', details: 'Code: E7' },
  ];

  test('holds all the words, wherever they stand', () => {
    expect(filtered(lines, { words: 'SOURCE “ana”' }).items).toEqual([lines[0]]);
    expect(filtered(lines, { words: 'e7' }).items).toEqual([lines[2]]);
  });

  test('is within both ends; what has no date is counted', () => {
    const range = { from: at('2026-11-19T23:30:00Z').getTime(), to: at('2026-11-19T23:30:00Z').getTime() };
    expect(filtered(lines, { words: 'source', ...range })).toEqual({
      items: [lines[0]],
      undated: 1,
      datesUnread: 0,
    });
    const unread = { message: 'source', isDateUnread: true as const };
    expect(filtered([...lines, unread], { words: 'source', ...range })).toMatchObject({
      undated: 1,
      datesUnread: 1,
    });
    expect(logLine(unread, 'UTC', now)).toBe('date not read · source');
  });

  test('days are read out of the words, in the reader’s zone', () => {
    const read = readLogWords('source updates yesterday', { now, zone: 'Europe/Berlin', locale: 'en-GB' });
    expect(read).toMatchObject({ kind: 'read', words: 'source updates' });
    expect(read.kind === 'read' && read.range?.from).toEqual(at('2026-11-18T23:00:00Z'));
  });

  test('days that can mean two things are asked for', () => {
    const read = readLogWords('errors 03/04', { now, zone: 'UTC', locale: 'en-GB' });
    expect(read).toMatchObject({ kind: 'ask', words: 'errors', asked: '03/04' });
  });
});

describe('CSV', () => {
  const rows = (message: string) => logsAsCsv([{ message, id: '1' }]).split('\r\n')[1];

  test('begins with the mark that says UTF-8, and has a row for each line', () => {
    const csv = logsAsCsv([{ at: now, kind: 'k', who: 'Zoë', message: 'm', details: 'a: 1', id: '1' }]);
    expect(csv).toBe(
      '\ufeffTime (UTC),Event,Who,Message,Details,Id\r\n2026-11-20T12:00:00.000Z,k,Zoë,m,a: 1,1\r\n',
    );
  });

  const plain = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\u200b=1', '\u0000=1'];
  const wide = ['＝1', '＋1', '－1', '＠SUM(A1)', '﹦1', '﹢1', '﹣1', '﹫SUM(A1)', '\u3000﹦1'];
  test.each([...plain, ...wide])('%j is no formula', (text) => {
    expect(rows(text)?.replace(/^,,,"?/, '')).toMatch(/^'/);
  });

  test.each(['1=1', 'ﬁrst ﹢1', '½'])('%j is written as it is', (text) => {
    expect(rows(text)).toBe(`,,,${text},,1`);
  });

  test('quotes, commas, lines and odd characters stay in their cell', () => {
    expect(rows('say "hi", you\nand\u0000 \ud800')).toBe(',,,"say ""hi"", you\nand �",,1');
  });
});
