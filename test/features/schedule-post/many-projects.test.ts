import { expect, test } from 'vitest';
import { bindProjects } from '../../../src/preferences/bindings.ts';
import { NOW } from '../../support/bot.ts';
import { data, invalid, later } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ana, database, running, startBot } = setUpBot();

async function startWithManyProjects(acknowledgementTimeoutMs?: number): Promise<void> {
  await startBot({ ...(acknowledgementTimeoutMs !== undefined && { pace: { acknowledgementTimeoutMs } }) });
  const projects = Array.from({ length: 1_000 }, (_, index) => ({
    Id: `p${index}`,
    Name: `Project ${index}`,
  }));
  running.service.on('GET /projects', data(projects));
}

async function openForm() {
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'We open at nine');
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  return { ana, form };
}

test('the confirmation names a project that was found by search', async () => {
  await startWithManyProjects();
  const { form } = await openForm();
  await form.search('Project', 'Project 777');
  await form.choose('Project', 'Project 777');
  await form.submit();
  await ana.sees('Project 777 ·');
  await ana.press('New post');
  const nextForm = await running.workspace.as('Ana').modal('Schedule a post');
  expect(nextForm.value('Project')).toBe('Project 777');
});

test('in a channel with several projects the form preselects none of them, and the search lists them first', async () => {
  await startWithManyProjects();
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

test('a form that reopens after a late refusal still has the project that was found by search', async () => {
  await startWithManyProjects(300);
  const { ana, form } = await openForm();
  await form.search('Project', 'Project 777');
  await form.choose('Project', 'Project 777');
  running.service.on('POST /posts', later(600, invalid({ loc: ['body', 'Content'], msg: 'is too loud' })));
  await form.submit();
  const reopenedForm = await ana.modal('Schedule a post');
  expect(reopenedForm.value('Project')).toBe('Project 777');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await reopenedForm.submit();
  await ana.sees('Saved as a draft');
});
