import { beforeAll, expect, test } from 'vitest';
import { features } from '../../../src/app/features.ts';
import { listNamedCommands, renderCommandName } from '../../../src/slack/catalogue.ts';
import { expectNone, expectParts } from '../../support/form-steps.ts';
import { data } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { askForForm, chooseAndSee, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, database, running, startBot } = setUpBot();

const commands = features.flatMap((feature) => feature.commands);

// Slack limits lookups of people to 100 a minute.
beforeAll(() => startBot({ limits: false }));

async function runCommand(command: string): Promise<string> {
  const earlierCount = ana.messages().length;
  await ana.type(command);
  const messages = ana.messages();
  expect(messages.length).toBe(earlierCount + 1);
  return messages.at(-1) ?? '';
}

test('/upnext help shows the five most common commands first, says what policy, stop and resume are for, and leads to the others', async () => {
  const text = await runCommand('/upnext help');
  for (const line of ['/schedule-post', '/upnext week', '/upnext', '/upnext posts', '/upnext outbox'])
    expect(text).toContain(`${line}  `);
  expect(text).not.toContain('/upnext zone');
  await pressAndSee(ana, 'All commands', '/upnext zone');
  expect(text).toContain(
    '/upnext policy  Until when a project’s posts can be edited, who reviews them, its slots and blackout days',
  );
  expect(text).toContain('/upnext stop  Hold back a project’s posts at once, for example after a mistake');
  expect(text).toContain('/upnext resume  Let a stopped project’s posts go out again');
});

test('each command is named with one spelling, and others work too', async () => {
  const text = await runCommand('/upnext help all');
  expect(text).toContain('/schedule-post');
  expectNone(text, '/upnext schedule', '/upnext next', '/upnext bind');
  expect(await runCommand('/upnext bind cold brew')).toContain('I don’t know the project “cold brew”');
});

test('/upnext admin has the rare commands, except those that are switched off', async () => {
  const text = await runCommand('/upnext admin');
  for (const name of ['prompt', 'user', 'webhook']) expect(text).toContain(`/upnext ${name}  `);
  expect(text).not.toContain('/upnext file');
  await (await pressForForm(ana, 'Create a prompt', 'Create a prompt')).close();
});

test('/upnext help all groups all commands by what people want to do', async () => {
  const text = await runCommand('/upnext help all');
  expect(text).toContain('/upnext duplicate');
  for (const command of listNamedCommands(features)) expect(text).toContain(renderCommandName(command));
  for (const name of ['prompt', 'user', 'webhook', 'file']) expect(text).not.toContain(`/upnext ${name}`);
  expectParts(text, 'Schedule posts', 'See what goes out', 'Decide what goes out', 'Work with your team');
  expect(text.split('\n').length).toBeLessThan(30);
});

test.each([
  ['/upnext help schedule', 'Schedule a post, or save a draft'],
  ['/upnext help /schedule-post', 'Schedule a post, or save a draft'],
  ['/upnext help shedule', 'Did you mean /upnext help schedule?'],
  ['/upnext HELP use', 'Choose this channel’s projects'],
])('the command %s shows the matching help', async (command, expected) =>
  expect(await runCommand(command)).toContain(expected),
);

test.each([
  ['/schedule-post help', 'Schedule a post, or save a draft.'],
  ['/upnext digest HELP', 'See which digests you can send now.\n[Show]'],
  ['/list-logs help', 'Find last week’s entries about sources.\n[Run]'],
  ['/upnext zone help', 'Use Berlin time in this channel.\n[Run]'],
  ['/upnext draft help', 'Schedule a post, or save a draft.'],
  ['/upnext posts --help', '/upnext posts'],
  ['/upnext posts ?', '/upnext posts'],
  ['/upnext help help', 'What Upnext does, and the commands with examples'],
])('%s shows the help of the command', async (command, expected) => {
  const answer = await runCommand(command);
  expect(answer).toContain(expected);
  expect(answer).toContain('[All commands]');
});

test('a project whose name begins with “help” isn’t mistaken for the help command', async () =>
  expect(await runCommand('/upnext use help desk')).not.toContain('[All commands]'));

test('questions about the app are answered with the help', async () => {
  for (const question of ['what can you do?', 'How does this work?', 'help me!']) {
    expect(await runCommand(`/upnext ${question}`)).toContain('Common commands');
  }
});

