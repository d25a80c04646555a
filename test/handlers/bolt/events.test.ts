import { expect, test } from 'vitest';
import { features } from '../../../src/app/features.ts';
import { PATIENCE, stretchDeadlines } from '../../support/busyness.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot({});

const listFailures = () => running.logged.filter((line) => line.startsWith('request failed'));
const THREAD = 'Who writes the post about the new roast?';

/** The replies in the thread of the newest message with this text. */
function readThread(person: ReturnType<typeof running.workspace.as>, text: string): string[] {
  const visible = person.visible();
  const root = visible.findLast((message) => person.messageText(message).includes(text));
  return visible
    .filter(({ threadTs }) => root && threadTs === root.ts)
    .map((message) => person.messageText(message));
}

test('a mention in a thread runs the command, and only its author sees the response there', async () => {
  await ana.mention('next', { inThreadOf: THREAD });
  await ana.sees('Nothing is scheduled for Harbour Coffee.');
  expect(running.workspace.as('Ben').in('#harbour-coffee').messages().join()).not.toContain('Nothing is');
  // The response to a button press also stays in the thread.
  await pressAndSee(ana, 'Refresh', 'As of');
  const listAnswers = (texts: string[]) => texts.filter((text) => text.includes('Nothing is scheduled'));
  expect(listAnswers(ana.messages())).toHaveLength(1);
  expect(listAnswers(readThread(ana, THREAD))).toEqual([expect.stringContaining('As of')]);
});

test('the response to a mention that needs a form is a button that opens the form', async () => {
  await ana.mention('schedule', { inThreadOf: THREAD });
  await (await pressForForm(ana, 'Open the form', 'Schedule a post')).close();
});

test.each([
  ['use harbour coffee', 'This channel now follows Harbour Coffee.'],
  [', use “Harbour Coffee”', 'This channel now follows Harbour Coffee.'],
  ['/upnext status', 'I’m in this channel.'],
  ['', 'Nothing is scheduled for Harbour Coffee.'],
  ['ues something', 'Did you mean /upnext use?'],
  ['*help*', 'Common commands'],
  ['use Tom & <Jerry>', 'I don’t know the project “Tom & <Jerry>”'],
  ['use @Ben', 'I don’t know the project “@Ben Okafor”'],
  ['use #random', 'I don’t know the project “#random”'],
  ['use harbour.com', 'I don’t know the project “harbour.com”'],
])('the mention %j is understood', async (args, response) => {
  await ana.mention(args);
  await ana.sees(response);
  expect(listFailures()).toEqual([]);
});

test('the name of a channel that Slack takes two seconds to look up is understood', async () => {
  const fault = { method: 'conversations.info', fault: 'slow', delayMs: 2_000, times: 1 } as const;
  running.workspace.faults.set({ webApi: [fault] });
  await ana.mention('use #random');
  await ana.sees('I don’t know the project “#random”');
});

test('the post in a mention says where the name of a channel is missing, and so does its form', async () => {
  running.workspace.admin.addChannel('board', { private: true, members: ['Ana'] });
  await ana.mention('tomorrow 9am on x: Join #board');
  const note = 'Where I couldn’t read a name, the text says #channel.';
  await ana.sees(note);
  const form = await pressForForm(ana, 'Open', 'Schedule a post');
  expect([form.value('Text'), form.text()]).toEqual(['Join #channel', expect.stringContaining(note)]);
  await form.close();
  // So does the form of a corrected line.
  await ana.mention('shedule: Join #board');
  const corrected = await pressForForm(ana, '/schedule-post Join #channel', 'Schedule a post');
  expect(corrected.text()).toContain(note);
  await corrected.close();
});

test('the author of a mention that fails gets a message', async () => {
  await database.db.schema.alterTable('channel_project').renameTo('hidden').execute();
  try {
    const ana = running.workspace.as('Ana').in('#general');
    await ana.mention('next');
    await ana.sees('Something went wrong.');
  } finally {
    await database.db.schema.alterTable('hidden').renameTo('channel_project').execute();
  }
});

test('a mention with any command gets exactly one response', async () => {
  await startBot({ limits: false });
  for (const { name } of features.flatMap((feature) => feature.commands)) {
    const countBefore = ana.messages().length;
    await ana.mention(name);
    // The other message is Ana's own.
    await expect.poll(() => ana.messages().length, { message: name }).toBe(countBefore + 2);
  }
  expect(listFailures()).toEqual([]);
});

test('a direct message runs the command, and the bot ignores its own messages', async () => {
  const ana = running.workspace.as('Ana');
  await ana.directMessage('next');
  await ana.sees('Nothing is scheduled for Harbour Coffee.');
  await ana.directMessage('what is this?');
  await ana.sees('I don’t understand “what is this?”.');
  await ana.directMessage('schedule');
  await (await pressForForm(ana, 'Open the form', 'Schedule a post')).close();
  // No further messages: the bot doesn't answer its own.
  expect((await ana.inDirectMessage()).messages()).toHaveLength(6);
});

test('a direct message in a thread is answered in the thread', async () => {
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ask(ana, 'next', 'Nothing is scheduled');
  await ana.reply('Nothing is scheduled', 'projects');
  await ana.sees('One project');
  expect(readThread(ana, 'Nothing is scheduled').at(-1)).toContain('One project');
  expect(listFailures()).toEqual([]);
});

test('a bot that is invited to a channel introduces itself once, in one message', async () => {
  const ana = running.workspace.as('Ana').in('#random');
  await ana.inviteApp();
  const ben = running.workspace.as('Ben').in('#random');
  await ben.sees('Choose this channel’s project with /upnext use');
  running.workspace.admin.remove('#random', 'Upnext');
  running.workspace.admin.invite('#random', 'Upnext');
  running.workspace.admin.addPerson({ name: 'Olga Berg' });
  running.workspace.admin.invite('#random', 'Olga');
  await ask(ben, '/upnext', 'Nothing is scheduled');
  expect(ben.messages().filter((text) => text.includes('Hi! I’m Upnext.'))).toHaveLength(1);
  await ben.press('Choose a project');
  expect((await ben.modal('This channel’s projects')).options('Projects')).toEqual(['Harbour Coffee']);
});

test.each([
  ['duplicate', PATIENCE, 1],
  ['unacknowledged', 0.1, 2],
] as const)(
  'an event that Slack delivers again (%s) is handled once',
  async (fault, patience, requestCount) => {
    const { app, faults } = running.workspace;
    const listRequests = () => app.requests('events_api');
    const requestsBefore = listRequests();
    const countBefore = ana.messages().length;
    faults.set({ deliveries: [{ kind: 'events_api', fault, times: 1 }] });
    const restoreDeadlines = stretchDeadlines(patience);
    await ana.mention('next');
    await ana.sees('Nothing is scheduled');
    // Slack sends the event again when it has waited for the acknowledgement. It lists a duplicate as one request.
    await expect.poll(listRequests).toHaveLength(requestsBefore.length + requestCount);
    restoreDeadlines();
    await running.bot.stop();
    expect(faults.counts().faults).toMatchObject({ [fault]: 1 });
    // Two more messages: Ana's and one response.
    expect(ana.messages()).toHaveLength(countBefore + 2);
  },
);
