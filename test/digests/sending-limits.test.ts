import { expect, test } from 'vitest';
import { createSendingLimits } from '../../src/digests/sending-limits.ts';

const MINUTE_MS = 60_000;

function start() {
  let now = 1_000_000;
  const limits = createSendingLimits(() => now);
  return {
    limits,
    pass: (ms: number) => {
      now += ms;
    },
    /** Sends one message, or returns how long it has to wait (ms). */
    send(channel: string, workspace = 'T1'): number {
      const ticket = limits.acquire({ workspace, channel });
      if ('waitMs' in ticket) return ticket.waitMs;
      ticket.release(true);
      return 0;
    },
  };
}

test('a channel takes one message a second, and others do not wait for it', () => {
  const { send, pass } = start();
  expect(send('C1')).toBe(0);
  expect(send('C1')).toBe(1_000);
  expect(send('C1')).toBe(2_000);
  expect(send('C2')).toBe(0);
  pass(1_000);
  expect(send('C1')).toBe(0);
});

test('a workspace takes 300 a minute; the next waits until the first is a minute old', () => {
  const { limits, send, pass } = start();
  for (let number = 0; number < 300; number += 1) {
    expect(send(`C${number}`)).toBe(0);
    pass(10);
  }
  expect(send('C300')).toBe(MINUTE_MS - 3_000);
  expect(send('C301')).toBe(MINUTE_MS - 3_000 + 10);
  expect(limits.getCapacity('T1')).toBe(0);
  expect(send('C1', 'T2')).toBe(0);
  pass(MINUTE_MS - 3_000);
  expect(send('C300')).toBe(0);
});

test('follow-ups let digests go first: half of a minute’s messages are reserved for digests', () => {
  const { limits, send } = start();
  for (let number = 0; number < 150; number += 1) send(`C${number}`);
  const detail = { workspace: 'T1', channel: 'C200', isLowPriority: true };
  expect(limits.acquire(detail)).toEqual({ waitMs: MINUTE_MS });
  expect(send('C200')).toBe(0);
});

test('messages in flight count as sent now', () => {
  const { limits, pass } = start();
  const open = Array.from({ length: 300 }, (_, number) =>
    limits.acquire({ workspace: 'T1', channel: `C${number}` }),
  );
  pass(2 * MINUTE_MS);
  expect(limits.acquire({ workspace: 'T1', channel: 'C300' })).toHaveProperty('waitMs');
  const [first] = open;
  if (first && 'release' in first) first.release(false);
  expect(limits.acquire({ workspace: 'T1', channel: 'C300' })).toHaveProperty('release');
});

test('a rate limit pauses only its workspace', () => {
  const { limits, send, pass } = start();
  limits.pause('T1', 30_000);
  expect(send('C1')).toBe(30_000);
  expect(send('C1', 'T2')).toBe(0);
  pass(30_000);
  expect(send('C1')).toBe(0);
});

test('a clock that is set back delays nothing', () => {
  const { limits, send, pass } = start();
  for (let number = 0; number < 300; number += 1) send(`C${number}`);
  pass(-10 * MINUTE_MS);
  limits.startScan();
  expect(send('C400')).toBe(0);
});
