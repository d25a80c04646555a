import { expect, test } from 'vitest';
import { createSendingLimits } from '../../src/digests/sending-limits.ts';

const MINUTE_MS = 60_000;

function createTestLimits() {
  let now = 1_000_000;
  const limits = createSendingLimits(() => now);
  return {
    limits,
    advanceClock: (ms: number) => {
      now += ms;
    },
    /** Sends one message if the limits permit it. Returns 0, or else the required wait in milliseconds. */
    send(channel: string, workspace = 'T1'): number {
      const ticket = limits.acquire({ workspace, channel });
      if ('waitMs' in ticket) return ticket.waitMs;
      ticket.release(true);
      return 0;
    },
  };
}

test('a channel gets one message a second, and other channels don’t have to wait', () => {
  const { send, advanceClock } = createTestLimits();
  expect(send('C1')).toBe(0);
  expect(send('C1')).toBe(1_000);
  expect(send('C1')).toBe(2_000);
  expect(send('C2')).toBe(0);
  advanceClock(1_000);
  expect(send('C1')).toBe(0);
});

test('after 300 messages to a workspace, the next message waits until the first is a minute old', () => {
  const { limits, send, advanceClock } = createTestLimits();
  for (let number = 0; number < 300; number += 1) {
    expect(send(`C${number}`)).toBe(0);
    advanceClock(10);
  }
  expect(send('C300')).toBe(MINUTE_MS - 3_000);
  expect(send('C301')).toBe(MINUTE_MS - 3_000 + 10);
  expect(limits.getCapacity('T1')).toBe(0);
  expect(send('C1', 'T2')).toBe(0);
  advanceClock(MINUTE_MS - 3_000);
  expect(send('C300')).toBe(0);
});

test('three quarters of a minute’s messages are reserved for digests, so that follow-ups don’t delay them', () => {
  const { limits, send } = createTestLimits();
  for (let number = 0; number < 75; number += 1) send(`C${number}`);
  const followUp = { workspace: 'T1', channel: 'C200', isLowPriority: true };
  expect(limits.acquire(followUp)).toEqual({ waitMs: MINUTE_MS });
  expect(send('C200')).toBe(0);
});

test('a message in flight counts against the limit until it has ended', () => {
  const { limits, advanceClock } = createTestLimits();
  const openTickets = Array.from({ length: 300 }, (_, number) =>
    limits.acquire({ workspace: 'T1', channel: `C${number}` }),
  );
  advanceClock(2 * MINUTE_MS);
  expect(limits.acquire({ workspace: 'T1', channel: 'C300' })).toHaveProperty('waitMs');
  const [firstTicket] = openTickets;
  if (firstTicket && 'release' in firstTicket) firstTicket.release(false);
  expect(limits.acquire({ workspace: 'T1', channel: 'C300' })).toHaveProperty('release');
});

test('a rate limit pauses only its workspace', () => {
  const { limits, send, advanceClock } = createTestLimits();
  limits.pause('T1', 30_000);
  expect(send('C1')).toBe(30_000);
  expect(send('C1', 'T2')).toBe(0);
  advanceClock(30_000);
  expect(send('C1')).toBe(0);
});

test('messages aren’t delayed after the clock is set back', () => {
  const { limits, send, advanceClock } = createTestLimits();
  for (let number = 0; number < 300; number += 1) send(`C${number}`);
  advanceClock(-10 * MINUTE_MS);
  limits.startScan();
  expect(send('C400')).toBe(0);
});

test('after a refusal, an instance sends what it was granted in a minute, and slowly tries more', () => {
  const { limits, send, advanceClock } = createTestLimits();
  const sendMany = () => {
    let count = 0;
    while (count < 400 && send(`C${count}`) === 0) count += 1;
    return count;
  };
  for (let number = 0; number < 150; number += 1) send(`C${number}`);
  limits.pause('T1', 30_000);
  expect(sendMany()).toBe(0);
  advanceClock(MINUTE_MS);
  expect(limits.getCapacity('T1')).toBe(165);
  expect(sendMany()).toBe(165);
  // A workspace in which nothing was sent for a while has its whole limit again.
  advanceClock(2 * MINUTE_MS);
  limits.startScan();
  expect(sendMany()).toBe(300);
});

test('a refusal after a few messages doesn’t limit the following minutes', () => {
  const { limits, send, advanceClock } = createTestLimits();
  for (let number = 0; number < 5; number += 1) send(`C${number}`);
  limits.pause('T1', 1_000);
  advanceClock(MINUTE_MS);
  expect(limits.getCapacity('T1')).toBe(300);
});

test('digests that Slack refused come before follow-ups when the pause ends', () => {
  const { limits, send, advanceClock } = createTestLimits();
  for (let number = 0; number < 150; number += 1) send(`C${number}`);
  limits.pause('T1', MINUTE_MS);
  advanceClock(MINUTE_MS);
  const followUps = Array.from({ length: 150 }, (_, number) =>
    limits.acquire({ workspace: 'T1', channel: `F${number}`, isLowPriority: true }),
  );
  expect(followUps.filter((followUp) => 'release' in followUp)).toHaveLength(41);
});
