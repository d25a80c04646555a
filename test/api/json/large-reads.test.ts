import { expect, test } from 'vitest';
import { LARGE_READS } from '../../../src/api/json/answer-limits.ts';
import { createLargeReads } from '../../../src/api/json/large-reads.ts';
import { listTemplates } from '../../../src/api/templates.ts';
import { answering, clientOf, say } from '../answering-server.ts';

/** The names of the slots that have begun. */
function asking(limits: { atOnce: number; ofOneShare: number }) {
  const turnOf = createLargeReads(limits);
  const begun: string[] = [];
  const ask = (share: string, name: string) => {
    const turn = turnOf(share);
    void turn.begin(new AbortController().signal).then(() => begun.push(name));
    return turn;
  };
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return begun;
  };
  return { ask, settled };
}

test('the number of large responses at once is limited, with a lower limit for one workspace', async () => {
  const { ask, settled } = asking({ atOnce: 3, ofOneShare: 2 });
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  for (const name of ['b1', 'b2']) ask('b', name);
  expect(await settled()).toEqual(['a1', 'a2', 'b1']);
});

test('a free slot goes to the workspace that holds the fewest', async () => {
  const { ask, settled } = asking({ atOnce: 2, ofOneShare: 2 });
  const [first, second] = ['a1', 'a2'].map((name) => ask('a', name));
  for (const name of ['a3', 'a4']) ask('a', name);
  ask('b', 'b1');
  first?.end();
  expect(await settled()).toEqual(['a1', 'a2', 'b1']);
  second?.end();
  second?.end();
  expect(await settled()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a call that stops waiting takes no slot', async () => {
  const { ask, settled } = asking({ atOnce: 1, ofOneShare: 1 });
  const first = ask('a', 'a1');
  const gone = ask('a', 'a2');
  expect(gone.isWaiting).toBe(true);
  gone.end();
  expect(gone.isWaiting).toBe(false);
  ask('b', 'b1');
  first.end();
  expect(await settled()).toEqual(['a1', 'b1']);
});

test('all large responses together have one chunk read per event loop turn', async () => {
  const turnOf = createLargeReads({ atOnce: 4, ofOneShare: 2 });
  let read = 0;
  for (const share of ['a', 'a', 'b', 'b'])
    void turnOf(share)
      .pace()
      .then(() => (read += 1));
  const readAfterEachTurn: number[] = [];
  while (read < 4) {
    await new Promise((resolve) => setImmediate(resolve));
    readAfterEachTurn.push(read);
  }
  expect(readAfterEachTurn.filter((count) => count > 0)).toEqual([1, 2, 3, 4]);
});

test('a large response waits for a slot and a small one doesn’t; out of time, the call is busy', async () => {
  let content = 'x'.repeat(LARGE_READS.fromBytes);
  const { url } = await answering((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: [{ Id: 't1', Name: 'One', Content: content }] }));
  });
  const largeReads = createLargeReads({ atOnce: 1, ofOneShare: 1 });
  const { client } = clientOf(url, { largeReads, callMs: 400 });
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
  const other = largeReads('another workspace');
  await other.begin(new AbortController().signal);
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'not-applied', cause: 'busy' });
  content = 'short';
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
  other.end();
  content = 'x'.repeat(LARGE_READS.fromBytes);
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
});

test('reads that wait too long for one of the 16 connections are busy; the others time out', async () => {
  let isSilent = true;
  const { url } = await answering((response, request) => {
    if (!isSilent) say(200, { success: true, data: [] })(response, request);
  });
  const { client } = clientOf(url, { callMs: 400 });
  const reads = Array.from({ length: 20 }, () => listTemplates(client, 'p1'));
  const ended = await Promise.all(reads);
  const count = (cause: string) => ended.filter((one) => 'cause' in one && one.cause === cause).length;
  expect([count('timed-out'), count('busy')]).toEqual([16, 4]);
  isSilent = false;
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
});
