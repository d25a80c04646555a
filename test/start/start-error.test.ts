import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startedBy } from '../../src/start/start-error.ts';

test('a host that cannot be listened on is told as what it is', async () => {
  const listening = new Promise((_resolve, reject) => {
    createServer().once('error', reject).listen(0, '192.0.2.1');
  });
  await expect(startedBy('PORT', listening)).rejects.toThrow(/^PORT belongs to no address of this machine/);
});

test('another error with a code of the same name keeps its own words', async () => {
  const unknownHost = Object.assign(new Error('its host name is not known'), { code: 'ENOTFOUND' });
  const starting = startedBy('DATABASE_URL', Promise.reject(unknownHost));
  await expect(starting).rejects.toThrow(/^DATABASE_URL: its host name is not known$/);
});
