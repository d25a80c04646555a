import { beforeEach, describe, expect, test } from 'vitest';
import { continuePost, giveXOwnText, openFilledForm } from '../../support/filled-form.ts';
import { expectNone, fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { data, invalid, type ServiceCall } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm } from '../../support/steps.ts';

/** “Different text for…” opens a text for a platform. The others get the main text. */

const { database, running, setPolicy, startBot } = setUpBot();
beforeEach(() => countRequestsInFlight());

const getPost = (call: ServiceCall) => call.body as Record<string, unknown> & { Platforms: string[] };
const listSent = () =>
  running.service
    .created()
    .map(({ Platforms, Content }) => `${String(Platforms)}: ${String(Content)}`)
    .toSorted();
const listHeld = () => database.db.selectFrom('held_post').select(['state', 'sent_to']).execute();

/** The service lists no drafts. */
function listAccepted(accepted: readonly unknown[]) {
  running.service.on('GET /posts', (call, response) =>
    data(call.query.getAll('status').includes('DRAFT') ? [] : accepted)(call, response),
  );
}

/** Lets the service refuse what is for X, and list what it has accepted. */
function refuseForX() {
  const accepted: Record<string, unknown>[] = [];
  running.service.on('POST /posts', (call, response) => {
    const post = getPost(call);
    if (post.Platforms.includes('X'))
      return invalid({ loc: ['body', 'Content'], msg: 'too dull' })(call, response);
    const id = `post_${accepted.length + 1}`;
    accepted.push({ ...post, Id: id });
    return data({ Id: id })(call, response);
  });
  listAccepted(accepted);
}

function acceptAll() {
  const accepted: Record<string, unknown>[] = [];
  running.service.on('POST /posts', (call, response) => {
    const id = `post_${accepted.length + 1}`;
    accepted.push({ ...getPost(call), Id: id });
    return data({ Id: id })(call, response);
  });
  listAccepted(accepted);
}

/** Starts a bot that says so soon if the service is slow, with a service that waits for `answer` before it answers. */
async function startWithSlowService() {
  await startBot({ pace: { acknowledgementTimeoutMs: 150 } });
  const { promise: isAnswering, resolve: answer } = Promise.withResolvers<void>();
  running.service.on('POST /posts', async (call, response) => {
    await isAnswering;
    return data({ Id: 'post_1' })(call, response);
  });
  return { answer };
}

/** Opens the form with a text for X and LinkedIn, and another one for X. */
async function openWithTwoTexts(ownText = 'At nine!', when = '1 Dec 9am') {
  const { ana, form } = await openFilledForm(running, { when });
  await giveXOwnText(ana, form, ownText);
  await ana.sees(', 09:00');
  return { ana, form };
}

/** Submits a post that the service refuses for X, and accepts for LinkedIn. */
async function submitPartlyRefused() {
  refuseForX();
  const { ana, form } = await openWithTwoTexts();
  await form.submit();
  await ana.sees('Partly scheduled');
  return ana;
}

