import { expect, test } from 'vitest';
import {
  renderDigestName,
  renderNoProjectMessage,
  renderNoReadableProjectMessage,
  renderNotCheckedMessage,
  renderServiceDownMessage,
} from '../../../src/digests/messages/notices.ts';

const times = { due: new Date('2026-11-23T09:00:00Z'), now: new Date('2026-11-23T09:30:00Z') };
const digest = { zone: 'Europe/Lisbon', channel: 'C1' };

test('each message without a digest says why there is none, and what comes next', () => {
  const texts = [
    renderNotCheckedMessage(digest, times),
    renderServiceDownMessage(digest, { ...times, failure: { kind: 'unknown', cause: 'timed-out' } }),
    renderServiceDownMessage(digest, { ...times, failure: { kind: 'not-applied', cause: 'not-connected' } }),
    renderServiceDownMessage(digest, { ...times, failure: { kind: 'refused', status: 401 } }),
    renderServiceDownMessage(digest, { ...times, failure: { kind: 'refused', status: 402 } }),
    renderServiceDownMessage(digest, {
      ...times,
      failure: { kind: 'unknown', cause: 'success-false', status: 200 },
    }),
    renderNoProjectMessage(digest),
    renderNoProjectMessage({ channel: 'U1' }),
    renderNoReadableProjectMessage(),
  ].map(({ text }) => text);
  expect(texts).toEqual([
    expect.stringMatching(/couldn’t check which projects you can see\. The next one comes as planned\.$/),
    expect.stringMatching(/hasn’t answered for half an hour\. The next one comes as planned\.$/),
    expect.stringMatching(/this workspace isn’t connected to a scheduling service\. The next one/),
    expect.stringMatching(/hasn’t let me in for half an hour\. The next one comes as planned\.$/),
    expect.stringMatching(/hasn’t sent me its posts for half an hour\. The next one comes as planned\.$/),
    expect.stringMatching(/hasn’t sent me its posts for half an hour\. The next one comes as planned\.$/),
    expect.stringMatching(/^This channel doesn’t follow a project yet/),
    expect.stringMatching(/^Your digest has no project yet.* press Edit /),
    expect.stringMatching(/no longer have access to its projects/),
  ]);
});

test('a notice names a digest at midnight by its own day and zone, which may be another day for its reader', () => {
  const digest = { channel: 'C1', days: [1], time: { hour: 0, minute: 0 }, zone: 'Europe/Berlin' };
  expect(renderDigestName(digest)).toBe('<#C1>, every Monday at 00:00 (Berlin)');
});
