import { beforeEach, describe, expect, test } from 'vitest';
import { data, listedPost, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee } from '../../support/steps.ts';

/** Projects whose names are also words of a filter. The channel follows another project. */

const { ana, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot();
  running.service.on('GET /posts', data([listedPost('We open at nine', '2026-11-20T16:00:00Z')]));
});

const setProjects = async (name: string) => {
  running.service.on('GET /projects', listProjects(name, 'Harbour Coffee'));
  await ask(ana, '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee');
};

describe.each([
  ['Drafts', 'posts drafts'],
  ['Drafts', 'drafts'],
  ['All', 'posts all'],
  ['Review', 'posts review'],
  ['Undecided', 'posts undecided'],
  ['Today', 'posts today'],
  ['Today', 'today'],
  ['Mine', 'posts mine'],
  ['X', 'posts x'],
  ['Week', 'week'],
  ['Cancelled', 'edit cancelled'],
])('with a project called %s, “/upnext %s”', (name, line) => {
  test('asks which is meant, and lists either', async () => {
    await setProjects(name);
    const words = line.replace(/^(?:posts|edit) /, '');
    const question = `“${words}” is the name of a project, and also means something else.`;
    await ask(ana, `/upnext ${line}`, question);
    await ana.press(`Project ${name}`);
    await expect.poll(() => ana.read()).not.toContain(question);
    expect(ana.messages().at(-1)).toContain(name);
    await ask(ana, `/upnext ${line}`, question);
    await ana.press(`“${words}” in Harbour Coffee`);
    await expect.poll(() => ana.read()).not.toContain(question);
    expect(ana.messages().at(-1)).toContain('Harbour Coffee');
  });
});

test('a filter behind a name, and another name, are read without a question', async () => {
  await setProjects('Drafts');
  await ask(ana, '/upnext posts drafts of Harbour Coffee', 'Harbour Coffee');
  await ask(ana, '/upnext posts Harbour Coffee', 'Harbour Coffee');
  expect(ana.read()).not.toContain('also means something else');
});

test('the only project with such a name is listed whole or filtered', async () => {
  running.service.on('GET /projects', listProjects('Drafts'));
  await ask(ana, '/upnext posts drafts', '[Project Drafts] [“drafts” in Drafts]');
  await pressAndSee(ana, 'Project Drafts', 'We open at nine');
});
