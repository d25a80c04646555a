import { type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { startBot } from '../../support/bot.ts';
import { openBotDatabase } from '../../support/bot-database.ts';

const database = await openBotDatabase();
afterAll(() => database.close());

/** The audit log, Home, polls and sweeps work in the background, and share their statements with other requests. */
const BACKGROUND =
  /audit_entry|home_tab|as due|^delete|where retained_since|^select distinct "workspace"|uninstall|credential|"digest"/u;

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
        if (!BACKGROUND.test(text)) executed.push(text.slice(0, 70));
        return result;
      },
    },
    executed,
  };
}

test('opening and sending the form for a post take few statements', async () => {
  const log = createStatementLog();
  const running = await startBot({ db: database.db.withPlugin(log.plugin) });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  async function schedule(text: string) {
    log.executed.splice(0);
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    const opening = log.executed.splice(0);
    await form.fill('Text', text);
    await form.choose('Platforms', ['X']);
    await form.fill('When', '1 Dec 9:10');
    await expect.poll(() => form.text()).toContain('1 Dec, 09:10');
    log.executed.splice(0);
    await form.submit();
    await expect.poll(() => log.executed.at(-1)).toContain('update "open_form"');
    return { opening, sending: log.executed.splice(0) };
  }
  await schedule('The first post finds nothing prepared.');
  const { opening, sending } = await schedule('The roastery is open.');
  // Roles, the settings with the offer to continue and the last platforms, and the form itself.
  expect(opening).toHaveLength(3);
  // Roles, the form, the policy with whether the form’s posts are held, the post, that it's being sent, the answer, the
  // notice, and the end of what was typed.
  expect(sending).toHaveLength(8);
  await running.close();
});
