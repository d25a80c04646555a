import { describe, expect, test } from 'vitest';
import { features } from '../../src/app.ts';
import { readCommand } from '../../src/slack/read-command.ts';
import { nearest } from '../../src/slack/suggest.ts';

describe('readCommand', () => {
  test.each(['', '   ', '\n\t', '\u200b', '\u0000'])('%j is no subcommand', (text) => {
    expect(readCommand(text, features)).toEqual({ kind: 'none' });
  });

  test('the rest stays as it was typed, unescaped', () => {
    expect(readCommand('  USE   Tom &amp; “Jerry”\nInc ', features)).toMatchObject({
      kind: 'known',
      feature: 'projects',
      words: 'Tom & “Jerry”\nInc',
    });
  });

  test('every name and alias of the catalogue is found, and none is taken twice', () => {
    const words = features.flatMap(({ commands }) =>
      commands.flatMap(({ name, aliases }) => [name, ...aliases]),
    );
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(readCommand(word, features).kind).toBe('known');
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
    expect(nearest(typed, ['help', 'projects', 'use'])).toBe(expected);
  });
});
