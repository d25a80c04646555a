import { describe, expect, test } from 'vitest';
import { deliver } from '../../support/doubled-form.ts';
import { showMoreOptions, submitLine } from '../../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, hang, json, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, database, running, setPolicy, startBot } = setUpBot({});

const LINE = '/schedule-post 1 dec 9:30 on x, linkedin: We are live!';
const LABELS = ['Text', 'Platforms', 'When'];

async function typeLine(line: string, options: { projectCount?: number } = {}) {
  await startBot();
  if (options.projectCount !== undefined) {
    const projectList = Array.from({ length: options.projectCount }, (_, index) => ({
      Id: `p${index}`,
      Name: `Project ${index}`,
    }));
    running.service.on('GET /projects', data(projectList));
  }
  const form = await askForForm(ana, line, 'Schedule a post');
  return { ana, form, read: () => LABELS.map((label) => form.value(label)) };
}

describe('a post in one line', () => {
  test('opens the form, filled in, and one press schedules the post', async () => {
    const { ana, form, read } = await typeLine(LINE);
    expect(read()).toEqual(['We are live!', 'X, LinkedIn', '1 dec 9:30']);
    expect(form.text()).toContain('Tue 1 Dec, 09:30 (Lisbon)');
    expect(form.text()).not.toContain('unsaved post');
    expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('We are live');
    expect((await form.submit()).closed).toBe(true);
    await ana.sees('Scheduled · Tue 1 Dec, 09:30 (Lisbon)');
    expect(running.service.created()).toEqual([
      {
        Content: 'We are live!',
        Platforms: ['X', 'LINKEDIN'],
        ScheduleDate: '2026-12-01T09:30:00+00:00',
        Timezone: 'Europe/Lisbon',
        Status: 'SCHEDULED',
      },
    ]);
  });

  test('a sentence that begins like a time is the text, and one press takes its beginning as the time', async () => {
    const { ana, form, read } = await typeLine('/schedule-post Next week in coffee: five stories');
    expect(read()).toEqual(['Next week in coffee: five stories', '', '']);
    expect(form.text()).toContain('I took the whole line as the text.');
    await form.press('Use “Next week” as the time');
    await ana.sees('Which time did you mean?');
    expect(read()).toEqual(['in coffee: five stories', '', 'Next week']);
    expect(form.text()).not.toContain('I took the whole line as the text.');
    expect(form.text()).not.toContain('as the time');
  });

  test('words that were left out of the text are added to it by one press', async () => {
    const { form, read } = await typeLine('/schedule-post tomorrow 9am on x with a photo: Hi');
    expect(read()).toEqual(['Hi', 'X', 'tomorrow 9am']);
    expect(form.text()).toContain('I didn’t understand “with a photo”.');
    await form.press('Add “with a photo” to the text');
    await expect.poll(read).toEqual(['with a photo: Hi', 'X', 'tomorrow 9am']);
    expect(form.text()).not.toContain('with a photo”');
  });

  test('a platform that may begin the text is taken by one press, and the time stays', async () => {
    const { form, read } = await typeLine('/schedule-post tomorrow 9am Instagram Reels and more');
    expect(read()).toEqual(['Instagram Reels and more', '', 'tomorrow 9am']);
    await form.press('Use Instagram');
    await expect.poll(read).toEqual(['Reels and more', 'Instagram', 'tomorrow 9am']);
    expect(form.text()).not.toContain('Use Instagram');
  });

  test('a request in a sentence is the text, and one press takes its time and platform', async () => {
    const { ana, form, read } = await typeLine('/schedule-post post our menu on x tomorrow at 9am');
    expect(read()).toEqual(['post our menu on x tomorrow at 9am', '', '']);
    await form.fill('Text', 'Our menu is out');
    await form.press('Use “tomorrow at 9am” as the time, X');
    await ana.sees('Sat 21 Nov, 09:00 (Lisbon)');
    expect(read()).toEqual(['Our menu is out', 'X', 'tomorrow at 9am']);
  });

  test.each([
    [
      '1 dec 9am on x, 10am on linkedin: Hi',
      ['Hi', 'X, LinkedIn', '1 dec 9am, 10am'],
      'Each time is for all',
    ],
    ['tomorrow on x Hello without a colon', ['Hello without a colon', 'X', 'tomorrow'], 'Sat 21 Nov, 09:00'],
    ['We are live, come!', ['We are live, come!', '', ''], '/schedule-post tomorrow 9am on x: Hello!'],
  ])('“%s” fills the fields, and a note explains how it was read', async (line, values, note) => {
    const { form, read } = await typeLine(`/schedule-post ${line}`);
    expect(read()).toEqual(values);
    expect(form.text()).toContain(note);
  });

  test('says once that a platform needs media', async () => {
    const { form } = await typeLine('/schedule-post 1 dec 9:30 on instagram: We are live!');
    expect(form.text().match(/Instagram needs media\. Add it, or remove Instagram\./g)).toHaveLength(1);
  });

  test.each(['expired_trigger_id', 'invalid_arguments'] as const)(
    'whose form came too late for Slack (%s) is kept by a button, which opens the form',
    async (spelling) => {
      running.workspace.faults.set({ webApi: [{ fault: 'expired-trigger', spelling, times: 1 }] });
      await ask(ana, LINE, 'The form wasn’t ready within Slack’s 3 seconds.', LINE);
      const form = await pressForForm(ana, 'Open the form', 'Schedule a post');
      expect(LABELS.map((label) => form.value(label))).toEqual(['We are live!', 'X, LinkedIn', '1 dec 9:30']);
      expect((await form.submit()).closed).toBe(true);
      await ana.sees('Scheduled · Tue 1 Dec, 09:30 (Lisbon)');
      await ana.type('/schedule-post');
      expect((await ana.modal('Schedule a post')).text()).not.toContain('unsaved post');
    },
  );

  test('is accepted while the service is down, with the last known projects', async () => {
    const { ana, form } = await typeLine('/schedule-post draft: Before');
    await form.close();
    await running.service.stop();
    const lateForm = await askForForm(ana, LINE, 'Schedule a post');
    expectParts(lateForm.text(), 'I couldn’t load the projects', 'For Harbour Coffee · ');
    await (await lateForm.submit()).view?.close();
    await ask(ana, '/upnext outbox', '“We are live!”');
  });

  test('without a project or platform shows that they are missing', async () => {
    const { ana, form } = await typeLine('/schedule-post 1 dec 9:30: We are live!', { projectCount: 3 });
    expectParts(form.text(), '⚠️ Choose at least one platform.', '⚠️ Choose a project.');
    expect((await submitWith(form, { Project: ['Project 2'], Platforms: ['Telegram'] })).errors).toEqual({});
    await ana.sees('Scheduled ·');
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p2/',
    );
  });

  test('without a time before the colon shows that the time is missing', async () => {
    const { ana, form } = await typeLine('/schedule-post on x: We are live!');
    expect(form.text()).toContain('⚠️ Enter a time such as “tomorrow 9am”, or save it as a draft.');
    await showMoreOptions(ana, form);
    await form.choose('When you submit', 'Save as draft');
    await ana.sees('[Save draft]');
    expect((await form.submit()).errors).toEqual({});
    await ana.sees('📝 Saved as a draft ·');
    expect(running.service.created()[0]?.Status).toBe('DRAFT');
  });

  test('with a time that can mean two shows both, and a press chooses one', async () => {
    const { ana, form } = await typeLine('/schedule-post friday 14:30 on x: We are live!');
    expect(form.text()).toContain('Which time did you mean?');
    await form.press('Fri 27 Nov, 14:30');
    await ana.sees('Fri 27 Nov, 14:30 (Lisbon)');
    expect((await form.submit()).errors).toEqual({});
    await ana.sees('Scheduled · Fri 27 Nov, 14:30 (Lisbon)');
  });

  test('can name one of a thousand projects', async () => {
    const { form } = await typeLine('/schedule-post 1 dec 9:30 on x for Project 777: We are live!', {
      projectCount: 1_000,
    });
    await form.submit();
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p777/',
    );
  });

  test('that the chosen platform wouldn’t accept says so under the text', async () => {
    const { form } = await typeLine(`/schedule-post 1 dec 9:30 on x: ${'long '.repeat(80)}`);
    expect(form.text()).toContain('X: 119 characters too long.');
    expect(Object.keys((await form.submit()).errors)).toEqual(['Text']);
  });

  test.each([
    ['tomorrow 9am PT sessions are back', 'PT'],
    ['tomorrow 9am denver office tour', 'denver'],
    ['tomorrow 9am in Rome we trust', 'in Rome'],
  ])('says which words are the zone if a text follows that they may begin: %s', async (line, zone) => {
    const { form } = await typeLine(`/schedule-post ${line}`);
    expect(form.text()).toContain(`I took “${zone}” as the time zone.`);
  });

  test('says that words which may be the day stay in the text', async () => {
    const { form } = await typeLine('/schedule-post at 6pm on x friday 4 dec hello world');
    expect(form.text()).toContain('I took “friday 4 dec” as part of the text.');
    expect(form.text()).not.toContain('I didn’t understand');
  });

  test.each([
    'lundi 9h 15 nouvelles recettes',
    'lundi 9h 15 Nouvelles recettes',
    'freitag 9 uhr 15 Neue Rezepte',
  ])('says that a number is the minutes if a text follows that it may count: %s', async (line) => {
    const { form } = await typeLine(`/schedule-post ${line}`);
    expect(form.text()).toContain('I took “15” as minutes.');
  });

  test.each([
    'tomorrow 9am PT',
    'tomorrow 9am PT: we are live',
    'tomorrow 9am PT on x we are live',
    'tomorrow 9am in Rome on x: we are live',
    'tomorrow 9am we are live',
    'tomorrow 9am PT Sessions are back',
  ])('says nothing of the zone if it stands alone, or if there is none: %s', async (line) =>
    expect((await typeLine(`/schedule-post ${line}`)).form.text()).not.toContain('as the time zone'),
  );

  test('names an unknown platform, which doesn’t become the time', async () => {
    const { form } = await typeLine('/schedule-post tomorrow 9am on myspace: Hi');
    expectParts(form.text(), 'I don’t know the platform “myspace”.', 'Sat 21 Nov, 09:00 (Lisbon)');
  });
});

