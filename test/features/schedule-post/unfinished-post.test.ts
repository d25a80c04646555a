import { beforeEach, describe, expect, test } from 'vitest';
import { prepareRestored } from '../../../src/app/capabilities.ts';
import { cancelHeldPost } from '../../../src/held-posts/change.ts';
import { NOW } from '../../support/bot.ts';
import { captureSubmission, deliver } from '../../support/doubled-form.ts';
import { continuePost, openFilledForm, openShownForm } from '../../support/filled-form.ts';
import { expectParts, expectValues } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { countRequestsInFlight, waitUntilIdle } from '../../support/requests-in-flight.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, askForForm } from '../../support/steps.ts';
import { changePostForms, listUnfinished, readPostForms } from '../../support/stored-post-forms.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

const { ana, database, running, setPolicy, startBot } = setUpBot();
beforeEach(() => {
  countRequestsInFlight();
  return startBot();
});

const holdPosts = () => setPolicy({ leadMinutes: 60 });

const HOUR_MS = 60 * 60 * 1000;
/** For tests in which one form is left after another. */
const MOVING_CLOCK = { followsClock: true, startTime: NOW };

async function openForm(person = ana) {
  return askForForm(person, '/schedule-post', 'Schedule a post');
}

/** Fills in the form as Ana, and closes it without submitting it. */
async function leaveForm(text = 'We open at nine'): Promise<void> {
  await (await openShownForm(running, { text })).form.close();
}

test('a form that was open when a restored backup was made isn’t sent, and its text is offered', async () => {
  const { form } = await openShownForm(running, { text: 'We open at nine' });
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  await prepareRestored(database.db, NOW);
  await form.submit();
  await ana.sees('This form is out of date. Nothing was sent.');
  expect(running.service.created()).toEqual([]);
  expect((await openForm()).text()).toContain('We open at nine');
});

test('an unfinished post: its row says when it was typed, until it is sent or discarded', async () => {
  const listTypedTimes = async () => (await readPostForms(running)).map(({ typed_at }) => typed_at);
  await startBot();
  await (await openForm()).close();
  expect(await listTypedTimes()).toEqual([null]);
  const { form } = await openShownForm(running, { text: 'We open at nine' });
  await expect.poll(listTypedTimes).toContainEqual(expect.any(Date));
  const [unfinished] = await listUnfinished(running);
  expect(unfinished?.typed_at?.toISOString()).toBe(unfinished?.stored.typed?.savedAt);
  await form.submit();
  await expect.poll(listTypedTimes).toEqual([null, null]);
  await leaveForm('The second idea');
  await expect.poll(listTypedTimes).toContainEqual(expect.any(Date));
  await (await openForm()).press('Discard', { dialog: 'confirm' });
  await expect.poll(listTypedTimes).toEqual([null, null, null, null]);
});

test('an unfinished post: it is offered after 300 forms that were opened and closed empty', async () => {
  await leaveForm();
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  const [row] = await readPostForms(running);
  if (!row) throw new Error('no form is stored');
  const { stored, ...columns } = row;
  const openedLater = Array.from({ length: 300 }, (_, index) => ({
    ...columns,
    id: `opened-later-${index}`,
    content: running.bot.submissions.context.encryption.encrypt('{}', row.workspace),
    typed_at: null,
    opened_at: new Date(row.opened_at.getTime() + index + 1),
  }));
  await database.db.insertInto('open_form').values(openedLater).execute();
  expect((await openForm()).text()).toContain('You have an unsaved post from');
});

test('an unfinished post is offered the next time, only to its author, and continues with every value', async () => {
  await leaveForm();
  const other = await openForm(running.workspace.as('Ben').in('#harbour-coffee'));
  expect(other.text()).not.toContain('unsaved post');
  const form = await openForm();
  expectParts(form.text(), 'You have an unsaved post from', 'We open at nine');
  expect(form.value('Text')).toBe('');
  await form.press('Continue');
  const continuedForm = await ana.modal('Schedule a post');
  await expect.poll(() => continuedForm.value('Text')).toBe('We open at nine');
  expectValues(continuedForm, { Platforms: 'X', When: '1 Dec 9am' });
  expect(continuedForm.text()).not.toContain('unsaved post');
  await continuedForm.submit();
  await expect.poll(() => running.service.created()).toHaveLength(1);
});

test('an unfinished post keeps its moment, and shows its zone, after its author’s zone has changed', async () => {
  await leaveForm();
  await ana.type('/upnext zone me Tokyo');
  const continuedForm = await continuePost(ana);
  await expect.poll(() => continuedForm.text()).toContain('Tue 1 Dec, 09:00 (Lisbon)');
  expect(continuedForm.text()).toContain('For you: Tue 1 Dec, 18:00 (Tokyo).');
  expect(continuedForm.value('Time zone')).toContain('Europe/Lisbon');
});

