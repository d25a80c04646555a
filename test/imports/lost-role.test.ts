import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { ImportContext } from '../../src/imports/import-context.ts';
import { renderImport } from '../../src/imports/import-messages.ts';
import { pressImport, readMessageInput } from '../../src/imports/imports.ts';
import { KEY, setUpImports } from '../support/start-imports.ts';
import { createStoredSlack } from '../support/stored-slack.ts';

const fixture = await setUpImports();
const TEXTS = Array.from({ length: 160 }, (_, index) => `Post ${index}`);

/** Starts an import of 160 posts whose author's role has this answer after 100 of them, or after 50 of its undo. */
async function importUntil(answer: Permission) {
  const slack = createStoredSlack();
  let batches = 0;
  const { context, runOnce } = fixture.createImportInstance(
    {
      onCrashPoint(point) {
        if (point !== 'after-batch') return;
        batches += 1;
        if (batches === 2) fixture.permissions.set('U1', answer);
      },
    },
    slack.client,
  );
  const { id } = await fixture.storeRows(context, TEXTS);
  await pressImport(context, { id, ...KEY }, { from: ['checked'], to: 'importing' });
  await runOnce();
  return { context, runOnce, id, slack };
}

const read = async (context: ImportContext, id: string) =>
  renderImport(await readMessageInput(context, await fixture.readImport(id)));

describe('an import whose author', () => {
  test('loses the role stops after its batch, says so, and can be resumed with the role', async () => {
    const { context, runOnce, id, slack } = await importUntil('no');
    expect(await fixture.listRows()).toHaveLength(100);
    expect(await fixture.readImport(id)).toMatchObject({ state: 'stopped', reason: 'not-allowed' });
    const { text, blocks } = await read(context, id);
    expect(text).toContain('posts.csv: 100 of 160 posts imported.');
    expect(text).toContain(
      'I stopped there, because you no longer have the Publisher role in Harbour Coffee.',
    );
    expect(JSON.stringify(blocks)).toContain('"Resume"');
    await runOnce();
    expect(slack.messages.map(({ text }) => text).join('\n')).toContain(
      'you no longer have the Publisher role in Harbour Coffee',
    );
    expect(await fixture.listRows()).toHaveLength(100);
    fixture.permissions.delete('U1');
    expect((await pressImport(context, { id, ...KEY }, { from: ['stopped'], to: 'importing' })).kind).toBe(
      'changed',
    );
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 160 });
  });

  test('has a role that can’t be looked up waits, says so, and goes on by itself', async () => {
    const { context, runOnce, id } = await importUntil('unknown');
    expect(await fixture.listRows()).toHaveLength(100);
    expect(await fixture.readImport(id)).toMatchObject({ state: 'importing', reason: 'not-checked' });
    expect((await read(context, id)).text).toContain(
      'Importing posts.csv: 100 of 160 posts so far. I’m waiting, because I couldn’t check your role in Harbour Coffee.',
    );
    fixture.permissions.delete('U1');
    fixture.passMs(60_000);
    await runOnce();
    expect(await fixture.readImport(id)).toMatchObject({ state: 'done', imported: 160, reason: null });
  });

  test('loses the role during an undo keeps the posts that aren’t cancelled yet, and reads that', async () => {
    const { context, runOnce } = fixture.createImportInstance();
    const { id } = await fixture.storeRows(context, TEXTS);
    await pressImport(context, { id, ...KEY }, { from: ['checked'], to: 'importing' });
    await runOnce();
    await pressImport(context, { id, ...KEY }, { from: ['done'], to: 'undoing' });
    let checks = 0;
    const losing = fixture.createImportInstance({
      onCrashPoint(point) {
        if (point !== 'before-batch') return;
        checks += 1;
        if (checks === 1) fixture.permissions.set('U1', 'no');
      },
    });
    await losing.runOnce();
    const states = await fixture.listStates();
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(10);
    expect(await fixture.readImport(id)).toMatchObject({ state: 'undone', undone: 10 });
    const { text } = await read(context, id);
    expect(text).toContain('The import of posts.csv is undone in part: 10 posts cancelled.');
    expect(text).toContain(
      'I stopped there, because you no longer have the Publisher role in Harbour Coffee.',
    );
  });
});
