import { HARBOUR, type RunningService, runService, TOKEN } from 'scheduling-service-emulator/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW, type Running, startBot } from '../../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot-database.ts';
import { showMoreOptions } from '../../support/filled-form.ts';

let database: BotDatabase;
let service: RunningService;
let running: Running;

beforeAll(async () => {
  [database, service] = await Promise.all([openBotDatabase(), runService({ now: () => NOW })]);
  running = await startBot({
    db: database.db,
    isEmulated: true,
    service: { url: service.url, token: TOKEN },
  });
});
afterAll(async () => {
  await running.close();
  await service.close();
  await database.close();
});

test('a prompt, and a draft that has only this prompt, are created in the service', async () => {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext use harbour');
  await ana.sees('This channel now follows Harbour Coffee.');
  await ana.type('/upnext prompt');
  const prompt = await ana.modal('Create a prompt');
  await prompt.fill('Title', 'In our own voice');
  await prompt.fill('Prompt', 'Short, warm, no exclamation marks.');
  await (await prompt.submit()).view?.close();

  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await showMoreOptions(ana, form);
  await form.search('Prompt', 'voice');
  await form.choose('Prompt', 'In our own voice');
  await form.choose('When you submit', 'Save as draft');
  await ana.sees('[Save draft]');
  expect((await form.submit()).errors).toEqual({});
  await ana.sees('Saved as a draft');

  const { json: logs } = await service.send('GET', `${HARBOUR}/logs`);
  const messages = logs.data.map(({ Message }: { Message: string }) => Message).join('\n');
  const id = /prompt_\d+/.exec(messages)?.[0];
  expect(id).toBeDefined();
  const { json: posts } = await service.send('GET', `${HARBOUR}/posts?status=DRAFT`);
  expect(posts.data.map(({ PromptId }: { PromptId?: string }) => PromptId)).toContain(id);
});
