import type { Page } from 'playwright-core';
import type { PracticePage } from '../test/support/practice-page.ts';

/** Every surface of Upnext, and how a person gets there. */

/** A person's way to a surface. */
export interface Visit {
  page: Page;
  practice: PracticePage;
  /** Sends a line in #harbour-coffee, or where the page is. */
  line(text: string): Promise<void>;
  press(name: string | RegExp): Promise<void>;
  fill(label: RegExp, text: string): Promise<void>;
  choose(label: RegExp, option: string): Promise<void>;
}

interface Surface {
  name: string;
  /** The person's handle. Defaults to ana, who is an Owner. */
  person?: string;
  show(visit: Visit): Promise<void>;
  /** Scrolls to what the picture is about, on a wide and on a narrow screen. */
  scroll?(page: Page): Promise<unknown>;
}

const showLine = (name: string, line: string): Surface => ({ name, show: (visit) => visit.line(line) });

const scrollToEnd = (selector: string) => (page: Page) =>
  page
    .locator(selector)
    .last()
    .evaluate((element) => element.scrollTo(0, element.scrollHeight));

/** Scrolls to the last message with the text. */
const scrollToMessage = (text: RegExp) => (page: Page) =>
  page.locator('.message', { hasText: text }).last().scrollIntoViewIfNeeded();

const TEXT = 'Cupping night: six coffees, one table. https://harbour-coffee.example/cupping';

async function writePost(visit: Visit, when = 'thursday 17:00', text = TEXT): Promise<void> {
  await visit.line('/schedule-post');
  await fillPost(visit, when, text);
}

async function fillPost(visit: Visit, when: string, text: string): Promise<void> {
  await visit.fill(/^Text/, text);
  await visit.choose(/^Platforms/, 'LinkedIn');
  await visit.fill(/^When/, when);
}

async function openHome(visit: Visit): Promise<void> {
  await openMessages(visit);
  await visit.page.getByRole('tab', { name: 'Home' }).click();
}

const openMessages = (visit: Visit) =>
  visit.page
    .getByRole('navigation', { name: 'Workspace' })
    .getByRole('button', { name: /^Upnext/ })
    .click();

const DAILY_DIGEST = /Harbour Coffee, Mon 23 Nov/;
const WEEKLY_DIGEST = /the week from Mon 23 Nov/;

/** Moves the clock past the time of a digest, and waits for its message. */
async function waitForDigest({ page, practice }: Visit, time: string, text: RegExp): Promise<void> {
  practice.moveClock(time);
  await page.locator('.message', { hasText: text }).last().waitFor();
}

