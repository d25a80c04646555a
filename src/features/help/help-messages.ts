import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { actions, button, context, option, plain, section } from '../../slack/blocks.ts';
import type { Catalogue, CommandDescription } from '../../slack/catalogue.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { LIST } from './offers.ts';

/** Runs an example. Action ids are unique within a block, so the buttons of a row add their number. */
export const EXAMPLE = 'help.example';
/** Shows the help of the chosen command. */
export const TOPIC = 'help.topic';

/** Commands with an example in the list. The others' examples are in their own help. */
export const FEATURED = ['next', 'schedule', 'posts', 'projects', 'use', 'status'] as const;

/** The command that `/upnext` runs without a subcommand. */
const BARE_COMMAND = 'next';

const MAX_QUOTE_LENGTH = 40;

/** `/schedule-post` for a command with a slash command; otherwise `/upnext use <project>`. */
function usageText(command: CommandDescription): string {
  return `${command.slashCommand ?? `/upnext ${command.name}`} ${command.usage}`.trim();
}

/** Encodes a command and the index of its example as a button's value. */
function encodeExample(command: CommandDescription, index: number): string {
  return `${command.name} ${index}`;
}

/** Decodes a button's value; undefined if the example doesn't exist any more. */
export function findExample(catalogue: Catalogue, id: string): string | undefined {
  const [name, index] = id.split(' ');
  const command = catalogue.flatMap(({ commands }) => commands).find((one) => one.name === name);
  return command?.examples[Number(index)];
}

const lists = new WeakMap<Catalogue, Message>();

/** All commands of a catalogue. Each role has one catalogue, so its list is cached. */
export function helpList(catalogue: Catalogue): Message {
  const list = lists.get(catalogue) ?? createHelpList(catalogue);
  lists.set(catalogue, list);
  return list;
}

function createHelpList(catalogue: Catalogue): Message {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const lines = commands.map((command) => {
    const bare = command.name === BARE_COMMAND ? '`/upnext` or ' : '';
    return `${bare}\`${escapeText(usageText(command))}\`  ${escapeText(command.summary)}`;
  });
  return {
    text: `What you can type: /upnext, ${commands.map((command) => escapeText(usageText(command))).join(', ')}`,
    blocks: [
      section('*What you can type*'),
      ...packSections(lines),
      section('*More on one of them, or try one*'),
      actions(topicMenu(commands), ...featuredButtons(commands)),
      context('In threads, where Slack runs no commands, write `@Upnext next`; in a direct message, `next`.'),
    ],
  };
}

export function commandHelp(command: CommandDescription): Message {
  const others = [...command.aliases, ...(command.shorthands ?? [])];
  return {
    text: `${escapeText(usageText(command))}: ${escapeText(command.summary)}`,
    blocks: [
      section(`*\`${escapeText(usageText(command))}\`*\n${escapeText(command.summary)}.`),
      ...command.examples.map((example, index) => ({
        ...section(`\`${escapeText(example)}\``),
        accessory: button('Do this', EXAMPLE, encodeExample(command, index)),
      })),
      ...(others.length === 0
        ? []
        : [context(`Also: ${others.map((word) => `\`/upnext ${word}\``).join(', ')}`)]),
      actions(button('All that there is', LIST)),
    ],
  };
}

export function unknownTopicMessage(
  read: { name: string; suggestion?: string },
  catalogue: Catalogue,
): Message {
  const topics = catalogue.flatMap((feature) => feature.commands.map((command) => command.name)).join(', ');
  const suggestionText =
    read.suggestion === undefined ? '' : `Did you mean \`/upnext help ${read.suggestion}\`? `;
  return buildQuotingMessage(
    `There is no help on “${clip(sanitizeLine(read.name), MAX_QUOTE_LENGTH)}”.`,
    `${suggestionText}There is on: ${topics}.`,
  );
}

/** Distributes the lines over as few sections as possible, without splitting a line. */
function packSections(lines: readonly string[]): KnownBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last === undefined || last.length + 1 + line.length > LIMITS.sectionText) texts.push(line);
    else texts[texts.length - 1] = `${last}\n${line}`;
  }
  return texts.map(section);
}

/** A menu of all commands that shows the help of the chosen one. */
function topicMenu(commands: readonly CommandDescription[]): StaticSelect {
  return {
    type: 'static_select',
    action_id: TOPIC,
    placeholder: plain('More on…', LIMITS.placeholder),
    options: commands.slice(0, LIMITS.options).map(({ name }) => option(name, name)),
  };
}

/** Action ids must be unique within a block, so each button adds its number. */
function featuredButtons(commands: readonly CommandDescription[]): Button[] {
  return FEATURED.flatMap((name, index) => {
    const command = commands.find((one) => one.name === name);
    const [example] = command?.examples ?? [];
    if (!command || example === undefined) return [];
    return [button(example, `${EXAMPLE}.${index}`, encodeExample(command, 0))];
  });
}
