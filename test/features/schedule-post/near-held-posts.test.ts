import { beforeEach, expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();
beforeEach(() => startBot());

test('the form warns of a held post that is less than 30 minutes away', async () => {
  await holdPost(running, { text: 'Earlier', at: '2026-12-01T09:20:00Z' });
  const { form } = await openFilledForm(running);
  await expect.poll(() => form.text()).toContain('Another X post goes out 20 minutes later');
});

test('the form warns of a held post although the service isn’t answering', async () => {
  await holdPost(running, { text: 'Earlier', at: '2026-12-01T09:20:00Z' });
  running.service.on('GET /posts', json(500, 'oops'));
  const { form } = await openFilledForm(running);
  await expect.poll(() => form.text()).toContain('Another X post goes out 20 minutes later');
});

test('the form doesn’t warn of drafts and of other projects', async () => {
  const at = '2026-12-01T09:20:00Z';
  await holdPost(running, { text: 'A draft', at, isDraft: true });
  await holdPost(running, { text: 'Elsewhere', at, project: { id: 'p2', name: 'Books' } });
  await holdPost(running, { text: 'Just before', at: '2026-12-01T08:50:00Z' });
  const { form } = await openFilledForm(running);
  await expect.poll(() => form.text()).toContain('Another X post goes out 10 minutes earlier');
  expect(form.text()).not.toContain('20 minutes later');
});
