import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blameSetting } from '../../src/start/run.ts';

const CANARY = 'canary-of-a-crash-7f3a98';

function runCrashingProgram(crashKind: string) {
  return spawnSync(process.execPath, ['test/start/programs/crashing.ts', crashKind, CANARY], {
    encoding: 'utf8',
  });
}

test.each(['starting', 'thrown', 'rejected', 'no error', 'text'])(
  'a crash (%s) ends the process and prints its reason, without a secret',
  (crashKind) => {
    const { status, stderr, stdout } = runCrashingProgram(crashKind);
    expect(status).toBe(1);
    expect(stderr.trim()).not.toBe('');
    if (crashKind !== 'no error' && crashKind !== 'text') expect(stderr).toContain('crashing.ts');
    expect(stdout + stderr).not.toContain(CANARY);
    expect(stdout + stderr).not.toContain(Buffer.from(CANARY).toString('base64'));
  },
);

test('the crash report lists the error and its causes line by line', () => {
  const lines = runCrashingProgram('rejected').stderr.split('\n');
  expect(lines.slice(0, 2)).toEqual(['unhandled promise rejection:', 'Error: it broke with [redacted]']);
  expect(lines[2]).toMatch(/^ {4}at .*crashing\.ts:/);
  expect(lines).toContainEqual('caused by: Error: the cause has [redacted]');
  expect(runCrashingProgram('thrown').stderr).toMatch(/^uncaught exception:\nError: it broke/);
  expect(runCrashingProgram('rejected with nothing').stderr).toMatch(
    /^unhandled promise rejection:\n.*rejected with the reason "undefined"/,
  );
});

test.each([
  ['at the end of', { status: 0, signal: null, stdout: 'closed\n' }],
  ['during', { status: null, signal: 'SIGTERM', stdout: '' }],
])('a signal %s the start', (moment, expected) => {
  const program = ['test/start/programs/stopped.ts', moment];
  const { status, signal, stdout } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  expect({ status, signal, stdout }).toEqual(expected);
});

test('a log line contains no secret', () => {
  const { stderr } = runCrashingProgram('logged');
  expect(stderr).toContain('it broke with [redacted]');
  expect(stderr).not.toContain(CANARY);
});

test.each([
  ['PORT', 'HOST'],
  ['HEALTH_PORT', 'HEALTH_HOST'],
])('the error of %s names %s if it is not an address of this machine', async (variable, host) => {
  const listening = new Promise((_resolve, reject) => {
    createServer().once('error', reject).listen(0, '192.0.2.1');
  });
  await expect(blameSetting(variable, listening)).rejects.toThrow(
    new RegExp(`^${variable} cannot be used: ${host} is not an address of this machine`),
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
