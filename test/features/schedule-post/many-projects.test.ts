import { expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { NOW } from '../../support/bot.ts';
import { data, invalid, later } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

async function start(answerMs?: number): Promise<void> {
  await startBot({ ...(answerMs !== undefined && { pace: { answerMs } }) });
  const projects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `p${index}`,
    Name: `Project ${index}`,
  }));
  running.service.on('GET /projects', data(projects));
}

async function openedForm() {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('Save as', 'Draft');
  return { ana, form };
}

test('the project that was searched for is named where the post is confirmed', async () => {
  await start();
  const { form } = await openedForm();
  await form.search('Project', 'Project 777');
  await form.choose('Project', 'Project 777');
  const { view } = await form.submit();
  expect(view?.text()).toContain('Project: Project 777');
  await view?.press('Schedule another');
  const another = await running.workspace.as('Ana').modal('Schedule a post');
  expect(another.value('Project')).toBe('Project 777');
});

test('a channel about several has none chosen, and they stand first', async () => {
  await start();
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext use p500');
  const { workspace, channel } = await database.db
    .selectFrom('channel_project')
    .selectAll()
    .executeTakeFirstOrThrow();
  const binding = { workspace, channel, boundBy: 'U01ANAFERR', boundAt: NOW };
  await bindProjects(database.db, { ...binding, projects: ['p700', 'p500'] });
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  expect(form.text()).toContain('Choose a project');
  expect((await form.search('Project', '')).slice(0, 2)).toEqual(['Project 700', 'Project 500']);
});

test('a form that comes back after a late refusal still has the project that was searched for', async () => {
  await start(300);
  const { ana, form } = await openedForm();
  await form.search('Project', 'Project 777');
  await form.choose('Project', 'Project 777');
  running.service.on('POST /posts', later(600, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
  await form.submit();
  const again = await ana.modal('Schedule a post');
  expect(again.value('Project')).toBe('Project 777');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await again.submit();
  await ana.modal('Saved');
});

test("the channel's project is chosen already, however many come before it", async () => {
  await start();
  await running.workspace.as('Ana').in('#harbour-coffee').type('/upnext use p500');
  const { form } = await openedForm();
  expect(form.value('Project')).toBe('Project 500');
  expect((await form.submit()).view?.text()).toContain('Project: Project 500');
});
