import { beforeEach, expect, test } from 'vitest';
import { data, later, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask, pressAndSee } from '../support/steps.ts';

/** While the service is slow, the answer to a command is preceded by a message that it follows. */

const { ana, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ pace: { slowNoticeDelayMs: 20 } });
  const slowProjects = later(300, listProjects('Harbour Coffee'));
  running.service.on('GET /projects', slowProjects);
  for (const list of ['sources', 'logs']) running.service.on(`GET /${list}`, data([]));
});

test.each([
  ['/upnext', 'Nothing is scheduled for Harbour Coffee.'],
  ['/upnext posts', 'There are no Harbour Coffee posts'],
  ['/upnext projects', 'One project'],
  ['/upnext templates', 'Harbour Coffee has no templates'],
  ['/upnext sources', 'Harbour Coffee has no sources'],
  ['/list-logs', 'Harbour Coffee'],
  ['/upnext status', 'The only project is Harbour Coffee.'],
])('%s says that it takes longer, and then answers', async (line, answer) => {
  await ask(ana, line, 'This takes longer than usual. What you asked for follows.');
  expect(ana.messages().at(-1)).not.toContain(answer);
  await ana.sees(answer);
});

test('after [Refresh], a card is replaced by a waiting message and then by the new card', async () => {
  await ask(ana, '/upnext', 'Nothing is scheduled for Harbour Coffee.');
  const countBefore = ana.messages().length;
  await pressAndSee(ana, 'Refresh', 'As of');
  expect(ana.messages()).toHaveLength(countBefore);
});
