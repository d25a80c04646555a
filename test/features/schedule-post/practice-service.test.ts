import { type RunningService, runService, TOKEN } from 'scheduling-service-emulator/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { showMoreOptions, submitLine } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();
let service: RunningService;

beforeAll(async () => {
  service = await runService({ now: () => NOW });
  await startBot({ isEmulated: true, service: { url: service.url, token: TOKEN } });
});
afterAll(async () => {
  await service.close();
});

test('a post that is scheduled in a channel with a project appears in /upnext and in the service', async () => {
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  await ben.type('/upnext use harbour');
  await ben.sees('This channel now follows Harbour Coffee.');
  await ben.type('/schedule-post');
  const form = await ben.modal('Schedule a post');
  expect(form.value('Project')).toBe('Harbour Coffee');
  const content = 'Doors open in a minute 🚪';
  await form.fill('Text', content);
  await form.choose('Platforms', ['LinkedIn', 'Threads']);
  await form.fill('When', 'today 12:01 Berlin time');
  expect((await form.submit()).errors.When).toContain('has passed');
  await form.fill('When', 'today 7:30');
  await form.submit();
  await ben.sees('Scheduled for');
  await ben.sees('Scheduled for Fri 20 Nov, 07:30 (New York).');

  await ben.type('/upnext');
  await ben.sees(content);
  const projectList = await service.send('GET', '/api/v1/projects');
  const project = projectList.json.data.find(({ Name }: { Name: string }) => Name === 'Harbour Coffee');
  const nextPost = await service.send('GET', `/api/v1/projects/${project.Id}/dashboard/upnext-post`);
  expect(nextPost.json.data).toMatchObject({
    Content: content,
    Timezone: 'America/New_York',
    Status: 'SCHEDULED',
  });
});

test('one line with two publishing times creates two posts in the service', async () => {
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  const content = 'Cupping at eleven ☕';
  await submitLine(
    ben,
    `/schedule-post 1 dec and 3 dec 9am on linkedin and fb for night market books: ${content}`,
  );
  await ben.sees('2 posts scheduled');
  const projectList = await service.send('GET', '/api/v1/projects');
  const project = projectList.json.data.find(({ Name }: { Name: string }) => Name === 'Night Market Books');
  const posts = await service.send('GET', `/api/v1/projects/${project.Id}/posts?status=SCHEDULED&limit=100`);
  const createdPosts = posts.json.data.filter((post: { Content: string }) => post.Content === content);
  expect(
    createdPosts
      .map(({ ScheduleDate }: { ScheduleDate: string }) => new Date(ScheduleDate).toISOString())
      .sort(),
  ).toEqual(['2026-12-01T14:00:00.000Z', '2026-12-03T14:00:00.000Z']);
});

test('an error of the service is shown under its field', async () => {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await showMoreOptions(ana, form);
  await form.choose('Prompt', 'no-such-prompt');
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  const { errors, view } = await form.submit();
  expect(Object.keys(errors)).toEqual(['Prompt']);
  expect(view?.value('Prompt')).toContain('no-such-prompt');
});
