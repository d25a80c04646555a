import { describe, expect, test } from 'vitest';
import { getGroup } from '../../../src/features/list-posts/page/post-row.ts';
import {
  countWholeDays,
  createWeekFilter,
  describeFilter,
  isAboutDays,
  parsePostFilter,
  shiftDays,
} from '../../../src/features/list-posts/post-filter.ts';
import { completeWeek } from '../../../src/features/list-posts/show-list.ts';
import { renderRange, understandRange } from '../../../src/when/range.ts';
import { understandMoments, withStepBudget } from '../../../src/when/when.ts';

const reader = { now: new Date('2026-11-20T12:00:00Z'), zone: 'Europe/Lisbon', locale: 'en-GB' };
/** A person whose language, zone and habit name different orders of day and month. */
const UNSURE = { ...reader, dateOrder: 'unsure' as const };

function describeResult(text: string, asked: Parameters<typeof parsePostFilter>[1] = reader): string {
  const result = parsePostFilter(text, asked);
  if (result.kind === 'too-long') return result.reason;
  if (result.kind === 'unknown-words') return `unknown: ${result.unknownWords.join(', ')}`;
  if (result.kind === 'ambiguous') return `which: ${result.candidates.map(({ label }) => label).join(' | ')}`;
  const { statuses, search } = result.filter;
  const { restrictions, days } = describeFilter(result.filter, reader);
  const description = `${restrictions}${search === undefined ? '' : ` containing “${search}”`}${days && `, ${days}`}`;
  return [...statuses, description.replace(/^,? /, '')]
    .filter(Boolean)
    .join(' · ')
    .replaceAll(' (Lisbon)', '');
}

test.each([
  ['', 'Mon 16 Nov to Sun 22 Nov'],
  ['posts', 'Mon 16 Nov to Sun 22 Nov'],
  ['week', 'Mon 16 Nov to Sun 22 Nov'],
  ['month', 'Sun 1 Nov to Mon 30 Nov'],
  ['month december', 'Tue 1 Dec to Thu 31 Dec'],
  ['month of december on x', 'on X, Tue 1 Dec to Thu 31 Dec'],
  ['month next month', 'Tue 1 Dec to Thu 31 Dec'],
  ['month report', 'containing “report”, Sun 1 Nov to Mon 30 Nov'],
  ['today', 'Fri 20 Nov'],
  ['all', ''],
  ['everything', ''],
  ['drafts', 'DRAFT'],
  ['all drafts', 'DRAFT'],
  ['mine', 'by you'],
  ['by me', 'by you'],
  ['scheduled x this week', 'SCHEDULED · on X, Mon 16 Nov to Sun 22 Nov'],
  ['from monday to friday', 'Mon 16 Nov to Fri 20 Nov'],
  ['linkedin next week', 'on LinkedIn, Mon 23 Nov to Sun 29 Nov'],
  ['published yesterday', 'PUBLISHED · Thu 19 Nov'],
  ['Twitter, IG & fb', 'on X, Instagram and Facebook'],
  ['twitter and x', 'on X'],
  ['what is going out tomorrow?', 'Sat 21 Nov'],
  ['tomorrow’s posts', 'Sat 21 Nov'],
  ['“drafts”', 'DRAFT'],
  ['drafts or scheduled', 'DRAFT · SCHEDULED'],
  ['drafts without a date', 'DRAFT · without a date'],
  ['undated', 'without a date'],
  ['threads in december', 'on Threads, Tue 1 Dec to Thu 31 Dec'],
  ['coffee', 'containing “coffee”'],
  ['waiting  for  review', 'REVIEW'],
  ['cold brew on x', 'on X containing “cold brew”'],
  ['blursday', 'containing “blursday”'],
  ['failed this week', 'FAILED · Mon 16 Nov to Sun 22 Nov'],
  ['waiting', 'PENDING · UNCERTAIN · FAILED'],
  ['coffee by @ben this week', 'by @ben containing “coffee”, Mon 16 Nov to Sun 22 Nov'],
  ['by @Ben Okafor', 'by @Ben Okafor'],
  ['posts by Ben Okafor on X', 'on X by @ben okafor'],
  ['by Ben coffee', 'by @ben containing “coffee”'],
  ['☕️', 'containing “☕”'],
  ['C++ 🇩🇪!', 'containing “c++ 🇩🇪”'],
  ['facebook+', 'on Facebook'],
  ['c#: launch+2026', 'containing “c# launch 2026”'],
  ['x+linkedin', 'on X and LinkedIn'],
  ['drafts by the kitchen', 'DRAFT · by @kitchen'],
  ['__proto__ constructor', 'containing “proto constructor”'],
  ['published since monday on tik tok', 'PUBLISHED · on TikTok, from Mon 16 Nov'],
])('the text "%s" becomes a filter', (text, filter) => expect(describeResult(text)).toBe(filter));

