import { normalizeUnicode } from '../normalize-text.ts';
import { BARE_COMMAND, type Catalogue, type CommandDescription } from './catalogue.ts';
import { findNearest } from './suggest.ts';

/** Maximum length of a typed subcommand, longer than any name. The whole typed text may have 80 kB. */
const MAX_WORD_LENGTH = 80;

/** First words of a question. They aren't misspelled commands: "when" doesn't mean "week". */
const QUESTION_WORDS = ['what', 'when', 'where', 'which', 'who', 'why', 'how'];

/**
 * A typed line after lookup. `args`: the text after the subcommand. `name`: the unknown subcommand, at most its beginning.
 * `line`: all of the text after `/upnext`.
 */
export type ParsedCommand =
  | { kind: 'none' }
  | { kind: 'known'; feature: string; command: CommandDescription; args: string }
  | { kind: 'unknown'; name: string; args: string; line: string; suggestion?: string };

/**
 * Parses a whole line: `/upnext use Harbour` or `/schedule-post`. The slash may be missing, because people leave it out
 * when they mention the bot or send it a direct message.
 */
export function parseLine(line: string, catalogue: Catalogue): ParsedCommand {
  const [, firstWord = '', args = ''] = /^(\S*)(.*)$/su.exec(stripInvisibleCharacters(line)) ?? [];
  const name = firstWord.slice(0, MAX_WORD_LENGTH).toLowerCase().replace(/^\//, '');
  const own = findWhere(catalogue, ({ slashCommand }) => slashCommand === `/${name}`);
  if (own) return { kind: 'known', ...own, args: args.trim() };
  return parseSubcommand(name === 'upnext' ? args : line, catalogue);
}

/** Parses the text after `/upnext`, whatever the subcommand's case, width, invisible characters and punctuation. */
export function parseSubcommand(text: string, catalogue: Catalogue): ParsedCommand {
  const [, firstWord = '', args = ''] = /^([^\s\p{Cc}]*)(.*)$/su.exec(stripInvisibleCharacters(text)) ?? [];
  const typedName = normalizeUnicode(firstWord.slice(0, MAX_WORD_LENGTH), 'NFKC')
    .toLowerCase()
    .replace(/(?<=\p{L})[!?.,]+$/u, '');
  // A text follows the colon of "post: Hello" and of "today: big news". A list would lose it.
  const postName = typedName.replace(/:$/, '');
  const name = findCommand(postName, catalogue)?.command.name === 'schedule' ? postName : typedName;
  if (name === '') return { kind: 'none' };
  const line = stripInvisibleCharacters(text).trim();
  const known = firstWord.length > MAX_WORD_LENGTH ? undefined : findCommand(name, catalogue);
  const isShorthand = known?.command.shorthands?.includes(name) === true;
  // "Tomorrow" and "next" are also how a post's time begins: "tomorrow 9am on x: We are live!"
  const mayBePhrase = !known || isShorthand || name === BARE_COMMAND;
  const matchingPhrase = mayBePhrase ? findByPhrase(line, catalogue) : undefined;
  if (matchingPhrase) return { kind: 'known', ...matchingPhrase, args: line };
  // A shorthand is also the first argument of the command.
  if (known) return { kind: 'known', ...known, args: (isShorthand ? `${name} ${args.trim()}` : args).trim() };
  const commands = catalogue.flatMap((feature) => feature.commands);
  // Of equally near names, a command's own name comes before other commands' aliases: "pots" means "posts", not "post".
  const names = [...commands.map((command) => command.name), ...commands.flatMap(listCommandNames)];
  const nearestName = (!QUESTION_WORDS.includes(name) && findNearest(name, names)) || '';
  const suggested = findCommand(nearestName, catalogue)?.command;
  return {
    kind: 'unknown',
    name: firstWord.slice(0, MAX_WORD_LENGTH),
    args: args.trim(),
    line,
    // A shorthand is suggested unchanged, because the name of its command would lose the argument.
    ...(suggested && {
      suggestion: suggested.shorthands?.includes(nearestName) ? nearestName : suggested.name,
    }),
  };
}

/** Matches arguments that ask how a command works. Phones and Macs turn `--` into a dash. */
const HELP_REQUEST = /^(?:--?|[–—])?help$|^(?:--?|[–—])h$|^\?$/i;

/** Whether the arguments only ask for the command's help: `/schedule-post help`, `/upnext posts --help`. */
export function asksForHelp({ command, args }: Extract<ParsedCommand, { kind: 'known' }>): boolean {
  const [firstWord = '', ...furtherWords] = args.split(/\s+/);
  const isShorthand = furtherWords.length > 0 && command.shorthands?.includes(firstWord.toLowerCase());
  return HELP_REQUEST.test(isShorthand ? furtherWords.join(' ') : args);
}

export function listCommandNames({ name, aliases, shorthands = [] }: CommandDescription): readonly string[] {
  return [name, ...aliases, ...shorthands];
}

function findWhere(catalogue: Catalogue, matches: (command: CommandDescription) => boolean) {
  for (const { name: feature, commands } of catalogue) {
    const command = commands.find(matches);
    if (command) return { feature, command };
  }
  return undefined;
}

function findCommand(subcommand: string, catalogue: Catalogue) {
  return findWhere(catalogue, (command) => listCommandNames(command).includes(subcommand));
}

/** Finds the command that a line of ordinary language means. */
export function findByPhrase(line: string, catalogue: Catalogue, locale?: string) {
  return findWhere(catalogue, ({ phrases }) => phrases?.test(line, locale) === true);
}

/** Removes invisible characters before and inside the first word. Later words stay unchanged. */
function stripInvisibleCharacters(text: string): string {
  const [, firstWord = '', rest = ''] = /^[\s\p{Cc}\p{Cf}]*(\S*)(.*)$/su.exec(text) ?? [];
  return firstWord.replace(/[\p{Cc}\p{Cf}]/gu, '') + rest;
}
