import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { WebSocket } from 'ws';
import { readSettings } from '../../src/config/config.ts';
import { startWorkspaceEmulator } from '../../src/start/emulators.ts';
import { startService } from '../../src/start/parts.ts';
import { createPracticeClock } from '../../src/start/practice.ts';
import { createDataFolder } from '../support/database-folder.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('the clock', () => {
  it('the practice clock shows the system time until it gets an offset, and then adds the offset', () => {
    const clock = createPracticeClock();
    const readOffsetSeconds = () => Math.round(clock.getOffsetMs() / 1000);
    expect(readOffsetSeconds()).toBe(0);
    clock.setOffset(DAY_MS);
    expect(readOffsetSeconds()).toBe(DAY_MS / 1000);
  });

  it('the practice clock calls a new listener at once, and every listener after a change', () => {
    const clock = createPracticeClock();
    const offsets: number[] = [];
    clock.setOffset(5);
    clock.onClock((offset) => offsets.push(offset));
    clock.setOffset(DAY_MS);
    clock.setOffset(0);
    expect(offsets).toEqual([5, DAY_MS, 0]);
  });
});

describe('the practice workspace', () => {
  it('the workspace reports the offset when a person moves the clock on the page, and again after a restart', async () => {
    await mkdir('.cache', { recursive: true });
    const dataDir = await mkdtemp(join('.cache', 'clock-'));
    const clock = createPracticeClock();
    const start = (onClock: (offsetMs: number) => void) =>
      startWorkspaceEmulator({ dataDir, port: 0, manifest: 'manifest.yml', onClock });
    const first = await start(clock.setOffset);
    const { url } = first;
    const page = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
    page.on('open', () => page.send(JSON.stringify({ id: 1, act: 'clock', to: Date.now() + DAY_MS })));
    await expect.poll(() => clock.getOffsetMs()).toBeGreaterThan(DAY_MS - 60_000);
    await first.close();
    const restartedClock = createPracticeClock();
    const second = await start(restartedClock.setOffset);
    expect(restartedClock.getOffsetMs()).toBeGreaterThan(DAY_MS - 60_000);
    await second.close();
    await rm(dataDir, { recursive: true });
  });
});

test('the practice service follows the clock of the practice workspace when it publishes posts', async () => {
  const settings = readSettings({ DATA_DIR: await createDataFolder(), SERVICE_PORT: '0' });
  const fail = (reason: unknown) => expect.unreachable(String(reason));
  const service = await startService(settings, fail, fail);
  const postsUrl = `${service.url}/api/v1/projects/project_000000000002/posts`;
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const schedule = { ScheduleDate: tomorrow, Timezone: 'UTC', Status: 'SCHEDULED' };
  const body = JSON.stringify({ Content: 'Jumped over', Platforms: ['X'], ...schedule });
  expect((await fetch(postsUrl, { method: 'POST', headers, body })).status).toBe(200);
  const isPublished = async () => {
    const response = await fetch(`${postsUrl}?status=PUBLISHED`, { headers });
    return (await response.text()).includes('Jumped over');
  };
  expect(await isPublished(), 'before the jump').toBe(false);
  service.followClock(2 * DAY_MS);
  await expect.poll(isPublished).toBe(true);
  await service.close();
});