test('ambiguous days cause a question, and each choice keeps the other parts of the filter', () => {
  expect(describeResult('fb 03/04', UNSURE)).toBe('which: Sat 3 Apr 2027 (Lisbon) | Thu 4 Mar 2027 (Lisbon)');
  const result = parsePostFilter('fb 03/04', UNSURE);
  expect(result).toMatchObject({ candidates: [{ filter: { platforms: ['FACEBOOK'] } }, {}] });
});

test('days in figures cause no question if the order of day and month is known', () =>
  expect(describeResult('fb 03/04')).toBe('on Facebook, Sat 3 Apr 2027'));

test('days can be in the reader’s language', () => {
  const result = parsePostFilter('drafts nächste Woche', { ...reader, locale: 'de-DE' });
  expect(result).toMatchObject({ kind: 'parsed', filter: { statuses: ['DRAFT'] } });
  expect(result.kind === 'parsed' && result.filter.from).toEqual(new Date('2026-11-23T00:00:00Z'));
});

test.each([
  ['de-DE', 'dezember auf x und linkedin'],
  ['fr-FR', 'décembre sur x et sur linkedin'],
  ['es-ES', 'diciembre en x y linkedin'],
  ['it-IT', 'dicembre su x e linkedin'],
  ['pt-BR', 'dezembro no x e no linkedin'],
  ['nl-NL', 'december op x en linkedin'],
  ['ja-JP', '12月のxとlinkedin'],
  ['ja-JP', '12月の x と linkedinの投稿'],
])('the words around platforms aren’t searched for in %s: %s', (locale, text) => {
  const result = parsePostFilter(text, { ...reader, locale });
  expect(result).toMatchObject({ filter: { platforms: ['X', 'LINKEDIN'], from: new Date('2026-12-01') } });
  expect(result).not.toMatchObject({ filter: { search: expect.anything() } });
  expect(isAboutDays(text, locale)).toBe(true);
});

test.each([
  ['en-GB', 'all platforms december'],
  ['en-GB', 'december on all the channels'],
  ['de-DE', 'Dezember auf allen Plattformen'],
  ['fr-FR', 'décembre sur tous les réseaux'],
  ['es-ES', 'diciembre en todas las redes'],
  ['it-IT', 'dicembre su tutte le piattaforme'],
  ['pt-BR', 'dezembro em todas as plataformas'],
  ['nl-NL', 'december op alle kanalen'],
  ['ja-JP', '12月の投稿'],
])('the words for all platforms aren’t searched for in %s: %s', (locale, text) => {
  const result = parsePostFilter(text, { ...reader, locale });
  expect(result).toMatchObject({ filter: { platforms: [], from: new Date('2026-12-01') } });
  expect(result).not.toMatchObject({ filter: { search: expect.anything() } });
  expect(isAboutDays(text, locale)).toBe(true);
});

