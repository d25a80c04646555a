import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { practiceClock } from '../../src/start/practice-clock.ts';
import { startThread } from '../../src/start/thread.ts';

const DAY = 24 * 60 * 60_000;

describe('the practice clock in another thread', () => {
  it('shows the computer’s time until it is told of a move, and then runs ahead', () => {
    const clock = practiceClock();
    const ahead = () => Math.round((clock.now().getTime() - Date.now()) / 1000);
    expect(ahead()).toBe(0);
    clock.told({ clockOffset: DAY });
    expect(ahead()).toBe(DAY / 1000);
    clock.told({ something: 'else' });
    expect(ahead()).toBe(DAY / 1000);
  });

  it('tells each listener where it is, and of each move', () => {
    const clock = practiceClock();
    const heard: number[] = [];
    clock.told({ clockOffset: 5 });
    clock.onClock((offset) => heard.push(offset));
    clock.told({ clockOffset: DAY });
    clock.told({ clockOffset: 0 });
    expect(heard).toEqual([5, DAY, 0]);
  });
});

describe('the practice workspace in a thread', () => {
  it('tells its parent when somebody jumps in time on its page, and again when it starts anew', async () => {
    await mkdir('.cache', { recursive: true });
    const dataDir = await mkdtemp(join('.cache', 'clock-'));
    const clock = practiceClock();
    const entry = new URL('../../src/cli/workspace.ts', import.meta.url);
    const start = (told: (said: unknown) => void) =>
      startThread(entry, { dataDir, port: 0, manifest: 'manifest.yml' }, () => undefined, told);
    const first = await start(clock.told);
    const { url } = z.object({ url: z.string() }).parse(first.facts);
    const page = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
    page.on('open', () => page.send(JSON.stringify({ id: 1, act: 'clock', to: Date.now() + DAY })));
    await expect.poll(() => clock.now().getTime() - Date.now()).toBeGreaterThan(DAY - 60_000);
    await first.close();
    const later = practiceClock();
    const second = await start(later.told);
    expect(later.now().getTime() - Date.now()).toBeGreaterThan(DAY - 60_000);
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});
