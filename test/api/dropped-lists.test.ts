import { describe, expect, test, vi } from 'vitest';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import type { Records } from '../../src/api/records.ts';

/** Creates a client whose calls wait until the test calls `endCall` with the index of the call. */
function createWaitingClient() {
  const ends: ((name: string) => void)[] = [];
  const call = () =>
    new Promise<Outcome<unknown>>((resolve) => {
      ends.push((Name) => resolve({ kind: 'done', data: [{ Id: 't1', Name }], requestId: 'r' }));
    });
  const client: ApiClient = { address: '', credential: {}, call, close: async () => undefined };
  return {
    client,
    endCall: (index: number, name: string) => ends[index]?.(name),
    countCalls: () => ends.length,
  };
}

const getFirstName = (outcome: Outcome<Records<{ name: string }>>) =>
  outcome.kind === 'done' ? outcome.data.items[0]?.name : outcome;

describe('a list that is dropped during its request', () => {
  test.each([undefined, 'p1'])(
    'a list that is dropped during its request is not cached when the response arrives (project: %j)',
    async (project) => {
      const cachedReads = createCachedReads();
      const { client, endCall, countCalls } = createWaitingClient();
      const first = cachedReads.listTemplates(client, 'p1');
      cachedReads.drop(client, project);
      endCall(0, 'old');
      expect(getFirstName(await first)).toBe('old');
      const second = cachedReads.listTemplates(client, 'p1');
      expect(countCalls()).toBe(2);
      endCall(1, 'new');
      expect(getFirstName(await second)).toBe('new');
    },
  );

  test('a list that was dropped during its request doesn’t replace the newer list', async () => {
    const cachedReads = createCachedReads();
    const { client, endCall, countCalls } = createWaitingClient();
    const first = cachedReads.listProjects(client);
    cachedReads.drop(client, 'p1');
    const second = cachedReads.listProjects(client);
    endCall(1, 'new');
    await second;
    endCall(0, 'old');
    await first;
    expect(getFirstName(await cachedReads.listProjects(client))).toBe('new');
    expect(countCalls()).toBe(2);
  });
});

test.each([
  ['stays at 0', 0],
  ['is set back by two months', 60 * 86_400_000],
])('a clock that %s doesn’t start endless timers', async (_change, before) => {
  vi.useFakeTimers();
  try {
    const delays = vi.spyOn(globalThis, 'setTimeout');
    let time = before;
    const cachedReads = createCachedReads({ now: () => time, maxAgeMs: 1_000 });
    const { client, endCall } = createWaitingClient();
    const lookup = cachedReads.listTemplates(client, 'p1');
    endCall(0, 'a name');
    await lookup;
    time = 0;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(delays.mock.calls.length).toBeLessThan(10);
    expect(delays.mock.calls.map(([, ms]) => ms)).toContain(1_001);
    expect(delays.mock.calls.filter(([, ms]) => ms === Number.POSITIVE_INFINITY)).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});
