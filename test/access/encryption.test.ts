import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createEncryption, DecryptionError } from '../../src/access/encryption.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };

describe('an encrypted text', () => {
  const encryption = createEncryption([oldKey]);
  const encrypted = encryption.encrypt('Ünïcode 🧑‍🔧', 'T1');

  test('an encrypted text can be decrypted for its workspace, and reveals nothing', () => {
    expect(encryption.decrypt(encrypted, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(encrypted).not.toContain('nïcode');
    expect(encryption.encrypt('Ünïcode 🧑‍🔧', 'T1')).not.toBe(encrypted);
  });

  test('an encrypted text can’t be decrypted for another workspace', () => {
    expect(() => encryption.decrypt(encrypted, 'T2')).toThrow(DecryptionError);
  });

  test.each([
    ['changed', (text: string) => text.replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['truncated', (text: string) => text.slice(0, -8)],
    ['emptied', () => 'v1:old:'],
    ['marked with another format', (text: string) => text.replace('v1', 'v2')],
    ['marked with another key', (text: string) => text.replace('old', 'other')],
  ])('an encrypted text can’t be decrypted if it was %s', (_kind, change) => {
    expect(() => encryption.decrypt(change(encrypted), 'T1')).toThrow(DecryptionError);
  });

  test('an encrypted text can be decrypted after a key rotation, and new texts are encrypted with the new key', () => {
    const rotatedEncryption = createEncryption([newKey, oldKey]);
    expect(rotatedEncryption.decrypt(encrypted, 'T1')).toBe('Ünïcode 🧑‍🔧');
    expect(rotatedEncryption.encrypt('x', 'T1')).toMatch(/^v1:new:/);
  });
});

test('encryption needs at least one key', () => {
  expect(() => createEncryption([])).toThrow(RangeError);
});