test.each([
  ['hlep', 'Did you mean /upnext help?'],
  ['shedule now', 'Did you mean /schedule-post?'],
  ['monday 9am: our new blend', 'Did you mean /schedule-post?'],
  ['how can I write a post', 'I don’t understand “how can I write a post”.'],
  [`zzz about ${'our '.repeat(9)}blend`, 'You typed:\nzzz about our our'],
  ['he\u200blp', 'Common commands'],
  ['\u202ehelp', 'Common commands'],
  ['ｈｅｌｐ', 'Common commands'],
  ['hеlр', 'Did you mean /upnext help?'],
  ['__proto__', 'I don’t understand “__proto__”.'],
  ['constructor', 'I don’t understand “constructor”.'],
  ['../../projects', 'I don’t understand “../../projects”.'],
  ['%2F..%2F', 'I don’t understand “%2F..%2F”.'],
  ['<!channel>', 'I don’t understand “<!channel>”.'],
  ['<@U123>', 'I don’t understand “<@U123>”.'],
  ['<http://evil|good>', 'I don’t understand “<http://evil|good>”.'],
  ['“help”', 'Did you mean /upnext help?'],
  ['"unclosed', 'I don’t understand “"unclosed”.'],
  ['a\nb', 'I don’t understand “a b”.'],
  [
    'https://docs.google.com/spreadsheets/d/1AbC/edit#gid=0',
    'I can’t open a table by its link, so send me the file.',
  ],
  [
    'can you import this? https://docs.google.com/spreadsheets/d/1AbC/edit?usp=sharing',
    'choose File, Save as or Download',
  ],
  ['zzz our\nblend', 'You typed:\nzzz our\nblend'],
  ['\ud800x', 'I don’t understand'],
  ['zzz\u0000zzz', 'I don’t understand “zzz'],
  ['x'.repeat(60_000), 'I don’t understand “xxxx'],
  [`${'a'.repeat(50_000)}!`, 'I don’t understand “aaaa'],
])('the unknown command %j gets an answer and changes nothing', async (text, expected) => {
  const answer = await runCommand(`/upnext ${text}`);
  expect(answer).toContain(expected);
  expect(answer.length).toBeLessThan(expected === 'Common commands' ? 1_000 : 500);
  expect(running.service.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a button runs the corrected command with the rest of the typed text', async () => {
  await ana.type('/upnext ues nothing like it');
  await pressAndSee(ana, '/upnext use nothing like it', 'I don’t know the project “nothing like it”');
});

test('a button of a line that was stored without its changes still works', async () => {
  await ana.type('/upnext ues nothing like it');
  const owner = { workspace: 'T01HARBOUR', user: 'U01ANAFERR' };
  const { id } = await database.db
    .selectFrom('open_form')
    .select('id')
    .where('kind', 'like', 'typed-line%')
    .orderBy('opened_at', 'desc')
    .executeTakeFirstOrThrow();
  const content = running.settings.encryption.encrypt(
    JSON.stringify('/upnext use cold brew'),
    owner.workspace,
  );
  await database.db
    .updateTable('open_form')
    .set({ content, kind: 'typed-line.2' })
    .where('id', '=', id)
    .execute();
  await pressAndSee(ana, '/upnext use nothing like it', 'I don’t know the project “cold brew”');
});

test.each(['post: Our new blend', 'Schedule: Our new blend'])('%j is a post', async (line) => {
  const form = await askForForm(ana, `/upnext ${line}`, 'Schedule a post');
  expect(form.value('Text')).toBe('Our new blend');
  await form.close();
});

test.each([
  ['tomorrow: We launch our blend', 'Did you mean /schedule-post?'],
  ['today: big news', 'Did you mean /schedule-post?'],
  ['next: Our plan', 'Did you mean /upnext?'],
  ['week: our plan', 'Did you mean /upnext week?'],
  ['drafts: Hello', 'Did you mean /upnext drafts?'],
  ['delete: x', 'Did you mean /upnext duplicate?'],
  ['stop: asking', 'Did you mean /upnext stop?'],
])('%j doesn’t run the command that has the name before the colon', async (line, expected) => {
  expect(await runCommand(`/upnext ${line}`)).toContain(expected);
});

test('a line that begins with a time becomes a post', async () => {
  await ana.type('/upnext friday 9am: our new blend');
  const form = await pressForForm(ana, '/schedule-post friday 9am: our new blend', 'Schedule a post');
  expect(form.value('Text')).toBe('our new blend');
  await form.close();
});

test('a button of a corrected command can open a form, and one in the answer to an unknown command lists all', async () => {
  await (await askForForm(ana, '/upnext shedule', 'Schedule a post', '/schedule-post')).close();
  await ana.type('/upnext what');
  const earlierCount = ana.messages().length;
  await ana.press('All commands');
  await expect.poll(() => ana.messages().length).toBe(earlierCount + 1);
  expect(ana.messages().at(-1)).toContain('All commands');
});

test('a button of a corrected command works only for the person who typed the command', async () => {
  await ana.type('/upnext ues secret words');
  await database.db.updateTable('open_form').set({ author: 'U02BENOKAF' }).execute();
  await pressAndSee(ana, '/upnext use secret words', 'This button isn’t yours');
});

test('buttons run the most common commands, and a menu shows the examples of the others', async () => {
  await ana.type('/upnext help');
  for (const label of ['New post', 'Week', 'What’s next']) {
    expect(ana.messages().at(-1)).toContain(`[${label}]`);
  }
  await (await pressForForm(ana, 'New post', 'Schedule a post')).close();
  await ana.press('All commands');
  await chooseAndSee(ana, 'Examples for…', 'sources', 'The sources of a project.');
});

test.each(commands.map(({ name }) => name))('a button runs every example of %s', async (name) => {
  const examples = Object.keys(commands.find((command) => command.name === name)?.examples ?? {});
  await ana.type(`/upnext help ${name}`);
  expect(ana.messages().at(-1)).toContain(examples.at(-1));
  const listFailures = () => running.logged.filter((line) => line.startsWith('request failed'));
  await ana.press(ana.messages().at(-1)?.includes('[Show]') ? 'Show' : 'Run');
  expect(listFailures()).toEqual([]);
});

test.each(commands.flatMap(({ examples }) => Object.keys(examples)))(
  'the example %s is understood',
  async (example) => {
    const earlierCount = ana.messages().length;
    await ana.type(example);
    const answers = ana.messages().slice(earlierCount).join('\n');
    expect(answers).not.toMatch(/I don’t know “|I didn’t understand|I can’t filter/);
  },
);

let lastProject = 100;
/** Lists projects with new ids, because one that disappears and comes back is asked about. */
const listProjects = (...names: readonly string[]) =>
  data(
    names.map((Name) => {
      lastProject += 1;
      return { Id: `p${lastProject}`, Name };
    }),
  );

test('the beginning of project names offers the posts of each', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Harbour Tea', 'Night Market Books'));
  expect(await runCommand('/upnext harbour')).toContain(
    '[/upnext posts Harbour Coffee] [/upnext posts Harbour Tea] [All commands]',
  );
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  expect(await runCommand('/upnext harbour')).toContain('[/upnext posts Harbour Coffee]');
});

