import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await createDataFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runHandOver(...args: string[]) {
  const command = startCommand('cli/hand-over.ts', { env: { DATA_DIR: folder }, args });
  const status = await command.exit;
  return { status, output: command.readOutput() };
}

test('hand-over says how many posts go over', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  expect(await runHandOver('--until', until)).toEqual({
    status: 0,
    output: 'Held posts that go over now: 0.\n',
  });
});

test.each([
  [[], '--until needs a time with its zone'],
  [['--until', 'tomorrow'], '--until needs a time with its zone'],
  [['--until', '2026-12-01T08:00'], '--until needs a time with its zone'],
  [['--until', '2020-12-01T08:00Z'], 'has passed'],
])('hand-over with %j explains what it needs', async (args, problem) => {
  const { status, output } = await runHandOver(...args);
  expect(status).toBe(2);
  expect(output).toContain(problem);
  expect(output).toContain('Usage: npm run hand-over');
});
