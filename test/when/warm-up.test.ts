import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_MS } from './any-text.ts';

const outputSchema = z.object({
  timerCount: z.number(),
  measurements: z.array(z.object({ locale: z.string(), ms: z.number() })),
});

test('after the warm-up, the first phrase of each language is read fast, and the warm-up doesn’t block the event loop', async () => {
  const program = join(import.meta.dirname, 'programs', 'warm-up.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { timerCount, measurements } = outputSchema.parse(JSON.parse(stdout));
  expect(timerCount).toBeGreaterThan(20);
  expect(measurements).toHaveLength(9);
  expect(measurements.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
});
