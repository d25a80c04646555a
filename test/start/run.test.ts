import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const CANARY = 'canary-of-a-crash-7f3a98';

function crash(way: string) {
  return spawnSync(process.execPath, ['test/start/programs/crashing.ts', way, CANARY], { encoding: 'utf8' });
}

test.each(['starting', 'thrown', 'rejected', 'no error', 'text'])(
  'a crash (%s) ends the process with a reason, and leaves no secret behind',
  (way) => {
    const { status, stderr, stdout } = crash(way);
    expect(status).toBe(1);
    expect(stderr.trim()).not.toBe('');
    if (way !== 'no error' && way !== 'text') expect(stderr).toContain('crashing.ts');
    expect(stdout + stderr).not.toContain(CANARY);
    expect(stdout + stderr).not.toContain(Buffer.from(CANARY).toString('base64'));
  },
);

test('nor does a line of the log', () => {
  const { stderr } = crash('logged');
  expect(stderr).toContain('it broke with [kept out]');
  expect(stderr).not.toContain(CANARY);
});