test.each([
  ['新作のTシャツ', { search: '新作のtシャツ' }],
  ['新作のX', { search: '新作のx', platforms: [] }],
  ['インスタの使い方', { search: 'インスタの使い方', platforms: [] }],
  ['xとは何か', { search: 'xとは何か', platforms: [] }],
  ['猫の投稿者', { search: '猫の投稿者' }],
  ['by @Ben Linked In', { author: 'Ben', platforms: ['LINKEDIN'] }],
  ['by Su on linkedin', { author: 'su', platforms: ['LINKEDIN'] }],
  ['by Kim Su on x', { author: 'kim su', platforms: ['X'] }],
  ['vitamin e x', { search: 'vitamin e', platforms: ['X'] }],
])('a name or a word of another language stays in "%s"', (text, filter) =>
  expect(parsePostFilter(text, reader)).toMatchObject({ filter }),
);

test.each([
  ['today and tomorrow', 'unknown: tomorrow'],
  ['not published', 'unknown: not'],
])('unknown words in "%s" are reported', (text, expected) => expect(describeResult(text)).toBe(expected));

test.each([
  ['de', 'heute und morgen', ['und', 'morgen']],
  ['fr', 'lundi et mardi prochain', ['lundi', 'et']],
  ['es', 'hoy y mañana en x', ['hoy']],
  ['en', 'monday and tuesday', ['tuesday']],
  ['en', 'monday, tuesday', ['tuesday']],
  ['en', 'monday and tuesday on x', ['monday']],
  ['en', 'november and december', ['december']],
  ['en', 'christmas this month', undefined],
  ['en', 'drafts, christmas this month', undefined],
  ['en', 'drafts and christmas posts this month', undefined],
  ['en', 'may this week', undefined],
  ['en', 'q4 this month', undefined],
  ['de', 'weihnachten nächste woche', undefined],
  ['nl', 'kerst volgende week', undefined],
  ['en', 'friday sale december', undefined],
  ['de', 'dezember kaffee und kuchen', undefined],
])('two days are no text to search for, in %s: %s', (locale, text, unknownWords) => {
  const result = parsePostFilter(text, { ...reader, locale });
  if (unknownWords) expect(result).toMatchObject({ kind: 'unknown-words', unknownWords });
  else expect(result.kind).toBe('parsed');
});

test('a text of 100 kB is too long', () => {
  expect(describeResult('x'.repeat(100_000))).toMatch(/^Too long/);
  expect(describeResult('drafts '.repeat(15_000))).toMatch(/^Too long/);
});

test('a correction is suggested only if every unknown word may be a typo', () => {
  expect(parsePostFilter('draftss on twiter', reader)).toMatchObject({ suggestion: 'drafts on twitter' });
  expect(parsePostFilter('draftss of the kitchen', reader)).not.toHaveProperty('suggestion');
  expect(parsePostFilter('today and tomorrow', reader)).not.toHaveProperty('suggestion');
});

test('the filter for this week works even after a text has reached the limit of parsing steps', () => {
  const slowText = 'from 2 to friday - 3/4 or easter or IST';
  const filter = withStepBudget(() => {
    for (let count = 0; count < 100; count += 1)
      understandMoments({ ...reader, text: `${count} ${slowText}` });
    return createWeekFilter(reader);
  });
  expect(filter).toEqual(createWeekFilter(reader));
  expect(filter.from).toBeDefined();
});

function resolveRange(text: string, zone: string, now: string) {
  const reading = understandRange({ text, zone, now: new Date(now), locale: 'en-GB' });
  if (reading.kind !== 'understood') throw new Error(`"${text}" is no range`);
  return reading.range;
}

test.each([
  ['this week', 7],
  ['today', 1],
  ['november', 30],
  ['last 24 hours', undefined],
  ['since monday', undefined],
])('%s has %s whole days', (text, days) =>
  expect(countWholeDays(resolveRange(text, 'Europe/Berlin', '2026-11-20T12:00:00Z'))).toBe(days),
);

