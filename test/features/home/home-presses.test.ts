import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { insertPost } from '../../support/post-submissions.ts';
import { data, json, listProjects } from '../../support/scripted-service.ts';
import { type Sent, watchSent } from '../../support/sent-to-slack.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { pressAndConfirm } from '../../support/steps.ts';

const { database, running } = setUpBot({ limits: false });

/** Time for one press. The machine may be busy with other tests. */
const PRESS = { timeout: WAIT_MS, interval: 20 };

let sentPayloads: Sent[] = [];
let stopWatching: () => string[];

beforeEach(() => {
  sentPayloads = [];
  stopWatching = watchSent({ onSent: (payload) => sentPayloads.push(payload) }).stop;
});
afterEach(() => stopWatching());

const PROJECTS = listProjects('Harbour Coffee', 'Night Market');

function createPost(id: string, isDraft: boolean) {
  return {
    Id: id,
    Content: `Post ${id}`,
    Platforms: ['X'],
    Status: isDraft ? 'DRAFT' : 'SCHEDULED',
    ...(!isDraft && { ScheduleDate: '2026-11-23T09:00:00+01:00', Timezone: 'Europe/Berlin' }),
  };
}

function scriptPosts(): void {
  running.service.on('GET /projects', PROJECTS);
  running.service.on('GET /upnext-post', data(createPost('next', false)));
  running.service.on('GET /posts', (call, response) => {
    const isDraft = call.query.getAll('status').includes('DRAFT');
    const posts = Array.from({ length: 30 }, (_, index) => createPost(`${index}`, isDraft));
    return data(posts)(call, response);
  });
}

const storeWaitingSubmission = () =>
  insertPost(database.db, { id: 's1', author: 'U01ANAFERR', createdAt: NOW }, { state: 'unsure' });

function listButtons(text: string): string[] {
  return [...new Set([...text.matchAll(/\[([^\]\n]+)\]/g)].map(([, label = '']) => label))];
}

function listMessages(): string[] {
  return sentPayloads
    .filter(({ to }) => to.startsWith('chat.'))
    .map(({ payload }) => JSON.stringify(payload));
}

interface SentView {
  title: { text: string };
  submit?: unknown;
  blocks: { elements?: SentElement[]; accessory?: SentElement }[];
}
interface SentElement {
  type: string;
  options?: { text: { text: string } }[];
  text?: { text: string };
}

/**
 * Returns the last content of the modal with this title, or throws if none was sent. A late update of an earlier modal may
 * have been sent after it.
 */
function getLastView(title: string): SentView {
  const views = sentPayloads
    .filter(({ to }) => ['views.open', 'views.push', 'views.update'].includes(to))
    .map(({ payload }) => payload.view as unknown as SentView);
  const view = views.findLast((view) => view.title.text === title);
  if (!view) throw new Error(`no modal “${title}” was opened`);
  return view;
}

function listViewButtons({ blocks }: SentView): string[] {
  const elements = blocks.flatMap(({ elements = [], accessory }) => [
    ...elements,
    ...(accessory ? [accessory] : []),
  ]);
  return elements.flatMap(({ type, text }) => (type === 'button' && text ? [text.text] : []));
}

/** Lists the commands in the menu of Home. */
function listMenuCommands(): string[] {
  const published = sentPayloads.findLast(({ to }) => to === 'views.publish');
  const { blocks } = (published?.payload.view ?? { blocks: [] }) as unknown as SentView;
  const menus = blocks
    .flatMap(({ elements = [] }) => elements)
    .filter(({ type }) => type === 'static_select');
  return menus.flatMap(({ options = [] }) => options.map(({ text }) => text.text));
}

/** Waits until the app has called the method, and until the final content of the modal is visible. */
async function waitForMethod(method: string): Promise<void> {
  await vi.waitFor(() => {
    expect(listMessages()).toEqual([]);
    expect(sentPayloads.map(({ to }) => to)).toContain(method);
  }, PRESS);
}

const INTERIM = /^(?:Loading…|This takes longer than usual.*)$/m;

