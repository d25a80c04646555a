import type { ModalView } from '@slack/types';
import { WebClient } from '@slack/web-api';
import { Response } from 'undici';
import { expect, test } from 'vitest';
import { createLatestUpdates } from '../../src/forms/live-form.ts';
import { plain } from '../../src/slack/blocks.ts';
import { understandMoments, withStepBudget } from '../../src/when/when.ts';
import { SILENT } from '../support/workspace.ts';

/** Slack's views.update, which answers after `ms` and refuses an outdated hash. */
function slowSlack(ms: number) {
  const shown: string[] = [];
  let hash = 'h0';
  const answer = (body: object) => new Response(JSON.stringify(body));
  const client = new WebClient('xoxb-test', {
    retryConfig: { retries: 0 },
    fetch: async (_url, init) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      const sent = new URLSearchParams(String(init?.body));
      if (sent.get('hash') !== hash) return answer({ ok: false, error: 'hash_conflict' });
      hash = `${hash}+`;
      shown.push(JSON.parse(sent.get('view') ?? '').title.text);
      return answer({ ok: true, view: { hash } });
    },
  });
  const change = () => {
    hash = 'changed elsewhere';
  };
  return { client, shown, change };
}

const view = (title: string) => async (): Promise<ModalView> => ({
  type: 'modal',
  title: plain(title),
  blocks: [],
});
const before = { id: 'V1', hash: 'h0' };

test('fast typing ends with the newest update, and updates stay in order', async () => {
  const { client, shown } = slowSlack(5);
  const updates = createLatestUpdates();
  const words = ['t', 'to', 'tom', 'tomo', 'tomorrow'];
  await Promise.all(words.map((word) => updates.show(before, client, view(word))));
  expect(shown.at(-1)).toBe('tomorrow');
  expect(shown).toEqual(words.filter((word) => shown.includes(word)));
  expect(shown.length).toBeLessThan(words.length);
});

test('a waiting update keeps the async context of its own request', async () => {
  const { client, shown } = slowSlack(5);
  const updates = createLatestUpdates();
  const type = (lines: readonly string[]) =>
    withStepBudget(() =>
      updates.show(before, client, () => view(lines.map((line) => parseKind(line)).at(-1) ?? '')()),
    );
  const slow = Array.from({ length: 100 }, (_, hour) => `from ${hour} to friday - 3/4 or easter or IST`);
  await Promise.all([type(slow), type(['tomorrow 9am'])]);
  expect(shown.at(-1)).toBe('understood');
});

function parseKind(text: string): string {
  return understandMoments({ text, now: new Date('2026-11-20T12:00:00Z'), zone: 'Europe/Lisbon' }).kind;
}

test('a slow older update is dropped when a newer one arrives', async () => {
  const { client, shown } = slowSlack(0);
  const updates = createLatestUpdates();
  const read = Promise.withResolvers<void>();
  const slow = () => read.promise.then(view('old'));
  const both = [updates.show(before, client, slow), updates.show(before, client, view('new'))];
  read.resolve();
  await Promise.all(both);
  expect(shown).toEqual(['new']);
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
])('if Slack %s, nobody who types is disturbed, and the next update is shown', async (_what, fail) => {
  const { client, shown } = slowSlack(0);
  const updates = createLatestUpdates();
  const options = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logger: SILENT };
  const failing = new WebClient('xoxb-test', { ...options, fetch: async () => fail() });
  await updates.show(before, failing, view('tomo'));
  await updates.show(before, client, view('tomorrow'));
  expect(shown).toEqual(['tomorrow']);
});

test('a view that was changed elsewhere is not updated', async () => {
  const { client, shown, change } = slowSlack(0);
  change();
  await createLatestUpdates().show(before, client, view('late'));
  expect(shown).toEqual([]);
});
