import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { commentOnHeldPost } from '../../src/held-posts/decisions.ts';
import { type ProjectPolicy, savePolicy } from '../../src/preferences/project-policy.ts';
import { POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';
import { createStoredSlack } from '../support/stored-slack.ts';

/** What people hear of posts that a stop keeps from going over. */

const fixture = await setUpTestHeldPosts();

const PROJECT = { workspace: 'T1', project: 'p1' };

async function holdStopped(stop: 'project' | 'all', changes: Partial<ProjectPolicy> = {}) {
  const policy = { ...POLICY, ...changes };
  const changedAt = fixture.context.clock.now();
  await savePolicy(fixture.db, PROJECT, policy, { changedBy: 'U9', changedAt });
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold(['Hello'], { policy });
  const stopRow = { reason: 'wrong copy', since: fixture.context.clock.now() };
  if (stop === 'all') await stopSending(fixture.db, stopRow);
  else await stopSending(fixture.db, { ...stopRow, stoppedBy: 'U8' }, PROJECT);
  return { slack, instance, policy };
}

test.each(['project', 'all'] as const)(
  'a post whose time passes during a stop (%s) asks its author at its time, once, and isn’t sent after it',
  async (stop) => {
    const { slack, instance } = await holdStopped(stop);
    for (const minutes of [60, 30, 1]) await fixture.runAt(minutes, instance);
    expect([await fixture.listStates(), slack.listRecipients()]).toEqual([['held: stopped'], []]);
    for (const minutes of [0, -1, -5]) await fixture.runAt(minutes, instance);
    expect([await fixture.listStates(), slack.listRecipients()]).toEqual([
      ['needs-person: overdue'],
      ['DU1'],
    ]);
    expect(slack.messages[0]?.text).toContain('Time passed');
    if (stop === 'all') await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared());
    else await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared(), PROJECT);
    await fixture.runAt(-10, instance);
    expect([fixture.listSentTexts(), slack.listRecipients()]).toEqual([[], ['DU1']]);
  },
);

test('messages about a post say once that it is stopped', async () => {
  const { slack, instance } = await holdStopped('project');
  const [row] = await fixture.listRows();
  await commentOnHeldPost(instance.context, { id: row?.id ?? '', workspace: 'T1', actor: 'U2' }, 'Nine?');
  await fixture.runAt(61, instance);
  expect([slack.listRecipients(), slack.updates]).toEqual([['DU1'], []]);
  for (const minutes of [60, 30, 1]) await fixture.runAt(minutes, instance);
  expect([slack.listRecipients(), slack.updates]).toEqual([['DU1'], ['1.1']]);
});

test('a held post outlasts a stop of all sending of more than a day, and goes over after it', async () => {
  const { slack, instance } = await holdStopped('all', { leadMinutes: 22 * 60 });
  await fixture.runAt(21 * 60, instance);
  await fixture.runAt(1, instance);
  await resumeSending(fixture.db, CAPABILITIES, fixture.context.clock.readShared());
  await fixture.runAt(0.5, instance);
  expect([fixture.listSentTexts(), slack.listRecipients()]).toEqual([['Hello'], []]);
});
