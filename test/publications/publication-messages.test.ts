import type { WebClient } from '@slack/web-api';
import type { Workspace } from 'slack-workspace-emulator';
import { startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '../../src/api/logs.ts';
import { findReasonInLog, hasFailedInLog } from '../../src/publications/check-publication.ts';
import { REPORTED_STATES } from '../../src/publications/publication.ts';
import { type ReportedPost, renderPublicationMessage } from '../../src/publications/publication-messages.ts';
import { disableParsing } from '../../src/slack/message.ts';
import { findWordingFaults, listTexts } from '../support/wording.ts';

let workspace: Workspace;
let client: WebClient;
beforeAll(async () => {
  ({ workspace, client } = await startTestWorkspace());
});
afterAll(() => workspace.close());

const NOW = new Date('2026-12-01T09:03:00Z');
const createPost = (content: string, platforms = ['X']): ReportedPost => ({
  id: '1503001b-78c8-4ea3-af20-7b024f66e477',
  publishAt: new Date('2026-12-01T09:00:00Z'),
  project: content,
  post: { content, platforms, scheduleDate: new Date('2026-12-01T09:00:00Z'), timezone: 'Europe/Berlin' },
});
const STRANGE_TEXT = '<!channel> &amp; *_`~ \u202eright to left\u202c <@UEVIL> <http://evil|good> :x: \ud800';

test.each(
  REPORTED_STATES.flatMap((state) =>
    [
      [createPost('Hello')],
      Array.from({ length: 50 }, () => createPost('Wordy 🥐'.repeat(400), ['X', 'LINKEDIN', 'INSTAGRAM'])),
      [createPost(STRANGE_TEXT, [STRANGE_TEXT])],
      [createPost(''), { ...createPost(''), post: undefined, project: undefined }],
      Array.from({ length: 50 }, () => ({
        ...createPost('Wordy 🥐'.repeat(400), ['X', 'LINKEDIN', 'INSTAGRAM']),
        reason: STRANGE_TEXT.repeat(40),
      })),
    ].map((posts) => [state, posts.length, posts] as const),
  ),
)('Slack accepts the message about posts in the state %s (%i posts)', async (state, _, posts) => {
  const message = renderPublicationMessage(state, posts, NOW);
  const response = await client.chat.postMessage({ channel: 'U01ANAFERR', ...disableParsing(message) });
  expect(response.ok).toBe(true);
});

test('the messages are in plain English, and explain what to do after a failed post', () => {
  const messages = REPORTED_STATES.flatMap((state) => [
    renderPublicationMessage(state, [createPost('Hello')], NOW),
    renderPublicationMessage(state, [createPost('Hello'), createPost('Bye')], NOW),
  ]);
  const texts = messages.flatMap((message) => [message.text, ...listTexts(message)]);
  expect(texts.length).toBeGreaterThan(40);
  expect(texts.flatMap(findWordingFaults)).toEqual([]);
  expect(texts).toContain('Choose another time, and I’ll schedule a copy.');
});

test('the message about a failed post has the service’s reason, or says that it isn’t known', () => {
  const render = (reason?: string) =>
    JSON.stringify(renderPublicationMessage('failed', [{ ...createPost('Hello'), reason }], NOW));
  expect(render('the token of <!channel> has expired')).toContain(
    'The service’s reason: “the token of <!channel> has expired”',
  );
  expect(render()).toContain('I couldn’t find out why.');
  // Authors needn't be allowed to read the log.
  expect(render()).not.toContain('/upnext logs');
  expect(render()).toContain('Choose another time');
});

const since = new Date('2026-12-01T09:00:00Z');

const [before, soon, later] = ['2026-12-01T08:00:00Z', '2026-12-01T09:00:05Z', '2026-12-01T09:01:00Z'].map(
  (at) => new Date(at),
);

test.each([
  ['post_7', 'post_7 failed'],
  ['post_7', 'post.failed (post_7): could not reach X'],
  ['post_7', 'Error while publishing post_7'],
  ['post_7', 'post_7 couldn’t be published'],
  ['7', 'post 7 failed'],
  ['7', 'Failed. PostId: 7'],
  ['post_7', 'Publishing of post_7 failed: the token of X expired'],
  ['post_7', 'post_7 failed to publish (HTTP 500)'],
])('a log line about the failure of %s is recognised: %s', (id, message) => {
  expect(hasFailedInLog([{ message, at: soon }], { id, since })).toBe(true);
});

test.each([
  ['post_7', 'post_70 failed'],
  ['post_7', 'my-post_7 failed'],
  ['post_7', 'post_7 was published'],
  ['post_7', 'post_7 was created'],
  ['7', 'user 7 failed to sign in'],
  ['7', 'post 12 failed after 7 attempts'],
  ['post_7', 'post_7: 0 failed, 3 platforms'],
  ['post_7', 'post_7 failed: 0'],
  ['post_7', 'post_7 failed: none'],
  ['post_7', 'post_7 went out without error'],
  ['post_7', 'No error for post_7'],
  ['post_7', 'post_7 hasn’t failed'],
  ['post_7', 'post_7 failed, retrying in 5 minutes'],
  ['post_7', 'post_7 failed over to the second worker'],
  ['post_7', 'The webhook for post_7 failed'],
  ['post_7', 'Publishing failed: post_8 was before post_7'],
  ['post_7', 'The error handler of post_7 is ready'],
  ['post_7', 'post_7 failed on X, published on LinkedIn'],
])('a log line isn’t about a failure of %s: %s', (id, message) => {
  expect(hasFailedInLog([{ message, at: soon }], { id, since })).toBe(false);
});

test('a log line without a time, or from before the publishing time, is ignored', () => {
  const message = 'post_7 failed';
  expect(hasFailedInLog([{ message, at: before }, { message }], { id: 'post_7', since })).toBe(false);
});

test('a post that failed first and was published later counts as published', () => {
  const lines = [
    { message: 'post_7 was published', at: later },
    { message: 'post_7 failed, trying again', at: soon },
  ];
  expect(hasFailedInLog(lines, { id: 'post_7', since })).toBe(false);
  expect(hasFailedInLog(lines.toReversed(), { id: 'post_7', since })).toBe(false);
});

const failedLine = { message: 'post_7 failed', at: soon };

test.each(['post_7: the second attempt succeeded', 'post_7 was sent to all platforms', 'post_7: retrying'])(
  'a failure isn’t clear if a later line hints at something else: %s',
  (message) => {
    const has = (at?: Date) => hasFailedInLog([failedLine, { message, at }], { id: 'post_7', since });
    expect([has(before), has(soon), has(later), has()]).toEqual([true, false, false, false]);
  },
);

test.each([
  ['its status', { events: [], outcomes: ['FAILED'] }, 'The token of X expired'],
  ['its level', { events: ['publishing'], outcomes: ['error'] }, 'The token of X expired'],
  ['its text and level', { events: [], outcomes: ['error'] }, 'Publishing failed: the token of X expired'],
  ['its event', { events: ['post.publish_failed'], outcomes: [] }, 'The token of X expired'],
  ['its text', { events: [], outcomes: ['info'] }, 'Publishing failed: the token of X expired'],
  ['its short text', { events: [], outcomes: [] }, 'Failed'],
])('a line with the post’s id in a field says that it failed: %s', (_, labels, message) => {
  const read = (id: string) =>
    hasFailedInLog([{ message, at: soon, post: { id, ...labels } }], { id: '7', since });
  expect([read('7'), read('8')]).toEqual([true, false]);
});

test.each([
  ['another event failed', { events: ['webhook.delivery'], outcomes: ['failed'] }, 'The webhook failed'],
  ['its update failed', { events: ['post.updated'], outcomes: ['error'] }, 'The time is missing'],
  ['the post went out', { events: [], outcomes: ['error'] }, 'Published without its picture'],
  ['the text counts', { events: ['post.publish'], outcomes: ['info'] }, '0 failed, 3 sent'],
  ['it succeeded', { events: ['post.publish'], outcomes: ['success', 'error'] }, 'Done'],
  ['only its level', { events: [], outcomes: ['error'] }, 'The analytics of this post could not be read'],
  ['only its type', { events: ['error'], outcomes: ['critical'] }, 'The thumbnail is missing'],
  ['it is a post', { events: ['post'], outcomes: ['error'] }, 'The analytics could not be read'],
  ['another post', { events: [], outcomes: [] }, 'post 8 failed'],
])('a line with the post’s id in a field doesn’t say that it failed: %s', (_, labels, message) => {
  const line = { message, at: soon, post: { id: '7', ...labels } };
  expect(hasFailedInLog([line], { id: '7', since })).toBe(false);
});

test.each([
  ['post_7 failed: the token of X has expired', 'the token of X has expired'],
  ['post.failed (post_7): could not reach X', 'could not reach X'],
  ['Publishing of post_7 failed because X is down.', 'X is down.'],
  ['post_7 failed to publish (HTTP 500)', 'HTTP 500'],
  [
    'post_7 reached its ScheduleDate and FAILED: its platforms didn’t accept it.',
    'its platforms didn’t accept it.',
  ],
  ['post_7 failed', undefined],
  ['post_7 failed.', undefined],
  ['Error while publishing post_7', undefined],
  ['post_8 failed: the token of X has expired', undefined],
])('the reason of a failure is what follows it in its line: %s', (message, reason) => {
  expect(findReasonInLog([{ message, at: soon }], { id: 'post_7', since })).toBe(reason);
});

test('the text beside a status that says so is the reason of a failure, and an earlier line isn’t', () => {
  const failed = { id: 'post_7', events: ['post.publish'], outcomes: ['failed'] };
  const line = { message: 'The token of X has expired', at: soon, post: failed };
  const find = (...lines: LogEntry[]) => findReasonInLog(lines, { id: 'post_7', since });
  expect(find(line)).toBe('The token of X has expired');
  expect(find({ ...line, at: before })).toBeUndefined();
  expect(find({ ...line, post: { ...failed, outcomes: ['info'] } })).toBeUndefined();
});
