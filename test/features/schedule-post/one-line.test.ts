import { describe, expect, test } from 'vitest';
import { data, hang, invalid, json } from '../../support/scripted-service.ts';
import { watchSent } from '../../support/sent-to-slack.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

const LINE = '/schedule-post 1 dec 9:30 on x, linkedin: We are live!';

async function typed(line: string, options: { projects?: number } = {}) {
  await startBot();
  if (options.projects !== undefined) {
    const all = Array.from({ length: options.projects }, (_, at) => ({
      Id: `p${at}`,
      Name: `Project ${at}`,
    }));
    running.service.on('GET /projects', data(all));
  }
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type(line);
  await ana.sees('not sent yet');
  return ana;
}

describe('a post in one line', () => {
  test('is taken while the service does not answer, for the projects that it named last', async () => {
    const ana = await typed('/schedule-post draft: Before');
    await running.service.stop();
    await ana.type(LINE);
    await ana.sees('does not answer just now');
    await ana.sees('Project: Harbour Coffee');
    await ana.press('Schedule');
    await ana.sees('Saved, not sent yet.');
    await ana.type('/upnext outbox');
    await ana.sees('“We are live!”');
  });

  test('is shown to its person alone, and sent with a press', async () => {
    const ana = await typed(LINE);
    for (const words of [
      'Tue 1 Dec, 09:30 (Lisbon)',
      'Project: Harbour Coffee',
      'X and LinkedIn',
      'We are live!',
    ])
      await ana.sees(words);
    await ana.sees('[Schedule] [Edit] [Cancel]');
    expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('We are live');
    expect(running.service.created()).toEqual([]);
    const texts: unknown[] = [];
    const sent = watchSent({ onSent: ({ payload }) => texts.push(payload.text) });
    await ana.press('Schedule');
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
    sent.stop();
    expect(texts.at(-1)).toMatch(/^Scheduled for Tue 1 Dec, 09:30 \(Lisbon\)\. Project: Harbour Coffee/);
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

  test('is sent once, however often it is pressed', async () => {
    const ana = await typed(LINE);
    await Promise.all([ana.press('Schedule'), ana.press('Schedule')]);
    await ana.sees('Scheduled for');
    expect(running.service.created()).toHaveLength(1);
  });

  test('is edited in the form with everything, and the two together send once', async () => {
    const ana = await typed('/schedule-post draft 1 dec 9:30 on x: We are live!');
    await ana.press('Edit');
    const form = await ana.modal('Schedule a post');
    const shown = ['Text', 'Platforms', 'When', 'Save as'].map((label) => form.value(label));
    expect(shown).toEqual(['We are live!', 'X', '1 dec 9:30', 'Draft']);
    await form.fill('Text', 'We are open!');
    const { view } = await form.submit();
    expect(view?.title()).toBe('Saved');
    await view?.close();
    await ana.press('Save draft');
    await ana.sees('Saved as a draft for Tue 1 Dec, 09:30 (Lisbon).');
    expect(running.service.created().map(({ Content }) => Content)).toEqual(['We are open!']);
  });

  test('is cancelled with its words kept in sight, and cannot be sent any more', async () => {
    const ana = await typed(LINE);
    await ana.press('Cancel');
    await ana.sees('Cancelled: nothing was sent.');
    await ana.sees('We are live!');
    expect(running.service.created()).toEqual([]);
  });

  test('asks for the project and the platform that are missing', async () => {
    const ana = await typed('/schedule-post 1 dec 9:30: We are live!', { projects: 3 });
    await ana.sees('Choose at least one platform.');
    await ana.choose('Choose a project', 'Project 2');
    await ana.sees('Project: Project 2');
    await ana.choose('Choose a platform', 'Telegram');
    await ana.sees('[Schedule] [Edit] [Cancel]');
    await ana.press('Schedule');
    await ana.sees('Scheduled for');
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p2/',
    );
  });

  test('asks for the moment with a few that are usual', async () => {
    const ana = await typed('/schedule-post on x: We are live!');
    await ana.press('Sat 21 Nov, 09:00 (Lisbon)');
    await ana.sees('[Schedule] [Edit] [Cancel]');
    await ana.press('Schedule');
    await ana.sees('Scheduled for Sat 21 Nov, 09:00 (Lisbon).');
  });

  test('without a moment can become a draft', async () => {
    const ana = await typed('/schedule-post on x: We are live!');
    await ana.press('Make it a draft');
    await ana.press('Save draft');
    await ana.sees('Saved as a draft.');
    expect(running.service.created()[0]?.Status).toBe('DRAFT');
  });

  test('names a project of a thousand', async () => {
    const ana = await typed('/schedule-post 1 dec 9:30 on x for Project 777: We are live!', {
      projects: 1_000,
    });
    await ana.press('Schedule');
    await ana.sees('Scheduled for');
    expect(running.service.calls.findLast(({ method }) => method === 'POST')?.path).toContain(
      '/projects/p777/',
    );
  });

  test('is several posts where it has several moments', async () => {
    const ana = await typed('/schedule-post mon, wed and fri 9am on x: We are live!');
    await ana.sees('3 posts');
    await ana.press('Schedule 3');
    await ana.sees('Scheduled for Wed 25 Nov, 09:00 (Lisbon).');
    expect(running.service.created()).toHaveLength(3);
  });

  test('that no platform would take is told, and not offered to be sent', async () => {
    const ana = await typed(`/schedule-post 1 dec 9:30 on x: ${'long '.repeat(80)}`);
    await ana.sees('X counts 399 of 280.');
    expect(ana.read()).not.toContain('[Schedule]');
  });
});

describe('what goes wrong', () => {
  test('a refusal says so, with every word', async () => {
    const ana = await typed(LINE);
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
    await ana.press('Schedule');
    await ana.sees('Not sent.');
    await ana.sees('is too loud');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await ana.press('Fix and send again');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('We are live!');
    expect((await form.submit()).view?.title()).toBe('Scheduled');
  });

  test('a service that is down keeps it, and says that it goes on by itself', async () => {
    const ana = await typed(LINE);
    await running.service.stop();
    await ana.press('Schedule');
    await ana.sees('Saved, not sent yet.');
    await ana.sees('We are live!');
  });

  test.each([
    ['that is out of order', json(500, '<html>')],
    ['that hangs', hang],
  ])('a service %s leaves the words in sight', async (_what, answer) => {
    await startBot({ pace: { slowMs: 100 }, maxCallMs: 500 });
    running.service.on('GET /projects', answer);
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type(LINE);
    await ana.sees('Not sent.');
    await ana.sees('We are live!');
  });

  test('what was written elsewhere than in a command is shown there too', async () => {
    await startBot();
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ana.type('schedule 1 dec 9:30 on x: We are live!');
    await ana.sees('not sent yet');
    await ana.press('Schedule');
    await ana.sees('Scheduled for Tue 1 Dec, 09:30 (Lisbon).');
  });

  test('without a text the form opens with what is known', async () => {
    await startBot();
    const ana = running.workspace.as('Ana').in('#harbour-coffee');
    await ana.type('/upnext draft 1 dec 9:30 on ig');
    const form = await ana.modal('Schedule a post');
    expect(['Platforms', 'When', 'Save as'].map((label) => form.value(label))).toEqual([
      'Instagram',
      '1 dec 9:30',
      'Draft',
    ]);
  });
});
