import { rm } from 'node:fs/promises';
import { loadPosts, migrations, type PracticeService, type ServiceSchema } from 'scheduling-service-emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { NOW } from '../../support/bot.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';
import { openPGlite } from '../../support/open-pglite.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

let folder: string;
const { ana, startBot } = setUpBot();
let service: PracticeService & { token: string };

beforeAll(async () => {
  folder = await createDatabaseFolder();
  const { dialect, close } = await openPGlite(folder);
  const db = await openDatabase<ServiceSchema>({ dialect, migrations });
  await loadPosts({ db, count: 10_000, project: 'Harbour Coffee', now: NOW });
  await db.destroy();
  await close();
  service = await startPracticeService({ now: () => NOW, folder });
  await startBot({ isEmulated: true, service });
  await ask(ana, '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee.');
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('a list of 10,000 posts says that it has only 500 of them, and shows these page by page in one message', async () => {
  const earlierCount = service.faults.counts().calls.listPosts ?? 0;
  await ask(ana, '/upnext posts all', 'Harbour Coffee: more than 500 posts, 1 to 10');
  await ana.sees('There are more posts than I can read, so I show some of the first 500.');
  expect((service.faults.counts().calls.listPosts ?? 0) - earlierCount).toBe(6);
  const messageCount = ana.messages().length;
  const texts = new Set<string>();
  for (let page = 0; page < 50; page += 1) {
    await ana.sees(`, ${page * 10 + 1} to ${page * 10 + 10}\n`);
    for (const [text] of (ana.messages().at(-1) ?? '').matchAll(/No\. \d+/g)) texts.add(text);
    if (page < 49) await ana.press('Next page');
  }
  expect(texts.size).toBeGreaterThan(480);
  expect(ana.messages().at(-1)).not.toContain('[Next page]');
  expect(ana.messages()).toHaveLength(messageCount);
});

test('a filter narrows down a truncated list, which says that there may be more posts', async () => {
  await ask(ana, '/upnext posts scheduled reddit this week', 'Mon 16 Nov to Sun 22 Nov (Lisbon)');
  expect(ana.messages().at(-1)).toMatch(/\d+ scheduled posts? on Reddit|no scheduled .* posts on Reddit/);
  await ana.type('/upnext posts');
  // The posts are drawn at random, so the week may have a single draft.
  await expect
    .poll(() => ana.messages().at(-1))
    .toMatch(/posts( and \d+ drafts?)?, Mon 16 Nov to Sun 22 Nov \(Lisbon\), page 1 of /);
  await ask(ana, '/upnext posts drafts', 'Harbour Coffee: more than 500 drafts');
  await ask(ana, '/upnext posts mine', 'There are no Harbour Coffee posts by you, among those I can read.');
});
