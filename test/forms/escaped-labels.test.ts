import { afterEach, expect, test } from 'vitest';
import { showMoreOptions } from '../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../support/form-steps.ts';
import { data } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { askForForm, pressForForm, seeAll } from '../support/steps.ts';

const NAME = 'Fish & Chips <Ltd>';

const { running, startBot } = setUpBot();

afterEach(() => expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]));

async function startWithProjects(projectCount = 2): Promise<void> {
  await startBot();
  const others = Array.from({ length: projectCount - 1 }, (_, index) => ({
    Id: `o${index}`,
    Name: `Other ${index}`,
  }));
  running.service.on('GET /projects', data([...others, { Id: 'p1', Name: NAME }]));
  running.service.on('GET /templates', data([{ Id: 't1', Name: 'News & <views>', Content: 'Hi' }]));
}

test.each([
  ['chosen in a menu', 2],
  ['searched in a long list', 300],
])('a project called “Fish & Chips <Ltd>” keeps its name when it is %s', async (_, projectCount) => {
  await startWithProjects(projectCount);
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, '/schedule-post', 'Schedule a post');
  await form.choose('Project', NAME);
  await showMoreOptions(ana, form);
  await fillIn(form, { Template: ['News & <views>'], Text: 'We open at nine' });
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  expect([form.value('Project'), form.value('Template')]).toEqual([NAME, 'News & <views>']);
  await form.submit();
  await seeAll(ana, 'Saved as a draft', NAME);
  expect((await pressForForm(ana, 'New post', 'Schedule a post')).text()).toContain(`For ${NAME} · `);
});

test('a menu entry that a person types keeps every character', async () => {
  await startWithProjects();
  running.service.on('POST /invite', data({ Id: 'u1', Email: 'ana@example.com' }));
  const ana = running.workspace.as('Ana').in('#general');
  const form = await askForForm(ana, '/invite-user ana@example.com Ana Ferreira', 'Invite to service');
  await form.choose('Project', NAME);
  const { view } = await submitWith(form, { 'Role in the scheduling service': ['R&D <lead>'] });
  expectParts(view?.text(), 'R&D <lead>', NAME);
  await view?.submit();
  const call = running.service.calls.find(
    ({ method, path }) => method === 'POST' && path.endsWith('/invite'),
  );
  expect(call?.body).toMatchObject({ Role: 'R&D <lead>' });
});
