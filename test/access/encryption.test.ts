import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createEncryption, DecryptionError } from '../../src/access/encryption.ts';

const old = { id: 'old', key: randomBytes(32) };
const fresh = { id: 'new', key: randomBytes(32) };

describe('a sealed text', () => {
  const encryption = createEncryption([old]);
  const sealed = encryption.seal('Ünïcode 🧑‍🔧', 'T1');

  test('opens for its workspace, and reveals nothing before', () => {
    expect(encryption.open(sealed, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(sealed).not.toContain('nïcode');
    expect(encryption.seal('Ünïcode 🧑‍🔧', 'T1')).not.toBe(sealed);
  });

  test('opens for no other workspace', () => {
    expect(() => encryption.open(sealed, 'T2')).toThrow(DecryptionError);
  });

  test.each([
    ['changed', (text: string) => text.replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['cut', (text: string) => text.slice(0, -8)],
    ['emptied', () => 'v1:old:'],
    ['of another format', (text: string) => text.replace('v1', 'v2')],
    ['under another key', (text: string) => text.replace('old', 'other')],
  ])('does not open when %s', (_what, change) => {
    expect(() => encryption.open(change(sealed), 'T1')).toThrow(DecryptionError);
  });

  test('still opens after a key rotation, and new texts are sealed with the new key', () => {
    const rotated = createEncryption([fresh, old]);
    expect(rotated.open(sealed, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(rotated.seal('x', 'T1')).toMatch(/^v1:new:/);
  });
});

test('without a key encryption cannot be created', () => {
  expect(() => createEncryption([])).toThrow(RangeError);
});
