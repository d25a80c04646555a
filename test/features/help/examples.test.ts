import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { ana, startBot } = setUpBot();

test.each([
  ['zone', 'Use Berlin time in this channel.'],
  ['digest', 'Send one here every weekday.'],
])('help on %s asks before it runs an example that changes something', async (name, description) => {
  await startBot();
  await ana.type(`/upnext help ${name}`);
  await expect(ana.press('Run')).rejects.toThrow(description);
  const countBefore = ana.messages().length;
  await ana.press('Run', { dialog: 'confirm' });
  await expect.poll(() => ana.messages().length).toBeGreaterThan(countBefore);
});
