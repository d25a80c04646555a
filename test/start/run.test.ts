import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

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

test('a log line contains no secret', () => {
  const { stderr } = runCrashingProgram('logged');
  expect(stderr).toContain('it broke with [redacted]');
  expect(stderr).not.toContain(CANARY);
});
