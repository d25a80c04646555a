import type { SectionBlock } from '@slack/types';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { renderTooLateView } from '../../../src/features/schedule-post/hold/held-text.ts';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../../src/held-posts/decisions.ts';
import { emptyAuditRecord } from '../../support/audit-record.ts';
import { NOW } from '../../support/bot.ts';
import { continuePost, openFilledForm, submitFilledForm } from '../../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, reviewedBy } from '../../support/hold-posts.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';
import { changePostForms } from '../../support/stored-post-forms.ts';

const { ana, database, running, setPolicy, startBot } = setUpBot();

const listStates = async () =>
  (await database.db.selectFrom('held_post').select('state').execute()).map(({ state }) => state);

describe('in a project that holds posts', () => {
  beforeEach(async () => {
    await startBot({ pace: RECEIPT_PACE });
    await setPolicy({ leadMinutes: 60 });
  });

  test('[Edit] on the receipt opens a form that keeps the project, and no message shows an earlier text any more', async () => {
    running.service.on('GET /projects', listProjects('Harbour Coffee', 'Books'));
    const { ana } = await submitFilledForm(running);
    await ana.sees('[Edit]');
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    expect(editor.labels()).toEqual(['Text', 'Platforms', 'When', 'Time zone']);
    await seeAll(ana, 'For Harbour Coffee · ', '[Save]', 'You opened this post in the form.');
    await submitWith(editor, { Text: 'We open at ten' });
    expect(ana.read()).not.toContain('We open at nine');
  });

  test('[Edit] shows the time of the post, and no longer what was assumed about the words for it', async () => {
    const { ana, form } = await openFilledForm(running, { when: '11am' });
    await ana.sees('11:00 has passed, so tomorrow.');
    await form.submit();
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    expect(editor.value('When')).toBe('Sat 21 Nov, 11:00');
    expect(editor.text()).not.toContain('so tomorrow');
  });

  test('another time zone that is chosen in an edit counts', async () => {
    const { ana } = await submitFilledForm(running);
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    await editor.choose('Time zone', (await editor.search('Time zone', 'Berlin'))[0] ?? '');
    await ana.sees('Tue 1 Dec, 09:00 (Berlin)');
    expect(editor.value('Time zone')).toContain('Berlin');
    await editor.submit();
    await ana.sees('Saved');
    const { publish_at: at } = await database.db
      .selectFrom('held_post')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(at).toEqual(new Date('2026-12-01T08:00:00Z'));
  });

  test('an unfinished edit continues as an edit of the same post', async () => {
    const { ana } = await submitFilledForm(running);
    await ana.sees('[Edit]');
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    await fillIn(editor, { Text: 'We open at ten', When: '1 Dec 10am' });
    await ana.sees('Tue 1 Dec, 10:00');
    await editor.close();
    const continued = await continuePost(ana, 'Edit post');
    await expect.poll(() => continued.value('Text')).toBe('We open at ten');
    await continued.submit();
    await ana.sees('Saved');
    expect(await listStates()).toEqual(['held']);
  });

  test('an edit after another one shows what changed, with the clock of its reader, and loses nothing', async () => {
    const { ana } = await submitFilledForm(running);
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    const row = await database.db.selectFrom('held_post').selectAll().executeTakeFirstOrThrow();
    await commentOnHeldPost(running.bot.heldPosts, { ...row, actor: 'U02BENOKAF' }, 'Is nine right?');
    const moment = { instant: '2026-12-01T15:00:00.000Z', zone: 'Europe/Lisbon' };
    const content = { ...createPostAt('We open at ten', 0), moment };
    await editHeldPost(running.bot.heldPosts, { ...row, actor: 'U02BENOKAF' }, content);
    await commentOnHeldPost(running.bot.heldPosts, { ...row, actor: 'U03MIRANOV' }, 'Good');
    await changePostForms(running, (stored) => ({
      ...stored,
      formContext: { ...Object(stored.formContext), actorLocale: 'en-US' },
    }));
    await submitWith(editor, { Text: 'We open at nine, with cake' });
    // Whoever commented has changed nothing.
    await ana.sees('@Ben Okafor changed this post since you opened this form.');
    expectParts(editor.text(), ', 3:00 PM', 'Text: “We open at nine” → “We open at ten”');
    expect(editor.value('Text')).toBe('We open at nine, with cake');
    await editor.submit();
    await ana.sees('Saved');
    const rows = await database.db.selectFrom('held_post').select(['version', 'state']).execute();
    expect(rows).toEqual([{ version: 3, state: 'held' }]);
  });

  test('an edit that loses every race against a background change isn’t called an edit of somebody else', async () => {
    const { ana } = await submitFilledForm(running);
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    await sql`create function skip_row() returns trigger language plpgsql as 'begin return null; end'`.execute(
      database.db,
    );
    await sql`create trigger skip_rows before update on post for each row execute function skip_row()`.execute(
      database.db,
    );
    await submitWith(editor, { Text: 'We open at ten' });
    await ana.sees('Not saved. Your text is still here. Try again.');
    expect(editor.text()).not.toContain('since you opened this form');
    await sql`drop function skip_row cascade`.execute(database.db);
    await editor.submit();
    await ana.sees('Saved');
  });

  test('the edit of a post for another service promises neither its reviewers nor a time', async () => {
    const { ana } = await submitFilledForm(running);
    await changeHeldPosts(database, { state: 'needs-person', reason: 'other-service', in_review: true });
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    expect(editor.value('When you save')).toBe('Save changes');
    expect(editor.text()).toContain('Its project isn’t at the scheduling service that’s connected now');
    expect(editor.text()).not.toContain('reviewers');
    await submitWith(editor, { Text: 'We open at ten' });
    expect(await listStates()).toEqual(['needs-person']);
  });

  test('the edit of a post whose project reviews its posts by now is sent to reviewers, as the form says', async () => {
    const { ana } = await submitFilledForm(running);
    await setPolicy(reviewedBy('U02BENOKAF'));
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    expect(editor.value('When you save')).toBe('Schedule after review');
    await submitWith(editor, { Text: 'We open at ten' });
    expect(await listStates()).toEqual(['awaiting-review']);
  });

  test('an edit that changes nothing says so, and asks nobody again', async () => {
    await emptyAuditRecord(database.db);
    await setPolicy(reviewedBy('U02BENOKAF'));
    const { ana } = await submitFilledForm(running);
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    const { view } = await editor.submit();
    expect(view?.title()).toBe('Nothing changed');
    expect(view?.text()).toContain('You changed nothing.');
    expect(view?.text()).not.toContain('Sent for review');
    expect(await listStates()).toEqual(['awaiting-review']);
    await view?.close();
    await ask(ana, '/upnext audit', 'saved a post');
    expect(ana.read()).not.toContain('edited a post');
  });

  test('a post within the lead goes to the service at once, and the form says so', async () => {
    const { ana, form } = await openFilledForm(running, { when: 'in 30 minutes' });
    await ana.sees('That’s less than 1 hour away, so I’ll schedule it at once.');
    expect((await form.submit()).closed).toBe(true);
    expect([running.service.created().length, await listStates()]).toEqual([1, []]);
  });

  test('an equal form that comes after the lead has begun doesn’t send the post that is kept', async () => {
    await (await submitFilledForm(running)).ana.sees('Editable until');
    // As if the lead had begun since.
    await setPolicy({ leadMinutes: 30 * 24 * 60 });
    await (await openFilledForm(running)).form.submit();
    expect([running.service.created(), await listStates()]).toEqual([[], ['held']]);
  });

  test('several posts of one form aren’t all called editable if one goes to the service at once', async () => {
    const { ana } = await submitFilledForm(running, { when: 'in 30 minutes and 2 Dec 9am' });
    await ana.sees('2 posts saved');
    expect(ana.read()).toMatch(/2 posts saved\n/);
    await ana.sees('✏️ Editable until');
  });

  test('several times of one form are kept together', async () => {
    const { ana } = await submitFilledForm(running, { when: '1 Dec 9am and 2 Dec 9am' });
    expect(await listStates()).toEqual(['held', 'held']);
    await ana.sees('2 posts saved: Editable\nEditable until 1 hour before it goes out.');
    expect(ana.read().match(/We open at nine/g)).toHaveLength(1);
    await pressAndSee(ana, 'Open', 'Editable until Tue 1 Dec, 08:00');
  });
});

