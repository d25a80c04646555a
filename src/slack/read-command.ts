import type { Catalogue, CommandDescription } from './catalogue.ts';
import { nearest } from './suggest.ts';

/** No subcommand is longer. The typed text may have 100 kB. */
const MAX_WORD_LENGTH = 80;

/** A typed line, looked up in the catalogue. `words` follow the subcommand; `typed` is the subcommand as typed. */
export type ReadCommand =
  | { kind: 'none' }
  | { kind: 'known'; feature: string; command: CommandDescription; words: string }
  | { kind: 'unknown'; typed: string; words: string; suggestion?: string };

/**
 * Reads a whole line: `/upnext use Harbour` or `/schedule-post`, and the same without the slash, as people write when
 * they mention the bot or send it a direct message.
 */
export function readLine(line: string, catalogue: Catalogue): ReadCommand {
  const [, first = '', words = ''] = /^(\S*)(.*)$/su.exec(stripInvisible(line)) ?? [];
  const typed = first.slice(0, MAX_WORD_LENGTH).toLowerCase().replace(/^\//, '');
  for (const { name: feature, commands } of catalogue) {
    const command = commands.find(({ ownCommand }) => ownCommand === `/${typed}`);
    if (command) return { kind: 'known', feature, command, words: words.trim() };
  }
  return readSubcommand(typed === 'upnext' ? words : line, catalogue);
}

/** Reads the text after `/upnext`. Ignores case, width and invisible characters of the subcommand. */
export function readSubcommand(text: string, catalogue: Catalogue): ReadCommand {
  const [, first = '', words = ''] = /^([^\s\p{Cc}]*)(.*)$/su.exec(stripInvisible(text)) ?? [];
  const typed = first.slice(0, MAX_WORD_LENGTH).normalize('NFKC').toLowerCase();
  if (typed === '') return { kind: 'none' };
  const known = lookUp(typed, catalogue);
  if (known && first.length <= MAX_WORD_LENGTH) {
    // A shorthand is also the first argument.
    const isShorthand = known.command.shorthands?.includes(typed);
    return { kind: 'known', ...known, words: (isShorthand ? `${typed} ${words.trim()}` : words).trim() };
  }
  const names = catalogue.flatMap(({ commands }) => commands.flatMap(commandNames));
  const near = nearest(typed, names);
  const meant = near === undefined ? undefined : lookUp(near, catalogue)?.command;
  return {
    kind: 'unknown',
    typed: first.slice(0, MAX_WORD_LENGTH),
    words: words.trim(),
    // A shorthand is suggested as it is: the name of its command would lose the argument.
    ...(meant && { suggestion: near !== undefined && meant.shorthands?.includes(near) ? near : meant.name }),
  };
}

/** Every word that stands for the command. */
export function commandNames({ name, aliases, shorthands = [] }: CommandDescription): readonly string[] {
  return [name, ...aliases, ...shorthands];
}

function lookUp(typed: string, catalogue: Catalogue) {
  for (const { name: feature, commands } of catalogue) {
    const command = commands.find(
      ({ name, aliases, shorthands }) =>
        name === typed || aliases.includes(typed) || shorthands?.includes(typed),
    );
    if (command) return { feature, command };
  }
  return undefined;
}

/** Removes invisible characters before and inside the first word. The rest stays as it was typed. */
function stripInvisible(text: string): string {
  const [, first = '', rest = ''] = /^[\s\p{Cc}\p{Cf}]*(\S*)(.*)$/su.exec(text) ?? [];
  return first.replace(/[\p{Cc}\p{Cf}]/gu, '') + rest;
}
