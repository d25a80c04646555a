import { WebClient } from '@slack/web-api';
import { uploadFile } from 'slack-workspace-emulator/test-support/upload-file';
import { expect, test } from 'vitest';
import { openFilledForm, showMedia, showMoreOptions } from '../../support/filled-form.ts';
import { fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { listHeldPosts } from '../../support/hold-posts.ts';
import { buildJpeg, buildPng, buildVideo, hasPlace } from '../../support/media-files.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm, seeAll } from '../../support/steps.ts';

/** Pictures and videos that people take from Slack. */
const { database, running, setPolicy, startBot } = setUpBot();

const PHOTO = { name: 'photo.jpg', bytes: buildJpeg({ width: 1200, height: 1000 }) };
const FIELD = 'Picture or video';

async function openForm(options: Parameters<typeof startBot>[0] = {}) {
  await startBot({ takesFiles: true, ...options });
  const opened = await openFilledForm(running);
  await showMedia(opened.ana, opened.form);
  return opened;
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
  await seeAfterChange(form, 'PNG, 3,000 × 1,000');
  await form.choose('Platforms', ['Instagram']);
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

test.each([
  ['shows a picture that was chosen last', PHOTO, 0, /Picture/],
  ['says that a picture is still being fetched', PHOTO, 6_000, /⚠️ I’m still fetching this file\./],
  ['says why a file can’t be used', { name: 'photo.jpg', bytes: Buffer.from('<svg></svg>') }, 0, /⚠️ .*JPEG/],
])('[Preview] %s', async (_what, file, delayMs, text) => {
  const { ana, form } = await openForm();
  await form.choose('Platforms', ['Instagram']);
  await form.attach(FIELD, [file]);
  failSlack(running, { method: 'files.info', fault: 'slow', delayMs });
  await form.press('Preview');
  const preview = await ana.modal('Preview');
  expect(preview.text()).toMatch(text);
  expect(preview.text()).not.toContain('Instagram needs media.');
});

test('[Preview] shows the picture, and [Remove] takes it out of the post', async () => {
  const { ana, form } = await openForm();
  await form.attach(FIELD, [PHOTO]);
  await form.choose('Platforms', ['Instagram']);
  await ana.sees('JPEG, 1,200 × 1,000');
  await form.fill('Alt text', 'Our door');
  await form.press('Preview');
  const preview = await ana.modal('Preview');
  expect(preview.text()).toContain('Our door');
  await preview.close();
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

test('a picture for YouTube is refused, and a video isn’t, of which the form says which positions stay', async () => {
  const { ana, form } = await openForm();
  await form.attach(FIELD, [PHOTO]);
  await form.choose('Platforms', ['YouTube']);
  await ana.sees(
    '⛔ YouTube takes exactly one video, and this is a picture. Choose a video, or remove YouTube.',
  );
  expect((await form.submit()).errors).toEqual({ [FIELD]: NOTE_BELOW });
  await form.attach(FIELD, [{ name: 'clip.mp4', bytes: buildVideo() }]);
  await form.fill('When', '2 Dec 9am');
  await ana.sees('Positions that its camera recorded as a track of their own stay.');
  await send(form);
  expect((await readRequest()).Media).toMatch(/\.mp4$/);
});

test('after the service refused the post, the form still has the picture', async () => {
  const { form } = await openForm();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too funny' }));
  await form.attach(FIELD, [PHOTO]);
  expect((await submitWith(form, { Platforms: ['LinkedIn'] })).closed).toBe(false);
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
  await ana.sees('I can’t read files here without the permission files:read. Ask a workspace admin');
});

test('while Slack doesn’t tell the permissions, a file isn’t asked for, and none is called missing', async () => {
  const { ana, form: earlier } = await openForm();
  await earlier.submit();
  await ana.sees('Scheduled');
  running.workspace.faults.set({ webApi: [{ method: 'users.info', fault: 'status', status: 500 }] });
  const { form } = await openFilledForm(running);
  expect(form.labels()).not.toContain(FIELD);
  await showMedia(ana, form);
  await ana.sees('I couldn’t find out whether I may read files here.');
});

test('without a public address, the form says what the operator has to set, and why pictures stay in Slack', async () => {
  const advice = 'I can’t take files until whoever runs Upnext sets PUBLIC_URL or MEDIA_BUCKET_URL';
  await startBot();
  const { ana, form } = await openFilledForm(running);
  expect(form.labels()).not.toContain(FIELD);
  await showMedia(ana, form);
  await ana.sees(advice);
  await form.close();
  const { botToken, apiUrl } = running.workspace;
  await uploadFile(new WebClient(botToken, { slackApiUrl: apiUrl }), {
    channel_id: 'C01GENERAL',
    initial_comment: 'Grand opening',
    file: PHOTO.bytes,
    filename: PHOTO.name,
  });
  ana.in('#general');
  await ana.shortcut('Schedule this message', 'Grand opening');
  await ana.modal('Schedule a post');
  await seeAll(ana, 'Files stay in Slack and aren’t sent: photo.jpg.', advice);
});

test('the picture and alt text of a post that Upnext keeps are shown, can be replaced, and go to the service in the end', async () => {
  const { ana, form } = await openForm();
  await holdPosts();
  await form.attach(FIELD, [PHOTO]);
  await form.choose('Platforms', ['Instagram']);
  await ana.sees('JPEG, 1,200 × 1,000');
  await form.fill('Alt text', 'Our door');
  await send(form);
  await ask(ana, '/upnext outbox', 'We open at nine');
  const edited = await pressForForm(ana, 'Edit', 'Edit post');
  await ana.sees('JPEG, 1,200 × 1,000');
  expect(edited.value('Alt text')).toBe('Our door');
  await edited.attach(FIELD, [{ name: 'new.png', bytes: buildPng({ width: 1200, height: 1000 }) }]);
  await fillIn(edited, { 'Alt text': 'Our new door', Platforms: ['Instagram', 'X'] });
  await ana.sees('PNG, 1,200 × 1,000');
  await edited.submit();
  expect((await ana.modal('Saved')).text()).toContain('Alt text: Our new door');
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
  await showMedia(opened.ana, opened.form);
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

test.each([
  ['SCHEDULED', 'Schedule'],
  ['DRAFT', 'Save as draft'],
])(
  'a %s post whose file was deleted while the form was open is refused under the field',
  async (status, label) => {
    const { ana, form } = await openFormWithPicture();
    await showMoreOptions(ana, form);
    await form.choose('When you submit', label);
    await deleteFiles();
    await submitWithNewCopy(form);
    const { Media, Status } = await readRequest();
    expect(running.service.created()).toHaveLength(1);
    expect([await fetchStatus(Media), Status]).toEqual([200, status]);
  },
);

test('an edit of a held post whose file was deleted is refused under the field, and the post stays as it was', async () => {
  const { ana, form } = await openFormWithPicture();
  await holdPosts();
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await ask(ana, '/upnext outbox', 'We open at nine');
  const edited = await pressForForm(ana, 'Edit', 'Edit post');
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
  expect(await listHeldPosts(database)).toEqual([]);
});

test('an edit that is opened after the file was deleted says so, and works without it', async () => {
  const { ana, form } = await openFormWithPicture();
  await holdPosts();
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await deleteFiles();
  await ask(ana, '/upnext outbox', 'We open at nine');
  const edited = await pressForForm(ana, 'Edit', 'Edit post');
  await ana.sees('⛔ I’ve deleted this file meanwhile. Upload it again.');
  // Its address means nothing to people.
  expect(edited.labels()).not.toContain('Media');
  expect((await edited.submit()).errors).toEqual({ [FIELD]: NOTE_BELOW });
  await edited.press('Remove');
  await expect.poll(async () => (await edited.submit()).errors).toEqual({});
});

test('a file that can’t be taken replaces neither the picture nor its alt text, also if the form is closed meanwhile', async () => {
  const { ana, form } = await openFormWithPicture();
  await form.fill('Alt text', 'Our door');
  await form.attach(FIELD, [HUGE]);
  await seeAfterChange(form, HUGE_PROBLEM);
  // Its address means nothing to people.
  expect(form.labels()).not.toContain('Media');
  expect(form.value('Alt text')).toBe('Our door');
  await form.attach(FIELD, []);
  await seeAfterChange(form, 'JPEG, 1,200 × 1,000');
  expect(form.value('Alt text')).toBe('Our door');
  await form.attach(FIELD, [HUGE]);
  await seeAfterChange(form, HUGE_PROBLEM);
  await form.close();
  await (await askForForm(ana, '/schedule-post', 'Schedule a post')).press('Continue');
  await ana.sees('JPEG, 1,200 × 1,000');
  await send(await ana.modal('Schedule a post'));
  expect((await readRequest()).Media).toMatch(/\.jpg$/);
});

test('a file that can’t be taken and is removed right before the submission replaces no picture', async () => {
  const { form } = await openFormWithPicture();
  // The form is submitted before Slack shows the problem.
  failSlack(running, { method: 'views.update', fault: 'error', error: 'hash_conflict' });
  await form.attach(FIELD, [HUGE]);
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await expect.poll(readForm).toContain(HUGE_PROBLEM);
  await form.attach(FIELD, []);
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  expect((await readRequest()).Media).toMatch(/\.jpg$/);
});

const LINK = 'https://example.com/photo.jpg';

async function openFormWith(text: string, platform: string, media: string) {
  await startBot();
  const { ana, form } = await openFilledForm(running, { text });
  await showMedia(ana, form);
  await fillIn(form, { Media: media, Platforms: [platform] });
  return { ana, form };
}

test('a picture without a text is scheduled only where the platform takes it', async () => {
  const { ana, form } = await openFormWith('', 'Reddit', LINK);
  await ana.sees('Reddit needs a title and a subreddit');
  const answer = await form.submit();
  expect([answer.closed, Object.keys(answer.errors)]).toEqual([false, ['Text']]);
  expect(running.service.created()).toEqual([]);
  await form.choose('Platforms', ['Instagram']);
  // Until the form has noticed the picture, it requires a text.
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: LINK, Platforms: ['INSTAGRAM'] }]);
  expect(running.service.created()[0]).not.toHaveProperty('Content');
});

test('a link in angle brackets is sent without them', async () => {
  const { form } = await openFormWith('We open at nine', 'Instagram', `<${LINK}>`);
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: LINK }]);
});

