import { test } from 'vitest';
import { setUpBot } from '../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

test('/upnext wave waves at the person', async () => {
  await startBot();
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext wave Ben');
  await ana.sees('I waved at Ben.');
});
