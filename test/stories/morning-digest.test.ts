import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPracticeService } from '../support/practice-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';

/** A person sets up a digest, moves the clock to the next morning, and receives the digest. */

const { running, startBot } = setUpBot();
let service: Awaited<ReturnType<typeof startPracticeService>>;
let now = () => new Date();

beforeAll(async () => {
  service = await startPracticeService({ now: () => now() });
  await startBot({
    service: { url: service.url, token: service.token },
    isEmulated: true,
    followsClock: true,
  });
  now = () => new Date(running.workspace.clock.now());
});
afterAll(async () => {
  await service.close();
});

const ana = () => running.workspace.as('Ana').in('#harbour-coffee');

function jump(to: string): void {
  running.workspace.clock.set(new Date(to).getTime());
  running.bot.digests.handleClockChange();
}

async function schedule(text: string, when: string): Promise<void> {
  await ana().type('/schedule-post');
  const form = await ana().modal('Schedule a post');
  await form.choose('Project', 'Harbour Coffee');
  await form.fill('Text', text);
  await form.choose('Platforms', ['X']);
  await form.fill('When', when);
  expect((await form.submit()).errors).toEqual({});
}

describe('after the clock is moved', () => {
  test('the digest arrives in the channel at 9:00 and not earlier', async () => {
    jump('2027-02-21T12:00:00Z');
    await ana().type('/upnext digest every day 9:00 in Europe/Berlin for Harbour Coffee');
    await ana().sees('The first one comes Mon 22 Feb, 09:00 (Berlin).');
    await schedule('Fresh roast <!channel>', 'tomorrow 14:30 Berlin time');
    jump('2027-02-22T07:59:58Z');
    expect(ana().read()).not.toContain('Harbour Coffee, Mon 22 Feb');
    await expect.poll(() => ana().read(), { timeout: 15_000 }).toContain('Harbour Coffee, Mon 22 Feb');
    await ana().sees('Next: Mon 22 Feb, 14:30 (Berlin), for you');
    await ana().sees('Fresh roast <!channel>');
    await ana().sees('Practice service: nothing is published');
  });

  test('the digest arrives once, even if the clock is moved back and forth', async () => {
    jump('2027-02-22T07:58:00Z');
    jump('2027-02-22T08:30:00Z');
    await running.bot.digests.turn();
    const received = ana()
      .messages()
      .filter((text) => text.includes('Harbour Coffee, Mon 22 Feb'));
    expect(received).toHaveLength(1);
  });

  test('the next digest says what changed', async () => {
    await schedule('Second cup', 'tomorrow 15:00 Berlin time');
    jump('2027-02-23T08:00:01Z');
    await expect.poll(() => ana().read(), { timeout: 15_000 }).toContain('Harbour Coffee, Tue 23 Feb');
    await ana().sees('Since the last digest:');
    await ana().sees('1 new');
  });

  test('a weekly digest contains a picture with a description', async () => {
    await schedule('Third cup', 'in 3 days at 16:00 Berlin time');
    await ana().type('/upnext digest weekly wednesday 9:00 in Europe/Berlin for Harbour Coffee');
    jump('2027-02-24T08:00:01Z');
    await expect
      .poll(() => ana().read(), { timeout: 15_000 })
      .toContain('Calendar of Harbour Coffee, Wed 24 Feb to Tue 2 Mar, times in Berlin.');
  });
});
