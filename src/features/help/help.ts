import { z } from 'zod';
import type { ActionCall, Call, EventCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { claimOnce } from '../../delivery/done-once.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { inert, type Message } from '../../slack/message.ts';
import { readSubcommand } from '../../slack/read-command.ts';
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

const joined = z.object({ user: z.string(), channel: z.string() });

/** Somebody has come into a channel: where it is the bot itself, it says what it can do there, once. */
async function sayHello(call: EventCall): Promise<void> {
  const { data } = joined.safeParse(call.event.about);
  if (!data || data.user !== call.bot) return;
  const { context, who, now, client } = call;
  const name = `hello.${data.channel}`;
  if (!(await claimOnce(context.db, { workspace: who.workspace, name, now: now() }))) return;
  await client.chat.postMessage({ channel: data.channel, ...inert(hello(call.catalogue)) });
}

function hello(catalogue: Catalogue): Message {
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
async function chooseProjects(call: Call): Promise<void> {
  await call.type('/upnext use');
}
