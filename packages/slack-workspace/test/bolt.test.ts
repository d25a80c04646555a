import type { App } from '@slack/bolt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createButtonRow,
  createHeader,
  createInput,
  createModal,
  createPlainText,
} from './support/blocks.ts';
import { type BoltFixture, startWithBolt } from './support/workspace-bolt.ts';

const DIVIDER = { type: 'divider' as const };
const CITIES = ['Berlin', 'Bern', 'Bergen', 'Lisbon'];

const TAGS = ['Red', 'Green'].map((text) => ({ text: createPlainText(text), value: text }));
const FORM = createModal(
  'A form',
  [
    createInput('Name', { type: 'plain_text_input', action_id: 'name' }),
    createInput(
      'City',
      { type: 'external_select', action_id: 'city', min_query_length: 2 },
      { optional: true },
    ),
    createInput('Tags', { type: 'checkboxes', action_id: 'tags', options: TAGS }, { optional: true }),
  ],
  { callback_id: 'form', notify_on_close: true },
);

/** Registers handlers for everything that a scheduling app does, in a small form. */
function registerHandlers(app: App, closedForms: unknown[]): void {
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: FORM });
  });
  app.command('/say', async ({ ack, command, respond }) => {
    if (command.text === 'too much')
      return ack({ text: 'Never seen', blocks: Array.from({ length: 51 }, () => DIVIDER) });
    await ack(`You said ${command.text}`);
    await respond({ response_type: 'in_channel', text: `${command.user_name} said something` });
  });
  app.options('city', async ({ ack, payload }) => {
    const matches = CITIES.filter((city) => city.toLowerCase().includes(payload.value.toLowerCase()));
    await ack({ options: matches.map((city) => ({ text: createPlainText(city), value: city })) });
  });
  app.view('form', async ({ ack, view, client, body }) => {
    const { name, city, tags } = view.state.values;
    const text = name?.name?.value ?? '';
    if (text.length < 3) {
      await ack({ response_action: 'errors', errors: { name: 'At least three letters' } });
      return;
    }
    await ack();
    const chosenTags = tags?.tags?.selected_options?.map((option) => option.value).join('+');
    await client.chat.postMessage({
      channel: 'C02HARBOUR',
      text: `${text} of ${city?.city?.selected_option?.value}, ${chosenTags}, from <@${body.user.id}>`,
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: `*${text}* of ${city?.city?.selected_option?.value}, ${chosenTags}` },
        },
        createButtonRow('wave', 'Wave', { value: '7' }),
      ],
    });
  });
  app.action('wave', async ({ ack, respond, action }) => {
    await ack();
    const value = action.type === 'button' ? action.value : '';
    await respond({ replace_original: true, text: `Waved ${value}` });
  });
  app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack, view }) => {
    await ack();
    closedForms.push(view.state.values);
  });
  app.shortcut('new_thing', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: FORM });
  });
  app.shortcut('about_this', async ({ ack, shortcut, respond }) => {
    await ack();
    if (shortcut.type === 'message_action') await respond(`About “${shortcut.message.text}”`);
  });
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [createHeader('Welcome home')] },
    });
  });
  app.event('app_mention', async ({ say }) => {
    await say('You called me');
  });
  app.message(async ({ message, say }) => {
    if (message.subtype === undefined) await say(`Got ${message.text}`);
  });
}

describe.each(['socket', 'http'] as const)('an app made with Bolt, over %s', (mode) => {
  let fixture: BoltFixture;
  const closedForms: unknown[] = [];

  beforeAll(async () => {
    fixture = await startWithBolt({ mode });
    registerHandlers(fixture.app, closedForms);
  });
  afterAll(() => fixture.stop());

  it('a form shows an error under its field, and the corrected form sends a message', async () => {
    const ana = fixture.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/form');
    const modal = await ana.modal('A form');
    await modal.fill('Name', 'Al');
    expect(await modal.search('City', 'ber')).toEqual(['Berlin', 'Bern', 'Bergen']);
    await modal.choose('City', 'Bergen');
    await modal.choose('Tags', ['Red', 'Green']);
    const rejectedSubmission = await modal.submit();
    expect(rejectedSubmission).toMatchObject({
      errors: { Name: 'At least three letters' },
      closed: false,
      trouble: undefined,
    });
    expect(modal.value('City')).toBe('Bergen');
    await modal.fill('Name', 'Alma');
    const acceptedSubmission = await modal.submit();
    expect(acceptedSubmission).toMatchObject({ errors: {}, closed: true, view: undefined });
    await ana.sees('Alma of Bergen, Red+Green');
    await fixture.workspace.as('Ben').in('#harbour-coffee').sees('Alma of Bergen');
    await ana.press('Wave');
    await ana.sees('Waved 7');
    expect(ana.read()).not.toContain('Alma of Bergen');
  });

  it('a form without a required value is not sent to the app', async () => {
    const ana = fixture.workspace.as('Ana').in('#general');
    await ana.type('/form');
    const modal = await ana.modal('A form');
    const result = await modal.submit();
    expect(result.errors).toEqual({ Name: 'Please complete this required field.' });
    await modal.close();
    expect(modal.open).toBe(false);
    expect(closedForms).toHaveLength(1);
  });

  it('the app is notified that a form was closed, but doesn’t receive the input', async () => {
    closedForms.length = 0;
    const ana = fixture.workspace.as('Ana').in('#general');
    await ana.type('/form');
    const modal = await ana.modal('A form');
    await modal.fill('Name', 'Pier four');
    await modal.close();
    expect(closedForms).toEqual([{}]);
  });

  it('the response to a command is visible to one person, and a message to its response_url to everybody', async () => {
    const ben = fixture.workspace.as('Ben').in('#general');
    await ben.type('/say fish & <chips>');
    await ben.sees('You said fish & <chips>');
    await fixture.workspace.as('Ana').in('#general').sees('ben said something');
    expect(fixture.workspace.as('Ana').read()).not.toContain('You said');
  });

  it('a response that Slack would refuse shows that the command failed', async () => {
    const ben = fixture.workspace.as('Ben').in('#general');
    await ben.type('/say too much');
    await ben.sees('/say failed with the error "invalid_blocks"');
    expect(ben.read()).not.toContain('Never seen');
  });

  it('the app receives global shortcuts and message shortcuts', async () => {
    const ben = fixture.workspace.as('Ben').in('#general');
    await ben.shortcut('New thing');
    await (await ben.modal('A form')).close();
    await ben.type('What about tea?');
    await ben.shortcut('About this', 'What about tea?');
    await ben.sees('About “What about tea?”');
  });

  it('the app receives the opening of Home, mentions and direct messages', async () => {
    const mira = fixture.workspace.as('Mira');
    await mira.home('Welcome home');
    await mira.in('#general').type('@tester are you there?');
    await mira.sees('You called me');
    await (await mira.inDirectMessage()).type('hello');
    await mira.sees('Got hello');
  });
});
