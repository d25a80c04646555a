import type { ActionCall, Call } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { readSubcommand } from '../../slack/read-command.ts';
import { chooseProjects, sayHello } from './hello.ts';
import { EXAMPLE, exampleOf, FIRST_TRIED, helpFor, helpList, noTopic, TOPIC } from './help-messages.ts';
import { LIST, OFFERED, OFFERED_USE, OUT_OF_DATE, runOffered } from './offers.ts';

/** What there is, from the catalogue. */
export const help: Feature = {
  name: 'help',
  commands: [
    {
      name: 'help',
      aliases: ['?', 'commands', 'command', 'examples', 'hello', 'hi'],
      summary: 'What there is, and how to say it',
      usage: '[topic]',
      examples: ['/upnext help', '/upnext help schedule'],
      run: (call) => helpOn(call, call.words),
    },
  ],
  role: () => 'viewer',
  scopes: {
    'channels:read': 'to hear that it was invited to a channel, and to know whether it is in one',
    'groups:read': 'to hear that it was invited to a private channel, and to know whether it is in one',
  },
  events: { member_joined_channel: sayHello },
  actions: {
    [LIST]: (call: Call) => call.reply(helpList(call.catalogue)),
    [OFFERED]: runOffered,
    [OFFERED_USE]: chooseProjects,
    [EXAMPLE]: runExample,
    ...Object.fromEntries(FIRST_TRIED.map((_, index) => [`${EXAMPLE}.${index}`, runExample])),
    [TOPIC]: (call: ActionCall) => helpOn(call, call.action.chosen ?? ''),
  },
};

/** On what these words name; on everything where they name nothing. */
function helpOn(call: Call, words: string): Promise<void> {
  const topic = readSubcommand(topicOf(words, call.catalogue), call.catalogue);
  if (topic.kind === 'none') return call.reply(helpList(call.catalogue));
  return call.reply(topic.kind === 'known' ? helpFor(topic.command) : noTopic(topic, call.catalogue));
}

/** `/upnext help /schedule-post` and `/upnext help /upnext use` are help on `schedule` and `use`. */
function topicOf(words: string, catalogue: Catalogue): string {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const own = commands.find(({ ownCommand }) => ownCommand !== undefined && ownCommand === words);
  return own?.name ?? words.replace(/^\/(?:upnext\s+)?/, '');
}

async function runExample(call: ActionCall): Promise<void> {
  const example = exampleOf(call.catalogue, call.action.value ?? '');
  await (example === undefined ? call.reply(OUT_OF_DATE) : call.type(example));
}
