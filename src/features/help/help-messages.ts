import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { actions, button, context, option, plain, section } from '../../slack/blocks.ts';
import type { Catalogue, CommandDescription } from '../../slack/catalogue.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import { LIST } from './offers.ts';

/** Does an example of a command's; in a row of buttons each has a number of its own behind it. */
export const EXAMPLE = 'help.example';
/** Says more on the command that is chosen. */
export const TOPIC = 'help.topic';

/** What is tried first; all others have their examples under their own help. */
export const FIRST_TRIED = ['next', 'schedule', 'posts', 'projects', 'use', 'status'] as const;

/** What `/upnext` does alone. */
const BARE = 'next';

const QUOTED = 40;

/** `/schedule-post`, or `/upnext use <project>` for one without a slash command of its own. */
function typed(command: CommandDescription): string {
  return `${command.ownCommand ?? `/upnext ${command.name}`} ${command.usage}`.trim();
}

/** Which example of which command a button stands for. */
function exampleId(command: CommandDescription, index: number): string {
  return `${command.name} ${index}`;
}

/** The example that a button stands for; undefined where there is none. */
export function exampleOf(catalogue: Catalogue, id: string): string | undefined {
  const [name, index] = id.split(' ');
  const command = catalogue.flatMap(({ commands }) => commands).find((one) => one.name === name);
  return command?.examples[Number(index)];
}

const lists = new WeakMap<Catalogue, Message>();

/** Everything that there is. Each role has one catalogue, whose list is made once. */
export function helpList(catalogue: Catalogue): Message {
  const list = lists.get(catalogue) ?? makeList(catalogue);
  lists.set(catalogue, list);
  return list;
}

function makeList(catalogue: Catalogue): Message {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const lines = commands.map((command) => {
    const bare = command.name === BARE ? '`/upnext` or ' : '';
    return `${bare}\`${escapeText(typed(command))}\`  ${escapeText(command.summary)}`;
  });
  return {
    text: `What you can type: /upnext, ${commands.map((command) => escapeText(typed(command))).join(', ')}`,
    blocks: [
      section('*What you can type*'),
      ...inSections(lines),
      section('*More on one of them, or try one*'),
      actions(chooseTopic(commands), ...firstTried(commands)),
      context('In threads, where Slack runs no commands, write `@Upnext next`; in a direct message, `next`.'),
    ],
  };
}

export function helpFor(command: CommandDescription): Message {
  const others = [...command.aliases, ...(command.shorthands ?? [])];
  return {
    text: `${escapeText(typed(command))}: ${escapeText(command.summary)}`,
    blocks: [
      section(`*\`${escapeText(typed(command))}\`*\n${escapeText(command.summary)}.`),
      ...command.examples.map((example, index) => ({
        ...section(`\`${escapeText(example)}\``),
        accessory: button('Do this', EXAMPLE, exampleId(command, index)),
      })),
      ...(others.length === 0
        ? []
        : [context(`Also: ${others.map((word) => `\`/upnext ${word}\``).join(', ')}`)]),
      actions(button('All that there is', LIST)),
    ],
  };
}

export function noTopic(read: { typed: string; suggestion?: string }, catalogue: Catalogue): Message {
  const topics = catalogue.flatMap((feature) => feature.commands.map((command) => command.name)).join(', ');
  const meant = read.suggestion === undefined ? '' : `Did you mean \`/upnext help ${read.suggestion}\`? `;
  return quotingMessage(
    `There is no help on “${clip(sanitizeLine(read.typed), QUOTED)}”.`,
    `${meant}There is on: ${topics}.`,
  );
}

/** The lines in as few sections as hold them whole. */
function inSections(lines: readonly string[]): KnownBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last === undefined || last.length + 1 + line.length > LIMITS.sectionText) texts.push(line);
    else texts[texts.length - 1] = `${last}\n${line}`;
  }
  return texts.map(section);
}

/** Help on each command, behind its name. */
function chooseTopic(commands: readonly CommandDescription[]): StaticSelect {
  return {
    type: 'static_select',
    action_id: TOPIC,
    placeholder: plain('More on…', LIMITS.placeholder),
    options: commands.slice(0, LIMITS.options).map(({ name }) => option(name, name)),
  };
}

/** An action_id is there once in a row. */
function firstTried(commands: readonly CommandDescription[]): Button[] {
  return FIRST_TRIED.flatMap((name, index) => {
    const command = commands.find((one) => one.name === name);
    const [example] = command?.examples ?? [];
    if (!command || example === undefined) return [];
    return [button(example, `${EXAMPLE}.${index}`, exampleId(command, 0))];
  });
}