describe('in a project that doesn’t hold posts', () => {
  beforeEach(async () => {
    await startBot({ pace: RECEIPT_PACE });
    acceptAll();
  });

  test('a post with two texts is two posts for the service, and one for people: in previews, lists and copies', async () => {
    const { ana, form } = await openWithTwoTexts();
    await form.press('Preview');
    const preview = await ana.modal('Preview');
    expect(preview.text()).toMatch(/We open at nine.*LinkedIn.*X · 8 of 280\nAt nine!/su);
    await preview.close();
    expect((await form.submit()).closed).toBe(true);
    await ana.sees('Text for X:');
    expect(listSent()).toEqual(['LINKEDIN: We open at nine', 'X: At nine!']);
    await expect.poll(listHeld).toEqual([{ state: 'delivered', sent_to: expect.stringContaining('X') }]);
    await ask(ana, '/upnext next', 'We open at nine');
    await ask(ana, '/upnext posts 1 dec', 'Harbour Coffee: 1 post, Tue 1 Dec');
    expect(ana.messages().at(-1)).toMatch(/Scheduled.*X and LinkedIn.*2 texts/su);
    await (await pressForForm(ana, 'Open', 'Post')).press('Duplicate');
    const copy = await ana.modal('Schedule a post');
    await expect.poll(() => copy.value('Text for X')).toBe('At nine!');
    expect(copy.value('Text')).toBe('We open at nine');
    await copy.close();
    // The next post begins with the platforms of the whole post.
    expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).toContain('(X, LinkedIn)');
  });

  test('without another text nothing changes: the form offers it only for several platforms', async () => {
    const { ana, form } = await openFilledForm(running);
    expect(form.labels()).not.toContain('Different text for');
    await form.submit();
    await ana.sees('Scheduled ·');
    expect([listSent(), await listHeld()]).toEqual([['X: We open at nine'], []]);
  });

  test('a main text that no platform gets is neither shown nor counted as a text of the post', async () => {
    const { ana, form } = await openWithTwoTexts();
    await form.choose('Different text for', ['X', 'LinkedIn']);
    await ana.sees('Text for LinkedIn');
    expect((await submitWith(form, { 'Text for LinkedIn': 'Doors at nine' })).closed).toBe(true);
    await ana.sees('Text for LinkedIn:');
    expect(listSent()).toEqual(['LINKEDIN: Doors at nine', 'X: At nine!']);
    const receipt = ana.messages().at(-1) ?? '';
    expect(receipt).toMatch(/At nine!\nText for LinkedIn:\nDoors at nine/);
    expect(receipt).not.toContain('We open at nine');
    await ask(ana, '/upnext posts 1 dec', 'Harbour Coffee: 1 post, Tue 1 Dec');
    expect(ana.messages().at(-1)).toContain('2 texts');
  });

  test('an empty text, and one that is the main text, follow the main text', async () => {
    const { ana, form } = await openWithTwoTexts(' ');
    await form.choose('Different text for', ['X', 'LinkedIn']);
    await ana.sees('Text for LinkedIn');
    await submitWith(form, { 'Text for LinkedIn': 'We open at nine ' });
    await ana.sees('Scheduled ·');
    expect([listSent(), await listHeld()]).toEqual([['X,LINKEDIN: We open at nine'], []]);
  });

  test('each text is checked for its platform', async () => {
    const { ana, form } = await openWithTwoTexts('x'.repeat(281));
    await ana.sees('X: 1 character too long.');
    const { errors } = await form.submit();
    expect(Object.values(errors)).toEqual([NOTE_BELOW]);
    await form.fill('Text for X', 'x'.repeat(279));
    await ana.sees('X: 279 of 280');
    await submitWith(form, { Text: 'y'.repeat(400) });
    await ana.sees('Text for X:');
    expect(listSent()).toHaveLength(2);
  });

  test('while the service is slow, the form says so, and then the outcome', async () => {
    const { answer } = await startWithSlowService();
    const { ana, form } = await openWithTwoTexts();
    await form.submit();
    await ana.sees('Sending…');
    expect(ana.read()).not.toContain('undefined');
    answer();
    await ana.sees('Scheduled');
    expect(ana.read()).not.toContain('undefined');
    expect(listSent()).toHaveLength(2);
  });

  test('whoever closes the form while it is being sent reads the outcome in a message', async () => {
    const { answer } = await startWithSlowService();
    const { ana, form } = await openWithTwoTexts();
    const { view } = await form.submit();
    await ana.sees('Sending…');
    await view?.close();
    answer();
    await expect.poll(() => listHeld()).toMatchObject([{ state: 'delivered' }]);
    const messages = await running.workspace.as('Ana').inDirectMessage();
    await messages.sees('Text for X:');
    expect(messages.read()).toContain('Scheduled');
  });

  test('Home and the next post show it as one post', async () => {
    const { ana, form } = await openWithTwoTexts('At nine!', '23 nov 9am');
    await form.submit();
    await ana.sees('Text for X:');
    const home = (await ana.home('Commands')).text();
    expect(home).toMatch(/09:00 · Harbour Coffee · X and LinkedIn · 2 texts\nWe open at nine/u);
    expect(home).not.toContain('At nine!');
    const [post] = running.service.created();
    running.service.on('GET /upnext-post', data({ ...post, Id: 'post_1' }));
    await ask(ana, '/upnext next', 'Up next');
    expect(ana.messages().at(-1)).toMatch(/We open at nine\nText for X:\nAt nine!.*X and LinkedIn/su);
  });

  test('Home shows it as one post too if it is the next one after a week without posts', async () => {
    const { ana, form } = await openWithTwoTexts('At nine!', '14 dec 9am');
    await form.submit();
    await ana.sees('Text for X:');
    const posts: Record<string, unknown>[] = running.service
      .created()
      .map((post, index) => ({ ...post, Id: `post_${index + 1}` }));
    const ownText = posts.find(({ Content }) => Content === 'At nine!');
    running.service.on('GET /upnext-post', data(ownText));
    running.service.on('GET /posts', (call, response) => {
      const from = call.query.get('schedule_date_from') ?? '';
      return data(from.startsWith('2026-12-14') ? posts : [])(call, response);
    });
    const home = (await ana.home('Commands')).text();
    expect(home).toMatch(/Later\nMon 14 Dec, 09:00 · .*X and LinkedIn · 2 texts\nWe open at nine/u);
    expect(home).not.toContain('At nine!');
  });

  test('a text for a platform that isn’t chosen any more goes to nobody, and the form says so', async () => {
    const { ana, form } = await openWithTwoTexts();
    await form.choose('Platforms', ['LinkedIn']);
    await ana.sees('X isn’t one of the post’s platforms, so nobody gets this text.');
    await form.submit();
    await ana.sees('Scheduled ·');
    expect(listSent()).toEqual(['LINKEDIN: We open at nine']);
  });

  test('if one platform’s text is refused, the other is scheduled, and only the refused one is tried again', async () => {
    const ana = await submitPartlyRefused();
    await ana.sees('Scheduled on 1 of 2 platforms: LinkedIn. X: Not sent. One field needs a change.');
    await ask(ana, '/upnext posts 1 dec', 'Harbour Coffee: 1 post, Tue 1 Dec');
    acceptAll();
    await ask(ana, '/upnext outbox', '[Try X again]');
    await ana.press('Try X again');
    await expect.poll(listSent).toEqual(['LINKEDIN: We open at nine', 'X: At nine!', 'X: At nine!']);
    await expect.poll(listHeld).toEqual([{ state: 'delivered', sent_to: 'LINKEDIN,X' }]);
  });

  test('[Fix] says which platforms may have the post', async () => {
    const ana = await submitPartlyRefused();
    const uncertain = { state: 'unsure', reason: 'not-found' } as const;
    await database.db.updateTable('submission').set(uncertain).where('state', '=', 'confirmed').execute();
    await pressForForm(ana, 'Fix', 'Edit post');
    await ana.sees('LinkedIn may have this post. What you change goes to the other platforms only.');
  });

  test('[Fix] says which platforms have the post, and sends the correction to the others', async () => {
    const ana = await submitPartlyRefused();
    const editor = await pressForForm(ana, 'Fix', 'Edit post');
    await ana.sees('LinkedIn already has this post. What you change goes to the other platforms only.');
    expect(editor.text()).toContain('X: Not sent. The service didn’t accept this.');
    expect(editor.value('Text for X')).toBe('At nine!');
    expect(editor.text()).toMatch(/Text for X\n\(At nine!\)\n⚠️ too dull/u);
    // The post that LinkedIn has is a part of this one.
    await editor.fill('When', '1 Dec 9:20');
    await ana.sees('Tue 1 Dec, 09:20');
    expectNone(editor.text(), 'may refuse it, so vary it', 'Another');
    const { errors } = await submitWith(editor, { Platforms: ['LinkedIn'] });
    expect(Object.values(errors ?? {}).join()).toContain('LinkedIn already has this post.');
    await fillIn(editor, { Platforms: ['X', 'LinkedIn'], 'Text for X': 'Nine!' });
    acceptAll();
    await editor.submit();
    await expect.poll(listSent).toEqual(['LINKEDIN: We open at nine', 'X: At nine!', 'X: Nine!']);
  });

  test('[Fix] shows a problem of the main text below it, although a platform’s own text is the same', async () => {
    refuseForX();
    const { ana, form } = await openWithTwoTexts('We open at nine');
    await form.choose('Different text for', ['X', 'LinkedIn']);
    await ana.sees('Text for LinkedIn');
    await submitWith(form, { 'Text for LinkedIn': 'At nine!' });
    await ana.sees('Partly scheduled');
    const editor = await pressForForm(ana, 'Fix', 'Edit post');
    await expect.poll(() => editor.text()).toContain('Text\n(We open at nine)\n⚠️ too dull');
  });

  test('[Fix] shows what the service said about each text, below the texts of all platforms that it is for', async () => {
    running.service.on('POST /posts', (call, response) => {
      const { Platforms } = getPost(call);
      const msg = Platforms.includes('LINKEDIN') ? 'too short' : 'too dull';
      return invalid({ loc: ['body', 'Content'], msg })(call, response);
    });
    const { ana, form } = await openWithTwoTexts();
    await fillIn(form, { Platforms: ['X', 'LinkedIn', 'Threads'], 'Different text for': ['X', 'Threads'] });
    await ana.sees('Text for Threads');
    await submitWith(form, { 'Text for Threads': 'At nine!' });
    const editor = await pressForForm(ana, 'Fix', 'Edit post');
    expect(editor.text()).toMatch(/Text for X\n\(At nine!\)\n⚠️ too dull/u);
    expect(editor.text()).toMatch(/Text for Threads\n\(At nine!\)\n⚠️ too dull/u);
    expect(editor.text()).toContain('⚠️ too short');
  });

  test('a cancelled post names the platforms that have it already', async () => {
    const ana = await submitPartlyRefused();
    await ana.press('Cancel post');
    await ana.sees('It won’t be sent to X. LinkedIn already has it, and I can’t remove it there.');
    expect(ana.read()).not.toContain('It won’t be sent.');
  });

  test('a draft with two texts stays in Upnext', async () => {
    const { ana, form } = await openWithTwoTexts();
    await form.choose('When you submit', 'Save as draft');
    await ana.sees('It isn’t sent until somebody schedules it.');
    await form.submit();
    await ana.sees('Saved as a draft');
    expect([listSent(), await listHeld()]).toEqual([[], [{ state: 'draft', sent_to: null }]]);
  });
});

