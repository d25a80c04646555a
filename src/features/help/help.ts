import { z } from 'zod';
import type { ActionCall, Call, EventCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { claimOnce } from '../../engine/once-claim.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { parseSubcommand } from '../../slack/read-command.ts';
import {
  EXPIRED_LINE,
  LIST_ACTION,
  OPEN_PROJECT_CHOICE_ACTION,
  RUN_STORED_LINE_ACTION,
  runStoredLine,
} from './fallback-replies.ts';
import {
  FEATURED_COMMANDS,
  findExample,
  getCommandList,
  getHelp,
  RUN_EXAMPLE_ACTION,
  renderCommandHelp,
  renderUnknownTopic,
  SHOW_TOPIC_ACTION,
} from './help-messages.ts';

/** Matches "what can you do?", "how does this work?", and the "me" of "help me". */
const ASKS_FOR_HELP =
  /^(?:me|i need (?:some )?help|can you help(?: me)?|what (?:can|do) you do|who are you|how does (?:this|it|upnext) work|how do i use (?:this|it|you|upnext))[\s!.?]*$/iu;

const createHelpHandler = (run: (call: ActionCall) => Promise<void>): Handler<ActionCall> => ({
  deed: 'open the help',
  run,
});

/** Shows the help, which is generated from the catalogue of commands, and introduces the app in new channels. */
export const help: Feature = {
  name: 'help',
  commands: [
    {
      name: 'help',
      aliases: ['?', 'commands', 'command', 'examples'],
      summary: 'The commands, with examples',
      usage: '[command or all]',
      examples: {
        '/upnext help': 'See the most common commands.',
        '/upnext help schedule': 'See how to schedule a post.',
        '/upnext help all': 'List all commands.',
      },
      phrases: ASKS_FOR_HELP,
      isReadOnly: true,
      deed: 'open the help',
      run: (call) => showHelp(call, ASKS_FOR_HELP.test(call.text) ? '' : call.text),
    },
  ],
  role: 'viewer',
  scopes: {
    'channels:read': 'to introduce the app when the bot is invited to a channel',
    'groups:read': 'to introduce the app when the bot is invited to a private channel',
  },
  events: { member_joined_channel: { deed: 'join a channel', run: introduceApp } },
  actions: {
    [LIST_ACTION]: createHelpHandler((call) => call.reply(getCommandList(call.catalogue))),
    [RUN_STORED_LINE_ACTION]: createHelpHandler(runStoredLine),
    [OPEN_PROJECT_CHOICE_ACTION]: createHelpHandler((call) => call.runLine('/upnext use')),
    [RUN_EXAMPLE_ACTION]: createHelpHandler(runExample),
    ...Object.fromEntries(
      Object.keys(FEATURED_COMMANDS).map((_, index) => [
        `${RUN_EXAMPLE_ACTION}.${index}`,
        createHelpHandler(runExample),
      ]),
    ),
    [SHOW_TOPIC_ACTION]: createHelpHandler((call) => showHelp(call, call.action.selectedValue ?? '')),
  },
};

/** The topic that lists all commands. */
const ALL = 'all';

/** Shows the help of the command that the text names, or of all commands. Without a text, shows the common ones. */
function showHelp(call: Call, text: string): Promise<void> {
  if (text.toLowerCase() === ALL) return call.reply(getCommandList(call.catalogue));
  const topic = parseSubcommand(normalizeTopic(text, call.catalogue), call.catalogue);
  if (topic.kind === 'none') return call.reply(getHelp(call.catalogue));
  return call.reply(topic.kind === 'known' ? renderCommandHelp(topic.command) : renderUnknownTopic(topic));
}

/** Reduces a topic to the command's name: "/schedule-post" to "schedule", and "/upnext use" to "use". */
function normalizeTopic(text: string, catalogue: Catalogue): string {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const command = commands.find(({ slashCommand }) => slashCommand !== undefined && slashCommand === text);
  return command?.name ?? text.replace(/^\/(?:upnext\s+)?/, '');
}

async function runExample(call: ActionCall): Promise<void> {
  const example = findExample(call.catalogue, call.action.value ?? '');
  await (example === undefined ? call.reply(EXPIRED_LINE) : call.runLine(example));
}

const memberJoined = z.object({ user: z.string(), channel: z.string() });

/** Sends an introduction when the bot joins a channel for the first time. */
async function introduceApp(call: EventCall): Promise<void> {
  const { data } = memberJoined.safeParse(call.event.payload);
  if (!data || data.user !== call.bot) return;
  const { context, actor, client } = call;
  const name = `hello.${data.channel}`;
  if (!(await claimOnce(context.db, { workspace: actor.workspace, name }))) return;
  await client.chat.postMessage({
    channel: data.channel,
    ...disableParsing(renderIntroduction(call.catalogue)),
  });
}

function renderIntroduction(catalogue: Catalogue): Message {
  const commandNames = catalogue.flatMap(({ commands }) => commands.map(({ name }) => name));
  const postsHint = commandNames.includes('posts') ? ' `/upnext posts` all of them,' : '';
  const text = `Hi! I’m Upnext. Choose this channel’s project with \`/upnext use\`, then \`/upnext\` shows its next post,${postsHint} and \`/schedule-post\` adds one.`;
  const note = 'Only you see my answers until you press Share. In threads, write `@Upnext next`.';
  return {
    text,
    blocks: [
      section(`${text}\n${note}`),
      actions(button('Choose a project', OPEN_PROJECT_CHOICE_ACTION), button('All commands', LIST_ACTION)),
    ],
  };
}
