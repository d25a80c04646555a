import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findEmoji, replaceEmojiCodes } from '../../src/page/emoji.js';

/** Words between colons in comments, addresses and patterns that aren't emoji. */
const NOT_EMOJI = ['emoji', 'vector', 'mailto', 'codes', 'ffff', 'ce', 'mm'];

test('every emoji code that the bot uses is displayed as an emoji', async () => {
  const files = (await readdir('src/', { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join('src', name), 'utf8')));
  const usedCodes = texts.flatMap((text) =>
    [...text.matchAll(/:([a-z][a-z_]+):/g)].map(([, name]) => name ?? ''),
  );
  expect(usedCodes).toContain('warning');
  expect(usedCodes.filter((name) => findEmoji(name) === undefined && !NOT_EMOJI.includes(name))).toEqual([]);
});

test('an unknown emoji code is displayed as text', () => {
  expect(replaceEmojiCodes(':tada: :no_such_thing: 12:30:45')).toBe('🎉 :no_such_thing: 12:30:45');
});
