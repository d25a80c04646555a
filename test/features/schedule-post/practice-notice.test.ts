import { expect, test } from 'vitest';
import { holdPost } from '../../support/hold-posts.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();
const NOTICE = 'Practice service: nothing is published.';

test('with the practice service, a person’s first form and the help say that nothing is published', async () => {
  await startBot({ isEmulated: true });
  const openForm = async (name: string) => {
    const person = running.workspace.as(name).in('#harbour-coffee');
    await person.type('/schedule-post 1 Dec 9am on x: We open at nine');
    const form = await person.modal('Schedule a post');
    const text = form.text();
    await form.close();
    return text;
  };
  expect(await openForm('Ana')).toContain(NOTICE);
  expect(await openForm('Ana')).not.toContain(NOTICE);
  expect(await openForm('Ben')).toContain(NOTICE);
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext help');
  await ana.sees(NOTICE);
});

test('a line in a direct message doesn’t use the notice up, and neither does an edit', async () => {
  await startBot({ isEmulated: true });
  const dm = await running.workspace.as('Ana').inDirectMessage();
  await holdPost(running, { text: 'We open at ten', at: '2026-12-02T09:00:00Z' });
  await dm.type('/upnext posts 2 dec');
  await dm.sees('We open at ten');
  await dm.press('Open: We open at ten');
  await dm.sees('[Edit]');
  await dm.press('Edit');
  const editor = await dm.modal('Edit post');
  expect(editor.text()).not.toContain(NOTICE);
  await editor.close();
  await dm.type('schedule 1 Dec 9am on x: We open at nine');
  await dm.sees('Open this post to schedule it.');
  await dm.press('Open');
  expect((await dm.modal('Schedule a post')).text()).toContain(NOTICE);
});

test('with a real service, nothing says so', async () => {
  await startBot({ isEmulated: false });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post 1 Dec 9am on x: We open at nine');
  expect((await ana.modal('Schedule a post')).text()).not.toContain('Practice');
});
