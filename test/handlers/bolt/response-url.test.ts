import { expect, test } from 'vitest';
import { isSlackAddress, ResponseRefused, respond } from '../../../src/handlers/bolt/view-replies.ts';

const REAL = 'https://slack.com/api/';
const LOCAL = 'http://127.0.0.1:3001/api/';

test.each([
  ['https://hooks.slack.com/actions/T1/1/abc', REAL, true],
  ['https://hooks.slack-gov.com/commands/T1/1/abc', undefined, true],
  ['http://127.0.0.1:3001/response/abc', LOCAL, true],
  ['http://127.0.0.1:3002/response/abc', LOCAL, false],
  ['http://127.0.0.1:3001/response/abc', REAL, false],
  ['http://hooks.slack.com/actions/abc', REAL, false],
  ['https://hooks.slack.com.evil.example/abc', REAL, false],
  ['https://hooks.slack.com@evil.example/abc', REAL, false],
  ['https://evil.example/hooks.slack.com', REAL, false],
  ['file:///etc/passwd', LOCAL, false],
  ['', REAL, false],
])('the address “%s”, with the API at %s, is Slack’s: %s', (address, apiUrl, expected) => {
  expect(isSlackAddress(address, apiUrl)).toBe(expected);
});

test('nothing is sent to addresses outside Slack, and errors don’t contain the address', async () => {
  let callCount = 0;
  const response = respond(
    'https://evil.example/secret',
    { text: 'hello' },
    {
      replace: false,
      apiUrl: REAL,
      fetch: async () => {
        callCount += 1;
        return new Response();
      },
    },
  );
  const error = await response.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ResponseRefused);
  expect(String(error)).not.toContain('evil');
  expect(callCount).toBe(0);
});
