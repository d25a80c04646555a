import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { blameSetting } from '../../src/start/start-error.ts';

test('the error explains a host that cannot be used', async () => {
  const listening = new Promise((_resolve, reject) => {
    createServer().once('error', reject).listen(0, '192.0.2.1');
  });
  await expect(blameSetting('PORT', listening)).rejects.toThrow(
    /^PORT cannot be used: HOST is not an address of this machine/,
  );
});

test('an error with the same code but another cause keeps its message', async () => {
  const unknownHost = Object.assign(new Error('its host name is not known'), { code: 'ENOTFOUND' });
  const starting = blameSetting('DATABASE_URL', Promise.reject(unknownHost));
  await expect(starting).rejects.toThrow(/^DATABASE_URL: its host name is not known$/);
});
