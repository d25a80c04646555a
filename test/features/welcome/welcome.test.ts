import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { running, startBot } = setUpBot({});

const WELCOME = 'I’m Upnext, and I schedule your team’s social posts.';

/** Opens Messages, and returns the person there. */
async function openMessages(person: string) {
  await running.workspace.as(person).openMessages();
  return running.workspace.as(person).inDirectMessage();
}

const countWelcomes = (text: string) => text.split(WELCOME).length - 1;

test('opening Messages for the first time shows three lines and two buttons, and [New post] opens the form', async () => {
  const ana = await openMessages('Ana');
  await ana.sees(WELCOME);
  const [message = ''] = ana.messages();
  expect(message.trim().split('\n')).toHaveLength(4);
  expect(message).toContain('[New post] [Help]');
  await pressForForm(ana, 'New post', 'Schedule a post');
});

test('opening Messages again, or from another device at once, sends no second welcome', async () => {
  await Promise.all([openMessages('Ana'), openMessages('Ana')]);
  const ana = await openMessages('Ana');
  await ask(ana, 'next', 'Nothing is scheduled for Harbour Coffee.');
  expect(countWelcomes(ana.read())).toBe(1);
});

test.each(['hello', 'Hi!', 'Hi there'])('“%s” is answered with the help', async (greeting) => {
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ask(ana, greeting, 'Common commands');
});

test('a first message that is a command gets only the answer to the command', async () => {
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ask(ana, 'next', 'Nothing is scheduled for Harbour Coffee.');
  expect(countWelcomes(ana.read())).toBe(0);
});

test('a person without a role learns how to get one', async () => {
  await startBot({ membersDefaultRole: null });
  const mira = await openMessages('Mira');
  await mira.sees('You don’t have a role here yet.');
  await pressAndSee(mira, 'Request access', 'Request a role');
});

test('a viewer is offered what a viewer can do', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  const mira = await openMessages('Mira');
  await mira.sees('[What’s next] [Help]');
  expect(mira.read()).not.toContain('New post');
});

test('a guest who opens Messages is sent nothing, and a guest’s greeting is answered with the reason', async () => {
  const tom = await openMessages('Tom');
  await ask(tom, 'hello', 'Guests can’t use Upnext.');
  expect(tom.messages()).toHaveLength(2);
});

test.each(['start', 'welcome'])('/upnext %s shows the help', async (word) => {
  const ana = running.workspace.as('Ana').in('#general');
  await ask(ana, `/upnext ${word}`, 'Common commands');
});

test.each(['when is the next post?', 'What’s next?', 'when’s the next post', 'which post goes out next'])(
  'the question “%s” is answered with the next post',
  async (question) => {
    const ana = await running.workspace.as('Ana').inDirectMessage();
    await ask(ana, question, 'Nothing is scheduled for Harbour Coffee.');
  },
);
