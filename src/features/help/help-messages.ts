import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  option,
  plain,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import type { Catalogue, CommandDescription } from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { LIST_ACTION } from './offers.ts';

/** The action id of a button that runs an example. Buttons in a row add a number, because Slack requires unique ids. */
export const RUN_EXAMPLE_ACTION = 'help.example';
/** The action id of the menu that shows the help of a command. */
export const SHOW_TOPIC_ACTION = 'help.topic';

/** The commands that have an example button in the list. */
export const FEATURED_COMMANDS = ['next', 'schedule', 'posts', 'projects', 'use', 'status'] as const;

/** The command that `/upnext` runs without a subcommand. */
const BARE_COMMAND = 'next';

const MAX_QUOTE_LENGTH = 40;

/** Renders the usage of a command: `/upnext use <project>`, or `/schedule-post …` if it has its own slash command. */
function renderUsage(command: CommandDescription): string {
  return `${command.slashCommand ?? `/upnext ${command.name}`} ${command.usage}`.trim();
}

/** Encodes a command and the index of its example as a button's value. */
export function encodeExample(command: Pick<CommandDescription, 'name'>, index: number): string {
  return `${command.name} ${index}`;
}

/** Finds the example in a button's value. Undefined if the example doesn't exist any more. */
export function findExample(catalogue: Catalogue, value: string): string | undefined {
  const [name, index] = value.split(' ');
  const command = catalogue.flatMap(({ commands }) => commands).find((listed) => listed.name === name);
  return command?.examples[Number(index)];
}

const listCache = new WeakMap<Catalogue, Message>();

/** Returns the list of all commands in a catalogue. There is one catalogue for each role, so all lists are cached. */
export function getHelpList(catalogue: Catalogue): Message {
  const list = listCache.get(catalogue) ?? renderHelpList(catalogue);
  listCache.set(catalogue, list);
  return list;
}

function renderHelpList(catalogue: Catalogue): Message {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const lines = commands.map((command) => {
    const prefix = command.name === BARE_COMMAND ? '`/upnext` or ' : '';
    return `${prefix}\`${escapeText(renderUsage(command))}\`  ${escapeText(command.summary)}`;
  });
  return {
    text: `Commands: /upnext, ${commands.map((command) => escapeText(renderUsage(command))).join(', ')}`,
    blocks: [
      section('*Commands*'),
      ...packSections(lines),
      section('*Learn more, or try one*'),
      actions(renderTopicMenu(commands), ...renderFeaturedButtons(commands)),
      context(
        'Slack runs no commands in threads, so write `@Upnext next` there. In a direct message, `next` is enough.',
      ),
    ],
  };
}

export function renderCommandHelp(command: CommandDescription): Message {
  const otherNames = [...command.aliases, ...(command.shorthands ?? [])];
  return {
    text: `${escapeText(renderUsage(command))}: ${escapeText(command.summary)}`,
    blocks: [
      section(`*\`${escapeText(renderUsage(command))}\`*\n${escapeText(command.summary)}.`),
      ...command.examples.map((example, index) => ({
        ...section(`\`${escapeText(example)}\``),
        accessory: button('Do this', RUN_EXAMPLE_ACTION, encodeExample(command, index)),
      })),
      ...(otherNames.length === 0
        ? []
        : [context(`Also: ${otherNames.map((word) => `\`/upnext ${word}\``).join(', ')}`)]),
      actions(button('All commands', LIST_ACTION)),
    ],
  };
}

export function renderUnknownTopic(
  topic: { name: string; suggestion?: string },
  catalogue: Catalogue,
): Message {
  const topics = catalogue.flatMap((feature) => feature.commands.map((command) => command.name)).join(', ');
  const suggestionText =
    topic.suggestion === undefined ? '' : `Did you mean \`/upnext help ${topic.suggestion}\`? `;
  return buildQuotingMessage(
    `There’s no help on “${clip(sanitizeLine(topic.name), MAX_QUOTE_LENGTH)}”.`,
    `${suggestionText}Try: ${topics}.`,
  );
}

/** Renders the lines in as few sections as possible, without splitting a line. */
function packSections(lines: readonly string[]): KnownBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    const lastText = texts.at(-1);
    if (lastText === undefined || lastText.length + 1 + line.length > LIMITS.sectionText) texts.push(line);
    else texts[texts.length - 1] = `${lastText}\n${line}`;
  }
  return texts.map(section);
}

/** Renders a menu of all commands, which shows the help of the chosen command. */
function renderTopicMenu(commands: readonly CommandDescription[]): StaticSelect {
  return {
    type: 'static_select',
    action_id: SHOW_TOPIC_ACTION,
    placeholder: plain('More on…', LIMITS.placeholder),
    options: commands.slice(0, LIMITS.options).map(({ name }) => option(name, name)),
  };
}

/** Renders a button for an example of each featured command. */
function renderFeaturedButtons(commands: readonly CommandDescription[]): Button[] {
  return FEATURED_COMMANDS.flatMap((name, index) => {
    const command = commands.find((listed) => listed.name === name);
    const [example] = command?.examples ?? [];
    if (!command || example === undefined) return [];
    return [button(example, `${RUN_EXAMPLE_ACTION}.${index}`, encodeExample(command, 0))];
  });
}
