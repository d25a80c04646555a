import { beforeEach, expect, it } from 'vitest';
import { createPlainText } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

let fixture: BoltFixture;
beforeEach(async () => {
  fixture = await openBolt();
});

const createSide = (text: string, value: string) => ({ text: createPlainText(text), value });
const channel = 'C01GENERAL';

it.each([
  [
    'Bad answer',
    {
      type: 'feedback_buttons' as const,
      action_id: 'pressed',
      positive_button: createSide('Good answer', 'good'),
      negative_button: createSide('Bad answer', 'bad'),
    },
    { value: 'bad', text: { type: 'plain_text', text: 'Bad answer', emoji: true } },
  ],
  [
    'Remove',
    {
      type: 'icon_button' as const,
      icon: 'trash',
      action_id: 'pressed',
      text: createPlainText('Remove'),
      value: '7',
    },
    { value: '7', text: { type: 'plain_text', text: 'Remove', emoji: true } },
  ],
] as const)('a press on %s tells the app its value', async (name, element, about) => {
  const { app, workspace } = fixture;
  const pressed: unknown[] = [];
  app.action('pressed', async ({ ack, action }) => {
    await ack();
    pressed.push(action);
  });
  const blocks = [{ type: 'context_actions' as const, block_id: 'rating', elements: [element] }];
  await app.client.chat.postMessage({ channel, text: 'An answer', blocks });
  const ana = workspace.as('Ana').in('#general');
  await ana.sees(`[${name}]`);
  await ana.press(name);
  const { type, action_id } = element;
  expect(pressed).toEqual([{ type, action_id, block_id: 'rating', action_ts: expect.any(String), ...about }]);
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
