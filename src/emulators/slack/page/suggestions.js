import { searchItems } from './search-items.js';

/**
 * The composer's suggestions for the text before the cursor: commands, or people to mention.
 * @import { CommandEntry, Person } from '../protocol.ts'
 *
 * @typedef {object} Suggestion
 * @property {string} key
 * @property {string} name
 * @property {string} aside in smaller letters behind the name
 * @property {string} description
 * @property {string} text what stands in the composer once this is taken
 * @property {number} cursor where the cursor is then
 * @property {boolean} finished it stands there already, written out
 *
 * @typedef {{ title: string, offers: readonly Suggestion[] }} Suggestions
 */

/** @type {Suggestions} */
export const NO_SUGGESTIONS = { title: '', offers: [] };

/** Maximum number of suggested people. */
const MAX_PEOPLE = 8;

/**
 * @param {string} text
 * @param {number} cursor
 * @param {{ commands: readonly CommandEntry[], people: readonly Person[] }} from
 * @returns {Suggestions}
 */
export function suggest(text, cursor, { commands, people }) {
  const fitting = suggestCommands(text, commands);
  if (fitting.length > 0)
    return { title: 'Commands', offers: fitting.map((entry) => createCommandSuggestion(entry, text)) };
  const mention = findMention(text, cursor);
  if (mention === undefined) return NO_SUGGESTIONS;
  const found = searchItems(
    people.filter(({ deactivated }) => !deactivated),
    mention.typed,
    ({ realName, name }) => `${realName} ${name}`,
  );
  const offers = found
    .slice(0, MAX_PEOPLE)
    .map((person) => createPersonSuggestion(person, text, cursor, mention.at));
  return { title: 'People', offers };
}

/**
 * @param {CommandEntry} entry
 * @param {string} typed
 * @returns {Suggestion}
 */
function createCommandSuggestion({ command, usageHint, description }, typed) {
  const text = `${command} `;
  const finished = command === typed;
  return { key: command, name: command, aside: usageHint, description, text, cursor: text.length, finished };
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
    aside: `@${name}`,
    description: isBot ? 'App' : '',
    text: before + text.slice(cursor).replace(/^ /, ''),
    cursor: before.length,
    finished: false,
  };
}

/**
 * The "@…" before the cursor. It contains only letters, so that it ends at the first space.
 * @param {string} text
 * @param {number} cursor
 * @returns {{ at: number, typed: string } | undefined}
 */
function findMention(text, cursor) {
  const typed = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, cursor))?.[1];
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed };
}

/**
 * The commands to offer while the composer's first word begins with "/" and is unfinished.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry[]}
 */
export function suggestCommands(text, commands) {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const begins = commands.filter(({ command }) => command.startsWith(`/${typed}`));
  const inside = commands.filter((entry) => !begins.includes(entry) && entry.command.includes(`-${typed}`));
  return typed === '' ? begins : [...begins, ...inside];
}

/**
 * The command that the text begins with, for its usage hint. Its name must be complete.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry | undefined}
 */
export function findCommand(text, commands) {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((entry) => entry.command === name);
}
