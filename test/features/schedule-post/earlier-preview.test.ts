import { expect, test } from 'vitest';
import { z } from 'zod';
import { storeForm } from '../../../src/forms/stored-form.ts';
import type { Call } from '../../../src/handlers/call.ts';
import { deliver } from '../../support/doubled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** Messages with a preview of a typed line, with which earlier versions answered. Their buttons open the form. */

const { running, setPolicy, startBot } = setUpBot();

const ID = '11111111-1111-4111-8111-111111111111';
const getAna = () => running.workspace.as('Ana').in('#harbour-coffee');

/** Stores a preview as an earlier version did. */
async function storePreview(changes: { isHandled?: boolean; user?: string } = {}): Promise<void> {
  const { isHandled, user = 'U01ANAFERR' } = changes;
  const { encryption } = running.bot.submissions.context;
  const owner = {
    context: { db: running.db, encryption },
    actor: { workspace: 'T01HARBOUR', user },
    now: () => new Date(),
  };
  const project = { id: 'p1', name: 'Harbour Coffee' };
  await storeForm({ name: 'schedule-post', version: 4 }, owner as Call, ID, {
    ...(isHandled && { isHandled }),
    formContext: {
      ...{ projects: [project], hasMore: false, preselectedProject: project },
      ...{ actorZone: 'Europe/Lisbon', zones: { byProject: {}, profile: 'Europe/Lisbon' }, excessText: '' },
    },
    unconfirmed: {
      ...{ project, text: 'We are live!', text2: '', text3: '', platforms: ['X'], status: 'SCHEDULED' },
      ...{ when: '1 dec 9:30', zone: { zone: 'Europe/Lisbon', isDefault: true }, media: '' },
    },
  });
}

/** Presses a button of the preview. The message itself has another button, which stands for those of the preview. */
async function press(name: string, value = ID): Promise<void> {
  const ana = getAna();
  if (!running.workspace.app.requests('block_actions').length) {
    await ana.type('/upnext help');
    await ana.press('All commands');
  }
  const { payload } = running.workspace.app.requests('block_actions').at(-1) ?? {};
  const message = z.looseObject({ actions: z.array(z.looseObject({})) }).parse(payload);
  const actions = message.actions.map((action) => ({
    ...action,
    ...{ action_id: `schedule-post.${name}`, value },
  }));
  // A trigger opens one modal.
  await ana.type('/upnext help');
  await ana.press('All commands');
  const fresh = z.looseObject({}).parse(running.workspace.app.requests('block_actions').at(-1)?.payload);
  await deliver(running, { ...fresh, actions });
}

test.each(['preview-schedule', 'preview-edit', 'preview-moment-1', 'preview-cancel'])(
  '[%s] opens the form with the values of the preview',
  async (button) => {
    await startBot({ mode: 'http' });
    await storePreview();
    await press(button, `${ID}.0`);
    const form = await getAna().modal('Schedule a post');
    expect(['Text', 'Platforms', 'When'].map((label) => form.value(label))).toEqual([
      'We are live!',
      'X',
      '1 dec 9:30',
    ]);
    await (await form.submit()).view?.close();
    await getAna().sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    expect(running.service.created()).toHaveLength(1);
  },
);

test.each([{ isHeld: false }, { isHeld: true }])(
  'a preview whose post was sent shows the post (kept by Upnext: $isHeld)',
  async ({ isHeld }) => {
    await startBot({ mode: 'http' });
    await setPolicy({ leadMinutes: isHeld ? 60 : undefined });
    await storePreview();
    await press('preview-edit');
    const form = await getAna().modal('Schedule a post');
    await form.fill('Text', 'We are open!');
    await (await form.submit()).view?.close();
    await press('preview-schedule');
    await getAna().sees('We are open!');
    expect(getAna().read()).toContain(isHeld ? 'Editable until' : 'Scheduled for');
    const held = await running.db.selectFrom('held_post').select('id').execute();
    expect(held.length + running.service.created().length).toBe(1);
  },
);

test.each([
  ['was used', { isHandled: true }],
  ['belongs to somebody else', { user: 'U02BENOKAF' }],
])('a preview that %s opens no form, and says where posts are', async (_case, changes) => {
  await startBot({ mode: 'http' });
  await storePreview(changes);
  await press('preview-schedule');
  await getAna().sees('This isn’t yours, or it’s too old.');
  expect(running.service.created()).toEqual([]);
});
