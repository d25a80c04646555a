import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { data, json } from '../../support/scripted-service.ts';
import { type Sent, watchSent } from '../../support/sent-to-slack.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

let sentPayloads: Sent[] = [];
let stopWatching: () => string[];
beforeEach(() => {
  sentPayloads = [];
  stopWatching = watchSent({ onSent: (payload) => sentPayloads.push(payload) }).stop;
});
afterEach(() => {
  stopWatching();
});

const PICTURE = 'Calendar of Harbour Coffee, Fri 20 Nov to Thu 26 Nov. Times in Lisbon.';

/** Scripts one project with these scheduled posts: their texts, by time. */
function schedulePosts(posts: Readonly<Record<string, string>>): void {
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
  running.service.on('GET /posts', (call, response) => {
    const isDraft = call.query.getAll('status').includes('DRAFT');
    const records = Object.entries(posts).map(([ScheduleDate, Content]) => ({
      ...{ Id: Content, Content, ScheduleDate, Platforms: ['X'], Status: 'SCHEDULED' },
    }));
    return data(isDraft ? [] : records)(call, response);
  });
}

interface SentBlock {
  type: string;
  alt_text?: string;
  slack_file?: { id: string };
}

/** Lists the blocks of each view of Home that was published with its content. */
function listHomes(): SentBlock[][] {
  return sentPayloads
    .filter(({ to }) => to === 'views.publish')
    .map(({ payload }) => (payload.view as { blocks: SentBlock[] }).blocks)
    .filter((blocks) => blocks.length > 1);
}
const findPicture = (blocks: SentBlock[] = []) => blocks.find(({ type }) => type === 'image');
const listPictures = () => listHomes().map((blocks) => findPicture(blocks)?.slack_file?.id);
const countUploads = () => running.workspace.faults.counts().calls['files.completeUploadExternal'] ?? 0;
const listDeletedFiles = () =>
  sentPayloads.filter(({ to }) => to === 'files.delete').map(({ payload }) => payload.file);

