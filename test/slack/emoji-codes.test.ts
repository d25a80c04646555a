import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEmoji } from 'slack-workspace-emulator/test-support/emoji';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Words between colons in comments, addresses and patterns that aren't emoji. */
const NOT_EMOJI = ['emoji', 'vector', 'mailto', 'codes', 'ffff', 'ce', 'mm'];

test('every emoji code that the bot uses is displayed as an emoji on the page of the practice workspace', () => {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const usedCodes = texts.flatMap((text) =>
    [...text.matchAll(/:([a-z][a-z_]+):/g)].map(([, name]) => name ?? ''),
  );
  expect(usedCodes).toContain('warning');
  expect(usedCodes.filter((name) => findEmoji(name) === undefined && !NOT_EMOJI.includes(name))).toEqual([]);
});
