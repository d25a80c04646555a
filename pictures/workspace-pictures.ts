import { writeFileSync } from 'node:fs';
import { App, type AppOptions, LogLevel } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { startWorkspace } from 'slack-workspace-emulator';
import { startBrowser } from 'slack-workspace-emulator/test-support/browser';
import { sendLine } from '../test/support/practice-page.ts';

/** The pictures in the README of the emulator of Slack: an ordinary Bolt app, and the inspector. */

const FOLDER = '.github';
const SIZE = { width: 1100, height: 760 };
const MANIFEST = {
  display_information: { name: 'Lunch', description: 'Orders lunch for the team' },
  features: {
    bot_user: { display_name: 'lunch' },
    slash_commands: [{ command: '/lunch', description: 'Order lunch', usage_hint: '[dish]' }],
  },
  oauth_config: { scopes: { bot: ['commands', 'chat:write', 'chat:write.public'] } },
};

function text(value: string) {
  return { type: 'plain_text' as const, text: value };
}

/** An app that asks for a dish, and announces the order. */
function createLunchApp(options: AppOptions): App {
  const app = new App({ ...options, logLevel: LogLevel.ERROR });
  app.command('/lunch', async ({ ack, client, command }) => {
    await ack();
    const dishes = ['Soup', 'Salad', 'Pasta'].map((name) => ({ text: text(name), value: name }));
    const blocks = [
      {
        type: 'input' as const,
        label: text('Dish'),
        element: { type: 'radio_buttons' as const, options: dishes, initial_option: dishes[2] },
      },
      {
        type: 'input' as const,
        optional: true,
        label: text('Note for the kitchen'),
        element: { type: 'plain_text_input' as const, placeholder: text('No onions') },
      },
    ];
    const view = {
      type: 'modal' as const,
      callback_id: 'order',
      title: text('Order lunch'),
      submit: text('Order'),
    };
    await client.views.open({ trigger_id: command.trigger_id, view: { ...view, blocks } });
  });
  app.view('order', async ({ ack, body, client }) => {
    await ack();
    const summary = `*Pasta* for <@${body.user.id}>, at *12:30*`;
    await client.chat.postMessage({
      channel: '#general',
      text: 'A new order',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: summary } },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: text('Join'), style: 'primary', action_id: 'join' },
            { type: 'button', text: text('Cancel the order'), action_id: 'cancel' },
          ],
        },
      ],
    });
  });
  app.action('join', async ({ ack, respond }) => {
    await ack();
    await respond({
      response_type: 'ephemeral',
      replace_original: false,
      text: 'You’re in. See you at 12:30!',
    });
  });
  return app;
}

async function save(page: Page, name: string): Promise<void> {
  const png = await page.screenshot();
  writeFileSync(`${FOLDER}/${name}.png`, png);
  console.log(`  ${FOLDER}/${name}.png, ${Math.round(png.length / 1024)} KB`);
}

async function takePictures(page: Page): Promise<void> {
  await sendLine(page, '/lunch');
  const form = page.getByRole('dialog', { name: 'Order lunch' });
  await form.waitFor();
  await save(page, 'workspace-form');
  await form.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByText('You’re in').waitFor();
  await page.getByRole('button', { name: /Inspector/ }).click();
  await page.getByText('chat.postMessage').first().click();
  await page.getByText('Arguments', { exact: true }).waitFor();
  await save(page, 'workspace-inspector');
}

export async function takeWorkspacePictures(): Promise<void> {
  const now = Date.parse('2026-11-23T11:05:00Z');
  const startedAt = Date.now();
  const workspace = await startWorkspace({
    manifest: MANIFEST,
    now: () => now + Date.now() - startedAt,
  });
  const app = createLunchApp(workspace.boltOptions);
  await app.start();
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce', bypassCSP: true, viewport: SIZE });
    await page.goto(`${workspace.url}/?as=ana`);
    await page.getByText('Connected to Slack', { exact: true }).waitFor();
    await takePictures(page);
  } finally {
    await browser.close();
    await app.stop();
    await workspace.close();
  }
}
