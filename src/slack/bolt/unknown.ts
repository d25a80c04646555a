import { clip } from '../clip.ts';
import { tame } from '../escape.ts';
import { type Message, quotingMessage } from '../message.ts';

/** So much of what was typed is quoted. */
const QUOTED = 40;

/** The answer to a subcommand that there is not, with the one that was probably meant. */
export function unknownCommand(read: { typed: string; suggestion?: string }): Message {
  const meant = read.suggestion === undefined ? '' : `Did you mean \`/upnext ${read.suggestion}\`? `;
  return quotingMessage(
    `I do not know “${clip(tame(read.typed), QUOTED)}”.`,
    `${meant}Type \`/upnext help\` to see what there is.`,
  );
}

/** The answer to a button or form that this version does not know. */
export function outdatedMessage(): Message {
  return {
    text: 'This belongs to another version of Upnext and does nothing any more. Type `/upnext help` to see what there is.',
  };
}