test('buttons for projects whose names look the same end with their whole ids', async () => {
  const ids = ['0190b5c4-8a6e-7c31-9d2f-1f0e5a7b3c01', '0190b5c4-8a6e-7c31-9d2f-1f0e5a7b3c02'];
  const name = 'Harbour Coffee, the roastery and its shops';
  running.service.on('GET /projects', data(ids.map((Id) => ({ Id, Name: name }))));
  const labels = ids.map((id) => `[/upnext posts Harbour Coffee, the r… (${id})]`);
  expect(await runCommand('/upnext harbour')).toContain(labels.join(' '));
});

test('a typo of a command wins over the beginning of a project’s name, but not over the whole name', async () => {
  running.service.on('GET /projects', listProjects('Hello Bakery', 'Polocy', 'Zu'));
  expect(await runCommand('/upnext hel')).toContain('[/upnext help]');
  expect(await runCommand('/upnext polocy')).toContain('[/upnext posts Polocy]');
  expect(await runCommand('/upnext z')).not.toContain('Zu');
});

test('a project’s name instead of a command offers its posts', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  expect(await runCommand('/upnext harbour')).toContain('Did you mean /upnext posts?');
  await pressAndSee(ana, '/upnext posts Harbour Coffee', 'There are no Harbour Coffee posts');
});

test.each([
  ['zone', 'Use Berlin time in this channel.'],
  ['digest', 'Send one here every weekday.'],
])('help on %s asks before it runs an example that changes something', async (name, description) => {
  await ana.type(`/upnext help ${name}`);
  await expect(ana.press('Run')).rejects.toThrow(description);
  const countBefore = ana.messages().length;
  await ana.press('Run', { dialog: 'confirm' });
  await expect.poll(() => ana.messages().length).toBeGreaterThan(countBefore);
});

test('no request failed in the tests above', () =>
  expect(running.logged.filter((line) => line.startsWith('request failed'))).toEqual([]));
