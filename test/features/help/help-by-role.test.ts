import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

test('the help shows only the commands that the person may use', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  const mira = running.workspace.as('Mira').in('#general');
  await mira.type('/upnext help');
  expect(mira.messages().at(-1)).not.toContain('/schedule-post');
  await mira.type('/upnext help all');
  const text = mira.messages().at(-1);
  expect(text).toContain('See what goes out');
  expect(text).not.toContain('/schedule-post');
  expect(text).not.toContain('/upnext connect');
});
