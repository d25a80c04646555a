import { type Kysely, sql } from 'kysely';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { createRequestBotLookup } from '../../src/workspaces/workspace-directory.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { sendSigned } from '../support/send-signed.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { ask, askForForm, pressAndSee } from '../support/steps.ts';

const database = await setUpBotDatabase();
let installedBot: InstalledBot;
let now: Date;

beforeEach(async () => {
  now = new Date();
  installedBot = await startInstalledBot({ db: database.db, now: () => now });
  await installedBot.workspace.as('Ana').install(installedBot.installUrl);
});
afterEach(async () => {
  await installedBot.close();
  for (const table of ['installation', 'installed_workspace', 'open_form', 'once_claim'] as const)
    await database.db.deleteFrom(table).execute();
});

/** Runs a function while queries for installations fail and the cached installations have expired. */
async function runDuringOutage(db: Kysely<BotSchema>, work: () => Promise<void>): Promise<void> {
  now = new Date(now.getTime() + 60_000);
  await sql`alter table installation rename to installation_away`.execute(db);
  try {
    await work();
  } finally {
    await sql`alter table installation_away rename to installation`.execute(db);
  }
}

/** Finds the reference in the message to a person. An operator can find the same reference in the log. */
function findReference(text: string): string {
  const [, reference = 'no reference'] = /reference: (\w+)/.exec(text) ?? [];
  return reference;
}

describe('while the database is down', () => {
  test('a form submitted during an outage keeps its content, and says that nothing was sent', async () => {
    const ana = installedBot.workspace.as('Ana').in('#general');
    const form = await askForForm(ana, '/upnext connect', 'Connect a service');
    await form.fill('Address of the service', 'https://posts.example.com');
    await form.fill('Token', 'a-token-of-eight');
    await runDuringOutage(database.db, async () => {
      const { closed, view, trouble } = await form.submit();
      expect([closed, trouble]).toEqual([false, undefined]);
      const text = view?.text() ?? '';
      expect(text).toContain('nothing was sent');
      expect(text).not.toContain('not installed');
      const logged = installedBot.logged.filter((line) => line.includes(findReference(text)));
      expect(logged.join('\n')).toContain('installation lookup failed');
      await view?.close();
    });
    expect(form.value('Address of the service')).toBe('https://posts.example.com');
  });

  test('a command during an outage gets an error message, and works again after the outage', async () => {
    const ana = installedBot.workspace.as('Ana').in('#general');
    await runDuringOutage(database.db, async () => {
      await ask(ana, '/upnext help', 'nothing was done');
      expect(ana.read()).not.toContain('is not installed');
    });
    await ask(ana, '/upnext help', 'Common commands');
  });

  test('a button press during an outage is answered in its channel', async () => {
    const directMessages = await installedBot.workspace.as('Ana').inDirectMessage();
    await directMessages.sees('your scheduling service');
    await runDuringOutage(database.db, async () => {
      await pressAndSee(directMessages, 'Connect a service', 'nothing was done');
    });
  });

  test('audit entries that could not be stored before the bot stopped are written to the log', async () => {
    const { db } = database;
    await sql`alter table audit_entry rename to record_away`.execute(db);
    installedBot.workspace.admin.uninstall();
    await expect.poll(() => installedBot.logged.join('\n')).toContain('could not write audit entries');
    await installedBot.bot.stop();
    await sql`alter table record_away rename to record`.execute(db);
    const line = installedBot.logged.find((logLine) =>
      logLine.startsWith('audit entries not written at shutdown'),
    );
    expect(line).toContain('"action":"uninstalled"');
  });

  const sender = { team: { id: 'T01HARBOUR' }, user: { id: 'U01ANAFERR', team_id: 'T01HARBOUR' } };
  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'a select menu shows an empty list',
      { type: 'block_suggestion', ...sender, action_id: 'a', block_id: 'b', value: '' },
      { options: [] },
    ],
    [
      'a shortcut is only acknowledged',
      { type: 'shortcut', ...sender, callback_id: 'x', trigger_id: '1.1.x' },
      undefined,
    ],
  ])('during an outage %s', async (_kind, payload, body) => {
    await runDuringOutage(database.db, async () => {
      expect(await sendSigned(installedBot.target, payload, 1)).toMatchObject({ status: 200, body });
    });
    expect(installedBot.logged.join('\n')).toContain('installation lookup failed');
  });
});

test('an event during an outage isn’t acknowledged, and is handled when Slack sends it again', async () => {
  const { workspace, target, logged } = installedBot;
  const ana = await workspace.as('Ana').inDirectMessage();
  const payload = {
    type: 'event_callback',
    team_id: 'T01HARBOUR',
    event_id: 'Ev1',
    event_time: 1,
    event: {
      type: 'message',
      channel_type: 'im',
      user: 'U01ANAFERR',
      channel: ana.channel.id,
      text: 'help',
      ts: '1.1',
    },
  };
  await runDuringOutage(database.db, async () => {
    expect(await sendSigned(target, payload, 1)).toMatchObject({ status: 500 });
  });
  expect(logged.join('\n')).toContain('installation lookup failed');
  expect(await sendSigned(target, payload, 2)).toMatchObject({ status: 200 });
  await ana.sees('Common commands');
});

describe('a failed installation lookup', () => {
  const unknown = { kind: 'unknown', reference: expect.stringMatching(/^\w{8}$/) };
  const submission = { type: 'view_submission', team: { id: 'T1' }, user: {} };

  test.each<[string, () => Promise<'unknown'>]>([
    ['the lookup fails', () => Promise.reject(new Error('oops'))],
    ['Slack or the database fails', async () => 'unknown' as const],
    ['the lookup takes longer than a person waits', () => new Promise(() => undefined)],
  ])('the installation counts as unknown if %s', async (_reason, find) => {
    const findRequestBot = createRequestBotLookup({ find }, SILENT, 20);
    expect(await findRequestBot(submission)).toEqual(unknown);
  });

  test('a request from a workspace whose id isn’t text gets no token', async () => {
    const findRequestBot = createRequestBotLookup(
      { find: async ({ workspace }) => (workspace ? 'unknown' : undefined) },
      SILENT,
    );
    const malformedEvent = { type: 'event_callback', team_id: { id: 'T1' }, event: {} };
    expect(await findRequestBot(malformedEvent)).toEqual({ kind: 'not-installed' });
  });

  test('the installation lookup for an event has no timeout', async () => {
    const lookup = Promise.withResolvers<undefined>();
    const findRequestBot = createRequestBotLookup({ find: () => lookup.promise }, SILENT, 0);
    const submissionBot = await findRequestBot(submission);
    const eventBot = findRequestBot({ type: 'event_callback', team_id: 'T1', event: {} });
    lookup.resolve(undefined);
    expect([submissionBot, await eventBot]).toEqual([unknown, { kind: 'not-installed' }]);
  });
});
