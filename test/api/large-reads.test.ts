import { expect, test } from 'vitest';
import { readInTurn } from '../../src/api/http/connector.ts';
import { LARGE_READS } from '../../src/api/json/response-limits.ts';
import { listTemplates } from '../../src/api/templates.ts';
import { createSlots } from '../../src/slots.ts';
import { measureBusyness } from '../support/busyness.ts';
import { createResponder, createTestClient, startServer } from './scripted-server.ts';

/** Requests slots by name. `listStarted` returns the names of the calls that got a slot. */
function createRequests(limits: { maxSlots: number; maxSlotsPerKey: number }) {
  const createSlot = createSlots(limits);
  const startedCalls: string[] = [];
  const requestSlot = (key: string, name: string) => {
    const slot = createSlot(key);
    void slot.acquire(new AbortController().signal).then(() => startedCalls.push(name));
    return slot;
  };
  const listStarted = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return startedCalls;
  };
  return { requestSlot, listStarted };
}

test('the number of simultaneous large responses is limited, with a lower limit for one workspace', async () => {
  const { requestSlot, listStarted } = createRequests({ maxSlots: 3, maxSlotsPerKey: 2 });
  for (const name of ['a1', 'a2', 'a3']) requestSlot('a', name);
  for (const name of ['b1', 'b2']) requestSlot('b', name);
  expect(await listStarted()).toEqual(['a1', 'a2', 'b1']);
});

test('a free slot goes to the workspace with the fewest slots', async () => {
  const { requestSlot, listStarted } = createRequests({ maxSlots: 2, maxSlotsPerKey: 2 });
  const [firstSlot, secondSlot] = ['a1', 'a2'].map((name) => requestSlot('a', name));
  for (const name of ['a3', 'a4']) requestSlot('a', name);
  requestSlot('b', 'b1');
  firstSlot?.release();
  expect(await listStarted()).toEqual(['a1', 'a2', 'b1']);
  secondSlot?.release();
  secondSlot?.release();
  expect(await listStarted()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a call that stops waiting takes no slot', async () => {
  const { requestSlot, listStarted } = createRequests({ maxSlots: 1, maxSlotsPerKey: 1 });
  const firstSlot = requestSlot('a', 'a1');
  const abandonedSlot = requestSlot('a', 'a2');
  expect(abandonedSlot.isWaiting).toBe(true);
  abandonedSlot.release();
  expect(abandonedSlot.isWaiting).toBe(false);
  requestSlot('b', 'b1');
  firstSlot.release();
  expect(await listStarted()).toEqual(['a1', 'b1']);
});

test('in each turn of the event loop, only one chunk of one large response is read', async () => {
  let readCount = 0;
  for (const key of ['a', 'a', 'b', 'b']) readInTurn(key, () => (readCount += 1));
  const readAfterEachTurn: number[] = [];
  while (readCount < 4) {
    await new Promise((resolve) => setImmediate(resolve));
    readAfterEachTurn.push(readCount);
  }
  expect(readAfterEachTurn.filter((count) => count > 0)).toEqual([1, 2, 3, 4]);
});

test('a workspace that reads one large response waits for one chunk of another that reads many', async () => {
  const order: string[] = [];
  const keys = ['many', 'many', 'many', 'one', 'many'];
  for (const key of keys) readInTurn(key, () => order.push(key));
  await expect.poll(() => order.length).toBe(keys.length);
  expect(order).toEqual(['many', 'one', 'many', 'many', 'many']);
});

test('only a large response waits for a slot, and its call ends as busy if the wait is too long', async () => {
  let content = 'x'.repeat(LARGE_READS.minBytes);
  const { url } = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: [{ Id: 't1', Name: 'One', Content: content }] }));
  });
  const createSlot = createSlots({ maxSlots: 1, maxSlotsPerKey: 1 });
  const { client } = createTestClient(url, { createSlot, maxCallMs: 400 });
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
  const otherSlot = createSlot('another workspace');
  await otherSlot.acquire(new AbortController().signal);
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'not-applied', cause: 'busy' });
  content = 'short';
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
  otherSlot.release();
  content = 'x'.repeat(LARGE_READS.minBytes);
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
});

test('reads that wait too long for one of the 48 connections end as busy; the others time out', async () => {
  let isSilent = true;
  const { url } = await startServer((response, request) => {
    if (!isSilent) createResponder(200, { success: true, data: [] })(response, request);
  });
  // A busy machine takes longer to open the connections, and that counts as waiting for one.
  const { client } = createTestClient(url, { maxCallMs: 400 * measureBusyness() });
  const reads = Array.from({ length: 52 }, () => listTemplates(client, 'p1'));
  const outcomes = await Promise.all(reads);
  const countCause = (cause: string) =>
    outcomes.filter((outcome) => 'cause' in outcome && outcome.cause === cause).length;
  expect([countCause('timed-out'), countCause('busy')]).toEqual([48, 4]);
  isSilent = false;
  expect(await listTemplates(client, 'p1')).toMatchObject({ kind: 'done' });
});
