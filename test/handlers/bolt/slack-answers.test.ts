import { expect, test } from 'vitest';
import { type SlackAnswer, watchAnswers } from '../../../src/handlers/bolt/slack-answers.ts';
import { TextResponse } from '../../../src/text-response.ts';

async function read(
  text: string,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
) {
  const answers: SlackAnswer[] = [];
  const send = watchAnswers(
    async () => new TextResponse(text, { status, headers }),
    (answer) => answers.push(answer),
  );
  const response = await send('https://slack.com/api/chat.postMessage', {
    headers: { Authorization: 'Bearer xoxb-1' },
  });
  expect(await response.text()).toBe(text);
  const [answer] = answers;
  if (!answer) throw new Error('no answer was reported');
  return answer;
}

test.each([
  ['{"ok":true,"ts":"1"}', 200, 'done', undefined],
  ['{"ok": false, "error": "token_revoked"}', 200, 'refused-token', 'token_revoked'],
  ['{"ok":false,"error":"channel_not_found"}', 200, 'refused', 'channel_not_found'],
  ['{"ok":false,"error":"ratelimited"}', 429, 'rate-limited', undefined],
  [JSON.stringify({ text: '{"ok":false,"error":"token_revoked"}', ok: true }), 200, 'done', undefined],
  ['<html>Bad gateway</html>', 502, 'failed', undefined],
])('the answer %s with the status %i counts as %s', async (text, status, outcome, code) => {
  expect(await read(text, { status })).toMatchObject({ outcome, ...(code && { code }) });
});

test('no answer counts as failed, and the call fails as before', async () => {
  const outcomes: string[] = [];
  const send = watchAnswers(
    () => Promise.reject(new Error('no network')),
    ({ outcome }) => outcomes.push(outcome),
  );
  await expect(send('https://slack.com/api/auth.test', {})).rejects.toThrow('no network');
  expect(outcomes).toEqual(['failed']);
});

test('the time in Slack’s answer tells how far this clock is ahead', async () => {
  const date = new Date(Date.now() - 20 * 60_000).toUTCString();
  const { aheadMs = 0, usesToken } = await read('{"ok":true}', { headers: { date } });
  expect(Math.abs(aheadMs - 20 * 60_000)).toBeLessThan(2_000);
  expect([usesToken('xoxb-1'), usesToken('xoxb-2')]).toEqual([true, false]);
});