test('an unfinished post without a time takes its author’s new zone', async () => {
  await (await openFilledForm(running, { text: 'We open at nine', when: '' })).form.close();
  await ana.type('/upnext zone me Tokyo');
  const continuedForm = await continuePost(ana);
  await expect.poll(() => continuedForm.value('Text')).toBe('We open at nine');
  await continuedForm.fill('When', '1 Dec 9am');
  await ana.sees('Tue 1 Dec, 09:00 (Tokyo)');
});

test('an unfinished post from a message that is too long continues with the rest of its text', async () => {
  const text = `Grand opening ${'a'.repeat(10_000)}`;
  await ana.type(text);
  await ana.shortcut('Schedule this message', 'Grand opening');
  const form = await ana.modal('Schedule a post');
  await form.fill('When', '1 Dec 9am');
  await ana.sees('Tue 1 Dec, 09:00');
  await form.close();
  await (await openForm()).press('Continue');
  await ana.sees('The form takes 9,000 characters, and 1,014 more don’t fit.');
  const continuedForm = await ana.modal('Schedule a post');
  const texts = ['Text', 'Text, part 2', 'Text, part 3'].map((label) => continuedForm.value(label));
  expect(texts.join('')).toBe(text.slice(0, 9_000));
  await continuedForm.press('Show the rest');
  expect((await ana.modal('Rest of the text')).text()).toContain('a'.repeat(1_014));
});

test('an unfinished post whose form is sent meanwhile is no longer offered in a form that was opened before', async () => {
  await startBot({ mode: 'http' });
  const { form } = await openShownForm(running, { text: 'The first idea' });
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  // The submission travels for a while.
  const submission = await captureSubmission(running, form);
  await form.close();
  const secondForm = await openForm();
  expect(secondForm.text()).toContain('The first idea');
  await deliver(running, submission);
  await expect.poll(() => running.service.created()).toHaveLength(1);
  await secondForm.fill('When', '2 Dec 9am');
  await expect.poll(() => secondForm.text()).toContain('Wed 2 Dec, 09:00');
  expect(secondForm.text()).not.toContain('unsaved post');
});

test('an unfinished post is deleted when its author discards it, and the text in the open form stays', async () => {
  await leaveForm();
  const form = await openForm();
  await form.press('Discard', { dialog: 'confirm' });
  await expect.poll(() => form.text()).not.toContain('unsaved post');
  expect(await listUnfinished(running)).toEqual([]);
  await form.fill('Text', 'We open at ten');
  await form.close();
  expect((await openForm()).text()).toContain('We open at ten');
});

test('if the offer of a discarded post disappears only after a submission, its errors stay', async () => {
  await leaveForm('The first idea');
  const { form } = await openFilledForm(running, { when: 'yesterday 9am' });
  await ana.sees('The first idea');
  running.workspace.faults.set({ webApi: [{ method: 'views.update', fault: 'slow', delayMs: 150 }] });
  await form.press('Discard', { dialog: 'confirm' });
  await form.submit();
  await expect.poll(() => form.text()).not.toContain('The first idea');
  expect(form.errors()).toEqual({ When: expect.any(String) });
});

test('an unfinished post is still offered after its author has scheduled another one, and replaces no text unasked', async () => {
  await leaveForm('The first idea');
  const { form } = await openShownForm(running, { text: 'The second idea' });
  expect(form.text()).toContain('The first idea');
  await expect(form.press('Continue')).rejects.toMatchObject({
    visible: expect.stringContaining('Replace what you’ve typed?'),
  });
  await form.submit();
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  expect((await openForm()).text()).toContain('The first idea');
});

test('of several unfinished posts the latest is offered, and once it is discarded the one before it', async () => {
  await startBot(MOVING_CLOCK);
  await leaveForm('The first idea');
  await leaveForm('The second idea');
  const form = await openForm();
  expectParts(form.text(), 'The second idea', ', and an earlier one.');
  await form.press('Discard', { dialog: 'confirm' });
  await expect.poll(() => form.text()).toContain('The first idea');
  expect(form.text()).not.toContain('an earlier one');
  await form.press('Continue');
  const continuedForm = await ana.modal('Schedule a post');
  await expect.poll(() => continuedForm.value('Text')).toBe('The first idea');
});

