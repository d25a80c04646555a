import { expect, test } from 'vitest';
import { createMomentReader } from '../../../../src/features/schedule-post/prefill/moment-reader.ts';
import { parseLine } from '../../../../src/features/schedule-post/prefill/parse-line.ts';

/** A Wednesday. */
const now = new Date('2026-11-18T10:15:00Z');
const projects = { items: [{ id: 'p1', name: 'Harbour Coffee' }], isTruncated: false };

function parse(line: string, locale = 'en-US') {
  return parseLine(line, projects, createMomentReader(now, locale));
}

test.each([
  ['en', 'on linkedin', 'Monday mornings are hard'],
  ['en', 'on x', 'Tomorrow never dies'],
  ['en', 'on x', 'Right now we are open'],
  ['en', '', 'This time we mean it'],
  ['de', 'auf x', 'Morgen geht es los'],
  ['fr', 'sur x', 'Maintenant on ouvre'],
  ['es', 'en x', 'Mañana será otro día'],
  ['pt', 'no x', 'Hoje tem festa'],
])('a time with a capital is part of the sentence that it begins, in %s: %s %s', (locale, name, text) => {
  expect(parse(`${name} ${text}`, locale)).toMatchObject({ when: '', text });
});

test.each([
  ['Right now on x hello', 'Right now', 'hello'],
  ['on x Right now We are open', 'Right now', 'We are open'],
  ['on x tomorrow hello', 'tomorrow', 'hello'],
])('unlike before a name or a new sentence, or without a capital: %s', (line, when, text) => {
  expect(parse(line)).toMatchObject({ when, platforms: ['X'], text });
});
