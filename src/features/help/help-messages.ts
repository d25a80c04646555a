import { context, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, tame } from '../../slack/escape.ts';
import type { Catalogue, CommandWords } from '../../slack/feature.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';

const QUOTED = 40;

/** `/schedule-post`, or `/upnext use <project>` for one without a slash command of its own. */
function typed(command: CommandWords): string {
  return `${command.ownCommand ?? `/upnext ${command.name}`} ${command.usage}`.trim();
}

export function helpList(catalogue: Catalogue): Message {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const lines = commands.map(
    (command) => `\`${escapeText(typed(command))}\`  ${escapeText(command.summary)}`,
  );
  return {
    text: `What you can type: /upnext, ${commands.map((command) => escapeText(typed(command))).join(', ')}`,
    blocks: [
      section(`*What you can type*\n\`/upnext\`  The next post to go out\n${lines.join('\n')}`),
      context('More on one of them: `/upnext help schedule`'),
    ],
  };
}

export function helpFor(command: CommandWords): Message {
  const others = command.aliases.map((alias) => `\`/upnext ${alias}\``).join(', ');
  const examples = command.examples.map((example) => `• \`${escapeText(example)}\``).join('\n');
  return {
    text: `${escapeText(typed(command))}: ${escapeText(command.summary)}`,
    blocks: [
      section(`*\`${escapeText(typed(command))}\`*\n${escapeText(command.summary)}.`),
      section(`For example:\n${examples}`),
      ...(others === '' ? [] : [context(`Also: ${others}`)]),
    ],
  };
}

export function noTopic(read: { typed: string; suggestion?: string }, catalogue: Catalogue): Message {
  const topics = catalogue.flatMap((feature) => feature.commands.map((command) => command.name)).join(', ');
  const meant = read.suggestion === undefined ? '' : `Did you mean \`/upnext help ${read.suggestion}\`? `;
  return quotingMessage(
    `There is no help on “${clip(tame(read.typed), QUOTED)}”.`,
    `${meant}There is on: ${topics}.`,
  );
}
