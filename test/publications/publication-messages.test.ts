import type { WebClient } from '@slack/web-api';
import type { Workspace } from 'slack-workspace-emulator';
import { startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
