import { describe, expect, test, vi } from 'vitest';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import type { Records } from '../../src/api/records.ts';

/** A client whose calls end when the test ends them. */
function waitingClient() {
  const ends: ((name: string) => void)[] = [];
  const call = () =>
    new Promise<Outcome<unknown>>((resolve) => {
      ends.push((Name) => resolve({ kind: 'done', data: [{ Id: 't1', Name }], requestId: 'r' }));
    });
  const client: ApiClient = { address: '', credential: {}, call, close: async () => undefined };
  return { client, end: (at: number, name: string) => ends[at]?.(name), asked: () => ends.length };
}

const nameIn = (outcome: Outcome<Records<{ name: string }>>) =>
  outcome.kind === 'done' ? outcome.data.items[0]?.name : outcome;

describe('a list that is dropped during its request', () => {
  test.each([undefined, 'p1'])('(project: %j) is not cached when the response arrives', async (project) => {
    const remembered = createCachedReads();
    const { client, end, asked: calls } = waitingClient();
    const first = remembered.listTemplates(client, 'p1');
    remembered.drop(client, project);
    end(0, 'old');
    expect(nameIn(await first)).toBe('old');
    const second = remembered.listTemplates(client, 'p1');
    expect(calls()).toBe(2);
    end(1, 'new');
    expect(nameIn(await second)).toBe('new');
  });

  test('doesn’t replace the newer list', async () => {
    const remembered = createCachedReads();
    const { client, end, asked: calls } = waitingClient();
    const first = remembered.listProjects(client);
    remembered.drop(client, 'p1');
    const second = remembered.listProjects(client);
    end(1, 'new');
    await second;
    end(0, 'old');
    await first;
    expect(nameIn(await remembered.listProjects(client))).toBe('new');
    expect(calls()).toBe(2);
  });
});

test('a clock that stays at 0 doesn’t start endless timers', async () => {
  vi.useFakeTimers();
  try {
    const delays = vi.spyOn(globalThis, 'setTimeout');
    const remembered = createCachedReads({ now: () => 0, maxAgeMs: 1_000 });
    const { client, end } = waitingClient();
    const read = remembered.listTemplates(client, 'p1');
    end(0, 'kept');
    await read;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(delays.mock.calls.map(([, ms]) => ms)).toContain(1_001);
    expect(delays.mock.calls.filter(([, ms]) => ms === Number.POSITIVE_INFINITY)).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});
