import { beforeEach, describe, expect, it } from 'vitest';
import { createPlainText } from '../support/blocks.ts';
import { createControlClient } from '../support/control-client.ts';
import { openBolt } from '../support/fixtures.ts';

const CONFIRM = {
  title: createPlainText('Delete the post?'),
  text: { type: 'mrkdwn' as const, text: 'Nobody can *restore* it.' },
  confirm: createPlainText('Delete'),
  deny: createPlainText('Keep'),
};
const VISIBLE = 'Delete the post?\nNobody can restore it.\n[Delete] [Keep]';

let presses: string[];
const fixture = await openBolt({ waitMs: 1_000 });
fixture.app.action(/.+/, async ({ ack, action }) => {
  if ('action_id' in action) presses.push(action.action_id);
  await ack();
});
await fixture.app.client.chat.postMessage({
  channel: 'C01GENERAL',
  text: 'A post',
  blocks: [
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'delete', text: createPlainText('Delete'), confirm: CONFIRM },
        { type: 'button', action_id: 'open', text: createPlainText('Open') },
        {
          type: 'overflow',
          action_id: 'more',
          options: [{ text: createPlainText('Archive'), value: 'archive' }],
          confirm: CONFIRM,
        },
      ],
    },
  ],
});
beforeEach(() => {
  presses = [];
});

const ana = () => fixture.workspace.as('Ana').in('#general');

describe('a button with a confirmation dialog', () => {
  it('a press that doesn’t answer the dialog fails with its text, and the app isn’t told', async () => {
    await expect(ana().press('Delete')).rejects.toThrow(
      `“Delete” opens a confirmation dialog. Answer it with dialog: “confirm” or “deny”. Visible instead:\n${VISIBLE}`,
    );
    await expect(ana().choose('More options', 'Archive')).rejects.toThrow(VISIBLE);
    expect(presses).toEqual([]);
  });

  it('the app receives a press that the person confirms, and no press that they deny', async () => {
    await ana().press('Delete', { dialog: 'deny' });
    await ana().choose('More options', 'Archive', { dialog: 'deny' });
    await ana().press('Delete', { dialog: 'confirm' });
    await ana().choose('More options', 'Archive', { dialog: 'confirm' });
    expect(presses).toEqual(['delete', 'more']);
  });

  it('a press that answers a dialog fails if there is none', async () => {
    await expect(ana().press('Open', { dialog: 'confirm' })).rejects.toThrow(
      '“Open” in the message “A post” has no confirmation dialog',
    );
    expect(presses).toEqual([]);
  });

  it('the control API needs the answer, too', async () => {
    const control = await createControlClient(fixture.workspace.controlUrl);
    const failure = await control.fail('press', { person: 'Ana' }, { button: 'Delete' });
    expect(failure).toMatchObject({ status: 409, error: { code: 'unanswered_dialog', visible: VISIBLE } });
    await control.call('press', { person: 'Ana' }, { button: 'Delete', dialog: 'deny' });
    await control.call(
      'fill',
      { person: 'Ana' },
      { fields: { 'More options': 'Archive' }, dialog: 'confirm' },
    );
    expect(presses).toEqual(['more']);
    const unasked = await control.fail('press', { person: 'Ana' }, { button: 'Open', dialog: 'confirm' });
    expect(unasked.error.code).toBe('no_dialog');
  });
});
