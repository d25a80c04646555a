import { beforeAll, expect, test } from 'vitest';
import { readExportedCsv } from '../support/read-exported-csv.ts';
import { data } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';

/** A post whose time has passed, and that the service still lists as scheduled, is overdue wherever it is shown. */
const { running, startBot } = setUpBot();
beforeAll(async () => {
  await startBot();
  running.service.on(
    'GET /posts',
    data([
      {
        ...{ Id: 'a', Content: 'Stuck since dawn', Platforms: ['X'], Status: 'SCHEDULED' },
        ScheduleDate: '2026-11-20T06:00:00Z',
      },
      {
        ...{ Id: 'b', Content: 'Still to come', Platforms: ['X'], Status: 'SCHEDULED' },
        ScheduleDate: '2026-11-20T20:00:00Z',
      },
    ]),
  );
});

const ana = () => running.workspace.as('Ana').in('#harbour-coffee');

async function answer(line: string, text = 'Stuck since dawn'): Promise<string> {
  await ana().type(line);
  await ana().sees(text);
  return ana().messages().at(-1) ?? '';
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
  await ana().press('Open: Stuck since dawn');
  const card = (await ana().modal('Post')).text();
  expect(card).toContain('Overdue');
  expect(card).toContain('The service still lists it as scheduled.');
  expect(card).not.toContain('publishes it at its time');
});

test('in the exported file', async () => {
  await answer('/upnext posts 20 nov');
  await ana().press('Export as CSV');
  await ana().sees('as CSV.');
  const { text } = await readExportedCsv(running);
  expect(text).toMatch(/,Overdue,.*Stuck since dawn/);
  expect(text).toMatch(/,Scheduled,.*Still to come/);
});

test('in a week, and in the picture of a weekly digest', async () => {
  expect(findRow(await answer('/upnext week'))).toContain('⚠️ Overdue');
  await ana().type('/upnext digest weekly friday 9:00');
  await ana().choose('More options', 'Preview for me');
  const directMessages = await running.workspace.as('Ana').inDirectMessage();
  await directMessages.sees('1 post to go');
  expect(directMessages.read()).toMatch(/Stuck since dawn” \(overdue\)/);
});