test('what was typed in a line isn’t lost: if the form is closed, the next one offers it, with the times that it meant', async () => {
  const { ana, form } = await typeLine('/schedule-post in 2 hours on x: We are live!');
  await form.close();
  const nextForm = await askForForm(ana, '/schedule-post', 'Schedule a post');
  expect(nextForm.text()).toContain('We are live!');
  await nextForm.press('Continue');
  const continued = await ana.modal('Schedule a post');
  await expect
    .poll(() => LABELS.map((label) => continued.value(label)))
    .toEqual(['We are live!', 'X', 'in 2 hours']);
  expect((await continued.submit()).closed).toBe(true);
  expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).not.toContain('unsaved post');
});

test('what was typed in a line isn’t lost: if the person lacks the role, the form offers it once they have it', async () => {
  await startBot({ membersDefaultRole: null, owners: { kind: 'emulator' } });
  const mira = running.workspace.as('Mira').in('#general');
  await mira.type('/schedule-post tomorrow 9:30 on x: The first draft');
  await mira.sees(
    'You need the Publisher role for this, or the Contributor role to write drafts and prompts.',
  );
  await mira.press('Request access');
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await pressAndSee(ana, 'Approve', 'a Publisher');
  const form = await askForForm(mira, '/schedule-post', 'Schedule a post');
  expect(form.text()).toContain('The first draft');
  await form.press('Continue');
  const continued = await mira.modal('Schedule a post');
  await expect.poll(() => continued.value('Text')).toBe('The first draft');
  expect(continued.value('When')).toBe('tomorrow 9:30');
});

