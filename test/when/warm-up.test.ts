import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_MS } from './any-text.ts';

const said = z.object({
  turns: z.number(),
  costs: z.array(z.object({ locale: z.string(), ms: z.number() })),
});

test('after it no first phrase of any language takes long, and others had their turn all the while', async () => {
  const program = join(import.meta.dirname, 'programs', 'warm-up.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { turns, costs } = said.parse(JSON.parse(stdout));
  expect(turns).toBeGreaterThan(20);
  expect(costs).toHaveLength(9);
  expect(costs.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
});
