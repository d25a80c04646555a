import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { emojiNames } from '../../assets/emoji/emoji-names.ts';

const handshake = {
  unified: '1F91D',
  short_names: ['handshake', 'shake'],
  skin_variations: {
    '1F3FB': { unified: '1F91D-1F3FB' },
    '1F3FC': { unified: '1F91D-1F3FC' },
    '1F3FB-1F3FC': { unified: '1FAF1-1F3FB-200D-1FAF2-1F3FC' },
  },
};

test('an emoji has all its names, and one pattern for each number of skin tones', () => {
  const emojiFile = emojiNames(
    JSON.stringify([{ unified: '1F525', short_names: ['fire'] }, handshake]),
    '1.2.3',
  );
  expect(JSON.parse(emojiFile)).toMatchObject({
    source: expect.stringContaining('emoji-datasource 1.2.3'),
    names: { fire: '1F525', 'handshake shake': '1F91D 1F91D-* 1FAF1-*-200D-1FAF2-*' },
  });
});

test('a skin tone variation that doesn’t fit the pattern is an error', () => {
  const variations = { ...handshake.skin_variations, '1F3FD': { unified: '1F44B-1F3FD' } };
  expect(() => emojiNames(JSON.stringify([{ ...handshake, skin_variations: variations }]), '1.2.3')).toThrow(
    '1F44B-1F3FD is not 1F91D-* with 1F3FD',
  );
});

test('the emoji list names its source, its licence and the command that regenerates it, and the licence is included', () => {
  expect(existsSync('assets/emoji/LICENSE')).toBe(true);
  const { source, licence, regenerate, names } = JSON.parse(readFileSync('assets/emoji/names.json', 'utf8'));
  expect(source).toMatch(/^emoji-datasource \d+\.\d+\.\d+ /);
  expect(licence).toContain('LICENSE');
  expect(regenerate).toContain('npm run generate -- --emoji');
  expect(Object.keys(names).length).toBeGreaterThan(1_900);
});
