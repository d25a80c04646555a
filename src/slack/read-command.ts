import type { Catalogue, CommandDescription } from './catalogue.ts';
import { nearest } from './suggest.ts';

/** No subcommand is longer; what is typed may be 100 kB. */
const LONGEST_WORD = 80;

/** What was typed, looked up in the catalogue. */
export type ReadCommand =
  | { kind: 'none' }
  | { kind: 'known'; feature: string; command: CommandDescription; words: string }
  | { kind: 'unknown'; typed: string; words: string; suggestion?: string };

/**
 * What somebody typed, or could have typed: `/upnext use Harbour`, `/schedule-post`, and the same without the slash,
 * which nobody writes where a person is spoken to.
 */
export function readLine(line: string, catalogue: Catalogue): ReadCommand {
  const [, first = '', words = ''] = /^(\S*)(.*)$/su.exec(visible(line)) ?? [];
  const typed = first.slice(0, LONGEST_WORD).toLowerCase().replace(/^\//, '');
  for (const { name: feature, commands } of catalogue) {
    const command = commands.find(({ ownCommand }) => ownCommand === `/${typed}`);
    if (command) return { kind: 'known', feature, command, words: words.trim() };
  }
  return readSubcommand(typed === 'upnext' ? words : line, catalogue);
}

/** What follows `/upnext`. Case, width and invisible characters of the subcommand do not matter. */
export function readSubcommand(text: string, catalogue: Catalogue): ReadCommand {
  const [, first = '', words = ''] = /^([^\s\p{Cc}]*)(.*)$/su.exec(visible(text)) ?? [];
  const typed = first.slice(0, LONGEST_WORD).normalize('NFKC').toLowerCase();
  if (typed === '') return { kind: 'none' };
  const known = lookUp(typed, catalogue);
  if (known && first.length <= LONGEST_WORD) {
    const said = known.command.shorthands?.includes(typed) ? `${typed} ${words.trim()}` : words;
    return { kind: 'known', ...known, words: said.trim() };
  }
  const names = catalogue.flatMap(({ commands }) => commands.flatMap(commandNames));
  const near = nearest(typed, names);
  const meant = near === undefined ? undefined : lookUp(near, catalogue)?.command;
  return {
    kind: 'unknown',
    typed: first.slice(0, LONGEST_WORD),
    words: words.trim(),
    // A word that says something besides is suggested itself.
    ...(meant && { suggestion: near !== undefined && meant.shorthands?.includes(near) ? near : meant.name }),
  };
}

/** Every word that a command answers to. */
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

/** Without what cannot be seen before and inside the first word; the rest stays as it was typed. */
function visible(text: string): string {
  const [, first = '', rest = ''] = /^[\s\p{Cc}\p{Cf}]*(\S*)(.*)$/su.exec(text) ?? [];
  return first.replace(/[\p{Cc}\p{Cf}]/gu, '') + rest;
}