test.each([
  ['is out of order', json(500, '<html>'), 'Schedule a post'],
  ['doesn’t respond', hang, 'Loading…'],
])(
  'what was typed in a line isn’t lost: if the service %s, the form says so, and the next one offers it',
  async (_failure, respond, title) => {
    // Longer than a busy machine takes to close the form that is loading.
    await startBot({ pace: { slowNoticeDelayMs: 100 }, maxCallMs: 3_000 });
    running.service.on('GET /projects', respond);
    await ask(ana, LINE, '[Try again]');
    await (await ana.modal(title)).close();
    running.service.on('GET /projects', listProjects('Harbour Coffee'));
    expect((await askForForm(ana, '/schedule-post', 'Schedule a post')).text()).toContain('We are live!');
  },
);

describe('a line where no form can open', () => {
  test('in a direct message is answered with what was understood, and [Open] opens the form', async () => {
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ask(ana, 'schedule 1 dec 9:30 on x: We are live!', 'Open this post to schedule it.');
    for (const part of ['Tue 1 Dec, 09:30 (Lisbon)', 'Harbour Coffee ·', 'We are live!'])
      await ana.sees(part);
    expect((await (await pressForForm(ana, 'Open', 'Schedule a post')).submit()).closed).toBe(true);
    await ana.sees('Scheduled · Tue 1 Dec, 09:30 (Lisbon)');
    expect(ana.read()).not.toMatch(/\[Open\]|Open this post to schedule it\./);
  });

  test('in a mention says what is missing', async () => {
    await ask(ana, '@Upnext schedule on x: We are live!', 'Open this post to finish it.');
    await ana.sees('• Enter a time such as “tomorrow 9am”, or save it as a draft.');
  });

  test('keeps what was changed in the form, and opens once as a post: [Open] then shows what became of it', async () => {
    await ana.type('@Upnext schedule 1 dec 9:30 on x: We are live!');
    const form = await pressForForm(ana, 'Open', 'Schedule a post');
    await fillIn(form, { Text: 'We are open!', When: '1 dec 10:30' });
    await ana.sees('10:30 (Lisbon)');
    await form.close();
    const again = await pressForForm(ana, 'Open', 'Schedule a post');
    await expect.poll(() => again.value('Text')).toBe('We are open!');
    await (await again.submit()).view?.close();
    await ana.press('Open');
    await expect.poll(() => ana.read()).not.toContain('[Open]');
    await ana.sees('Scheduled · Tue 1 Dec, 10:30 (Lisbon)');
    expect(running.service.created().map(({ Content }) => Content)).toEqual(['We are open!']);
  });

  test('that became a post which Upnext keeps: [Open] then shows until when it can be edited', async () => {
    await setPolicy({ leadMinutes: 60 });
    await askAndPress(ana, '@Upnext schedule 1 dec 9:30 on x: We are live!', 'Open');
    await (await (await ana.modal('Schedule a post')).submit()).view?.close();
    await ana.press('Open');
    await expect.poll(() => ana.read()).not.toContain('[Open]');
    await ana.sees('Editable until Tue 1 Dec, 08:30');
    expect(running.service.created()).toEqual([]);
  });

  test('is opened by its author only, and within the time for which it is stored', async () => {
    await startBot({ mode: 'http' });
    await ask(ana, '@Upnext schedule 1 dec 9:30 on x: We are live!', '[Open]');
    const expired =
      'This isn’t yours, or it’s too old. Write the post with /schedule-post, or see what’s scheduled with /upnext posts.';
    const { id, workspace } = await database.db.selectFrom('open_form').selectAll().executeTakeFirstOrThrow();
    await deliver(running, {
      type: 'block_actions',
      ...{ team: { id: workspace }, user: { id: 'U02BENOKAF' } },
      actions: [{ action_id: 'schedule-post.open-line', value: id }],
    });
    await (await running.workspace.as('Ben').inDirectMessage()).sees(expired);
    expect(ana.read()).not.toContain(expired);
    await database.db.deleteFrom('open_form').execute();
    await pressAndSee(ana, 'Open', expired);
  });

  test('stays readable while the service is out of order', async () => {
    running.service.on('GET /projects', json(500, '<html>'));
    await ask(ana, '@Upnext schedule 1 dec 9:30 on x: We are live!', 'Not sent.', 'We are live!', '[Open]');
  });
});

