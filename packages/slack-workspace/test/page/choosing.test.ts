import { describe, expect, test } from 'vitest';
import { convertToMrkdwn } from '../../src/page/blocks/markdown.ts';
import { readChoices } from '../../src/page/elements/choices.ts';
import { replaceEmojiCodes } from '../../src/page/emoji.ts';
import { searchItems } from '../../src/page/search-items.ts';
import { findCommand, suggest, suggestCommands } from '../../src/page/suggestions.ts';

describe('a filtered list', () => {
  const zones = ['Europe/Berlin', 'America/Sao Paulo', 'Europe/Lisbon', 'Asia/Tokyo', 'São Tomé'];
  const filterZones = (typed: string) => searchItems(zones, typed, (zone) => zone);

  test('matches at the beginning come first, then matches at a word, then letters in order', () => {
    expect(filterZones('sao')).toEqual(['São Tomé', 'America/Sao Paulo', 'Asia/Tokyo']);
  });
  test('letters in order match only from three letters on', () => {
    expect(filterZones('tky')).toEqual(['Asia/Tokyo']);
    expect(filterZones('tk')).toEqual([]);
  });
  test('an empty search text matches every entry', () => {
    expect(filterZones('  ')).toEqual(zones);
  });
});

describe('the list of commands', () => {
  const createCommand = (command: string) => ({ command, description: '', usageHint: '[x]' });
  const commands = ['/upnext', '/schedule-post', '/list-logs', '/update-source'].map(createCommand);
  const listMatches = (text: string) => suggestCommands(text, commands).map(({ command }) => command);

  test.each([
    ['/', ['/upnext', '/schedule-post', '/list-logs', '/update-source']],
    ['/up', ['/upnext', '/update-source']],
    ['/post', ['/schedule-post']],
    ['/schedule-post ', []],
    ['say /up', []],
    ['', []],
  ])('typing %j lists %j', (text, expected) => expect(listMatches(text)).toEqual(expected));

  test('a complete command shows its usage', () => {
    expect(findCommand('/upnext he', commands)?.usageHint).toBe('[x]');
    expect(findCommand('/upnext', commands)).toBeUndefined();
  });
});

test('a response with something else than options contains none', () => {
  expect([undefined, null, 'x', { options: [{}, 7] }, []].map(readChoices)).toEqual([[], [], [], [], []]);
});

describe('the suggestions of the composer', () => {
  const member = { tz: 'UTC', locale: 'en', isBot: false, color: '', role: 'member' as const };
  const createPerson = (id: string, name: string, realName: string, deactivated = false) =>
    Object.assign({ id, name, realName, deactivated }, member);
  const people = [
    createPerson('U1', 'ana', 'Ana Ferreira'),
    createPerson('U2', 'ben', 'Ben Okafor'),
    createPerson('U3', 'lena', 'Lena', true),
  ];
  const commands = [{ command: '/upnext', description: '', usageHint: '' }];
  const listOffers = (text: string, cursor = text.length) =>
    suggest(text, cursor, { commands, people }).suggestions;

  test.each([
    ['@', ['Ana Ferreira', 'Ben Okafor']],
    ['ask @b', ['Ben Okafor']],
    ['ask @fer', ['Ana Ferreira']],
    ['(@ana', ['Ana Ferreira']],
    ['ana@b', []],
    ['@ben ', []],
    ['@zzz', []],
    ['/', ['/upnext']],
    ['/upnext invite @an', ['Ana Ferreira']],
  ])('typing %j suggests %j', (text, names) =>
    expect(listOffers(text).map(({ label }) => label)).toEqual(names),
  );

  test('a name is inserted at the cursor, and the text behind the cursor stays', () => {
    const [offer] = listOffers('ask @be about it', 7);
    expect(offer).toMatchObject({ text: 'ask @ben about it', cursor: 9 });
  });
});

test('the formatting of standard markdown is converted, and code stays unchanged', () => {
  expect(convertToMrkdwn('**bold** and *italic* [a](https://x.org) `**code**` <b>')).toBe(
    '*bold* and _italic_ <https://x.org|a> `**code**` &lt;b>',
  );
});

test('an unknown emoji code is displayed as text', () => {
  expect(replaceEmojiCodes(':tada: :no_such_thing: 12:30:45')).toBe('🎉 :no_such_thing: 12:30:45');
});