test.each(['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Asia/Tokyo'])(
  'in %s all weeks of a year follow each other without gaps, despite clock changes',
  (zone) => {
    const now = new Date('2026-01-01T12:00:00Z');
    let week = resolveRange('this week', zone, now.toISOString());
    for (let number = 0; number < 53; number += 1) {
      const nextWeek = shiftDays(week, 7);
      expect(countWholeDays(nextWeek), renderRange(nextWeek, { now })).toBe(7);
      expect(nextWeek.from?.getTime()).toBe((week.to?.getTime() ?? 0) + 1);
      expect(shiftDays(nextWeek, -7)).toEqual(week);
      week = nextWeek;
    }
  },
);

test.each([
  ['next x', 'en-GB', 'next week x'],
  ['48', 'en-GB', 'week 48'],
  ['50 2027', 'en-GB', 'week 50 2027'],
  ['7-13 dec', 'en-GB', '7-13 dec'],
  ['31 nov', 'en-GB', '31 nov'],
  ['14 dec', 'en-GB', '2026-12-14 to 2026-12-20'],
  ['x the 24th', 'en-GB', 'x 2026-11-23 to 2026-11-29'],
  // In the United States, weeks begin on Sunday.
  ['dec 14', 'en-US', '2026-12-13 to 2026-12-19'],
  ['14. Dezember', 'de-DE', '2026-12-14 to 2026-12-20'],
  ['7. bis 13. Dezember', 'de-DE', '7. bis 13. Dezember'],
  ['12月14日', 'ja-JP', '2026-12-13 to 2026-12-19'],
])('the words “%s” after /upnext week (%s) mean “%s”', (typed, locale, words) =>
  expect(completeWeek(typed, { ...reader, locale })).toBe(words),
);

describe('a line without a command', () => {
  test('of any length is told apart at once', () =>
    expect(isAboutDays(`${'!'.repeat(100_000)}x`)).toBe(false));

  test.each([
    ...['december', 'on friday', 'this week', '8 dec', '7-13 dec', 'drafts in december', 'last week on x'],
    ...['31 nov', '30 feb to 5 mar', 'drafts 31 nov on x', 'what goes out on 31 nov?'],
    ...[
      'what goes out on friday?',
      'what’s planned in december',
      'which posts go out this weekend',
      'what did we post last week?',
    ],
  ])('“%s” is about posts of these days', (line) => expect(isAboutDays(line)).toBe(true));

  test.each([
    ...[
      'hello',
      'thanks',
      'now',
      '10',
      'x',
      '',
      'may I ask',
      'how many posts in december',
      'free days in may',
    ],
    ...[
      'tomorrow 9am',
      'friday 9am on x',
      'tomorrow 9am on x: We are live!',
      'sale ends friday',
      'remind me tomorrow',
    ],
    ...['please post on friday', 'I will post on friday', 'We go live friday on x', 'every friday on x'],
    ...['draft friday', 'draft friday on x', 'friday: live', 'draft for friday: our posts are live'],
    ...['draft 31 nov', 'draft 31 nov Our new menu is here', 'shedule 31 april 9am Spring sale'],
    ...['We open 31 nov', 'post 31 june 9:00 Hello', 'Spring sale 30 feb', '31 nov 9am'],
    ...['next week', 'friday'.padEnd(101, '!')],
  ])('“%s” isn’t', (line) => expect(isAboutDays(line)).toBe(false));
});

test.each([
  ['SCHEDULED', 'Not published yet'],
  ['FAILED', 'Not published yet'],
  ['PUBLISHED', 'Published'],
  ['SENT', 'Past'],
  [undefined, 'Past'],
])('a past post with the status %s is in the group %s', (status, title) => {
  const post = { status, scheduleDate: new Date('2026-11-20T07:00:00Z'), platforms: [] };
  expect(getGroup(post, { platforms: [], statuses: [], zone: 'UTC' }, { ...reader, zone: 'UTC' }).title).toBe(
    title,
  );
});
