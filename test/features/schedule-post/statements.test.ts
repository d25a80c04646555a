import { type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startBot } from '../../support/bot.ts';
import { openBotDatabase } from '../../support/bot-database.ts';

const database = await openBotDatabase();
afterAll(() => database.close());

/** Polls and sweeps, and what is cached, don't belong to a press. */
const SHARED =
  /as due|^delete|where retained_since|^select distinct "workspace"|uninstall|credential|"digest"/u;

/** Records the statements that were executed, in order. */
function createStatementLog(): { plugin: KyselyPlugin; executed: string[] } {
  const compiler = new PostgresQueryCompiler();
  const texts = new WeakMap<object, string>();
  const executed: string[] = [];
  return {
    plugin: {
      transformQuery({ node, queryId }) {
        texts.set(queryId, compiler.compileQuery(node, queryId).sql);
        return node;
      },
      async transformResult({ queryId, result }) {
        const text = (texts.get(queryId) ?? '').replace(/\s+/gu, ' ').trim();
        if (!SHARED.test(text)) executed.push(text);
        return result;
      },
    },
    executed,
  };
}

/** Shortens the statements, and marks those whose commit waits for the disk. */
function describeStatements(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const changesRows = /\b(?:insert into|update|delete from) \S/u.test(text);
    const waitsForDisk = changesRows && !text.includes('synchronous_commit');
    return `${waitsForDisk ? 'sync: ' : ''}${text.slice(0, 32).trim()}`;
  });
}

test('opening and sending the form for a post take few statements', async () => {
  const log = createStatementLog();
  const running = await startBot({ db: database.db.withPlugin(log.plugin) });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  async function schedule(text: string) {
    log.executed.splice(0);
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    await expect.poll(() => log.executed.some((text) => text.includes('into audit_entry'))).toBe(true);
    const opening = log.executed.splice(0);
    await form.fill('Text', text);
    await form.choose('Platforms', ['X']);
    await form.fill('When', '1 Dec 9:10');
    await expect.poll(() => form.text()).toContain('1 Dec, 09:10');
    log.executed.splice(0);
    await form.submit();
    await expect.poll(() => log.executed.at(-1)).toContain('"home_tab"');
    return { opening, sending: log.executed.splice(0) };
  }
  await schedule('The first post finds nothing prepared.');
  const { opening, sending } = await schedule('The roastery is open.');
  const entry = 'sync: insert into audit_entry ("id", "';
  expect(describeStatements(opening).filter((text) => text !== entry)).toEqual([
    // Roles.
    'select * from access_grant where',
    // The settings, with the offer to continue and the last platforms.
    'select (select coalesce(json_agg',
    // The form itself.
    'sync: with saved as ( insert into open',
  ]);
  // The audit log, in the background.
  expect(describeStatements(opening).filter((text) => text === entry)).toHaveLength(1);
  expect(describeStatements(sending)).toEqual([
    // Roles.
    'select * from access_grant where',
    // The form, with the policies, and whether its posts are held.
    'select content, json_build_objec',
    // The post, with its entries in the audit log and the end of what was typed.
    'sync: with stored as (insert into "sub',
    // That it is being sent.
    'sync: with v as ( select * from jsonb_',
    // The answer.
    'sync: with v as ( select * from jsonb_',
    // That its author has read the receipt.
    'sync: update "submission" t set "notif',
    // In the background, whether its author has opened Home.
    'select "hash" from "home_tab" wh',
  ]);
  await running.close();
});
