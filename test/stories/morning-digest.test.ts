import { describe, expect, test } from 'vitest';
import { expectParts, fillIn } from '../support/form-steps.ts';
import { setUpPracticeBot } from '../support/set-up-practice-bot.ts';
import { askForForm, pressForForm, seeAll } from '../support/steps.ts';

/** A person sets up a digest, moves the clock to the next morning, and receives the digest. */

const { running, getAna, moveClock } = setUpPracticeBot();

async function schedule(text: string, when: string): Promise<void> {
  const form = await askForForm(getAna(), '/schedule-post', 'Schedule a post');
  await fillIn(form, { Text: text, Platforms: ['X'], When: when });
  expect((await form.submit()).errors).toEqual({});
}

describe('after the clock is moved', () => {
  test('the digest arrives in the channel at 9:00 and not earlier', async () => {
    moveClock('2027-02-21T12:00:00Z');
    await getAna().type('/upnext digest every day 9:00 in Europe/Berlin for Harbour Coffee');
    await getAna().sees('The first digest comes on Mon 22 Feb, 09:00 (Berlin).');
    await schedule('Fresh roast <!channel>', 'tomorrow 14:30 Berlin time');
    moveClock('2027-02-22T07:59:58Z');
    expect(getAna().read()).not.toContain('Harbour Coffee, Mon 22 Feb');
    await expect.poll(() => getAna().read()).toContain('Harbour Coffee, Mon 22 Feb');
    await seeAll(getAna(), 'Next · 🗓️ Scheduled · X', 'Fresh roast <!channel>');
  });

  test('the digest arrives once, even if the clock is moved back and forth', async () => {
    moveClock('2027-02-22T07:58:00Z');
    moveClock('2027-02-22T08:30:00Z');
    await running.bot.engine.runOnce();
    const receivedDigests = getAna()
      .messages()
      .filter((text) => text.includes('Harbour Coffee, Mon 22 Feb'));
    expect(receivedDigests).toHaveLength(1);
  });

  test('a button of the digest opens the form for a post on a day without one', async () => {
    await getAna().sees('Nothing on Tuesday.');
    const form = await pressForForm(getAna(), 'Fill Tuesday', 'Schedule a post');
    expectParts(form.text(), 'Tue 23 Feb, 09:00', 'Harbour Coffee');
    await form.close();
  });

  test('the next digest says what changed', async () => {
    await schedule('Second cup', 'tomorrow 15:00 Berlin time');
    moveClock('2027-02-23T08:00:01Z');
    await expect.poll(() => getAna().read()).toContain('Harbour Coffee, Tue 23 Feb');
    await seeAll(getAna(), 'Since the last digest:', '1 new');
  });

  test('a button for a day that has passed says so, and proposes no day of the next year', async () => {
    moveClock('2027-02-24T07:00:00Z');
    const form = await pressForForm(getAna(), 'Fill Tuesday', 'Schedule a post');
    expect(form.text()).toContain('has passed');
    expect(form.text()).not.toContain('2028');
    await form.close();
  });

  test('a weekly digest contains a picture with a description', async () => {
    await schedule('Third cup', 'in 3 days at 16:00 Berlin time');
    await getAna().type('/upnext digest weekly wednesday 9:00 in Europe/Berlin for Harbour Coffee');
    moveClock('2027-02-24T08:00:01Z');
    await expect
      .poll(() => getAna().read())
      .toContain('Calendar of Harbour Coffee, Wed 24 Feb to Tue 2 Mar. Times in Berlin.');
  });
});
