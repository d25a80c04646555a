import type { ModalView } from '@slack/types';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { catchRefusal } from '../support/workspace.ts';
import { acknowledgeWithPayload, type BoltFixture, startWithBolt } from '../support/workspace-bolt.ts';
import { findComposer, typeCommand } from './page-driver.ts';

const createPlainText = (text: string) => ({ type: 'plain_text' as const, text });
const divider = { type: 'divider' as const };
const tooManyBlocks = Array.from({ length: 51 }, () => divider);

function makeForm(title: string): ModalView {
  return {
    type: 'modal',
    callback_id: 'form',
    title: createPlainText(title),
    submit: createPlainText('Send'),
    blocks: [
      {
        type: 'input',
        block_id: 'name',
        label: createPlainText('Name'),
        element: { type: 'plain_text_input', action_id: 'name' },
      },
      {
        type: 'input',
        label: createPlainText('City'),
        optional: true,
        element: { type: 'external_select', action_id: 'city', min_query_length: 0 },
      },
    ],
  };
}

let fixture: BoltFixture;
let browser: TestBrowser;
/** The errors that the app received for its calls. */
let refusals: { error: string; messages: string[] }[] = [];

beforeAll(async () => {
  [fixture, browser] = await Promise.all([startWithBolt('socket'), startBrowser()]);
  const { app } = fixture;
  const recordRefusal = async (call: Promise<unknown>) => {
    refusals.push(await catchRefusal(call));
  };
  app.command('/say', async ({ ack, body, client, respond }) => {
    if (body.text === 'in the acknowledgement') return ack({ text: 'Never seen', blocks: tooManyBlocks });
    await ack();
    const { channel_id: channel } = body;
    if (body.text === 'too much') {
      await recordRefusal(client.chat.postMessage({ channel, text: 'Never seen', blocks: tooManyBlocks }));
    } else if (body.text === 'a button') {
      const button = { type: 'button' as const, action_id: 'change', text: createPlainText('Change') };
      await respond({ text: 'As it was', blocks: [{ type: 'actions', elements: [button] }] });
    }
    await client.chat.postMessage({ channel, text: `After ${body.text}` });
  });
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    const { trigger_id } = body;
    if (body.text === 'refused') {
      await recordRefusal(client.views.open({ trigger_id, view: makeForm('x'.repeat(25)) }));
      await client.chat.postMessage({ channel: body.channel_id, text: 'After a form' });
      return;
    }
    await client.views.open({ trigger_id, view: makeForm('A form') });
  });
  app.view('form', ({ ack }) =>
    acknowledgeWithPayload(ack, { response_action: 'update', view: makeForm('x'.repeat(25)) }),
  );
  app.options('city', ({ ack }) =>
    ack({
      options: Array.from({ length: 101 }, (_, n) => ({ text: createPlainText(`City ${n}`), value: `${n}` })),
    }),
  );
  app.action('change', async ({ ack, respond, client, body }) => {
    await ack();
    await respond({ replace_original: true, text: 'Never seen', blocks: tooManyBlocks }).catch(
      () => undefined,
    );
    await client.chat.postMessage({ channel: body.channel?.id ?? '', text: 'After a press' });
  });
});
afterEach(async () => {
  refusals = [];
  await Promise.all(browser.browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await fixture.stop();
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${fixture.workspace.url}/?as=ana`);
  await findComposer(page).waitFor();
  return page;
}

test('a message that Slack would refuse isn’t displayed, and the app gets the error', async () => {
  const page = await openPage();
  await typeCommand(page, '/say too much');
  await page.getByText('After too much').waitFor();
  expect(await page.getByText('Never seen').count()).toBe(0);
  expect(refusals).toEqual([
    {
      error: 'invalid_blocks',
      messages: ['[ERROR] no more than 50 items allowed [json-pointer:/blocks]'],
    },
  ]);
});

test('an invalid message in the acknowledgement of a command shows the person that the command failed', async () => {
  const page = await openPage();
  await typeCommand(page, '/say in the acknowledgement');
  await page.getByText('/say failed with the error "invalid_blocks"').waitFor();
  expect(await page.getByText('Never seen').count()).toBe(0);
});

test('a message stays unchanged if Slack would refuse the new version', async () => {
  const page = await openPage();
  await typeCommand(page, '/say a button');
  await page.getByRole('button', { name: 'Change', exact: true }).last().click();
  await page.getByText('After a press').waitFor();
  expect(await page.getByText('Never seen').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(1);
});

test('a form that Slack would refuse doesn’t open, and the app gets the error', async () => {
  const page = await openPage();
  await typeCommand(page, '/form refused');
  await page.getByText('After a form').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(refusals).toEqual([
    {
      error: 'invalid_arguments',
      messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    },
  ]);
});

test('an invalid response to a submission leaves the form with its content, and shows Slack’s error', async () => {
  const page = await openPage();
  await typeCommand(page, '/form ');
  await page.getByLabel('Name').fill('Alma');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText('We had some trouble connecting. Try again?').waitFor();
  expect(await page.getByRole('dialog', { name: 'A form' }).count()).toBe(1);
  expect(await page.getByLabel('Name').inputValue()).toBe('Alma');
});

test('a list of 101 options isn’t displayed', async () => {
  const page = await openPage();
  await typeCommand(page, '/form ');
  await page.getByRole('combobox', { name: 'City' }).click();
  await page.getByText('The options couldn’t be loaded.').first().waitFor();
  expect(await page.getByText('City 1').count()).toBe(0);
});
