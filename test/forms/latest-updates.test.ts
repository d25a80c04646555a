import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { Response } from 'undici';
import { expect, test } from 'vitest';
import { createLatestUpdates } from '../../src/forms/live-form.ts';
import { plain } from '../../src/slack/blocks.ts';
import { understandMoments, withStepBudget } from '../../src/when/when.ts';

/** Emulates Slack's views.update. It responds after a delay and refuses an outdated hash. */
function createSlowSlack(delayMs: number) {
  const shownTitles: string[] = [];
  let hash = 'h0';
  const createResponse = (body: object) => new Response(JSON.stringify(body));
  const client = new WebClient('xoxb-test', {
    retryConfig: { retries: 0 },
    fetch: async (_url, init) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const params = new URLSearchParams(String(init?.body));
      if (params.has('hash') && params.get('hash') !== hash)
        return createResponse({ ok: false, error: 'hash_conflict' });
      hash = `${hash}+`;
      shownTitles.push(JSON.parse(params.get('view') ?? '').title.text);
      return createResponse({ ok: true, view: { hash } });
    },
  });
  const changeHash = () => {
    hash = 'changed elsewhere';
  };
  return { client, shownTitles, changeHash, updates: createLatestUpdates() };
}

const buildView = (title: string, isLatest = false) => ({
  view: { type: 'modal', title: plain(title), blocks: [] } satisfies ModalView,
  isUnanswered: async () => true,
  isLatest: async () => isLatest,
});
const createUpdate = (title: string, actedAt = 1) => ({ actedAt, render: async () => buildView(title) });
const openView = { id: 'V1', hash: 'h0' };

test('after fast typing the newest update is shown, and updates are shown in order', async () => {
  const { client, shownTitles, updates } = createSlowSlack(5);
  const inputs = ['t', 'to', 'tom', 'tomo', 'tomorrow'];
  await Promise.all(inputs.map((input) => updates.show(openView, client, createUpdate(input))));
  expect(shownTitles.at(-1)).toBe('tomorrow');
  expect(shownTitles).toEqual(inputs.filter((input) => shownTitles.includes(input)));
  expect(shownTitles.length).toBeLessThan(inputs.length);
});

test('a waiting update keeps the async context of the request that caused it', async () => {
  const { client, shownTitles, updates } = createSlowSlack(5);
  const typeLines = (lines: readonly string[]) =>
    withStepBudget(() =>
      updates.show(openView, client, {
        actedAt: 1,
        render: async () => buildView(lines.map((line) => parseKind(line)).at(-1) ?? ''),
      }),
    );
  const slowLines = Array.from({ length: 100 }, (_, hour) => `from ${hour} to friday - 3/4 or easter or IST`);
  await Promise.all([typeLines(slowLines), typeLines(['tomorrow 9am'])]);
  expect(shownTitles.at(-1)).toBe('understood');
});

function parseKind(text: string): string {
  return understandMoments({ text, now: new Date('2026-11-20T12:00:00Z'), zone: 'Europe/Lisbon' }).kind;
}

test('what is typed after a button has updated the view is shown, although an earlier update was in flight', async () => {
  const { client, shownTitles, changeHash, updates } = createSlowSlack(5);
  const first = updates.show(openView, client, createUpdate('first'));
  await nextTurn();
  const render = async () => {
    changeHash();
    return buildView('second');
  };
  await updates.show({ id: 'V1', hash: 'changed elsewhere' }, client, { actedAt: 2, render });
  await first;
  expect(shownTitles).toEqual(['first', 'second']);
});

test('an action that Slack reported before it applied our last update is shown', async () => {
  const { client, shownTitles, updates } = createSlowSlack(0);
  await updates.show(openView, client, createUpdate('first', 1));
  await updates.show(openView, client, createUpdate('second', 2));
  expect(shownTitles).toEqual(['first', 'second']);
});

test('an action whose request arrives after that of a later one is not shown', async () => {
  const { client, shownTitles, updates } = createSlowSlack(0);
  await updates.show(openView, client, createUpdate('second', 2));
  await updates.show(openView, client, createUpdate('first', 1));
  const rendering = Promise.withResolvers<void>();
  const slow = updates.show(openView, client, {
    actedAt: 3,
    render: () => rendering.promise.then(() => buildView('third')),
  });
  await updates.showAtOnce(openView, client, { actedAt: 4, rendered: buildView('pressed') });
  rendering.resolve();
  await slow;
  expect(shownTitles).toEqual(['second', 'pressed']);
});

test('a button’s view is shown unless its form was answered after the press', async () => {
  const { client, shownTitles, changeHash, updates } = createSlowSlack(0);
  const press = (title: string) =>
    updates.showAtOnce(openView, client, {
      actedAt: 1,
      rendered: { ...buildView(title), isUnanswered: async () => false },
    });
  await press('pressed');
  changeHash();
  await press('pressed after an answer');
  expect(shownTitles).toEqual(['pressed']);
});

test('an action after a button is shown, although it has an older hash', async () => {
  const { client, shownTitles, updates } = createSlowSlack(0);
  await updates.showAtOnce(openView, client, { actedAt: 1, rendered: buildView('pressed') });
  await updates.show(openView, client, createUpdate('typed', 2));
  expect(shownTitles).toEqual(['pressed', 'typed']);
});

test('a slow older update is dropped when a newer one arrives', async () => {
  const { client, shownTitles, updates } = createSlowSlack(0);
  const rendering = Promise.withResolvers<void>();
  const renderOldView = () => rendering.promise.then(() => buildView('old'));
  const pendingUpdates = [
    updates.show(openView, client, { actedAt: 1, render: renderOldView }),
    updates.show(openView, client, createUpdate('new', 2)),
  ];
  rendering.resolve();
  await Promise.all(pendingUpdates);
  expect(shownTitles).toEqual(['new']);
});

test.each([
  ['limits the rate', () => new Response('', { status: 429, headers: { 'retry-after': '30' } })],
  ['fails', () => new Response('', { status: 503 })],
  [
    'is unreachable',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
])(
  'if Slack %s, the person who types sees no error, and the next update is shown',
  async (_fault, respond) => {
    const { client, shownTitles, updates } = createSlowSlack(0);
    const options = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logger: SILENT };
    const failingClient = new WebClient('xoxb-test', { ...options, fetch: async () => respond() });
    await updates.show(openView, failingClient, createUpdate('tomo'));
    await updates.show(openView, client, createUpdate('tomorrow'));
    expect(shownTitles).toEqual(['tomorrow']);
  },
);

test('a view that another instance has updated for an earlier action is updated', async () => {
  const { client, shownTitles, changeHash, updates } = createSlowSlack(0);
  changeHash();
  const render = async () => buildView('later', true);
  await updates.show(openView, client, { actedAt: 1, render });
  expect(shownTitles).toEqual(['later']);
});

test('a view that was changed elsewhere is not updated', async () => {
  const { client, shownTitles, changeHash, updates } = createSlowSlack(0);
  changeHash();
  await updates.show(openView, client, createUpdate('late'));
  expect(shownTitles).toEqual([]);
});