describe('the picture of the week on Home', () => {
  beforeEach(async () => {
    await startBot();
    schedulePosts({ '2026-11-23T09:00:00Z': 'Winter blend' });
  });

  test('Home begins with the week’s picture, which says the same in its description', async () => {
    const home = await running.workspace.as('Ana').home(PICTURE);
    expect(home.text()).toContain('Fri 20 Nov: no more posts. Sat 21 Nov: no posts.');
    expect(home.text()).toContain('Mon 23 Nov: 09:00 X “Winter blend”.');
    const [header, picture, glance] = listHomes().at(-1) ?? [];
    expect([header?.type, picture?.type, glance?.type]).toEqual(['header', 'image', 'section']);
    expect(JSON.stringify(glance)).toContain('*Today:*');
  });

  test('the text of Home doesn’t wait for the picture', async () => {
    await running.workspace.as('Ana').home(PICTURE);
    const [first, second, ...others] = listHomes();
    expect(findPicture(first)).toBeUndefined();
    expect(JSON.stringify(first)).toContain('Winter blend');
    expect(findPicture(second)).toBeDefined();
    expect(others).toEqual([]);
  });

  test('opening Home again, or by somebody with the same week, publishes the same, and uploads nothing', async () => {
    await running.workspace.as('Ana').home(PICTURE);
    sentPayloads = [];
    await running.workspace.as('Ana').home(PICTURE);
    // A call is repeated if Upnext hadn't stored the hash of the last Home yet.
    await expect.poll(() => new Set(listHomes().map((blocks) => JSON.stringify(blocks))).size).toBe(1);
    running.workspace.admin.changePerson('Ben', { tz: 'Europe/Lisbon' });
    await running.workspace.as('Ben').home(PICTURE);
    const pictures = new Set(listPictures());
    expect(pictures.size).toBe(1);
    expect(pictures).not.toContain(undefined);
    expect(countUploads()).toBe(1);
  });

  test('when the week changes, Home shows a new picture, and the replaced file is deleted', async () => {
    const ana = running.workspace.as('Ana');
    const home = await ana.home(PICTURE);
    const firstFile = listPictures().at(-1) ?? '';
    schedulePosts({ '2026-11-24T09:00:00Z': 'Spring blend' });
    await home.press('Refresh');
    await ana.home('Tue 24 Nov: 09:00 X “Spring blend”.');
    expect(countUploads()).toBe(2);
    await expect.poll(listDeletedFiles).toEqual([firstFile]);
  });

  test('a file stays while somebody else’s Home shows it', async () => {
    running.workspace.admin.changePerson('Ben', { tz: 'Europe/Lisbon' });
    const homeOfAna = await running.workspace.as('Ana').home(PICTURE);
    const firstFile = listPictures().at(-1);
    await running.workspace.as('Ben').home(PICTURE);
    schedulePosts({ '2026-11-24T09:00:00Z': 'Spring blend' });
    await homeOfAna.press('Refresh');
    await running.workspace.as('Ana').home('Tue 24 Nov: 09:00 X “Spring blend”.');
    expect(listDeletedFiles()).toEqual([]);
    await running.workspace.as('Ben').home('Tue 24 Nov: 09:00 X “Spring blend”.');
    await expect.poll(listDeletedFiles).toEqual([firstFile]);
  });

  test('while a picture is on its way, a newer Home replaces it', async () => {
    const ana = running.workspace.as('Ana');
    const home = await ana.home('Winter blend');
    schedulePosts({ '2026-11-24T09:00:00Z': 'Spring blend' });
    await home.press('Refresh');
    await ana.home('Tue 24 Nov: 09:00 X “Spring blend”.');
    const shownTexts = listHomes().map((blocks) => JSON.stringify(blocks));
    const firstNewHome = shownTexts.findIndex((text) => text.includes('Spring blend'));
    expect(shownTexts.slice(firstNewHome).filter((text) => text.includes('Winter blend'))).toEqual([]);
  });

  test('if Slack refuses the picture, Home is published without it, and then with a new one', async () => {
    const home = await running.workspace.as('Ana').home(PICTURE);
    const client = new WebClient(running.workspace.botToken, { slackApiUrl: running.workspace.apiUrl });
    await client.files.delete({ file: listPictures().at(-1) ?? '' });
    await home.press('Refresh');
    await expect.poll(() => home.text()).not.toContain(PICTURE);
    expect(home.text()).toContain('Winter blend');
    await running.workspace.as('Ana').home(PICTURE);
    expect(countUploads()).toBe(2);
    expect(running.logged.filter((line) => /failed|could not/.test(line))).toEqual([]);
  });
});

describe('Home has no picture', () => {
  /** Opens Home, and waits until it is published a second time, which comes after a picture would. */
  async function openTwice(text: string): Promise<void> {
    const ana = running.workspace.as('Ana');
    const home = await ana.home(text);
    const count = listHomes().length;
    await home.press('Refresh');
    await expect.poll(() => listHomes().length).toBeGreaterThan(count);
    expect(listPictures().filter((file) => file !== undefined)).toEqual([]);
  }

  test('if the next seven days have no posts', async () => {
    await startBot();
    schedulePosts({ '2026-11-27T09:00:00Z': 'After the week' });
    await openTwice('After the week');
    expect(countUploads()).toBe(0);
  });

  test('if posts may be missing, because the picture would say that there are none', async () => {
    await startBot();
    schedulePosts({ '2026-11-23T09:00:00Z': 'Winter blend' });
    running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }, { Name: 'Unreadable' }]));
    await openTwice('Winter blend');
    running.service.on('GET /posts', json(503, {}));
    await (await running.workspace.as('Ana').home('Winter blend')).press('Refresh');
    await openTwice('I couldn’t load all posts.');
    expect(countUploads()).toBe(0);
  });

  test('in a workspace that declined files:write, and nothing is reported as a failure', async () => {
    await startBot({ declinedScopes: ['files:write'] });
    schedulePosts({ '2026-11-23T09:00:00Z': 'Winter blend' });
    await openTwice('Winter blend');
    expect(running.logged.filter((line) => line.includes('picture'))).toEqual([]);
  });
});
