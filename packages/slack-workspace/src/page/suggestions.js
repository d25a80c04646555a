import { searchItems } from './search-items.js';

/**
 * @import { CommandEntry, Person } from '../protocol.ts'
 *
 * @typedef {object} Suggestion
 * @property {string} key
 * @property {string} name
 * @property {string} usage in smaller letters after the name
 * @property {string} description
 * @property {string} text the text of the composer after the suggestion is inserted
 * @property {number} cursor the position of the cursor in that text
 * @property {boolean} isComplete whether the composer has this text already
 *
 * @typedef {{ title: string, suggestions: readonly Suggestion[] }} SuggestionGroup
 */

/** @type {SuggestionGroup} */
export const NO_SUGGESTIONS = { title: '', suggestions: [] };

const MAX_PEOPLE = 8;

/**
 * Suggests commands, or people to mention, for the text before the cursor.
 * @param {string} text
 * @param {number} cursor
 * @param {{ commands: readonly CommandEntry[], people: readonly Person[] }} sources
 * @returns {SuggestionGroup}
 */
export function suggest(text, cursor, { commands, people }) {
  const matches = suggestCommands(text, commands);
  if (matches.length > 0)
    return { title: 'Commands', suggestions: matches.map((entry) => createCommandSuggestion(entry, text)) };
  const mention = findMention(text, cursor);
  if (mention === undefined) return NO_SUGGESTIONS;
  const found = searchItems(
    people.filter(({ deactivated }) => !deactivated),
    mention.typed,
    ({ realName, name }) => `${realName} ${name}`,
  );
  const suggestions = found
    .slice(0, MAX_PEOPLE)
    .map((person) => createPersonSuggestion(person, text, cursor, mention.at));
  return { title: 'People', suggestions };
}

/**
 * @param {CommandEntry} entry
 * @param {string} typed
 * @returns {Suggestion}
 */
function createCommandSuggestion({ command, usageHint, description }, typed) {
  const text = `${command} `;
  const isComplete = command === typed;
  return {
    key: command,
    name: command,
    usage: usageHint,
    description,
    text,
    cursor: text.length,
    isComplete,
  };
}

/**
 * @param {Person} person
 * @param {string} text
 * @param {number} cursor
 * @param {number} at
 * @returns {Suggestion}
 */
function createPersonSuggestion({ id, realName, name, isBot }, text, cursor, at) {
  const before = `${text.slice(0, at)}@${name} `;
  return {
    key: id,
    name: realName,
    usage: `@${name}`,
    description: isBot ? 'App' : '',
    text: before + text.slice(cursor).replace(/^ /, ''),
    cursor: before.length,
    isComplete: false,
  };
}

/**
 * The "@…" before the cursor. It ends at the first space.
 * @param {string} text
 * @param {number} cursor
 * @returns {{ at: number, typed: string } | undefined}
 */
function findMention(text, cursor) {
  const typed = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, cursor))?.[1];
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed };
}

/**
 * The matching commands while the text is an incomplete command.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry[]}
 */
export function suggestCommands(text, commands) {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const prefixMatches = commands.filter(({ command }) => command.startsWith(`/${typed}`));
  if (typed === '') return prefixMatches;
  const wordMatches = commands.filter(
    (entry) => !prefixMatches.includes(entry) && entry.command.includes(`-${typed}`),
  );
  return [...prefixMatches, ...wordMatches];
}

/**
 * The command at the start of the text, if its name is complete.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry | undefined}
 */
export function findCommand(text, commands) {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((entry) => entry.command === name);
}