test('a post is kept if its project has begun to hold posts since the form was opened', async () => {
  await startBot({ pace: RECEIPT_PACE });
  const { ana, form } = await openFilledForm(running);
  await setPolicy({ leadMinutes: 60 });
  await form.submit();
  await ana.sees('Editable until');
  expect([running.service.created(), await listStates()]).toEqual([[], ['held']]);
});

test('an edit that comes too late is shown with every word of a long text', () => {
  const text = Array.from({ length: 1_500 }, (_, index) => `word${index}`).join(' ');
  const { blocks } = renderTooLateView(undefined, createPostAt(text, 0));
  const shown = (blocks.slice(2) as SectionBlock[]).map((section) => section.text?.text);
  expect(shown.join('')).toBe(text);
});

describe('what a form says before the press is what happens after it', () => {
  beforeEach(() => startBot({ pace: RECEIPT_PACE }));
  const PROJECT = { workspace: 'T01HARBOUR', project: 'p1' };

  async function openForm(line: string) {
    return await askForForm(ana, `/schedule-post ${line}`, 'Schedule a post');
  }

  test.each([
    ['1 Dec 9am', 'Editable until Tue 1 Dec, 08:00'],
    [
      'in 20 minutes',
      'That’s less than 1 hour away, so I’ll schedule it at once. You can’t edit or delete it from Slack once the scheduling service has it.',
    ],
  ])('where posts are kept until an hour before, a post for “%s”: %s', async (time, limit) => {
    await setPolicy({ leadMinutes: 60 });
    const shown = (await openForm(`${time} on x: We open at nine`)).text();
    expect(shown).toContain(limit);
    expect(shown.match(/Editable until|can’t edit/g)).toHaveLength(1);
    // It is the last line before the press.
    expect(shown.slice(shown.indexOf('[More options]'))).toContain(`For Harbour Coffee · ${limit}`);
  });

  test.each([
    ['1 Dec 9am', 'Without approval by Tue 1 Dec, 08:00'],
    ['in 20 minutes', 'Without approval by Fri 20 Nov, 12:20'],
  ])('where posts are reviewed, a post for “%s” is sent for review: %s', async (time, deadline) => {
    await setPolicy(reviewedBy('U02BENOKAF'));
    const form = await openForm(`${time} on x: We open at nine`);
    const shown = form.text();
    expect(shown).toContain('[Send for review]');
    expect(shown).toContain(deadline);
    expect(shown).not.toContain('Editable until');
    await form.submit();
  });

  test('without a project, the form promises nothing that holds only in some projects', async () => {
    running.service.on('GET /projects', listProjects('Plain', 'Kept'));
    await setPolicy({ leadMinutes: 60 }, 'p2');
    const general = running.workspace.as('Ana').in('#general');
    const form = await askForForm(
      general,
      '/schedule-post 1 Dec 9am on x: We open at nine',
      'Schedule a post',
    );
    await general.sees('Choose a project to see until when the post can be edited.');
    expect(form.text()).not.toContain('You can’t edit');
    await form.choose('Project', 'Kept');
    await general.sees('Editable until Tue 1 Dec, 08:00');
  });

  test('while the project is stopped, the form says that the post waits', async () => {
    await stopSending(database.db, { reason: 'wrong copy', since: NOW, stoppedBy: 'U01ANAFERR' }, PROJECT);
    expect((await openForm('1 Dec 9am on x: We open at nine')).text()).toContain(
      'Sending is stopped, so it waits. I’ll send it if that ends in time.',
    );
  });
});
