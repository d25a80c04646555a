import { expect, test } from 'vitest';
import { openFilledForm } from '../../support/filled-form.ts';
import { buildJpeg, buildPng } from '../../support/media-files.ts';
import { seeAfterChange } from '../../support/see-after-change.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** A form can stay open, and a post can wait, for longer than a file is kept. No post may refer to a file that is gone. */

const { database, running, setPolicy, startBot } = setUpBot();

const PHOTO = { name: 'photo.jpg', bytes: buildJpeg({ width: 1200, height: 1000 }) };
const HUGE = { name: 'new.png', bytes: buildPng({ width: 60_000, height: 60_000 }) };
const HUGE_PROBLEM = 'This has 60,000 × 60,000 pixels';
const FIELD = 'Picture or video';
const GONE = { [FIELD]: 'I’ve deleted this file meanwhile. Upload it again.' };

const holdPosts = () => setPolicy({ leadMinutes: 60 });
const deleteFiles = () => database.db.deleteFrom('media_file').execute();

type Form = Awaited<ReturnType<typeof openFilledForm>>['form'];

async function openFormWithPicture(when?: string) {
  await startBot({ takesFiles: true });
  const opened = await openFilledForm(running, when === undefined ? {} : { when });
  await opened.form.attach(FIELD, [PHOTO]);
  await seeAfterChange(opened.form, 'JPEG, 1,200 × 1,000');
  return opened;
}

/** Submits a form whose file is gone, and again with a new copy of the file. */
async function submitWithNewCopy(form: Form): Promise<void> {
  await expect.poll(async () => (await form.submit()).errors).toEqual(GONE);
  expect(form.value('Text')).toBe('We open at nine');
  await form.attach(FIELD, [PHOTO]);
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
}

/** Reads the stored form. */
async function readForm(): Promise<string> {
  const { content, workspace } = await database.db
    .selectFrom('open_form')
    .selectAll()
    .executeTakeFirstOrThrow();
  return running.bot.submissions.context.encryption.decrypt(content, workspace);
}

const fetchStatus = async (address: unknown) => (await fetch(String(address))).status;
const readSent = async () => {
  await expect.poll(() => running.service.created().length).toBeGreaterThan(0);
  return running.service.created().at(-1) ?? {};
};

test('a post whose file was deleted while the form was open is refused under the field', async () => {
  const { form } = await openFormWithPicture();
  await deleteFiles();
  await submitWithNewCopy(form);
  const { Media } = await readSent();
  expect(running.service.created()).toHaveLength(1);
  expect(await fetchStatus(Media)).toBe(200);
});

test('a draft whose file was deleted while the form was open is refused under the field', async () => {
  const { form } = await openFormWithPicture();
  await form.choose('When you submit', 'Save as draft');
  await deleteFiles();
  await submitWithNewCopy(form);
  const { Media, Status } = await readSent();
  expect([await fetchStatus(Media), Status]).toEqual([200, 'DRAFT']);
});

test('an edit of a held post whose file was deleted is refused under the field, and the post stays as it was', async () => {
  const { ana, form } = await openFormWithPicture();
  await holdPosts();
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await ana.type('/upnext outbox');
  await ana.sees('We open at nine');
  await ana.press('Edit');
  const edited = await ana.modal('Edit post');
  await ana.sees('JPEG, 1,200 × 1,000');
  await deleteFiles();
  await submitWithNewCopy(edited);
  expect(await database.db.selectFrom('media_file').selectAll().execute()).toHaveLength(1);
});

test('a series whose file was deleted before its confirmation is refused', async () => {
  const { ana, form } = await openFormWithPicture('every weekday at 9');
  await holdPosts();
  await form.submit();
  const confirmation = await ana.modal('New series');
  await deleteFiles();
  await confirmation.submit();
  await ana.sees('I’ve deleted this file meanwhile. Upload it again.');
  expect(await database.db.selectFrom('held_post').selectAll().execute()).toEqual([]);
});

test('an edit that is opened after the file was deleted says so, and works without it', async () => {
  const { ana, form } = await openFormWithPicture();
  await holdPosts();
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await deleteFiles();
  await ana.type('/upnext outbox');
  await ana.sees('We open at nine');
  await ana.press('Edit');
  const edited = await ana.modal('Edit post');
  await ana.sees('⛔ I’ve deleted this file meanwhile. Upload it again.');
  // Its address means nothing to people.
  expect(edited.labels()).not.toContain('Media');
  expect((await edited.submit()).errors).toEqual(GONE);
  await edited.press('Remove');
  await expect.poll(async () => (await edited.submit()).errors).toEqual({});
});

test('a file that can’t be taken replaces no picture', async () => {
  const { form } = await openFormWithPicture();
  await form.attach(FIELD, [HUGE]);
  await seeAfterChange(form, HUGE_PROBLEM);
  // Its address means nothing to people.
  expect(form.labels()).not.toContain('Media');
  await form.attach(FIELD, []);
  await seeAfterChange(form, 'JPEG, 1,200 × 1,000');
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  expect((await readSent()).Media).toMatch(/\.jpg$/);
});

test('a file that can’t be taken and is removed right before the submission replaces no picture', async () => {
  const { form } = await openFormWithPicture();
  // The form is submitted before Slack shows the problem.
  running.workspace.faults.set({
    webApi: [{ method: 'views.update', fault: 'error', error: 'hash_conflict' }],
  });
  await form.attach(FIELD, [HUGE]);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await expect.poll(readForm).toContain(HUGE_PROBLEM);
  await form.attach(FIELD, []);
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  expect((await readSent()).Media).toMatch(/\.jpg$/);
});

test('a form that is closed while its new file can’t be taken is offered again with its picture', async () => {
  const { ana, form } = await openFormWithPicture();
  await form.attach(FIELD, [HUGE]);
  await seeAfterChange(form, HUGE_PROBLEM);
  await form.close();
  await ana.type('/schedule-post');
  await (await ana.modal('Schedule a post')).press('Continue');
  await ana.sees('JPEG, 1,200 × 1,000');
});
