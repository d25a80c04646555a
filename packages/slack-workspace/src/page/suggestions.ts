import type { CommandEntry, Person } from '../protocol.ts';
import type { ListboxItem } from './listbox.ts';
import { searchItems } from './search-items.ts';

export interface Suggestion extends ListboxItem {
  /** The text of the composer after the suggestion is inserted. */
  text: string;
  /** The position of the cursor in that text. */
  cursor: number;
  /** Whether the composer has this text already. */
  isComplete: boolean;
}

type SuggestionGroup = { title: string; suggestions: readonly Suggestion[] };

export const NO_SUGGESTIONS: SuggestionGroup = { title: '', suggestions: [] };

const MAX_PEOPLE = 8;

/** Suggests commands, or people to mention, for the text before the cursor. */
export function suggest(
  text: string,
  cursor: number,
  { commands, people }: { commands: readonly CommandEntry[]; people: readonly Person[] },
): SuggestionGroup {
  const matches = suggestCommands(text, commands);
  if (matches.length > 0) {
    const suggestions = matches.map(({ command, usageHint, description }) => {
      const inserted = `${command} `;
      const about = { key: command, label: command, note: usageHint, description };
      return { ...about, text: inserted, cursor: inserted.length, isComplete: command === text };
    });
    return { title: 'Commands', suggestions };
  }
  const mention = findMention(text, cursor);
  if (mention === undefined) return NO_SUGGESTIONS;
  const found = searchItems(
    people.filter(({ deactivated }) => !deactivated),
    mention.typed,
    ({ realName, name }) => `${realName} ${name}`,
  );
  const suggestions = found.slice(0, MAX_PEOPLE).map(({ id, realName, name, isBot }) => {
    const before = `${text.slice(0, mention.at)}@${name} `;
    const about = { key: id, label: realName, note: `@${name}`, ...(isBot && { description: 'App' }) };
    const after = text.slice(cursor).replace(/^ /, '');
    return { ...about, text: before + after, cursor: before.length, isComplete: false };
  });
  return { title: 'People', suggestions };
}

/** The "@…" before the cursor. It ends at the first space. */
function findMention(text: string, cursor: number): { at: number; typed: string } | undefined {
  const typed = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, cursor))?.[1];
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed };
}

/** The matching commands while the text is an incomplete command. */
export function suggestCommands(text: string, commands: readonly CommandEntry[]): CommandEntry[] {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const prefixMatches = commands.filter(({ command }) => command.startsWith(`/${typed}`));
  if (typed === '') return prefixMatches;
  const wordMatches = commands.filter(
    (entry) => !prefixMatches.includes(entry) && entry.command.includes(`-${typed}`),
  );
  return [...prefixMatches, ...wordMatches];
}

/** The command at the start of the text, if its name is complete. */
export function findCommand(text: string, commands: readonly CommandEntry[]): CommandEntry | undefined {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((entry) => entry.command === name);
}
