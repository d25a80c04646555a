import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Form } from '../../src/forms/form.ts';
import { formContextSchema, projectLoader } from '../../src/forms/form-context.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import { actions, button, section } from '../../src/slack/blocks.ts';
import { listProjects } from '../support/scripted-service.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { askForForm } from '../support/steps.ts';
import { startFormApp } from './form-app.ts';

const contextSchema = formContextSchema.extend({
  seenVersion: z.number(),
  noteLength: z.number(),
  isLoud: z.boolean(),
});
type SampleContext = z.infer<typeof contextSchema>;
const fields = { note: textField({ label: 'Note', isLive: true }) };
const startGate = () => ({ started: Promise.withResolvers<void>(), mayEnd: Promise.withResolvers<void>() });
let update = startGate();
const submittedContexts: SampleContext[] = [];

const form: Form<typeof fields, SampleContext, string> = {
  name: 'sample',
  version: 1,
  noun: 'form',
  title: 'Try it',
  command: '/upnext try',
  fields,
  contextLoader: {
    schema: contextSchema,
    async load(call, options) {
      const loaded = await projectLoader.load(call, options);
      if ('failureText' in loaded) return loaded;
      return { formContext: { ...loaded.formContext, seenVersion: 1, noteLength: 0, isLoud: false } };
    },
  },
  async refreshContext({ values, formContext }, call) {
    if (!('action' in call)) return formContext;
    update.started.resolve();
    await update.mayEnd.promise;
    return { ...formContext, noteLength: values.note.length };
  },
  renderBelowFields: ({ formContext }) => ({
    note: [section(`${formContext.noteLength} letters`), actions(button('Shout', 'sample.shout', ''))],
  }),
  buttonHandlers: {
    shout: (_value, { values, formContext }) => ({
      values: { note: values.note.toUpperCase() },
      formContext: { ...formContext, isLoud: true },
    }),
  },
  check: ({ values }) => ({ kind: 'valid', contents: [values.note] }),
  onSubmit: {
    async respond(_call, _content, { formContext }) {
      submittedContexts.push(formContext);
      return { banner: 'Somebody changed this.', formContext: { ...formContext, seenVersion: 2 } };
    },
  },
};

const database = await setUpBotDatabase();

const readRowVersion = async () => {
  const { rows } = await sql<{ version: string }>`select xmin::text as version from open_form`.execute(
    database.db,
  );
  return rows;
};

test('an update that is slower than a conflict keeps the version that the conflict showed, and what it read', async () => {
  const running = await startFormApp({ db: database.db }, form);
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  try {
    const ana = running.workspace.as('Ana').in('#general');
    const opened = await askForForm(ana, '/upnext try', 'Try it');
    await opened.fill('Note', 'Hello');
    await update.started.promise;
    const earlierVersion = await readRowVersion();
    const submitted = opened.submit();
    await expect.poll(readRowVersion).not.toEqual(earlierVersion);
    update.mayEnd.resolve();
    await submitted;
    await ana.sees('Somebody changed this.');
    await opened.submit();
    expect(submittedContexts).toMatchObject([
      { seenVersion: 1, noteLength: 0 },
      { seenVersion: 2, noteLength: 5 },
    ]);
  } finally {
    await running.close();
  }
});

test('a press that is slower than a conflict keeps the banner of the conflict', async () => {
  update = startGate();
  const running = await startFormApp({ db: database.db }, form);
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  try {
    const ana = running.workspace.as('Ana').in('#general');
    const opened = await askForForm(ana, '/upnext try', 'Try it');
    update.mayEnd.resolve();
    await opened.fill('Note', 'Hello');
    await ana.sees('5 letters');
    update = startGate();
    const pressed = opened.press('Shout');
    await update.started.promise;
    // Its answer waits for the press, but not as long as this.
    await opened.submit();
    await ana.sees('Somebody changed this.');
    update.mayEnd.resolve();
    await pressed;
    await expect.poll(() => opened.value('Note')).toBe('HELLO');
    await ana.sees('Somebody changed this.');
  } finally {
    await running.close();
  }
});
