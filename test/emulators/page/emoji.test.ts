import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emojiOf } from '../../../src/emulators/slack/page/emoji.js';
import { plainText } from '../../../src/emulators/slack/page/plain-text.js';

/** In comments, addresses and patterns these stand between colons without being an emoji. */
const NO_EMOJI = ['emoji', 'vector', 'mailto', 'codes', 'ffff'];

test('every emoji code that the bot uses is drawn', async () => {
  const files = (await readdir('src/', { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('emulators'),
  );
  const texts = await Promise.all(files.map((name) => readFile(join('src', name), 'utf8')));
  const used = texts.flatMap((text) => [...text.matchAll(/:([a-z][a-z_]+):/g)].map(([, name]) => name ?? ''));
  expect(used).toContain('warning');
  expect(used.filter((name) => emojiOf(name) === undefined && !NO_EMOJI.includes(name))).toEqual([]);
});

test('a code that is not known stays as it was typed', () => {
  expect(plainText(':tada: :no_such_thing: 12:30:45')).toBe('🎉 :no_such_thing: 12:30:45');
});
