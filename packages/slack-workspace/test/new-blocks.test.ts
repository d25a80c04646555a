import { beforeEach, expect, it } from 'vitest';
import { createPlainText } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

let fixture: BoltFixture;
beforeEach(async () => {
  fixture = await openBolt('socket');
});

const createSide = (text: string, value: string) => ({ text: createPlainText(text), value });
const channel = 'C01GENERAL';

it('a press on a feedback button tells the app its value', async () => {
  const { app, workspace } = fixture;
  const pressed: unknown[] = [];
  app.action('feedback', async ({ ack, action }) => {
    await ack();
    pressed.push(action);
  });
  const element = {
    type: 'feedback_buttons' as const,
    action_id: 'feedback',
    positive_button: createSide('Good answer', 'good'),
    negative_button: createSide('Bad answer', 'bad'),
  };
  const blocks = [{ type: 'context_actions' as const, block_id: 'rating', elements: [element] }];
  await app.client.chat.postMessage({ channel, text: 'An answer', blocks });
  const ana = workspace.as('Ana').in('#general');
  await ana.sees('[Good answer] [Bad answer]');
  await ana.press('Bad answer');
  expect(pressed).toEqual([
    {
      type: 'feedback_buttons',
      action_id: 'feedback',
      block_id: 'rating',
      value: 'bad',
      text: { type: 'plain_text', text: 'Bad answer', emoji: true },
      action_ts: expect.any(String),
    },
  ]);
});

it('a press on an icon button tells the app its value', async () => {
  const { app, workspace } = fixture;
  const pressed: unknown[] = [];
  app.action('remove', async ({ ack, action }) => {
    await ack();
    pressed.push(action);
  });
  const element = {
    type: 'icon_button' as const,
    icon: 'trash',
    action_id: 'remove',
    text: createPlainText('Remove'),
    value: 'post 7',
  };
  await app.client.chat.postMessage({
    channel,
    text: 'x',
    blocks: [{ type: 'context_actions', elements: [element] }],
  });
  await workspace.as('Ana').in('#general').press('Remove');
  expect(pressed).toMatchObject([{ type: 'icon_button', action_id: 'remove', value: 'post 7' }]);
});

it('tasks and cards can be read', async () => {
  const task = {
    type: 'task_card' as const,
    task_id: '1',
    title: 'Read the posts',
    status: 'complete' as const,
  };
  const body = { type: 'mrkdwn' as const, text: 'First cup is on us' };
  const blocks = [
    { type: 'plan' as const, title: 'The digest', tasks: [task] },
    { type: 'card' as const, body },
  ];
  await fixture.app.client.chat.postMessage({ channel, text: 'x', blocks });
  const ana = fixture.workspace.as('Ana').in('#general');
  await ana.sees('The digest\nRead the posts (complete)\nFirst cup is on us');
});