describe('in a project that holds posts', () => {
  beforeEach(async () => {
    await startBot({ pace: RECEIPT_PACE });
    await setPolicy({ leadMinutes: 60 });
    acceptAll();
  });

  test('all texts are kept, shown and edited together, and not offered as unfinished, also with emoji', async () => {
    const { ana, form } = await openWithTwoTexts('At nine :coffee:');
    await form.submit();
    await ana.sees('Text for X:');
    const next = await askForForm(ana, '/schedule-post', 'Schedule a post');
    expect(ana.read()).not.toContain('[Continue]');
    await next.close();
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    expect([editor.value('Text'), editor.value('Text for X')]).toEqual(['We open at nine', 'At nine ☕']);
    await submitWith(editor, { 'Text for X': 'Nine!' });
    await ana.sees('Saved');
    expect([listSent(), await listHeld()]).toEqual([[], [{ state: 'held', sent_to: null }]]);
    expect(ana.read()).toContain('Nine!');
  });

  test.each([
    ['a second text', ['LinkedIn'], 'LinkedIn'],
    ['another text', ['X'], 'X'],
    ['one text less', [], undefined],
  ])('an edit that changes only the texts of platforms is kept: %s', async (_what, differs, named) => {
    const { ana, form } = await openWithTwoTexts();
    await form.submit();
    await ana.sees('Text for X:');
    const editor = await pressForForm(ana, 'Edit', 'Edit post');
    await editor.choose('Different text for', differs);
    if (named !== undefined) {
      await ana.sees(`Text for ${named}`);
      await editor.fill(`Text for ${named}`, 'At {nine}');
      await ana.sees('{nine} will go out with braces.');
    } else await expect.poll(() => editor.labels()).not.toContain('Text for X');
    await editor.close();
    const continued = await continuePost(ana, 'Edit post');
    if (named !== undefined) await expect.poll(() => continued.value(`Text for ${named}`)).toBe('At {nine}');
  });

  test('an unfinished form with nothing but a text for a platform is kept', async () => {
    const { ana, form } = await openWithTwoTexts();
    await fillIn(form, { When: '', Text: '', Platforms: ['X', 'LinkedIn'] });
    await waitUntilIdle();
    await form.close();
    const next = await askForForm(ana, '/schedule-post', 'Schedule a post');
    await ana.sees('At nine!');
    await next.press('Continue');
    const continued = await ana.modal('Schedule a post');
    await expect.poll(() => continued.value('Text for X')).toBe('At nine!');
  });

  test('a placeholder in the text for a platform has its field, and its value stays', async () => {
    running.service.on('GET /templates', data([{ Id: 't1', Name: 'Hello', Content: 'Hello {name}!' }]));
    const { ana, form } = await openWithTwoTexts('Hi {name}');
    await form.search('Template', '');
    await form.choose('Template', 'Hello');
    await expect.poll(() => form.labels()).toContain('Name');
    await ana.sees('Fill in {name}.');
    await form.fill('Name', 'Ben');
    await expect.poll(() => ana.read()).not.toContain('Fill in {name}.');
    await form.close();
    const continued = await continuePost(ana);
    await expect.poll(() => continued.value('Text for X')).toBe('Hi Ben');
    await continued.fill('Text for X', 'Hi {name}');
    await expect.poll(() => continued.labels()).toContain('Name');
    await continued.fill('Name', 'Ana');
    await expect.poll(() => ana.read()).not.toContain('Fill in {name}.');
    await continued.submit();
    await ana.sees('Hi Ana');
  });

  test('a post with two texts can repeat, but not one with several texts that take turns', async () => {
    const { ana, form } = await openWithTwoTexts();
    await fillIn(form, { When: 'every monday at 9', Text: 'One\n---\nTwo' });
    await ana.sees('[Start series]');
    const { errors } = await form.submit();
    expect(Object.values(errors ?? {}).join()).toContain('A series with several texts has the same text');
    await submitWith(form, { Text: 'One' });
    await (await ana.modal('New series')).submit();
    await ana.sees('Saved.');
    await expect.poll(async () => (await listHeld()).length).toBeGreaterThan(3);
  });
});