/** In the order in which they are shown. Later ones find what earlier ones did. */
export const SURFACES: readonly Surface[] = [
  { name: 'welcome', show: openMessages },
  { name: 'access-needed', person: 'mira', show: (visit) => visit.line('/schedule-post') },
  {
    name: 'access-request-form',
    person: 'mira',
    show: async (visit) => {
      await visit.line('/upnext roles');
      await visit.page.getByRole('combobox', { name: 'Request a role' }).last().click();
    },
  },
  {
    name: 'access-request-sent',
    person: 'mira',
    show: async (visit) => {
      await visit.line('/schedule-post');
      await visit.press('Request access');
    },
  },
  { name: 'access-request-to-owner', show: openMessages },
  showLine('use-project', '/upnext use Harbour Coffee'),
  showLine('post-form', '/schedule-post'),
  { name: 'post-form-typed', show: (visit) => writePost(visit) },
  {
    name: 'post-form-more-options',
    show: async (visit) => {
      await writePost(visit);
      await visit.press(/More options/);
    },
    scroll: scrollToEnd('.modal .dialog-body'),
  },
  {
    name: 'post-form-errors',
    show: async (visit) => {
      await visit.line('/schedule-post');
      await visit.fill(/^When/, '31 Feb 9am');
      await visit.press('Schedule');
    },
  },
  {
    name: 'post-form-too-long',
    show: async (visit) => {
      await writePost(visit);
      await visit.choose(/^Platforms/, 'X');
      await visit.fill(/^Text/, 'Six coffees, one table, and nobody needs to know anything. '.repeat(7));
    },
  },
  showLine('line', '/schedule-post tomorrow 9:30 on x, linkedin: We are live!'),
  {
    name: 'receipt',
    show: async (visit) => {
      await writePost(visit);
      await visit.press('Schedule');
    },
  },
  {
    name: 'receipt-several',
    show: async (visit) => {
      await writePost(visit, 'mon, wed and fri 9am', 'Open at nine, as always.');
      await visit.press('Schedule');
      await visit.press('Schedule 3');
    },
  },
  {
    name: 'draft-receipt',
    show: async (visit) => {
      await writePost(visit, '');
      await visit.press(/More options/);
      await visit.page.getByRole('radio', { name: 'Save as draft' }).click();
      await visit.press(/^Save/);
    },
  },
  showLine('next-post', '/upnext'),
  showLine('list', '/upnext posts next week'),
  showLine('list-drafts', '/upnext posts drafts'),
  showLine('list-platform', '/upnext posts instagram'),
  showLine('list-failed', '/upnext posts failed'),
  showLine('list-mine', '/upnext posts mine'),
  showLine('list-empty', '/upnext posts in 2031'),
  {
    name: 'list-filter',
    show: async (visit) => {
      await visit.line('/upnext posts next week');
      await visit.press('Filter');
    },
  },
  {
    name: 'card-from-list',
    show: async (visit) => {
      await visit.line('/upnext posts next week');
      await visit.press(/^(Open|View|Details|Duplicate)/);
    },
  },
  showLine('duplicate', '/upnext duplicate'),
  { name: 'home', show: openHome },
  {
    name: 'home-end',
    show: openHome,
    scroll: scrollToEnd('.home'),
  },
  { name: 'home-without-role', person: 'mira', show: openHome },
  {
    // At Home there is no channel for a receipt, so the form shows the result.
    name: 'home-result',
    show: async (visit) => {
      await openHome(visit);
      await visit.page.getByRole('button', { name: 'New post' }).first().click();
      await visit.page.getByRole('dialog').waitFor();
      await fillPost(visit, 'mon and wed 9am', 'Open at nine, as always.');
      await visit.choose(/^Project/, 'Harbour Coffee');
      await visit.press('Schedule');
      await visit.press('Schedule 2');
    },
  },
  showLine('digest-form', '/upnext digest new'),
  showLine('digest-set-up', '/upnext digest every day 9:00'),
  showLine('digest-weekly-set-up', '/upnext digest weekly monday 9:05'),
  showLine('digest-list', '/upnext digest list'),
  {
    name: 'outbox-waiting',
    show: async (visit) => {
      await visit.practice.service.faults.set({ down: true });
      await visit.line('/schedule-post friday 17:00 on linkedin: The new roast is in the shop.');
      await visit.press('Schedule');
      await visit.line('/upnext outbox');
    },
  },
  showLine('service-down-list', '/upnext posts'),
  showLine('service-down-status', '/upnext status'),
  {
    name: 'outbox-recovered',
    show: async (visit) => {
      await visit.practice.service.faults.clear();
      await visit.line('/upnext outbox');
    },
  },
  showLine('logs', '/upnext logs'),
  showLine('audit', '/upnext audit'),
  showLine('roles', '/upnext roles'),
  {
    name: 'give-role',
    show: async (visit) => {
      await visit.line('/upnext roles');
      await visit.press(/Give a role/);
    },
  },
  showLine('invite', '/upnext invite'),
  showLine('users', '/upnext user'),
  showLine('projects', '/upnext projects'),
  showLine('sources', '/upnext sources'),
  showLine('source', '/upnext source'),
  showLine('prompt', '/upnext prompt'),
  showLine('templates', '/upnext templates'),
  {
    name: 'template',
    show: async (visit) => {
      await visit.line('/upnext templates');
      await visit.press(/^(View|Use)/);
    },
  },
  showLine('webhook', '/upnext webhook'),
  showLine('file', '/upnext file'),
  showLine('connect', '/upnext connect'),
  {
    name: 'connect-form',
    show: async (visit) => {
      await visit.line('/upnext connect');
      await visit.press(/Connect/);
    },
  },
  showLine('zone', '/upnext zone'),
  showLine('status', '/upnext status'),
  showLine('help', '/upnext help'),
  showLine('help-all', '/upnext help all'),
  showLine('help-topic', '/upnext help digest'),
  showLine('admin', '/upnext admin'),
  showLine('typo', '/upnext pots'),
  showLine('unknown-words', '/upnext posts cold brew'),
  {
    name: 'error',
    show: async (visit) => {
      await visit.practice.service.faults.set({ rules: [{ fault: 'status', status: 503 }] });
      await visit.line('/upnext logs last week');
      await visit.practice.service.faults.clear();
    },
  },
  {
    name: 'direct-message',
    show: async (visit) => {
      await openMessages(visit);
      for (const text of ['hello', 'when is the next post?', 'thanks']) await visit.line(text);
    },
  },
  {
    name: 'digest-daily',
    show: (visit) => waitForDigest(visit, '2026-11-23T09:00:30Z', DAILY_DIGEST),
    scroll: scrollToMessage(DAILY_DIGEST),
  },
  {
    name: 'digest-weekly',
    show: (visit) => waitForDigest(visit, '2026-11-23T09:05:30Z', WEEKLY_DIGEST),
    scroll: scrollToMessage(WEEKLY_DIGEST),
  },
];
