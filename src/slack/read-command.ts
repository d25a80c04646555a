import { unescapeText } from './escape.ts';
import type { Catalogue, CommandWords } from './feature.ts';
import { nearest } from './suggest.ts';

/** No subcommand is longer; what is typed may be 100 kB. */
const LONGEST_WORD = 80;

/** What was typed after `/upnext`, looked up in the catalogue. */
type ReadCommand =
  | { kind: 'none' }
  | { kind: 'known'; feature: string; command: CommandWords; words: string }
  | { kind: 'unknown'; typed: string; suggestion?: string };

/** `text` as Slack sends it. Case, width and invisible characters of the subcommand do not matter. */
export function readCommand(text: string, catalogue: Catalogue): ReadCommand {
  const [, first = '', words = ''] = /^([^\s\p{Cc}]*)(.*)$/su.exec(visible(unescapeText(text))) ?? [];
  const typed = first.slice(0, LONGEST_WORD).normalize('NFKC').toLowerCase();
  if (typed === '') return { kind: 'none' };
  const known = lookUp(typed, catalogue);
  if (known && first.length <= LONGEST_WORD) return { kind: 'known', ...known, words: words.trim() };
  const names = catalogue.flatMap(({ commands }) =>
    commands.flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  const near = nearest(typed, names);
  const suggestion = near === undefined ? undefined : lookUp(near, catalogue)?.command.name;
  return {
    kind: 'unknown',
    typed: first.slice(0, LONGEST_WORD),
    ...(suggestion !== undefined && { suggestion }),
  };
}

function lookUp(typed: string, catalogue: Catalogue) {
  for (const { name: feature, commands } of catalogue) {
    const command = commands.find(({ name, aliases }) => name === typed || aliases.includes(typed));
    if (command) return { feature, command };
  }
  return undefined;
}

/** Without what cannot be seen before and inside the first word; the rest stays as it was typed. */
function visible(text: string): string {
  const [, first = '', rest = ''] = /^[\s\p{Cc}\p{Cf}]*(\S*)(.*)$/su.exec(text) ?? [];
  return first.replace(/[\p{Cc}\p{Cf}]/gu, '') + rest;
}
