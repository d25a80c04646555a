import { WebClient } from '@slack/web-api';
import { uploadFile } from 'slack-workspace-emulator/test-support/upload-file';
import { describe, expect, test } from 'vitest';
import { openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { buildJpeg, buildPng, buildVideo, hasPlace } from '../../support/media-files.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { seeAfterChange } from '../../support/see-after-change.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** Pictures and videos that people take from Slack. */
const { database, running, setPolicy, startBot } = setUpBot();

const PHOTO = { name: 'photo.jpg', bytes: buildJpeg({ width: 1200, height: 1000 }) };
const FIELD = 'Picture or video';

async function openForm(options: Parameters<typeof startBot>[0] = {}) {
  await startBot({ takesFiles: true, ...options });
  return openFilledForm(running);
}

/** Submits a form until it is accepted: a busy machine may still be fetching the file. */
async function send(form: Pick<Awaited<ReturnType<typeof openForm>>['form'], 'submit'>): Promise<void> {
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
}

/** The last post that the service got. */
async function readRequest() {
  await expect.poll(() => running.service.created().length).toBeGreaterThan(0);
  return running.service.created().at(-1) ?? {};
}

const fetchMedia = async (address: unknown) => {
  const response = await fetch(String(address));
  return Buffer.from(await response.arrayBuffer());
};

const holdPosts = () => setPolicy({ leadMinutes: 60 });

describe('a file that somebody chooses in the form', () => {
  test('a picture goes to the service as an address, where it is without its location', async () => {
    const { form } = await openForm();
    await form.attach(FIELD, [PHOTO]);
    await send(form);
    const { Media } = await readRequest();
    expect(Media).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\/[\w-]{43}\.jpg$/);
    const served = await fetchMedia(Media);
    expect([hasPlace(PHOTO.bytes), hasPlace(served)]).toEqual([true, false]);
  });

  test('the form shows the picture and its problems as soon as anything else changes', async () => {
    const { ana, form } = await openForm();
    await form.attach(FIELD, [{ name: 'photo.png', bytes: buildPng({ width: 3000, height: 1000 }) }]);
    await form.choose('Platforms', ['Instagram']);
    await ana.sees('PNG, 3,000 × 1,000');
    await ana.sees('I removed the location and other hidden data from this picture.');
    await ana.sees('⚠️ Instagram takes JPEG pictures, and this is PNG.');
    await ana.sees('⚠️ Instagram takes shapes from 4:5 to 1.91:1, and this has 3,000 × 1,000.');
    expect(form.labels()).toContain('Alt text');
    expect(form.labels()).not.toContain('Media');
    await form.fill('Alt text', 'A long wall');
    await send(form);
    const request = await readRequest();
    expect(request.Media).toMatch(/\.png$/);
    expect(JSON.stringify(request)).not.toContain('A long wall');
  });

  test('a picture that is chosen last shows its problems before it is sent', async () => {
    const { form } = await openForm();
    await form.choose('Platforms', ['Instagram']);
    await form.attach(FIELD, [{ name: 'photo.png', bytes: buildPng({ width: 3000, height: 1000 }) }]);
    await expect.poll(async () => (await form.submit()).errors).toEqual({});
    expect(form.text()).toContain('Check Picture or video again.');
    expect(form.text().match(/⚠️ Instagram takes JPEG pictures, and this is PNG\./g)).toHaveLength(1);
    expect(form.text()).toContain('⚠️ Instagram takes shapes from 4:5 to 1.91:1, and this has 3,000 × 1,000.');
    expect(running.service.created()).toEqual([]);
    expect((await form.submit()).errors).toEqual({});
    expect((await readRequest()).Media).toMatch(/\.png$/);
  });

  test('the form says of a video that the positions in its tracks stay', async () => {
    const { ana, form } = await openForm();
    await form.attach(FIELD, [{ name: 'clip.mp4', bytes: buildVideo() }]);
    await form.choose('Platforms', ['Instagram']);
    await ana.sees('Positions that its camera recorded as a track of their own stay.');
  });

  test('[Preview] shows the picture', async () => {
    const { ana, form } = await openForm();
    await form.attach(FIELD, [PHOTO]);
    await form.choose('Platforms', ['X']);
    await ana.sees('JPEG, 1,200 × 1,000');
    await form.fill('Alt text', 'Our door');
    await form.press('Preview');
    expect((await ana.modal('Preview')).text()).toContain('Our door');
  });

  test('[Remove] takes it out of the post', async () => {
    const { ana, form } = await openForm();
    await form.attach(FIELD, [PHOTO]);
    await form.choose('Platforms', ['Instagram']);
    await ana.sees('JPEG, 1,200 × 1,000');
    await form.press('Remove');
    await ana.sees('Instagram needs media.');
    await form.choose('Platforms', ['X']);
    await send(form);
    expect(await readRequest()).not.toHaveProperty('Media');
  });

  test('a file that isn’t a picture is refused under the field, and everything typed stays', async () => {
    const { form } = await openForm();
    await form.attach(FIELD, [
      { name: 'photo.jpg', bytes: Buffer.from('<svg><script>alert(1)</script></svg>') },
    ]);
    const expected = 'I can’t take SVG. I take JPEG, PNG, GIF, WebP, HEIC, MP4 and MOV.';
    await expect.poll(async () => (await form.submit()).errors).toEqual({ [FIELD]: expected });
    expect(form.value('Text')).toBe('We open at nine');
    await form.attach(FIELD, [PHOTO]);
    await send(form);
  });

  test('a picture for YouTube is refused, and a video isn’t', async () => {
    const { form } = await openForm();
    await form.attach(FIELD, [PHOTO]);
    await form.choose('Platforms', ['YouTube']);
    const expected =
      'YouTube takes exactly one video, and this is a picture. Choose a video, or remove YouTube.';
    await expect.poll(async () => (await form.submit()).errors).toEqual({ [FIELD]: expected });
    await form.attach(FIELD, [{ name: 'clip.mp4', bytes: buildVideo() }]);
    await send(form);
    expect((await readRequest()).Media).toMatch(/\.mp4$/);
  });

  test('after the service refused the post, the form still has the picture', async () => {
    const { form } = await openForm();
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too funny' }));
    await form.attach(FIELD, [PHOTO]);
    await form.choose('Platforms', ['LinkedIn']);
    expect((await form.submit()).closed).toBe(false);
    running.service.on('POST /posts', data({ Id: 'made' }));
    await form.fill('Text', 'We open at ten');
    await send(form);
    await expect
      .poll(() => running.service.created().at(-1))
      .toMatchObject({ Content: 'We open at ten', Media: expect.stringMatching(/\/media\//) });
  });

  test('a workspace that declined the permission isn’t asked for a file, and is told what to do', async () => {
    const { ana, form } = await openForm({ declinedScopes: ['files:read'] });
    expect(form.labels()).not.toContain(FIELD);
    await showMoreOptions(ana, form);
    await ana.sees('I can’t read files here without the permission files:read. Ask a workspace admin');
  });

  test('while Slack doesn’t tell the permissions, a file isn’t asked for, and none is called missing', async () => {
    const { ana, form: earlier } = await openForm();
    await earlier.submit();
    await ana.sees('Scheduled');
    running.workspace.faults.set({ webApi: [{ method: 'users.info', fault: 'status', status: 500 }] });
    const { form } = await openFilledForm(running);
    expect(form.labels()).not.toContain(FIELD);
    await showMoreOptions(ana, form);
    await ana.sees('I couldn’t find out whether I may read files here.');
  });

  test('without a public address, the form says what the operator has to set', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running);
    expect(form.labels()).not.toContain(FIELD);
    await showMoreOptions(ana, form);
    await ana.sees('I can’t take files until whoever runs Upnext sets PUBLIC_URL or MEDIA_BUCKET_URL');
  });
});

test('without a public address, the form says why the picture stays in Slack', async () => {
  await startBot();
  const { botToken, apiUrl } = running.workspace;
  await uploadFile(new WebClient(botToken, { slackApiUrl: apiUrl }), {
    channel_id: 'C01GENERAL',
    initial_comment: 'Grand opening',
    file: PHOTO.bytes,
    filename: PHOTO.name,
  });
  const ana = running.workspace.as('Ana').in('#general');
  await ana.shortcut('Schedule this message', 'Grand opening');
  await ana.modal('Schedule a post');
  await ana.sees('Files stay in Slack and aren’t sent: photo.jpg.');
  await ana.sees('I can’t take files until whoever runs Upnext sets PUBLIC_URL or MEDIA_BUCKET_URL');
});

test('the picture and alt text of a post that Upnext keeps are shown, can be replaced, and go to the service in the end', async () => {
  const { ana, form } = await openForm();
  await holdPosts();
  await form.attach(FIELD, [PHOTO]);
  await form.choose('Platforms', ['Instagram']);
  await ana.sees('JPEG, 1,200 × 1,000');
  await form.fill('Alt text', 'Our door');
  await send(form);
  await ana.type('/upnext outbox');
  await ana.sees('We open at nine');
  await ana.press('Edit');
  const edited = await ana.modal('Edit post');
  await ana.sees('JPEG, 1,200 × 1,000');
  expect(edited.value('Alt text')).toBe('Our door');
  await edited.attach(FIELD, [{ name: 'new.png', bytes: buildPng({ width: 1200, height: 1000 }) }]);
  await edited.fill('Alt text', 'Our new door');
  await edited.choose('Platforms', ['Instagram', 'X']);
  await ana.sees('PNG, 1,200 × 1,000');
  await edited.submit();
  const saved = await ana.modal('Saved');
  expect(saved.text()).toContain('Alt text: Our new door');
  const rows = await database.db.selectFrom('media_file').selectAll().execute();
  expect(rows.map(({ keep_until: until }) => until.toISOString())).toEqual([
    '2026-12-08T09:00:00.000Z',
    '2026-12-08T09:00:00.000Z',
  ]);
});

/** A form can stay open, and a post can wait, for longer than a file is kept. No post may refer to a file that is gone. */
const HUGE = { name: 'new.png', bytes: buildPng({ width: 60_000, height: 60_000 }) };
const HUGE_PROBLEM = 'This has 60,000 × 60,000 pixels';
const GONE = { [FIELD]: 'I’ve deleted this file meanwhile. Upload it again.' };
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