test('the same line sent twice within two minutes is one post', async () => {
  await submitLine(ana, LINE);
  expect((await submitLine(ana, LINE)).view?.text()).toContain('You’ve already sent this.');
  expect(running.service.created()).toHaveLength(1);
});

test('a project isn’t called unknown while not all projects can be read', async () => {
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }, { Name: 'Without id' }]));
  const form = await askForForm(ana, '/schedule-post tomorrow 9am on x for the bookshop', 'Schedule a post');
  expect(form.text()).toContain(
    'I couldn’t read all projects, so I don’t know which one “the bookshop” is. Choose one.',
  );
});

test('a project or platform that isn’t understood is asked about, in place of the channel’s project', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Twin', 'Twin'));
  for (const [line, text] of [
    ['tomorrow 9am on x for the bookshop', 'I don’t know which project “the bookshop” is. Choose one.'],
    ['tomorrow 9am on x for Twin', 'I don’t know which project “Twin” is. Choose one.'],
  ] as const) {
    const form = await askForForm(ana, `/schedule-post ${line}`, 'Schedule a post');
    expect(form.text()).toContain(text);
    expect(form.value('Project')).toBe('');
    await form.close();
  }
  const form = await askForForm(ana, '/schedule-post tomorrow 9am on x and bluesky', 'Schedule a post');
  expect(form.text()).toContain('I don’t know the platform “bluesky”. Choose the platforms.');
  expect(form.value('Platforms')).toBe('');
});