test('the next offer stays if the form was being updated while its author discarded the one before', async () => {
  await startBot(MOVING_CLOCK);
  await leaveForm('The first idea');
  await leaveForm('The second idea');
  const { form } = await openFilledForm(running, { text: 'The third idea', when: '2 Dec 9am' });
  await ana.sees('Wed 2 Dec, 09:00');
  const { promise: isDiscarded, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: isUpdating, resolve: tellUpdating } = Promise.withResolvers<void>();
  running.service.on('GET /posts', async (call, response) => {
    tellUpdating();
    await isDiscarded;
    return data([])(call, response);
  });
  await form.fill('When', '5 Dec 9am');
  await isUpdating;
  await form.press('Discard', { dialog: 'confirm' });
  await expect.poll(() => form.text()).toContain('The first idea');
  goOn();
  await expect.poll(() => form.text()).toContain('Sat 5 Dec, 09:00');
  await form.fill('When', '6 Dec 9am');
  await expect.poll(() => form.text()).toContain('Sun 6 Dec, 09:00');
  expect(form.text()).toContain('The first idea');
});

test.each([
  ['sent', async () => undefined],
  ['kept', () => holdPosts()],
])('an unfinished post is no longer offered once its text was %s from another form', async (_, prepare) => {
  await prepare();
  await leaveForm('The first idea');
  const { form } = await openFilledForm(running, { text: 'The first idea', when: '2 Dec 9am' });
  expect(form.text()).toContain('unsaved post');
  await form.submit();
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('an unfinished post is offered if its text was sent for another project', async () => {
  await startWithTwoProjects(startBot);
  const leaveFor = async (project: string, leave: 'close' | 'submit') => {
    await ana.type(`/schedule-post 1 Dec 9am on x for ${project}: The first idea`);
    const form = await ana.modal('Schedule a post');
    await form.fill('When', '1 Dec 9:30am');
    await ana.sees('Tue 1 Dec, 09:30');
    await form[leave]();
  };
  await leaveFor('Harbour Coffee', 'close');
  await leaveFor('Night Market Books', 'submit');
  await expect.poll(() => running.service.created()).toHaveLength(1);
  expect((await openForm()).text()).toContain('unsaved post');
});

test('an unfinished post without a project is no longer offered once its text was sent for any', async () => {
  await startWithTwoProjects(startBot);
  const general = () => running.workspace.as('Ana').in('#general');
  const form = await openForm(general());
  await form.fill('Text', 'The first idea');
  await expect.poll(() => listUnfinished(running)).toHaveLength(1);
  await form.close();
  await general().type('/schedule-post 1 Dec 9am on x for Night Market Books: The first idea');
  const other = await general().modal('Schedule a post');
  await general().sees('Tue 1 Dec, 09:00');
  expect(other.text()).toContain('unsaved post');
  await other.submit();
  await expect.poll(() => running.service.created()).toHaveLength(1);
  expect((await openForm(general())).text()).not.toContain('unsaved post');
});

test('an unfinished post is offered if a post with its text was cancelled', async () => {
  await holdPosts();
  await leaveForm('The first idea');
  const post = await holdPost(running, { text: 'The first idea', at: '2026-12-01T09:00:00Z' });
  await cancelHeldPost(running.bot.heldPosts, { ...post, actor: post.author });
  expect((await openForm()).text()).toContain('unsaved post');
});

test('an unfinished post is stored encrypted, and offered for 24 hours', async () => {
  await startBot({ followsClock: true, startTime: new Date('2026-11-20T12:00:00Z') });
  await leaveForm();
  expect(JSON.stringify(await database.db.selectFrom('open_form').selectAll().execute())).not.toContain(
    'We open',
  );
  running.workspace.clock.advance(23 * HOUR_MS);
  const form = await openForm();
  expect(form.text()).toContain('We open at nine');
  await form.close();
  running.workspace.clock.advance(2 * HOUR_MS);
  expect((await openForm()).text()).not.toContain('unsaved post');
});

test('an unfinished post without a text is offered with its other values, unless it has only platforms', async () => {
  const form = await openForm();
  await form.choose('Platforms', ['X']);
  await form.close();
  const next = await openForm();
  expect(next.text()).not.toContain('unsaved post');
  await next.close();
  await leaveForm('');
  expect((await openForm()).text()).toContain('No text yet · When: 1 Dec 9am');
});

test('an unfinished post keeps what was typed after the form was submitted with errors', async () => {
  const { form } = await openFilledForm(running, { when: 'when the cows come home' });
  expect(Object.keys((await form.submit()).errors)).toEqual(['When']);
  await form.close();
  expect((await openForm()).text()).toContain('We open at nine');
});

test('an unfinished post is offered again if its form was sent, and is shown again after a later refusal', async () => {
  await startBot({ pace: FAST_RETRIES });
  running.service.on('POST /posts', json(429, {}));
  await (await openFilledForm(running)).form.submit();
  await ana.modal('Waiting');
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const shownForm = await ana.modal('Schedule a post');
  await shownForm.fill('Text', 'We open quietly');
  await shownForm.close();
  expect((await openForm()).text()).toContain('We open quietly');
});

describe('a post that could not be saved', () => {
  const rename = (from: 'submission' | 'open_form' | 'hidden' | 'hidden_form', to: string) =>
    database.db.schema.alterTable(from).renameTo(to).execute();

  test('is offered after its author has closed the form', async () => {
    const { form } = await openFilledForm(running);
    await rename('submission', 'hidden');
    try {
      const { view } = await form.submit();
      expect(view?.text()).toContain('Your text is still here.');
      await view?.close();
    } finally {
      await rename('hidden', 'submission');
    }
    expect((await openForm()).text()).toContain('We open at nine');
  });

  test('is reported once if its form can’t be stored either', async () => {
    const hideTables = async () => {
      await rename('submission', 'hidden');
      await rename('open_form', 'hidden_form');
    };
    await startBot({
      pace: { onCrashPoint: (point) => (point === 'before-row' ? hideTables() : undefined) },
    });
    const { form } = await openFilledForm(running);
    // The form's update needs the table too.
    await expect.poll(() => form.text()).toContain('1 Dec, 09:00');
    try {
      expect((await form.submit()).view?.text()).toContain('Your text is still here.');
    } finally {
      await rename('hidden', 'submission');
      await rename('hidden_form', 'open_form');
    }
    await ask(ana, '/upnext outbox', 'Nothing');
    expect(ana.read()).not.toContain('Something went wrong');
  });
});

describe('an edit of a held post', () => {
  /** Holds a post, and opens its form. */
  async function openEditor() {
    await startBot();
    await holdPosts();
    const post = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
    await askAndPress(ana, '/upnext posts 1 dec', 'Open');
    await ana.press('Edit');
    return { post, editor: await ana.modal('Edit post') };
  }

  test('that came too late is offered, as nothing else has its text', async () => {
    const { post, editor } = await openEditor();
    await editor.fill('Text', 'We open at ten');
    const key = { id: post.id, workspace: post.workspace, actor: 'U02BENOKAF' };
    await cancelHeldPost(running.bot.heldPosts, key);
    const { view } = await editor.submit();
    expect(view?.text()).toContain('Somebody has cancelled the post.');
    await view?.close();
    expect((await openForm()).text()).toContain('We open at ten');
  });

  test('that changes nothing is not offered', async () => {
    const { editor } = await openEditor();
    await editor.press('More options');
    await expect.poll(() => listUnfinished(running)).toHaveLength(1);
    await editor.close();
    expect((await openForm()).text()).not.toContain('unsaved post');
  });

  test.each<[string, (editor: Awaited<ReturnType<typeof openEditor>>['editor']) => Promise<unknown>]>([
    ['time', (editor) => editor.fill('When', '1 Dec 11am')],
    [
      'time zone',
      async (editor) => editor.choose('Time zone', (await editor.search('Time zone', 'London'))[0] ?? ''),
    ],
    [
      'status',
      async (editor) => {
        await editor.press('More options');
        await expect.poll(() => editor.labels()).toContain('When you save');
        await editor.choose('When you save', 'Save as draft');
      },
    ],
    ['platforms', (editor) => editor.choose('Platforms', ['X', 'LinkedIn'])],
    [
      'media',
      async (editor) => {
        await editor.press('Add media');
        await expect.poll(() => editor.labels()).toContain('Media');
        await editor.fill('Media', 'https://example.com/a.jpg');
      },
    ],
  ])('that changes only the %s is offered', async (_part, change) => {
    const { editor } = await openEditor();
    await change(editor);
    await waitUntilIdle();
    await editor.close();
    expect((await openForm()).text()).toContain('unsaved post');
  });
});

describe('a post that Upnext keeps, while its form did not get to end', () => {
  /** Submits the form with `heldText`, and brings back the typed values, as if the process had died before ending them. */
  async function submitWithoutEnding(heldText: string, typedText: string) {
    await startBot();
    await holdPosts();
    const { form } = await openShownForm(running, { text: typedText });
    await expect.poll(() => listUnfinished(running)).toHaveLength(1);
    const [typedForm] = await listUnfinished(running);
    if (heldText !== typedText) await form.fill('Text', heldText);
    await form.submit();
    await expect.poll(() => listUnfinished(running)).toEqual([]);
    await changePostForms(running, () => typedForm?.stored ?? {});
    return openForm();
  }

  test('is not offered', async () => {
    const text = 'We open at nine :coffee: ';
    expect((await submitWithoutEnding(text, text)).text()).not.toContain('unsaved post');
  });

  test('is offered with a text that Upnext does not keep', async () =>
    expect((await submitWithoutEnding('We open at ten', 'We open at nine')).text()).toContain(
      'unsaved post',
    ));
});
