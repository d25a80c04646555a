import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { DEFAULT_POLICY, savePolicy } from '../../../src/preferences/project-policy.ts';
import { deliver } from '../../support/doubled-form.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** The message with a preview, after its post was sent in the form that [Edit] opens. */

const { running, startBot } = setUpBot();

const LINE = 'schedule 1 dec 9:30 on x: We are live!';

async function editPreview() {
  await startBot();
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type(`/upnext ${LINE}`);
  await ana.sees('Ready to schedule?');
  await ana.press('Edit');
  const form = await ana.modal('Schedule a post');
  await ana.sees('You opened this post in the form.');
  return { ana, form };
}

const readCreatedTexts = () => running.service.created().map(({ Content }) => Content);

test('the preview of a post that was scheduled in the form can’t be used any more', async () => {
  const { ana, form } = await editPreview();
  await form.fill('Text', 'We are open!');
  await (await form.submit()).view?.close();
  expect(ana.read()).not.toContain('Ready to schedule?');
  expect(ana.read()).not.toContain('[Schedule]');
  expect(ana.read()).toContain('This message won’t change when you schedule the post in the form.');
});

test('[Back to preview] shows what became of a post that was scheduled in the form', async () => {
  const { ana, form } = await editPreview();
  await form.fill('Text', 'We are open!');
  await (await form.submit()).view?.close();
  await ana.press('Back to preview');
  await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
  await ana.sees('We are open!');
  await expect.poll(() => ana.read()).not.toContain('Back to preview');
  expect(readCreatedTexts()).toEqual(['We are open!']);
});

test('[Back to preview] restores the preview if the form was closed, and the preview can be sent', async () => {
  const { ana, form } = await editPreview();
  await form.fill('Text', 'We are open!');
  await form.close();
  await ana.press('Back to preview');
  await ana.sees('Ready to schedule?');
  await ana.press('Schedule');
  await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
  expect(readCreatedTexts()).toEqual(['We are live!']);
});

test.each(['Schedule', 'Edit', 'Cancel'])(
  '[%s] on a preview whose post was scheduled elsewhere only shows the scheduled post',
  async (button) => {
    const { ana, form } = await editPreview();
    // The preview is open on another device meanwhile.
    await ana.press('Back to preview');
    await ana.sees('Ready to schedule?');
    await form.fill('Text', 'We are open!');
    await (await form.submit()).view?.close();
    await ana.press(button);
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    await expect.poll(() => ana.read()).not.toContain('[Schedule]');
    expect(readCreatedTexts()).toEqual(['We are open!']);
  },
);

test.each([{ isHeld: false }, { isHeld: true }])(
  'a preview whose post another preview had sent is not sent by a late press (kept by Upnext: $isHeld)',
  async ({ isHeld }) => {
    await startBot({ mode: 'http' });
    const key = { workspace: 'T01HARBOUR', project: 'p1' };
    const holding = { ...DEFAULT_POLICY, ...(isHeld && { leadMinutes: 60 }) };
    await savePolicy(running.db, key, holding, { changedBy: 'U01ANAFERR', changedAt: new Date() });
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type(`/upnext ${LINE}`);
    await ana.type(`/upnext ${LINE}`);
    await expect.poll(() => ana.read().split('Ready to schedule?')).toHaveLength(3);
    await ana.press('Schedule');
    await ana.sees(isHeld ? 'Saved.' : 'Scheduled for');
    await ana.press('Schedule');
    await ana.sees(isHeld ? 'You’ve already saved this post.' : 'You’ve already sent this.');
    const press = running.workspace.app.requests('block_actions').at(-1);
    const earlier = sql<Date>`created_at - interval '10 minutes'`;
    await running.db.updateTable('submission').set({ created_at: earlier }).execute();
    await running.db.updateTable('held_post').set({ created_at: earlier }).execute();
    await deliver(running, z.record(z.string(), z.unknown()).parse(press?.payload));
    await ana.sees('You’ve already used this preview.');
    const held = await running.db.selectFrom('held_post').select('id').execute();
    expect(held.length + running.service.created().length).toBe(1);
  },
);

test('a preview whose post was kept elsewhere only shows the kept post', async () => {
  const { ana, form } = await editPreview();
  const key = { workspace: 'T01HARBOUR', project: 'p1' };
  const holding = { ...DEFAULT_POLICY, leadMinutes: 60 };
  await savePolicy(running.db, key, holding, { changedBy: 'U01ANAFERR', changedAt: new Date() });
  await ana.press('Back to preview');
  await ana.sees('Ready to schedule?');
  await form.fill('Text', 'We are open!');
  await (await form.submit()).view?.close();
  await ana.press('Schedule');
  await ana.sees('You’ve already saved this post.');
  await ana.sees('We are open!');
  await expect.poll(() => ana.read()).not.toContain('[Schedule]');
  expect(readCreatedTexts()).toEqual([]);
});

test('a preview whose post was refused in the form shows the refusal, and doesn’t send the old text', async () => {
  const { ana, form } = await editPreview();
  await ana.press('Back to preview');
  await ana.sees('Ready to schedule?');
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await form.fill('Text', 'WE ARE OPEN!');
  await form.submit();
  await form.close();
  running.service.on('POST /posts', data({ Id: 'made' }));
  await ana.press('Schedule');
  await ana.sees('is too loud');
  await ana.sees('Fix and send again');
  expect(readCreatedTexts()).toEqual(['WE ARE OPEN!']);
});

test('a preview whose post is still being sent says so, and is not sent twice', async () => {
  const { ana, form } = await editPreview();
  await ana.press('Back to preview');
  await ana.sees('Ready to schedule?');
  running.service.on('POST /posts', json(429, {}));
  await (await form.submit()).view?.close();
  await ana.press('Schedule');
  await ana.sees('I’ll let you know when it’s done.');
  expect(running.service.created()).toHaveLength(1);
});
