import { z } from 'zod';
import type { ActionCall, Call, EventCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { claimOnce } from '../../delivery/done-once.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { parseSubcommand } from '../../slack/read-command.ts';
import {
  commandHelp,
  EXAMPLE,
  FEATURED,
  findExample,
  helpList,
  TOPIC,
  unknownTopicMessage,
} from './help-messages.ts';
import { EXPIRED_LINE, LIST, OFFERED, OFFERED_USE, runStoredLine } from './offers.ts';

/** Help on commands, generated from the catalogue, and the introduction in new channels. */
export const help: Feature = {
  name: 'help',
  commands: [
    {
      name: 'help',
      aliases: ['?', 'commands', 'command', 'examples', 'hello', 'hi'],
      summary: 'What there is, and how to say it',
      usage: '[topic]',
      examples: ['/upnext help', '/upnext help schedule'],
      run: (call) => showHelp(call, call.words),
    },
  ],
  role: () => 'viewer',
  scopes: {
    'channels:read': 'to hear that it was invited to a channel, and to know whether it is in one',
    'groups:read': 'to hear that it was invited to a private channel, and to know whether it is in one',
  },
  events: { member_joined_channel: introduceApp },
  actions: {
    [LIST]: (call: Call) => call.reply(helpList(call.catalogue)),
    [OFFERED]: runStoredLine,
    [OFFERED_USE]: openProjectChoice,
    [EXAMPLE]: runExample,
    ...Object.fromEntries(FEATURED.map((_, index) => [`${EXAMPLE}.${index}`, runExample])),
    [TOPIC]: (call: ActionCall) => showHelp(call, call.action.chosen ?? ''),
  },
};

/** Shows the help of the command that the words name. Without words, shows all commands. */
function showHelp(call: Call, words: string): Promise<void> {
  const topic = parseSubcommand(normalizeTopic(words, call.catalogue), call.catalogue);
  if (topic.kind === 'none') return call.reply(helpList(call.catalogue));
  return call.reply(
    topic.kind === 'known' ? commandHelp(topic.command) : unknownTopicMessage(topic, call.catalogue),
  );
}

/** Turns "/schedule-post" into "schedule", and "/upnext use" into "use". */
function normalizeTopic(words: string, catalogue: Catalogue): string {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const own = commands.find(({ slashCommand }) => slashCommand !== undefined && slashCommand === words);
  return own?.name ?? words.replace(/^\/(?:upnext\s+)?/, '');
}

async function runExample(call: ActionCall): Promise<void> {
  const example = findExample(call.catalogue, call.action.value ?? '');
  await (example === undefined ? call.reply(EXPIRED_LINE) : call.type(example));
}

const memberJoined = z.object({ user: z.string(), channel: z.string() });

/** Introduces the app when the bot joins a channel, once per channel. */
async function introduceApp(call: EventCall): Promise<void> {
  const { data } = memberJoined.safeParse(call.event.about);
  if (!data || data.user !== call.bot) return;
  const { context, actor, now, client } = call;
  const name = `hello.${data.channel}`;
  if (!(await claimOnce(context.db, { workspace: actor.workspace, name, now: now() }))) return;
  await client.chat.postMessage({
    channel: data.channel,
    ...disableParsing(introductionText(call.catalogue)),
  });
}

function introductionText(catalogue: Catalogue): Message {
  const names = catalogue.flatMap(({ commands }) => commands.map(({ name }) => name));
  const posts = names.includes('posts') ? ' `/upnext posts` all of them,' : '';
  const text = `Hello! I am Upnext. Type \`/upnext use\` to choose the project that this channel is about; then \`/upnext\` shows its next post,${posts} and \`/schedule-post\` schedules one.`;
  const more = 'What I answer is seen by you alone, until you press Share. In threads, write `@Upnext next`.';
  return {
    text,
    blocks: [
      section(`${text}\n${more}`),
      actions(button('Choose the project', OFFERED_USE), button('What there is', LIST)),
    ],
  };
}

/** [Choose the project] */
async function openProjectChoice(call: Call): Promise<void> {
  await call.type('/upnext use');
}
