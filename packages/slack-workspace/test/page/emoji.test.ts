import { expect, test } from 'vitest';
import { replaceEmojiCodes } from '../../src/page/emoji.ts';

test('an unknown emoji code is displayed as text', () => {
  expect(replaceEmojiCodes(':tada: :no_such_thing: 12:30:45')).toBe('🎉 :no_such_thing: 12:30:45');
});
