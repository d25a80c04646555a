import { describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { listCommandNames, parseLine, parseSubcommand } from '../../src/slack/read-command.ts';
import { findNearest } from '../../src/slack/suggest.ts';

describe('the text after /upnext', () => {
  test.each(['', '   ', '\n\t', '\u200b', '\u0000'])('the text %j has no subcommand', (text) => {
    expect(parseSubcommand(text, features)).toEqual({ kind: 'none' });
  });

  test('the text after the subcommand is passed on as it was typed', () => {
    expect(parseSubcommand('  USE   Tom & “Jerry”\nInc ', features)).toMatchObject({
      kind: 'known',
      feature: 'projects',
      args: 'Tom & “Jerry”\nInc',
    });
  });
});

const catalogue = [
  {
    name: 'posts',
    commands: [
      {
        name: 'posts',
        aliases: ['post list'],
        shorthands: ['drafts', 'today'],
        summary: '',
        usage: '',
        examples: {},
        slashCommand: '/all-posts',
      },
    ],
  },
];

describe('shorthands', () => {
  test.each([
    ['drafts', 'drafts'],
    ['Today on x', 'today on x'],
    ['posts drafts', 'drafts'],
  ])('the shorthand in %j runs its command', (input, args) => {
    expect(parseSubcommand(input, catalogue)).toMatchObject({ kind: 'known', feature: 'posts', args });
  });

  test('a misspelled shorthand is suggested with the text after it', () => {
    expect(parseSubcommand('darfts on x', catalogue)).toEqual({
      kind: 'unknown',
      name: 'darfts',
      args: 'on x',
      line: 'darfts on x',
      suggestion: 'drafts',
    });
  });
});

describe('a line', () => {
  test.each([
    ['/upnext drafts', 'drafts'],
    ['upnext drafts', 'drafts'],
    ['drafts', 'drafts'],
    ['/all-posts on x', 'on x'],
    ['all-posts  on x', 'on x'],
    ['  /UPNEXT   posts ', ''],
  ])('the line %j runs its command', (line, args) => {
    expect(parseLine(line, catalogue)).toMatchObject({ kind: 'known', feature: 'posts', args });
  });

  test.each(['/upnext', ' upnext ', ''])('the line %j has no subcommand', (line) => {
    expect(parseLine(line, catalogue)).toEqual({ kind: 'none' });
  });
});

describe('ordinary language', () => {
  test.each([
    ...['when is the next post?', 'When’s my next post', "what's next?", 'whats next', 'what is up next'],
    ...['which post goes out next?', 'when does the next one go out?'],
    'when is the next post for Harbour Coffee',
  ])('“%s” asks for the next post', (line) => {
    expect(parseLine(line, features)).toMatchObject({ kind: 'known', command: { name: 'next' } });
  });

  test.each(['hello', 'Hi!', 'Hi there', 'start.'])('“%s” asks for help', (line) => {
    expect(parseLine(line, features)).toMatchObject({ kind: 'known', command: { name: 'help' } });
  });

  test.each([
    ...['tomorrow 9am on x and linkedin: Our new roast is here', 'next friday 9:30 on fb: Come by'],
    ...['Black Friday on x for Harbour Coffee: SALE', 'morgen 9 Uhr auf x：Hallo'],
    ...['fri 9am x, linkedin: We are live', 'on x and fb tomorrow 9am: We are live'],
    '1 dec 9am on bluesky: We are live',
    `today on x: ${'Hello '.repeat(80)}`,
  ])('“%s” is a post, with the whole line', (line) => {
    expect(parseLine(`/upnext ${line}`, features)).toMatchObject({
      command: { name: 'schedule' },
      args: line.trim(),
    });
  });

  test.each([
    ...['today on x', 'tomorrow at 9:30 on x', 'tomorrow on x coffee', 'tomorrow on x:', 'today on x “rain”'],
    ...['posts on x: rain', 'published on x: rain', 'drafts on x: rain', 'what is planned next week?'],
    'tommorow',
  ])('“%s” lists posts', (line) => {
    expect(parseLine(line, features)).toMatchObject({ kind: 'known', command: { name: 'posts' } });
  });

  test.each([
    ...['when will it rain', 'thanks, but schedule it', 'when', 'thanks to all: great work'],
    `what a day next to ${'you '.repeat(60)}`,
    'No FB: it is down',
  ])('“%s” is no command, and no unrelated command is suggested for it', (line) => {
    const parsed = parseLine(line, features);
    expect(parsed).toMatchObject({ kind: 'unknown' });
    expect(parsed).not.toHaveProperty('suggestion');
  });

  test.each([
    ['pots', 'posts'],
    ['psots', 'posts'],
    ['nxet', 'next'],
    ['shedule', 'schedule'],
    ['outbx', 'outbox'],
  ])('for “%s”, the command %s runs or is suggested', (line, name) => {
    const parsed = parseLine(line, features);
    expect(
      parsed.kind === 'known' ? parsed.command.name : parsed.kind === 'unknown' && parsed.suggestion,
    ).toBe(name);
  });
});

describe('the catalogue', () => {
  const commands = features.flatMap((feature) => feature.commands);

  test('every name stands for exactly one command', () => {
    const names = commands.flatMap(listCommandNames);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const name of names) expect(parseSubcommand(name, features).kind).toBe('known');
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    'the command %s has examples, and each example runs it',
    (name, { examples, summary }) => {
      expect(summary).not.toBe('');
      const lines = Object.keys(examples);
      expect(lines.length).toBeGreaterThan(0);
      for (const example of lines) {
        const parsed = parseLine(example, features);
        expect(parsed.kind === 'none' ? 'next' : parsed.kind === 'known' && parsed.command.name).toBe(name);
      }
    },
  );

  test('the catalogue has the main commands, and every feature name is unique', () => {
    const names = commands.map(({ name }) => name);
    for (const name of ['next', 'schedule', 'projects', 'use', 'status', 'help'])
      expect(names).toContain(name);
    const featureNames = features.map(({ name }) => name);
    expect(new Set(featureNames).size).toBe(featureNames.length);
  });
});

test.each([
  ['hlep', 'help'],
  ['projcts', 'projects'],
  ['ab', undefined],
  ['elephant', undefined],
  ['x'.repeat(100_000), undefined],
])('the nearest name to %j is %j', (input, expected) => {
  expect(findNearest(input, ['help', 'projects', 'use'])).toBe(expected);
});
