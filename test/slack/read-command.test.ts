import { describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { listCommandNames, parseLine, parseSubcommand } from '../../src/slack/read-command.ts';
import { findNearest } from '../../src/slack/suggest.ts';

describe('the text after /upnext', () => {
  test.each(['', '   ', '\n\t', '\u200b', '\u0000'])('%j has no subcommand', (text) => {
    expect(parseSubcommand(text, features)).toEqual({ kind: 'none' });
  });

  test('the text after the subcommand stays as it was typed', () => {
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
        examples: [],
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
  ])('%s', (typed, args) => {
    expect(parseSubcommand(typed, catalogue)).toMatchObject({ kind: 'known', feature: 'posts', args });
  });

  test('are suggested themselves, with the words after them', () => {
    expect(parseSubcommand('darfts on x', catalogue)).toEqual({
      kind: 'unknown',
      name: 'darfts',
      args: 'on x',
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
  ])('%s', (line, args) => {
    expect(parseLine(line, catalogue)).toMatchObject({ kind: 'known', feature: 'posts', args });
  });

  test.each(['/upnext', ' upnext ', ''])('%j has no subcommand', (line) => {
    expect(parseLine(line, catalogue)).toEqual({ kind: 'none' });
  });
});

describe('the catalogue', () => {
  const commands = features.flatMap((feature) => feature.commands);

  test('every word stands for exactly one command', () => {
    const words = commands.flatMap(listCommandNames);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    for (const word of words) expect(parseSubcommand(word, features).kind).toBe('known');
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    '%s has examples, and each one runs it',
    (name, { examples, summary }) => {
      expect(summary).not.toBe('');
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const parsed = parseLine(example, features);
        expect(parsed.kind === 'none' ? 'next' : parsed.kind === 'known' && parsed.command.name).toBe(name);
      }
    },
  );

  test('every announced command and action belongs to exactly one feature', () => {
    const names = commands.map(({ name }) => name);
    for (const name of ['next', 'schedule', 'projects', 'use', 'status', 'help'])
      expect(names).toContain(name);
    const featureNames = features.map(({ name }) => name);
    expect(new Set(featureNames).size).toBe(featureNames.length);
  });
});

describe('nearest', () => {
  test.each([
    ['hlep', 'help'],
    ['projcts', 'projects'],
    ['ab', undefined],
    ['elephant', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%s', (typed, expected) => {
    expect(findNearest(typed, ['help', 'projects', 'use'])).toBe(expected);
  });
});
