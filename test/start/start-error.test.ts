import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blameSetting } from '../../src/start/run.ts';

test('the error names HOST if it is not an address of this machine', async () => {
  const listening = new Promise((_resolve, reject) => {
    createServer().once('error', reject).listen(0, '192.0.2.1');
  });
  await expect(blameSetting('PORT', listening)).rejects.toThrow(
    /^PORT cannot be used: HOST is not an address of this machine/,
  );
});

test('the error names a port that another program uses', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1');
  await once(otherServer, 'listening');
  const { port } = z.object({ port: z.number() }).parse(otherServer.address());
  const listening = new Promise((_resolve, reject) => {
    createServer().once('error', reject).listen(port, '127.0.0.1');
  });
  await expect(blameSetting('PORT', listening)).rejects.toThrow(
    `PORT ${port} is in use by another program: stop that program, or choose another port`,
  );
  otherServer.close();
});

test('any other error keeps its message', async () => {
  const unknownHost = Object.assign(new Error('its host name is not known'), { code: 'ENOTFOUND' });
  const starting = blameSetting('DATABASE_URL', Promise.reject(unknownHost));
  await expect(starting).rejects.toThrow(/^DATABASE_URL: its host name is not known$/);
});
