import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { postForm } from '../../../src/features/schedule-post/post-form.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ben, database, running } = setUpBot({ mode: 'http' });

/** Delivers a payload with Slack's signature. `offsetSeconds` is added to the current time. */
async function deliver(payload: object, { offsetSeconds = 0 } = {}) {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000) + offsetSeconds);
  const { signingSecret } = running.workspace;
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const response = await fetch(running.url ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const createField = (id: string, element: object) =>
  [`${id}.0`, { [`schedule-post.${id}`]: element }] as const;

/** Creates Slack's payload for Ana's filled form, with these changes. */
async function createSubmission(
  changes: {
    metadata?: string;
    user?: string;
    team?: string;
    removedField?: string;
    addedBlocks?: object;
  } = {},
) {
  const [form] = await database.db.selectFrom('open_form').selectAll().execute();
  const createOption = (value: string) => ({ value, text: { type: 'plain_text', text: value } });
  const values = Object.fromEntries([
    createField('text', { type: 'plain_text_input', value: 'We open at nine' }),
    createField('platforms', { type: 'multi_static_select', selected_options: [createOption('X')] }),
    createField('status', { type: 'radio_buttons', selected_option: createOption('SCHEDULED') }),
    createField('when', { type: 'plain_text_input', value: '1 Dec 9am' }),
    createField('zone', { type: 'external_select', selected_option: createOption('Europe/Lisbon') }),
    createField('media', { type: 'plain_text_input', value: null }),
    createField('template', { type: 'external_select', selected_option: null }),
    createField('prompt', { type: 'external_select', selected_option: null }),
  ]);
  if (changes.removedField !== undefined) delete values[`${changes.removedField}.0`];
  return {
    type: 'view_submission',
    team: { id: changes.team ?? form?.workspace },
    user: { id: changes.user ?? form?.author },
    trigger_id: '1.2.3',
    view: {
      id: 'V1',
      hash: '1.a',
      callback_id: 'schedule-post',
      private_metadata: changes.metadata ?? `${postForm.version}.${form?.id}`,
      state: { values: { ...values, ...changes.addedBlocks } },
    },
  };
}

describe('a submission', () => {
  beforeEach(() => openFilledForm(running));

  test('a valid submission is sent once, which is the control for the tests below', async () => {
    const { text } = await deliver(await createSubmission());
    // Success closes the form.
    expect(JSON.parse(text)).toEqual({ response_action: 'clear' });
    await expect.poll(() => running.service.created()).toHaveLength(1);
    await deliver(await createSubmission(), { offsetSeconds: 1 });
    expect(running.service.created()).toHaveLength(1);
  });

  test.each([
    ['of 3,000 characters', 'monday 9am '.repeat(272)],
    ['on 20 lines', `${'from 9 to fri - 3/4 to IST - q1 to mon 5 past 5 and dec - '.repeat(3)}\n`.repeat(20)],
  ])(
    'a form with a time %s stays open and says that the time is too long, and nothing is sent',
    async (_length, value) => {
      const { status, text } = await deliver(
        await createSubmission({
          addedBlocks: Object.fromEntries([createField('when', { type: 'plain_text_input', value })]),
        }),
      );
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({
        response_action: 'errors',
        errors: { 'when.0': expect.stringContaining('too long') },
      });
      expect(running.service.created()).toEqual([]);
    },
  );

  test.each([
    ['of an older version', { metadata: '1.abc' }],
    ['with another form’s id', { metadata: `${postForm.version}.00000000-0000-0000-0000-000000000000` }],
    ['without an id', { metadata: '' }],
    ['with a tampered id', { metadata: `${postForm.version}.' or 1=1 --` }],
    ['of another person', { user: 'U02BENOKAF' }],
    ['without a block', { removedField: 'when' }],
    ['without its text', { removedField: 'text' }],
    [
      'with an additional block',
      { addedBlocks: { 'extra.0': { x: { type: 'plain_text_input', value: 'y' } } } },
    ],
  ])('a form %s is reported as out of date, and nothing is sent', async (_fault, changes) => {
    const { status, text } = await deliver(await createSubmission(changes));
    expect(status).toBe(200);
    expect(text).toContain('This form is out of date. Nothing was sent.');
    if (!('removedField' in changes && changes.removedField === 'text'))
      expect(text).toContain('We open at nine');
    expect(running.service.created()).toEqual([]);
  });

  test('a submission from a workspace without Upnext is answered with an explanation, and sends nothing', async () => {
    const { status, text } = await deliver(await createSubmission({ team: 'T_OTHER' }));
    expect(status).toBe(200);
    expect(text).toContain('is set up for a different workspace');
    expect(running.service.created()).toEqual([]);
  });

  test('that is unreadable leaves the form open', async () => {
    const { status, text } = await deliver({ ...(await createSubmission()), team: null });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ response_action: 'push' });
    expect(running.service.created()).toEqual([]);
  });
});

test.each(['schedule-post.preview-schedule', 'policy.keep-editable'])(
  'a press on %s, which only an older version of Upnext has shown, is answered with where to go on',
  async (actionId) => {
    await deliver({
      type: 'block_actions',
      ...{ team: { id: 'T01HARBOUR' }, user: { id: 'U01ANAFERR' } },
      actions: [{ action_id: actionId, value: 'x' }],
    });
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ana.sees('This is from an older version of Upnext. See all commands with /upnext help.');
  },
);

test('a forged press on a button of somebody else’s post shows nothing of it', async () => {
  await (await openFilledForm(running)).form.submit();
  const row = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const createPress = (user: string) => ({
    type: 'block_actions',
    team: { id: row.workspace },
    user: { id: user },
    actions: [{ action_id: 'schedule-post.share', value: row.id }],
  });
  const earlierCount = ben.messages().length;
  await deliver(createPress('U02BENOKAF'));
  expect(ben.messages()).toHaveLength(earlierCount);
  await deliver(createPress(row.author));
  await ben.sees('We open at nine');
});