/** Presses a button on Home or chooses a command in its menu, and returns the modal with its final content. No other modal may be open. */
async function openFromHome(home: Awaited<ReturnType<typeof openHome>>, label: string) {
  const ana = running.workspace.as('Ana');
  const textWithoutModal = ana.read();
  sentPayloads = [];
  await (home.text().includes(`[${label}]`) ? pressAndConfirm(home, label) : home.choose('Manage…', label));
  await waitForMethod('views.open');
  await vi.waitFor(() => {
    const text = ana.read();
    expect(listMessages(), label).toEqual([]);
    expect(text, label).not.toBe(textWithoutModal);
    if (!text.includes('[Try again]')) expect(text, label).not.toMatch(INTERIM);
  }, PRESS);
  const modal = ana.topModal();
  if (!modal) throw new Error(`${label} opened no modal`);
  // Throws if the modal was open before the press.
  getLastView(modal.title());
  return modal;
}

function openHome(heading: string) {
  return running.workspace.as('Ana').home(heading);
}

/** Presses every button on Home, chooses every command in its menu, and returns the labels of the buttons and the final text of each modal. */
async function pressAll(heading: string): Promise<Map<string, string>> {
  const ana = running.workspace.as('Ana');
  const home = await openHome(heading);
  const texts = new Map<string, string>();
  for (const label of [...listButtons(home.text()), ...listMenuCommands()]) {
    if (['Refresh', 'Try again'].includes(label)) {
      sentPayloads = [];
      await home.press(label);
      await waitForMethod('views.publish');
    } else {
      const modal = await openFromHome(home, label);
      texts.set(label, modal.text());
      await modal.close();
    }
  }
  expect((await ana.inDirectMessage()).messages()).toEqual([]);
  expect(running.logged.filter((line) => line.includes('could not show'))).toEqual([]);
  return texts;
}

test('every button answers when there are posts, drafts, several projects and a waiting submission', async () => {
  scriptPosts();
  await storeWaitingSubmission();
  const texts = await pressAll('drafts');
  for (const label of ['New post', 'Open outbox', 'All drafts', 'What’s next', 'Projects', 'Help'])
    expect([...texts.keys()]).toContain(label);
  expect(texts.get('Projects')).toContain('Harbour Coffee');
  expect(texts.get('What’s next')).toContain('Harbour Coffee');
});

test('every button answers when nothing is scheduled', async () =>
  expect((await pressAll('Nothing is scheduled.')).size).toBeGreaterThan(15));

test('every button answers while the service refuses requests', async () => {
  running.service.on('GET /projects', json(500, {}));
  expect((await pressAll('I couldn’t load the posts.')).get('Projects')).toContain('Try again');
});

/** The answer to this button is in the modal, and says that the file is in a direct message. */
const SENDS_FILE = 'Export as CSV';

test('buttons in a modal that was opened from Home answer in this modal', async () => {
  scriptPosts();
  await storeWaitingSubmission();
  const ana = running.workspace.as('Ana');
  const home = await openHome('drafts');
  const pressedButtons: string[] = [];
  const buttonsOfHome = listButtons(home.text()).filter((label) => label !== 'Refresh');
  const menuCommands = listMenuCommands();
  for (const label of [...buttonsOfHome, ...menuCommands]) {
    let root = await openFromHome(home, label);
    const view = getLastView(root.title());
    const buttons = view.submit === undefined ? listViewButtons(view) : [];
    for (const button of buttons.filter((label) => label !== SENDS_FILE)) {
      await root.close();
      if (!home.text().includes(`[${label}]`) && !menuCommands.includes(label)) break;
      root = await openFromHome(home, label);
      const text = root.text();
      if (!text.includes(`[${button}]`)) continue;
      sentPayloads = [];
      await pressAndConfirm(root, button);
      await vi.waitFor(() => {
        expect(listMessages(), `${label}: ${button}`).toEqual([]);
        expect(ana.read(), `${label}: ${button}`).not.toContain(text);
      }, PRESS);
      pressedButtons.push(button);
    }
    if (root.open) await root.close();
  }
  for (const button of ['Night Market', 'Check again', 'Give a role'])
    expect(pressedButtons).toContain(button);
  expect(running.logged.filter((line) => line.includes('could not show'))).toEqual([]);
});

test('a list that was opened from Home turns its pages and opens its filter in the same modal', async () => {
  scriptPosts();
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const ana = running.workspace.as('Ana');
  const list = await openFromHome(await openHome('drafts'), 'All posts');
  await list.press('Next page');
  await ana.sees('page 2 of 3');
  await list.press('Filter');
  await ana.modal('Filter posts');
  expect(listMessages()).toEqual([]);
});
