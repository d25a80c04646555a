import { expect, test } from 'vitest';
import type { SlackFault } from '../support/digest-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const RATE_LIMITED: SlackFault = { kind: 'ratelimited', seconds: 90 };
/** Number of consecutive rate limits. It exceeds the maximum attempts for an upload. */
const RATE_LIMIT_COUNT = 7;

test.each(['files.getUploadURLExternal', 'files.completeUploadExternal', 'the upload URL'])(
  'a picture is shown although Slack repeatedly limits the rate of its upload (%s)',
  async (limitedCall) => {
    let remainingFaults = RATE_LIMIT_COUNT;
    const requestTimes: number[] = [];
    const takeFault = (method: string) => {
      if (method !== limitedCall || remainingFaults === 0) return false;
      remainingFaults -= 1;
      requestTimes.push(running.now().getTime());
      return true;
    };
    const running = await startDigests(database.db, {
      from: '2026-12-01T07:00:00Z',
      compose: async () => ({
        ...{ kind: 'message', text: 'The week' },
        picture: { png: Buffer.from('drawn'), alt: 'Two posts', name: 'week.png' },
      }),
      fault: (method) => (takeFault(method) ? RATE_LIMITED : undefined),
      upload: async () =>
        takeFault('the upload URL')
          ? new Response('', { status: 429, headers: { 'retry-after': '90' } })
          : new Response('OK'),
    });
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T09:00:00Z');
    expect(running.slack.messages).toMatchObject([{ blocks: [{ type: 'image' }] }]);
    const waits = requestTimes.slice(1).map((at, index) => at - (requestTimes[index] ?? 0));
    expect(waits).toHaveLength(RATE_LIMIT_COUNT - 1);
    for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(90_000);
  },
);

test('digests without a picture don’t wait for uploads, of which Slack accepts a hundred a minute', async () => {
  let uploadCount = 0;
  const running = await startDigests(database.db, {
    from: '2026-12-01T07:00:00Z',
    compose: async (digest) => ({
      ...{ kind: 'message', text: 'The week' },
      ...(digest.kind === 'weekly' && {
        picture: { png: Buffer.from('drawn'), alt: 'Two posts', name: 'week.png' },
      }),
    }),
    upload: async () => {
      uploadCount += 1;
      return new Response('OK');
    },
  });
  for (let index = 0; index < 120; index += 1)
    await running.digests.save(settings({ channel: `C${index}`, kind: 'weekly' }), 'UANA');
  await running.digests.save(settings({ channel: 'C-plain' }), 'UANA');
  await running.runUntil('2026-12-01T08:00:30Z');
  expect(uploadCount).toBe(100);
  expect(running.slack.messages.map(({ channel }) => channel)).toContain('C-plain');
  await running.runUntil('2026-12-01T08:03:00Z');
  expect(uploadCount).toBe(120);
  expect(new Set(running.slack.messages.map(({ channel }) => channel)).size).toBe(121);
});
