import { Assistant } from '@slack/bolt';
import { expect, test } from 'vitest';
import { ASSISTANT_MANIFEST } from '../support/assistant.ts';
import { findViolations } from '../support/find-violations.ts';
import { openBolt } from '../support/fixtures.ts';
import { openBrowser } from './page-fixture.ts';

const contexts: unknown[] = [];
let answer = Promise.withResolvers<void>();

const { app, workspace } = await openBolt({ manifest: ASSISTANT_MANIFEST });
app.assistant(
  new Assistant({
    threadStarted: async ({ say, setSuggestedPrompts }) => {
      await say('How can I help?');
      const prompt = { title: 'Summarise', message: 'Please summarise this channel' };
      await setSuggestedPrompts({ title: 'Ideas', prompts: [prompt] });
    },
    threadContextChanged: async ({ event }) => {
      contexts.push(event.assistant_thread.context.channel_id);
    },
    userMessage: async ({ sayStream, setStatus, setTitle }) => {
      await setStatus({ status: 'is reading…', loading_messages: ['Turning pages'] });
      await answer.promise;
      await setTitle('Spring menu');
      const streamer = sayStream({});
      await streamer.append({ chunks: [{ type: 'markdown_text', text: 'It is about ' }] });
      await answer.promise;
      await streamer.stop({ markdown_text: '**spring**' });
    },
  }),
);
const page = await (await openBrowser()).newPage();
await page.goto(`${workspace.url}/?as=ana`);

const findThread = () => page.getByRole('complementary', { name: 'Thread' });

test('a person chats with the assistant beside a channel', async () => {
  await page.getByRole('button', { name: 'Ask Tester' }).click();
  const chat = findThread();
  await chat.getByRole('heading', { name: 'New chat' }).waitFor();
  await chat.getByRole('group', { name: 'Ideas' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await chat.getByRole('group', { name: 'Ideas' }).getByRole('button', { name: 'Summarise' }).click();
  await chat.getByText('Please summarise this channel').waitFor();
  await chat.getByText('is reading…').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await chat.getByText('Turning pages').waitFor();
  await chat.getByRole('button', { name: 'Summarise' }).waitFor({ state: 'detached' });
  const first = answer;
  answer = Promise.withResolvers();
  first.resolve();
  await chat.getByText('Writing…').waitFor();
  await chat.getByText('is reading…').waitFor({ state: 'detached' });
  answer.resolve();
  await chat.getByText('It is about spring').waitFor();
  await chat.getByRole('heading', { name: 'Spring menu' }).waitFor();
  await chat.getByText('Writing…').waitFor({ state: 'detached' });
});

test('the chat stays open in another channel, and the app hears which', async () => {
  await page.getByRole('button', { name: 'harbour-coffee' }).click();
  await expect.poll(() => contexts).toEqual(['C02HARBOUR']);
  expect(await findThread().count()).toBe(1);
});

test('the direct message with the app lists the chats, and a message there begins another', async () => {
  await page.getByRole('button', { name: 'Tester' }).first().click();
  await page.getByRole('button', { name: 'Spring menu' }).waitFor();
  const composer = page.getByRole('textbox', { name: /^Message / });
  await composer.fill('Hello');
  await composer.press('Enter');
  await findThread().getByText('Hello').waitFor();
});
