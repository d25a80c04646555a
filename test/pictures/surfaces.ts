import type { Page } from 'playwright-core';
import type { PracticePage } from '../support/practice-page.ts';

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
}

const showLine = (name: string, line: string): Surface => ({ name, show: (visit) => visit.line(line) });

async function writePost(visit: Visit, when = 'next tue half past 8'): Promise<void> {
  await visit.line('/schedule-post');
  await visit.fill(/^Text/, 'Cupping night: six coffees, one table. https://harbour-coffee.example/cupping');
  await visit.choose(/^Platforms/, 'LinkedIn');
  await visit.fill(/^When/, when);
}

async function openHome(visit: Visit): Promise<void> {
  await openMessages(visit);
  const tab = visit.page
    .getByRole('tab', { name: 'Home' })
    .or(visit.page.getByRole('button', { name: 'Home' }));
  if ((await tab.count()) > 0) await tab.first().click();
}

const openMessages = (visit: Visit) =>
  visit.page
    .getByRole('navigation', { name: 'Workspace' })
    .getByRole('button', { name: /^Upnext/ })
    .click();

/** In the order in which they are shown. Later ones find what earlier ones did. */
export const SURFACES: readonly Surface[] = [
  { name: 'welcome', show: openMessages },
  { name: 'access-needed', person: 'mira', show: (visit) => visit.line('/schedule-post') },
  {
    name: 'access-request-form',
    person: 'mira',
    show: async (visit) => {
      await visit.line('/upnext roles');
      await visit.press(/request|ask/i);
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
  showLine('preview', '/schedule-post tomorrow 9:30 on x, linkedin: We are live!'),
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
      await writePost(visit, 'mon, wed and fri 9am');
      await visit.press('Schedule');
    },
  },
  {
    name: 'draft-receipt',
    show: async (visit) => {
      await writePost(visit, '');
      await visit.press(/Draft/);
      await visit.press(/^(Save|Schedule)/);
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
  showLine('duplicate', '/upnext edit'),
  { name: 'home', show: openHome },
  {
    name: 'home-end',
    show: async (visit) => {
      await openHome(visit);
      await visit.page.getByText('Commands', { exact: true }).scrollIntoViewIfNeeded();
      await visit.page.mouse.wheel(0, 2_000);
    },
  },
  { name: 'home-without-role', person: 'tom', show: openHome },
  showLine('digest-form', '/upnext digest'),
  showLine('digest-set-up', '/upnext digest every day 9:00'),
  showLine('digest-weekly-set-up', '/upnext digest weekly monday 9:05'),
  showLine('digest-list', '/upnext digest list'),
  {
    name: 'outbox-waiting',
    show: async (visit) => {
      await visit.practice.service.faults.set({ down: true });
      await writePost(visit, 'thursday 17:00');
      await visit.press('Schedule');
      await visit.page.keyboard.press('Escape');
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
  showLine('help-topic', '/upnext help digest'),
  showLine('start', '/upnext start'),
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
    show: async (visit) => visit.practice.moveClock('2026-11-23T09:00:30Z'),
  },
  {
    name: 'digest-weekly',
    show: async (visit) => visit.practice.moveClock('2026-11-23T09:05:30Z'),
  },
];
