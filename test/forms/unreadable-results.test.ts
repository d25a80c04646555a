import type { KyselyPlugin } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { mayHaveChanged } from '../../src/handlers/request-changes.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { submitFilledForm } from '../support/filled-form.ts';
import { setUpBot } from '../support/set-up-bot.ts';

/** The database is gone as soon as a request has committed what it was for. */
const failAfterCommit: KyselyPlugin = {
  transformQuery({ node }) {
    if (mayHaveChanged()) throw new DatabaseUnavailable(new Error('down'));
    return node;
  },
  transformResult: async ({ result }) => result,
};

const { running, ana, startBot, setPolicy } = setUpBot();

beforeEach(() => startBot({ wrapDatabase: (db) => db.withPlugin(failAfterCommit) }));

test('the author of a post reads that it is saved, although it can’t be read again', async () => {
  const { view } = await submitFilledForm(running);
  expect(view?.text() ?? ana.read()).toMatch(/Saved|Scheduled/);
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]);
});

test('the author of a post that Upnext keeps reads that it is saved, or that this isn’t sure', async () => {
  await setPolicy({ leadMinutes: 60 });
  const { view } = await submitFilledForm(running);
  const text = view?.text() ?? ana.read();
  expect(text).not.toMatch(/can’t reach my database|Not saved/);
  expect(text).toMatch(/not sure this was|Saved|Scheduled/);
});
