import { WebAPIRequestError } from '@slack/web-api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { editHeldPost } from '../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../src/held-posts/decisions.ts';
import { listEvents } from '../../src/held-posts/sql/events.ts';
import { createPostAt } from '../support/post-submissions.ts';
import { MINUTE_MS, POLICY, setUpTestHeldPosts } from '../support/start-held-posts.ts';
import { createStoredSlack } from '../support/stored-slack.ts';

/** Notifications of held posts while the database or Slack fails. */

const fixture = await setUpTestHeldPosts();

const broken = new WebAPIRequestError(new Error('connection lost'));

test('a comment is stored only with its notification', async () => {
  const [post] = await fixture.hold(['Hello']);
  if (!post) throw new Error('nothing was stored');
  await sql`create function refuse_change() returns trigger language plpgsql
    as $$ begin raise exception 'refused'; end $$`.execute(fixture.db);
  try {
    await sql`create trigger refuse_change before update on held_post
      for each row execute function refuse_change()`.execute(fixture.db);
    const press = { id: post.row.id, workspace: 'T1', actor: 'U2' };
    await expect(commentOnHeldPost(fixture.context, press, 'Is nine right?')).rejects.toThrow('refused');
  } finally {
    await sql`drop function refuse_change cascade`.execute(fixture.db);
  }
  const events = await listEvents(fixture.db, post.row);
  expect(events.map(({ kind }) => kind)).toEqual(['created']);
});

test('a lookup that always fails is repeated less and less often', async () => {
  const slack = createStoredSlack();
  slack.faults.info = broken;
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold(['Hello'], { channel: 'C1' });
  await fixture.runAt(-1, instance);
  const waits: number[] = [];
  for (;;) {
    const [row] = await fixture.listRows();
    if (!row?.notify_at) break;
    waits.push(Math.round((row.notify_at.getTime() - fixture.context.clock.now().getTime()) / MINUTE_MS));
    await fixture.runAt((fixture.publishAt.getTime() - row.notify_at.getTime()) / MINUTE_MS, instance);
  }
  expect(waits.length).toBeLessThan(150);
  expect(Math.min(...waits)).toBe(1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60);
});

test('a reply to reviewers is sent once if an instance ends after it', async () => {
  const slack = createStoredSlack();
  const steps = [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }] as const;
  const policy = { ...POLICY, review: 'required', reviewSteps: steps, channel: 'C9' } as const;
  await fixture.setPolicy({ ...POLICY, review: 'required', reviewSteps: steps, channel: 'C9' });
  fixture.people.groups.set('S1', ['U2']);
  const [post] = await fixture.hold(['Hello'], { policy });
  if (!post) throw new Error('nothing was stored');
  let sent = 0;
  const instance = fixture.createInstance(
    {
      onCrashPoint: (point) => {
        sent += point === 'after-message' ? 1 : 0;
        if (point === 'after-message' && sent === 2) throw broken;
      },
    },
    slack.client,
  );
  await fixture.runAt(600, instance);
  await editHeldPost(
    instance.context,
    { id: post.row.id, workspace: 'T1', actor: 'U1' },
    createPostAt('Other', 0),
  );
  await fixture.runAt(599, instance);
  await fixture.runAt(590, instance);
  await fixture.runAt(580, instance);
  expect(slack.messages.map(({ thread_ts }) => thread_ts)).toEqual([undefined, '1.1']);
});
