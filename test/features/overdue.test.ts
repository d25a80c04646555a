import { beforeAll, describe, expect, test } from 'vitest';
import { expectParts } from '../support/form-steps.ts';
import { readExportedCsv } from '../support/read-exported-csv.ts';
import { data, listedPost } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../support/steps.ts';

/** A post whose time has passed, and that the service still lists as scheduled, is overdue wherever it is shown. */
const STUCK = listedPost('Stuck since dawn', '2026-11-20T06:00:00Z', { Id: 'a' });
const { ana, running, startBot } = setUpBot();
beforeAll(async () => {
  await startBot();
  running.service.on(
    'GET /posts',
    data([STUCK, listedPost('Still to come', '2026-11-20T20:00:00Z', { Id: 'b' })]),
  );
});

async function answer(line: string, text = 'Stuck since dawn'): Promise<string> {
  await ask(ana, line, text);
  return ana.messages().at(-1) ?? '';
}
const findRow = (text: string, content = 'Stuck since dawn') => {
  const lines = text.split('\n');
  return lines[lines.indexOf(content) - 1];
};

test.each(['/upnext posts 20 nov', '/upnext posts scheduled', '/upnext posts'])('in “%s”', async (line) => {
  const list = await answer(line);
  expect(findRow(list)).toContain('⚠️ Overdue');
  expect(findRow(list, 'Still to come')).not.toContain('Overdue');
});

test('on its card', async () => {
  await answer('/upnext posts 20 nov');
  const card = (await pressForForm(ana, 'Open: Stuck since dawn', 'Post')).text();
  expectParts(card, 'Overdue', 'The service still lists it as scheduled.');
  expect(card).not.toContain('publishes it at its time');
});

test('in the exported file', async () => {
  await answer('/upnext posts 20 nov');
  await pressAndSee(ana, 'Export as CSV', 'as CSV.');
  const { text } = await readExportedCsv(running);
  expect(text).toMatch(/,Overdue,.*Stuck since dawn/);
  expect(text).toMatch(/,Scheduled,.*Still to come/);
});

test('in a week, and in the picture of a weekly digest', async () => {
  expect(findRow(await answer('/upnext week'))).toContain('⚠️ Overdue');
  await ana.type('/upnext digest weekly friday 9:00');
  await ana.choose('More options', 'Preview for me');
  const directMessages = await running.workspace.as('Ana').inDirectMessage();
  await directMessages.sees('1 post to go');
  expect(directMessages.read()).toMatch(/Stuck since dawn” \(overdue\)/);
});

describe('a card that isn’t read anew', () => {
  const openAt = async (listedAt: string, openedAt: string) => {
    await startBot({ followsClock: true, startTime: new Date(listedAt) });
    running.service.on('GET /posts', data([STUCK]));
    await answer('/upnext posts 20 nov');
    running.service.calls.length = 0;
    running.workspace.clock.advance(Date.parse(openedAt) - Date.parse(listedAt));
    const card = await pressForForm(ana, 'Open: Stuck since dawn', 'Post');
    expect(running.service.calls).toEqual([]);
    return card.text();
  };

  test('isn’t called overdue if the list was read before the time of the post', async () => {
    const card = await openAt('2026-11-20T05:00:00Z', '2026-11-20T08:00:00Z');
    expectParts(card, 'Not confirmed yet', 'Its time has passed, and I don’t know yet whether it went out.');
    expect(card).not.toMatch(/Overdue|still lists it/);
  });

  test('nor if the list was read soon after that', async () =>
    expect(await openAt('2026-11-20T06:10:00Z', '2026-11-20T08:00:00Z')).not.toMatch(/Overdue|still lists/));

  test('is called scheduled before the time', async () =>
    expect(await openAt('2026-11-20T05:00:00Z', '2026-11-20T05:30:00Z')).toContain('Scheduled'));
});
