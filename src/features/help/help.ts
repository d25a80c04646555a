import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import { claimOnce } from '../../engine/once-claim.ts';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import type { FallbackReplies, LineCall } from '../../handlers/bolt/bolt.ts';
import type { ActionCall, Call, EventCall, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { HOW_TO_SAVE } from '../../imports/read-table.ts';
import { findProjectsByName, nameProjects } from '../../posts/project.ts';
import { within } from '../../promises.ts';
import {
  actions,
  button,
  clipLine,
  context,
  escapeText,
  option,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import {
  type Catalogue,
  type CommandDescription,
  findCommand,
  listNamedCommands,
  needsForm,
  RUN_LINE_ACTIONS,
  renderCommandName,
  runLineButton,
} from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import {
  addBlocks,
  buildQuotingMessage,
  buildUnavailableMessage,
  disableParsing,
  EMULATOR_NOTICE,
  type Message,
  quoteTyped,
} from '../../slack/message.ts';
import { type ParsedCommand, parseSubcommand } from '../../slack/read-command.ts';
import { findLeadingMoments } from '../../when/when.ts';

/** Replies to lines that can't run as typed. A button runs the corrected line, or opens the form of the command. */
export const fallbackReplies: FallbackReplies = {
  async offerSuggestion(call, command) {
    const projects = await findProjectsOfLine(call, command);
    if (projects.length > 0) return call.reply(renderUnknownCommand(command, offerPosts(projects)));
    const isPost = findCommand(call.catalogue, 'schedule') !== undefined && beginsWithTime(command.line);
    const { suggestion: name, args } = isPost ? { suggestion: 'schedule', args: command.line } : command;
    if (name === undefined) {
      const message = renderUnknownCommand(command);
      // Slack keeps a message to the app, but not the line of a slash command.
      const isGone = call.trigger !== undefined && /\s/.test(command.line);
      const isCut = clipLine(command.line, MAX_QUOTE_LENGTH) !== command.line;
      return call.reply(isGone && isCut ? quoteTyped(message, command.line) : message);
    }
    const suggestion = renderCommandName(findCommand(call.catalogue, name) ?? { name });
    const line = `${suggestion} ${args}`.trim();
    const label = clipLine(line, LIMITS.buttonText);
    const offered = button(label, RUN_STORED_LINE_ACTION, await storeLine(call, line), 'primary');
    await call.reply(renderUnknownCommand(command, { suggestion, buttons: [offered] }));
  },
  offerFormButton: async (call, line, command) =>
    call.reply(renderFormOffer(command, await storeLine(call, line), call.trigger !== undefined ? line : '')),
};

/** Whether a line is probably a post without its command: "friday 9am: Hello". Its words are a time in every zone. */
function beginsWithTime(line: string): boolean {
  return /\s/.test(line) && findLeadingMoments({ text: line, now: new Date(0), zone: 'UTC' }) !== undefined;
}

/** How long the reply to an unknown line waits for the projects. */
const PROJECTS_TIMEOUT_MS = 1_500;

/** In a shorter line, a typo is likelier than the beginning of a project's name. */
const MIN_BEGINNING_LENGTH = 3;

/** Finds the projects whose name is the whole line, or begins with it unless the line is like a command. */
async function findProjectsOfLine(call: Call, command: UnknownCommand): Promise<readonly Project[]> {
  const { reads, api } = call.context;
  const outcome = await within(PROJECTS_TIMEOUT_MS, reads.fetchProjects(api));
  if (outcome?.kind !== 'done') return [];
  const { line } = command;
  const { projects, isWholeName } = findProjectsByName(outcome.data, line);
  const mayBegin = command.suggestion === undefined && line.length >= MIN_BEGINNING_LENGTH;
  return isWholeName || mayBegin ? projects.filter(({ id }) => call.may('viewer', id)) : [];
}

function offerPosts(projects: readonly Project[]): Offer {
  const suggestion = renderCommandName({ name: 'posts' });
  const offered = projects.slice(0, RUN_LINE_ACTIONS.length);
  const style = offered.length === 1 ? 'primary' : undefined;
  const buttons = nameProjects(offered, LIMITS.buttonText - suggestion.length - 1).map((name, index) =>
    runLineButton(`${suggestion} ${name}`, `${suggestion} ${offered[index]?.id}`, index, style),
  );
  return { suggestion, buttons };
}

/** Runs the line that was stored for the pressed button. The line can open a form, because a press has a trigger. */
async function runStoredLine(call: ActionCall): Promise<void> {
  // Undefined if somebody else typed the line, or if it has expired.
  const stored = await readSealedValue(call, STORED_LINE_KIND, typedLineSchema, call.action.value ?? '');
  await (stored ? call.runLine(stored.line, stored.changes) : call.reply(EXPIRED_LINE));
}

const STORED_LINE_KIND = 'typed-line.2';
/** Older values are only the line. */
const typedLineSchema = z
  .object({ line: z.string(), changes: z.array(z.string()) })
  .or(z.string().transform((line) => ({ line, changes: [] })));

/** Stores a typed line for a button, encrypted, as it may contain a post's text. Returns an opaque id. */
function storeLine(call: LineCall, line: string): Promise<string> {
  return storeSealedValue(call, STORED_LINE_KIND, { line: line.toWellFormed(), changes: call.changes });
}

// Action ids.
const RUN_STORED_LINE_ACTION = 'help.offered';
const LIST_ACTION = 'help.list';

const EXPIRED_LINE = buildUnavailableMessage('Type the command again.');

type UnknownCommand = Extract<ParsedCommand, { kind: 'unknown' }>;

/** A command that may be meant, and buttons that run it. */
interface Offer {
  suggestion: string;
  buttons: readonly Button[];
}

/** Tables that people share as links. Only somebody who is signed in can open them. */
const TABLE_LINK =
  /https?:\/\/(?:docs\.google\.com\/spreadsheets\/|sheets\.google\.com\/|(?:www\.)?airtable\.com\/|(?:www\.)?notion\.(?:so|com)\/|[\w-]+\.sharepoint\.com\/:x:)/i;

function renderUnknownCommand(command: UnknownCommand, offer?: Offer): Message {
  if (!offer && TABLE_LINK.test(command.line))
    return { text: `I can’t open a table by its link, so send me the file. ${HOW_TO_SAVE}` };
  const [problem, words] = offer ? ['know', command.name] : ['understand', command.line];
  const message = buildQuotingMessage(
    `I don’t ${problem} “${clipLine(words, MAX_QUOTE_LENGTH)}”.`,
    offer ? `Did you mean \`${offer.suggestion}\`?` : 'See all commands with `/upnext help all`.',
  );
  return addBlocks(message, actions(...(offer?.buttons ?? []), button('All commands', LIST_ACTION)));
}

/**
 * Renders a button that runs the stored line. `lateLine`: a line that could have opened a form within 3 s
 * (https://docs.slack.dev/interactivity/handling-user-interaction), and that Slack has removed from the message field.
 */
function renderFormOffer(command: CommandDescription, id: string, lateLine: string): Message {
  const reason = lateLine
    ? 'The form wasn’t ready within Slack’s 3 seconds'
    : 'Slack opens forms only from a button';
  const message = addBlocks(
    { text: `${command.summary}. ${reason}.` },
    actions(button('Open the form', RUN_STORED_LINE_ACTION, id, 'primary')),
  );
  return /\s/.test(lateLine) ? quoteTyped(message, lateLine) : message;
}

/** The commands that have a button below the list, with its label. The button runs the first example. */
const FEATURED_COMMANDS = { schedule: 'New post', week: 'Week', next: 'What’s next' } as const;

/** The action id of the menu that shows the help of a command. */
const SHOW_TOPIC_ACTION = 'help.topic';

/** Matches "what can you do?", "how does this work?", the "me" of "help me", and the "there" of "hi there". */
const ASKS_FOR_HELP =
  /^(?:me|there|i need (?:some )?help|can you help(?: me)?|what (?:can|do) you do|who are you|how does (?:this|it|upnext) work|how do i use (?:this|it|you|upnext))[\s!.?]*$/iu;

const createHelpHandler = (run: (call: ActionCall) => Promise<void>): Handler<ActionCall> => ({
  deed: 'open the help',
  run,
});

const runLineHandler: Handler<ActionCall> = {
  deed: 'use a button that runs a command',
  // The role of the command is checked.
  role: 'member',
  run: (call) => call.runLine(call.action.value ?? ''),
};

/** Shows the help, which is generated from the catalogue of commands, and introduces the app in new channels. */
export const help: Feature = {
  name: 'help',
  commands: [
    {
      name: 'help',
      aliases: ['?', 'commands', 'command', 'examples', 'start', 'welcome', 'intro', 'hello', 'hi'],
      summary: 'What Upnext does, and the commands with examples',
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
    [LIST_ACTION]: createHelpHandler((call) => call.reply(renderCommandList(call.catalogue))),
    [RUN_STORED_LINE_ACTION]: createHelpHandler(runStoredLine),
    ...Object.fromEntries(RUN_LINE_ACTIONS.map((id) => [id, runLineHandler])),
    [SHOW_TOPIC_ACTION]: createHelpHandler((call) => showHelp(call, call.action.selectedValue ?? '')),
  },
};

/** Shows the help of the command that the text names, or of all commands. Without a text, shows the common ones. */
function showHelp(call: Call, text: string): Promise<void> {
  if (text.toLowerCase() === 'all') return call.reply(renderCommandList(call.catalogue));
  const topic = parseSubcommand(normalizeTopic(text, call.catalogue), call.catalogue);
  if (topic.kind === 'none') {
    const notice = call.context.isEmulated ? [context(EMULATOR_NOTICE)] : [];
    return call.reply(addBlocks(getHelp(call.catalogue), ...notice));
  }
  return call.reply(topic.kind === 'known' ? renderCommandHelp(topic.command) : renderUnknownTopic(topic));
}

/** Reduces a topic to the command's name: "/schedule-post" to "schedule", and "/upnext use" to "use". */
function normalizeTopic(text: string, catalogue: Catalogue): string {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const command = commands.find(({ slashCommand }) => slashCommand !== undefined && slashCommand === text);
  return command?.name ?? text.replace(/^\/(?:upnext\s+)?/, '');
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
  const postsHint = findCommand(catalogue, 'posts') ? ' `/upnext posts` all of them,' : '';
  const text = `Hi! I’m Upnext. Choose this channel’s project with \`/upnext use\`, then \`/upnext\` shows its next post,${postsHint} and \`/schedule-post\` adds one.`;
  const note = 'Only you see my answers until you press Share. In threads, write `@Upnext next`.';
  return {
    text,
    blocks: [
      section(`${text}\n${note}`),
      actions(runLineButton('Choose a project', '/upnext use'), button('All commands', LIST_ACTION)),
    ],
  };
}

/** The commands that the help shows first, in this order, as far as the person may use them. */
const COMMON_COMMANDS = ['schedule', 'week', 'next', 'posts', 'outbox', 'digest', 'use', 'zone'];
const MAX_COMMON_COMMANDS = 5;

/** The commands that decide what goes out. The help says what each is for. */
const CONTROL_COMMANDS = ['policy', 'stop', 'resume'];

/** All commands, grouped by purpose. The `main` commands have a line of their own, and `more` share one line. */
const GROUPS: readonly { title: string; main: readonly string[]; more: readonly string[] }[] = [
  {
    title: 'Schedule posts',
    main: ['schedule', 'outbox'],
    more: ['series', 'import', 'duplicate', 'templates', 'sources', 'source'],
  },
  {
    title: 'See what goes out',
    main: ['week', 'next', 'posts', 'digest'],
    more: ['projects', 'logs', 'notifications'],
  },
  { title: 'Decide what goes out', main: CONTROL_COMMANDS, more: [] },
  { title: 'Set up this channel', main: ['use', 'zone'], more: [] },
  { title: 'Work with your team', main: ['roles', 'invite'], more: [] },
  { title: 'Run Upnext', main: ['connect', 'status', 'admin'], more: ['audit'] },
];

/** Maximum length of a quoted line, in characters. */
const MAX_QUOTE_LENGTH = 40;

const helpByCatalogue = new WeakMap<Catalogue, Message>();

/** Returns the help, which is rendered once for each catalogue. There is one catalogue for each role. */
function getHelp(catalogue: Catalogue): Message {
  const message = helpByCatalogue.get(catalogue) ?? renderHelp(listNamedCommands(catalogue));
  helpByCatalogue.set(catalogue, message);
  return message;
}

/** Renders the help: the most common commands that the person may use. */
function renderHelp(commands: readonly CommandDescription[]): Message {
  const commonCommands = findCommands(commands, COMMON_COMMANDS).slice(0, MAX_COMMON_COMMANDS);
  const controlCommands = findCommands(commands, CONTROL_COMMANDS);
  const renderLines = (title: string, listed: readonly CommandDescription[]) =>
    listed.length === 0 ? [] : [section([`*${title}*`, ...listed.map(renderSummaryLine)].join('\n'))];
  const featuredButtons = Object.entries(FEATURED_COMMANDS).flatMap(([name, label], index) => {
    const [line] = Object.keys(commands.find((listed) => listed.name === name)?.examples ?? {});
    return line === undefined ? [] : [runLineButton(label, line, index)];
  });
  return {
    text: `Common commands: ${commonCommands.map(renderCommandName).join(', ')}`,
    blocks: [
      ...renderLines('Common commands', commonCommands),
      actions(...featuredButtons, button('All commands', LIST_ACTION)),
      ...renderLines('Decide what goes out', controlCommands),
      context('In a thread, write `@Upnext next`. In a direct message, just `next`.'),
    ],
  };
}

/** Renders the list of all commands that the person may use. */
function renderCommandList(catalogue: Catalogue): Message {
  const commands = listNamedCommands(catalogue);
  const menu: StaticSelect = {
    type: 'static_select',
    action_id: SHOW_TOPIC_ACTION,
    placeholder: plain('Examples for…', LIMITS.placeholder),
    options: commands.slice(0, LIMITS.options).map(({ name }) => option(name, name)),
  };
  return {
    text: `Commands: ${commands.map(renderCommandName).join(', ')}`,
    blocks: [section('*All commands*'), ...renderGroups(commands), actions(menu)],
  };
}

function findCommands(commands: readonly CommandDescription[], names: readonly string[]) {
  return names.flatMap((name) => commands.find((command) => command.name === name) ?? []);
}

/** Renders a section for each group. Commands that are in no group come last. */
function renderGroups(commands: readonly CommandDescription[]): KnownBlock[] {
  const groupedNames = GROUPS.flatMap(({ main, more }) => [...main, ...more]);
  const others = commands.filter(({ name }) => !groupedNames.includes(name));
  return [
    ...GROUPS.map(({ title, main, more }) => ({
      title,
      main: findCommands(commands, main),
      more: findCommands(commands, more),
    })),
    { title: 'Find your way', main: [], more: others },
  ].flatMap(({ title, main, more }) => {
    if (main.length + more.length === 0) return [];
    const moreNames = more.map((command) => `\`${renderCommandName(command)}\``).join(', ');
    return section(
      [
        `*${title}*`,
        ...main.map(renderSummaryLine),
        ...(moreNames === '' ? [] : [main.length === 0 ? moreNames : `More: ${moreNames}`]),
      ].join('\n'),
    );
  });
}

function renderSummaryLine(command: CommandDescription): string {
  return `\`${renderCommandName(command)}\`  ${escapeText(command.summary)}`;
}

function renderCommandHelp(command: CommandDescription): Message {
  const invocation = renderCommandName(command);
  return {
    text: `${invocation}: ${escapeText(command.summary)}`,
    blocks: [
      section(`*\`${invocation}\`*\n${escapeText(command.summary)}.`),
      ...Object.entries(command.examples).map(([line, description]) => ({
        ...section(`\`${escapeText(line)}\`\n${escapeText(description)}`),
        accessory: renderExampleButton(command, line, description),
      })),
      actions(button('All commands', LIST_ACTION)),
    ],
  };
}

/** Renders the button that runs an example. Asks first if the example changes something at once. */
function renderExampleButton(command: CommandDescription, line: string, description: string): Button {
  if (description.startsWith('See ')) return runLineButton('Show', line);
  const run = runLineButton('Run', line);
  const args = line.replace(/^\/(?:upnext )?\S+ ?/, '');
  if (command.isReadOnly || needsForm(command, args)) return run;
  const text = `${line}\n${description}`;
  return withConfirmation(run, { title: 'Run this here?', text, confirm: 'Run', deny: 'Not now' });
}

function renderUnknownTopic(topic: { name: string; suggestion?: string }): Message {
  const message = buildQuotingMessage(
    `There’s no help on “${clipLine(topic.name, MAX_QUOTE_LENGTH)}”.`,
    topic.suggestion === undefined
      ? 'Choose a command from the list.'
      : `Did you mean \`/upnext help ${topic.suggestion}\`?`,
  );
  return addBlocks(message, actions(button('All commands', LIST_ACTION)));
}