test.each([
  [
    'C:\\Users\\me\\photo.jpg',
    `The service can’t open files on a computer. Enter a link to an image or video, such as ${LINK}.`,
  ],
  [
    'https://example.com/my photo.jpg',
    'This link has a space in it. Copy it again, or write %20 for the space.',
  ],
  ['example.com/photo.jpg', 'Begin the link with https://, as in https://example.com/photo.jpg'],
  ['www.example.com', 'Begin the link with https://, as in https://www.example.com'],
])('%s is refused under the field, which says what to change', async (media, expected) => {
  const { form } = await openFormWith('We open at nine', 'Facebook', media);
  expect((await form.submit()).errors).toEqual({ Media: expected });
});

test.each([
  [
    'Facebook',
    'https://drive.google.com/file/d/1a2b3c/view?usp=sharing',
    '⚠️ This link opens a page on Google Drive, and not the picture itself.',
  ],
  [
    'Instagram',
    'https://example.com/a.heic',
    '⚠️ Instagram takes JPEG pictures and MP4 or MOV videos. This looks like HEIC.',
  ],
])('for %s, %s causes a warning, and can still be scheduled', async (platform, media, warning) => {
  const { ana, form } = await openFormWith('We open at nine', platform, media);
  await ana.sees(warning);
  expect((await form.submit()).errors).toEqual({});
});

