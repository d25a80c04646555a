import { describe, expect, test } from 'vitest';
import { narrowings } from '../../../../src/features/list-posts/filter/post-filter.ts';
import { readPostWords, thisWeek } from '../../../../src/features/list-posts/filter/read-post-words.ts';
import { understandMoments, withStepBudget } from '../../../../src/when/when.ts';

const reader = { now: new Date('2026-11-20T12:00:00Z'), zone: 'Europe/Lisbon', locale: 'en-GB' };

function said(text: string): string {
  const read = readPostWords(text, reader);
  if (read.kind === 'too-long') return read.reason;
  if (read.kind === 'unclear') return `unclear: ${read.unknown.join(', ')}`;
  if (read.kind === 'ask') return `which: ${read.candidates.map(({ said: days }) => days).join(' | ')}`;
  const { statuses } = read.filter;
  return [...statuses, ...narrowings(read.filter, reader)].join(' · ').replaceAll(' (Lisbon)', '');
}

describe('words are read as a filter', () => {
  test.each([
    ['', 'Mon 16 Nov to Sun 22 Nov'],
    ['posts', 'Mon 16 Nov to Sun 22 Nov'],
    ['week', 'Mon 16 Nov to Sun 22 Nov'],
    ['month', 'Sun 1 Nov to Mon 30 Nov'],
    ['today', 'Fri 20 Nov'],
    ['all', ''],
    ['everything', ''],
    ['drafts', 'DRAFT'],
    ['all drafts', 'DRAFT'],
    ['mine', 'sent by you from here'],
    ['by me', 'sent by you from here'],
    ['scheduled x this week', 'SCHEDULED · Mon 16 Nov to Sun 22 Nov · X'],
    ['from monday to friday', 'Mon 16 Nov to Fri 20 Nov'],
    ['linkedin next week', 'Mon 23 Nov to Sun 29 Nov · LinkedIn'],
    ['published yesterday', 'PUBLISHED · Thu 19 Nov'],
    ['Twitter, IG & fb', 'X, Instagram and Facebook'],
    ['twitter and x', 'X'],
    ['what is going out tomorrow?', 'Sat 21 Nov'],
    ['tomorrow’s posts', 'Sat 21 Nov'],
    ['“drafts”', 'DRAFT'],
    ['drafts or scheduled', 'DRAFT · SCHEDULED · draft or scheduled'],
    ['drafts without a date', 'DRAFT · without a date'],
    ['undated', 'without a date'],
    ['threads in december', 'Tue 1 Dec to Thu 31 Dec · Threads'],
    ['published since monday on tik tok', 'PUBLISHED · from Mon 16 Nov · TikTok'],
  ])('%s', (text, filter) => {
    expect(said(text)).toBe(filter);
  });

  test('days that could be two are asked for, with the rest of the filter kept', () => {
    expect(said('fb 03/04')).toBe('which: Sat 3 Apr 2027 (Lisbon) | Thu 4 Mar 2027 (Lisbon)');
    const read = readPostWords('fb 03/04', reader);
    expect(read).toMatchObject({ candidates: [{ filter: { platforms: ['FACEBOOK'] } }, {}] });
  });

  test('the reader’s own language names the days', () => {
    const read = readPostWords('drafts nächste Woche', { ...reader, locale: 'de-DE' });
    expect(read).toMatchObject({ kind: 'read', filter: { statuses: ['DRAFT'] } });
    expect(read.kind === 'read' && read.filter.from).toBe(Date.parse('2026-11-23T00:00:00Z'));
  });
});

describe('words that say nothing here are named', () => {
  test.each([
    ['blursday', 'unclear: blursday'],
    ['drafts by the kitchen', 'unclear: kitchen'],
    ['today and tomorrow', 'unclear: tomorrow'],
    ['__proto__ constructor', 'unclear: proto, constructor'],
    ['not published', 'unclear: not'],
  ])('%s', (text, words) => {
    expect(said(text)).toBe(words);
  });

  test('those of 100 kB are too long', () => {
    expect(said('x'.repeat(100_000))).toMatch(/^Too long/);
    expect(said('drafts '.repeat(15_000))).toMatch(/^Too long/);
  });

  test('a slip is put right as a question, one word beyond it is not', () => {
    expect(readPostWords('draftss on twiter', reader)).toMatchObject({ meant: 'drafts on twitter' });
    expect(readPostWords('draftss of the kitchen', reader)).not.toHaveProperty('meant');
    expect(readPostWords('today and tomorrow', reader)).not.toHaveProperty('meant');
  });
});

test('this week is known, whatever the person’s words have cost', () => {
  const slow = 'from 2 to friday - 3/4 or easter or IST';
  const filter = withStepBudget(() => {
    for (let at = 0; at < 100; at += 1) understandMoments({ ...reader, text: `${at} ${slow}` });
    return thisWeek(reader);
  });
  expect(filter).toEqual(thisWeek(reader));
  expect(filter.from).toBeDefined();
});
