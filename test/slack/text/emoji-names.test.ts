import { describe, expect, test } from 'vitest';
import { replaceEmojiCodes } from '../../../src/slack/text/emoji-names.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';

describe('emoji codes in typed text', () => {
  test.each([
    ['We are live :tada:!', 'We are live 🎉!'],
    ['Great:tada: yes', 'Great🎉 yes'],
    ['発売:tada:です', '発売🎉です'],
    [':tada::fire:', '🎉🔥'],
    [':heart: :flag-de: :hugging_face: :e-mail: :100:', '❤️ 🇩🇪 🤗 📧 💯'],
    [':+1::skin-tone-3: :wave::skin-tone-6:', '👍🏼 👋🏿'],
    [':handshake::skin-tone-2-4: :man-kiss-man::skin-tone-3:', '🫱🏻‍🫲🏽 👨🏼‍❤️‍💋‍👨🏼'],
    [':rocket::skin-tone-3:', '🚀'],
    ['12:00:tada:', '12:00🎉'],
    [':a::b:', '🅰️🅱️'],
  ])('the text %j becomes %j', (typed, expected) => {
    expect(replaceEmojiCodes(typed)).toEqual({ text: expected, customEmoji: [] });
  });

  test.each([
    ...['at 10:30:45', 'at 10:30: go', '1:100:2', '::', 'a:b:c', 'key:new:value', 'std::vector::rocket::x'],
    ...['https://example.com/:tada:/a', 'aa:bb:cc:dd:ee', '{"a":"b","c":1}', 'Note:this: is', '09:00:intro:'],
    ...[':30:', ':TADA:', ': tada :', ''],
  ])('the text %j stays unchanged', (typed) => {
    expect(replaceEmojiCodes(typed)).toEqual({ text: typed, customEmoji: [] });
  });

  test('custom emoji of the workspace stay as codes and are listed once', () => {
    expect(replaceEmojiCodes(':party-parrot: :tada::party-parrot: :シップ:')).toEqual({
      text: ':party-parrot: 🎉:party-parrot: :シップ:',
      customEmoji: ['party-parrot', 'シップ'],
    });
  });

  test('if the custom emoji are known, no other code counts as an emoji', () => {
    expect(replaceEmojiCodes('Go:shipit: :todo: :tada:', { workspaceEmoji: new Set(['shipit']) })).toEqual({
      text: 'Go:shipit: :todo: 🎉',
      customEmoji: ['shipit'],
    });
  });

  test.each([':', ':a', 'a', 'a.', ':aaaaaaaaa', 'A+', ':tada:'])(
    '40,000 times %j is read without a noticeable delay',
    (fragment) => {
      const text = fragment.repeat(40_000 / fragment.length);
      replaceEmojiCodes(':tada:');
      expect(measureCpuMs(() => replaceEmojiCodes(text))).toBeLessThan(200);
    },
  );
});