test('where a link leads is shown under it, and can still be scheduled', async () => {
  await startBot({ probeLink: async (link) => (link.endsWith('.jpg') ? 'media' : 'missing') });
  const { ana, form } = await openFilledForm(running);
  await showMedia(ana, form);
  await form.fill('Media', 'https://example.com/gone');
  await ana.sees('⚠️ There’s nothing at this link.');
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: 'https://example.com/gone' }]);
});

test('a picture that was replaced on the service’s page doesn’t get the alt text of the earlier one', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running);
  await showMedia(ana, form);
  await form.fill('Media', LINK);
  await seeAfterChange(form, 'Describe the picture for people who can’t see it.');
  await form.fill('Alt text', 'Our door');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await expect.poll(() => running.service.created()).toHaveLength(1);
  const [request] = running.service.created();
  running.service.on('GET /posts', data([{ ...request, Id: 'made', Media: 'https://example.com/new.jpg' }]));
  await ask(ana, '/upnext posts scheduled', '1 scheduled post');
  const view = await pressForForm(ana, 'Open: We open at nine', 'Post');
  expect(view.text()).toContain('https://example.com/new.jpg');
  expect(view.text()).not.toContain('Our door');
});

/** Changes the platforms until the form shows a text: a busy machine drops a change, or is still fetching a file. */
async function seeAfterChange(form: Pick<Form, 'choose' | 'text'>, text: string): Promise<void> {
  let changes = 0;
  const change = async () => {
    changes += 1;
    await form.choose('Platforms', changes % 2 ? ['LinkedIn'] : ['X']);
    return form.text();
  };
  await expect.poll(change, { interval: 500 }).toContain(text);
}
