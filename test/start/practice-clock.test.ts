import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { createPracticeClock } from '../../src/start/practice-clock.ts';
import { startThread } from '../../src/start/thread.ts';

const DAY = 24 * 60 * 60_000;

describe('the practice clock in another thread', () => {
  it('shows the system time until it receives an offset, and then adds the offset', () => {
    const clock = createPracticeClock();
    const readOffsetSeconds = () => Math.round((clock.now().getTime() - Date.now()) / 1000);
    expect(readOffsetSeconds()).toBe(0);
    clock.receive({ clockOffset: DAY });
    expect(readOffsetSeconds()).toBe(DAY / 1000);
    clock.receive({ something: 'else' });
    expect(readOffsetSeconds()).toBe(DAY / 1000);
  });

  it('calls a new listener at once, and each listener after a change', () => {
    const clock = createPracticeClock();
    const offsets: number[] = [];
    clock.receive({ clockOffset: 5 });
    clock.onClock((offset) => offsets.push(offset));
    clock.receive({ clockOffset: DAY });
    clock.receive({ clockOffset: 0 });
    expect(offsets).toEqual([5, DAY, 0]);
  });
});

describe('the practice workspace in a thread', () => {
  it('sends its parent the offset when a person moves the clock on its page, and again after a restart', async () => {
    await mkdir('.cache', { recursive: true });
    const dataDir = await mkdtemp(join('.cache', 'clock-'));
    const clock = createPracticeClock();
    const entry = new URL('../../src/cli/workspace.ts', import.meta.url);
    const start = (onMessage: (message: unknown) => void) =>
      startThread(entry, { dataDir, port: 0, manifest: 'manifest.yml' }, () => undefined, onMessage);
    const first = await start(clock.receive);
    const { url } = z.object({ url: z.string() }).parse(first.facts);
    const page = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
    page.on('open', () => page.send(JSON.stringify({ id: 1, act: 'clock', to: Date.now() + DAY })));
    await expect.poll(() => clock.now().getTime() - Date.now()).toBeGreaterThan(DAY - 60_000);
    await first.close();
    const restartedClock = createPracticeClock();
    const second = await start(restartedClock.receive);
    expect(restartedClock.now().getTime() - Date.now()).toBeGreaterThan(DAY - 60_000);
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});
