import { expect, test } from 'vitest';
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

test('with a real service, nothing says so', async () => {
  await startBot({ isEmulated: false });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post 1 Dec 9am on x: We open at nine');
  expect((await ana.modal('Schedule a post')).text()).not.toContain('Practice');
});
