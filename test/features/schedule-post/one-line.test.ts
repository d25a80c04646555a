import { describe, expect, test } from 'vitest';
import { data, hang, invalid, json } from '../../support/scripted-service.ts';
import { watchSent } from '../../support/sent-to-slack.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const LINE = '/schedule-post 1 dec 9:30 on x, linkedin: We are live!';

async function typeLine(line: string, options: { projectCount?: number } = {}) {
  await startBot();
  if (options.projectCount !== undefined) {
    const projectList = Array.from({ length: options.projectCount }, (_, index) => ({
      Id: `p${index}`,
      Name: `Project ${index}`,
    }));
    running.service.on('GET /projects', data(projectList));
  }
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type(line);
  await ana.sees('Ready to ');
  return ana;
}

describe('a post in one line', () => {
  test('a line is accepted while the service is down, with the last known projects', async () => {
    const ana = await typeLine('/schedule-post draft: Before');
    await running.service.stop();
    await ana.type(LINE);
    await ana.sees('isn’t answering');
    await ana.sees('Harbour Coffee ·');
    await ana.press('Schedule');
    await ana.sees('Saved, not sent yet.');
    await ana.type('/upnext outbox');
    await ana.sees('“We are live!”');
  });

  test('a line is previewed only to its author, and sent when the author presses the button', async () => {
    const ana = await typeLine(LINE);
    for (const expectedText of [
      'Tue 1 Dec, 09:30 (Lisbon)',
      'Harbour Coffee ·',
      'X and LinkedIn',
      'We are live!',
    ])
      await ana.sees(expectedText);
    await ana.sees('[Schedule] [Edit] [Cancel]');
    expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('We are live');
    expect(running.service.created()).toEqual([]);
    const texts: unknown[] = [];
    const watcher = watchSent({ onSent: ({ payload }) => texts.push(payload.text) });
    await ana.press('Schedule');
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    watcher.stop();
    expect(texts.at(-1)).toMatch(/^Scheduled for Tue 1 Dec, 09:30 \(Lisbon\)\. Harbour Coffee ·/);
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

  test('a line is sent once, however often the button is pressed', async () => {
    const ana = await typeLine(LINE);
    await Promise.all([ana.press('Schedule'), ana.press('Schedule')]);
    await ana.sees('Scheduled for');
    expect(running.service.created()).toHaveLength(1);
  });

  test('a line can be edited in the form with every value, and either the form or the line is sent, not both', async () => {
    const ana = await typeLine('/schedule-post draft 1 dec 9:30 on x: We are live!');
    await ana.press('Edit');
    const form = await ana.modal('Schedule a post');
    const formValues = ['Text', 'Platforms', 'When', 'When you submit'].map((label) => form.value(label));
    expect(formValues).toEqual(['We are live!', 'X', '1 dec 9:30', 'Save as draft']);
    await form.fill('Text', 'We are open!');
    expect((await form.submit()).closed).toBe(true);
    await ana.press('Back to preview');
    await ana.sees('Saved as a draft for Tue 1 Dec, 09:30 (Lisbon).');
    expect(running.service.created().map(({ Content }) => Content)).toEqual(['We are open!']);
  });

  test('a cancelled line stays readable, and can no longer be sent', async () => {
    const ana = await typeLine(LINE);
    await ana.press('Cancel');
    await ana.sees('Cancelled. Nothing was scheduled.');
    await ana.sees('We are live!');
    expect(running.service.created()).toEqual([]);
  });

  test('a line without a project or platform asks for them', async () => {
    const ana = await typeLine('/schedule-post 1 dec 9:30: We are live!', { projectCount: 3 });
    await ana.sees('Choose at least one platform.');
    await ana.choose('Choose a project', 'Project 2');
    await ana.sees('Project 2 ·');
    await ana.choose('Choose a platform', 'Telegram');
    await ana.sees('[Schedule] [Edit] [Cancel]');
    await ana.press('Schedule');
    await ana.sees('Scheduled for');
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p2/',
    );
  });

  test('a line without a time before the colon gets suggestions for a time', async () => {
    const ana = await typeLine('/schedule-post on x: We are live!');
    await ana.press('Sat 21 Nov, 09:00 (Lisbon)');
    await ana.sees('[Schedule] [Edit] [Cancel]');
    await ana.press('Schedule');
    await ana.sees('Scheduled for Sat 21 Nov, 09:00 (Lisbon).');
  });

  test('a line without a time can become a draft', async () => {
    const ana = await typeLine('/schedule-post on x: We are live!');
    await ana.press('Save as draft instead');
    await ana.press('Save draft');
    await ana.sees('📝 Saved as a draft.');
    expect(running.service.created()[0]?.Status).toBe('DRAFT');
  });

  test('a line can name one of a thousand projects', async () => {
    const ana = await typeLine('/schedule-post 1 dec 9:30 on x for Project 777: We are live!', {
      projectCount: 1_000,
    });
    await ana.press('Schedule');
    await ana.sees('Scheduled for');
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p777/',
    );
  });

  test('a line with several publishing times becomes several posts', async () => {
    const ana = await typeLine('/schedule-post mon, wed and fri 9am on x: We are live!');
    await ana.sees('3 posts');
    await ana.press('Schedule 3');
    await ana.sees('3 posts scheduled');
    expect(running.service.created()).toHaveLength(3);
  });

  test('a line that the chosen platform wouldn’t accept is reported, and has no button to send it', async () => {
    const ana = await typeLine(`/schedule-post 1 dec 9:30 on x: ${'long '.repeat(80)}`);
    await ana.sees('X: 119 characters too long.');
    expect(ana.read()).not.toContain('[Schedule]');
  });
});

describe('failures', () => {
  test('a refused line is reported, and can be corrected in the form', async () => {
    const ana = await typeLine(LINE);
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
    await ana.press('Schedule');
    await ana.sees('Not sent.');
    await ana.sees('is too loud');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.press('Fix and send again');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('We are live!');
    expect((await form.submit()).closed).toBe(true);
  });

  test('a line that is sent while the service is down is saved, and the message says so', async () => {
    const ana = await typeLine(LINE);
    await running.service.stop();
    await ana.press('Schedule');
    await ana.sees('Saved, not sent yet.');
    await ana.sees('We are live!');
  });

  test.each([
    ['is out of order', json(500, '<html>')],
    ['doesn’t respond', hang],
  ])('the text of a line stays readable if the service %s', async (_failure, respond) => {
    await startBot({ pace: { slowNoticeDelayMs: 100 }, maxCallMs: 500 });
    running.service.on('GET /projects', respond);
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type(LINE);
    await ana.sees('Not sent.');
    await ana.sees('We are live!');
  });

  test('a line in a direct message is previewed there', async () => {
    await startBot();
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ana.type('schedule 1 dec 9:30 on x: We are live!');
    await ana.sees('Ready to ');
    await ana.press('Schedule');
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
  });

  test('a line without a colon opens the form with the time, the platforms and the text in their fields', async () => {
    await startBot();
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/schedule-post tomorrow on x Hello without a colon');
    const form = await ana.modal('Schedule a post');
    expect(['Text', 'Platforms', 'When'].map((label) => form.value(label))).toEqual([
      'Hello without a colon',
      'X',
      'tomorrow',
    ]);
  });

  test('a line without a time or a colon becomes the text, and a note explains how to write both in one line', async () => {
    await startBot();
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/schedule-post We are live, come and see!');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('We are live, come and see!');
    expect(form.value('When')).toBe('');
    await ana.sees('/schedule-post tomorrow 9am on x: Hello!');
  });

  test('an unknown platform is named, and doesn’t become the time', async () => {
    await startBot();
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/schedule-post tomorrow 9am on myspace: Hi');
    await ana.sees('I don’t know the platform “myspace”.');
    await ana.sees('Sat 21 Nov, 09:00 (Lisbon)');
    await ana.choose('Choose a platform', 'X');
    await ana.press('Schedule');
    await ana.sees('Scheduled for Sat 21 Nov, 09:00 (Lisbon).');
  });

  test('a project or platform that isn’t understood is asked about, in place of the channel’s project', async () => {
    await startBot();
    running.service.on(
      'GET /projects',
      data([
        { Id: 'p1', Name: 'Harbour Coffee' },
        { Id: 'p2', Name: 'Twin' },
        { Id: 'p3', Name: 'Twin' },
      ]),
    );
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    for (const [line, text] of [
      ['tomorrow 9am on x for the bookshop', 'I don’t know which project “the bookshop” is. Choose one.'],
      ['tomorrow 9am on x for Twin', 'I don’t know which project “Twin” is. Choose one.'],
    ] as const) {
      await ana.type(`/schedule-post ${line}`);
      const form = await ana.modal('Schedule a post');
      expect(form.text()).toContain(text);
      expect(form.value('Project')).toBe('');
      await form.close();
    }
    await ana.type('/schedule-post tomorrow 9am on x and bluesky');
    const form = await ana.modal('Schedule a post');
    expect(form.text()).toContain('I don’t know the platform “bluesky”. Choose the platforms.');
    expect(form.value('Platforms')).toBe('');
  });

  test('a line without a text opens the form with the other values', async () => {
    await startBot();
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/upnext draft 1 dec 9:30 on ig');
    const form = await ana.modal('Schedule a post');
    expect(['Platforms', 'When', 'When you submit'].map((label) => form.value(label))).toEqual([
      'Instagram',
      '1 dec 9:30',
      'Save as draft',
    ]);
  });
});
