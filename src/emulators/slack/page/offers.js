import { commandsFor } from './complete-command.js';
import { filterByWords } from './filter.js';

/**
 * The composer's suggestions for the text before the cursor: commands, or people to mention.
 * @import { CommandEntry, Person } from '../protocol.ts'
 *
 * @typedef {object} Offer
 * @property {string} key
 * @property {string} name
 * @property {string} aside in smaller letters behind the name
 * @property {string} description
 * @property {string} text what stands in the composer once this is taken
 * @property {number} cursor where the cursor is then
 * @property {boolean} finished it stands there already, written out
 *
 * @typedef {{ title: string, offers: readonly Offer[] }} Offered
 */

/** @type {Offered} */
export const NOTHING = { title: '', offers: [] };

/** Maximum number of suggested people. */
const MOST_PEOPLE = 8;

/**
 * @param {string} text
 * @param {number} cursor
 * @param {{ commands: readonly CommandEntry[], people: readonly Person[] }} from
 * @returns {Offered}
 */
export function offersFor(text, cursor, { commands, people }) {
  const fitting = commandsFor(text, commands);
  if (fitting.length > 0)
    return { title: 'Commands', offers: fitting.map((entry) => commandOffer(entry, text)) };
  const mention = mentionAt(text, cursor);
  if (mention === undefined) return NOTHING;
  const found = filterByWords(
    people.filter(({ deactivated }) => !deactivated),
    mention.typed,
    ({ realName, name }) => `${realName} ${name}`,
  );
  const offers = found.slice(0, MOST_PEOPLE).map((person) => personOffer(person, text, cursor, mention.at));
  return { title: 'People', offers };
}

/**
 * @param {CommandEntry} entry
 * @param {string} typed
 * @returns {Offer}
 */
function commandOffer({ command, usageHint, description }, typed) {
  const text = `${command} `;
  const finished = command === typed;
  return { key: command, name: command, aside: usageHint, description, text, cursor: text.length, finished };
}

/**
 * @param {Person} person
 * @param {string} text
 * @param {number} cursor
 * @param {number} at
 * @returns {Offer}
 */
function personOffer({ id, realName, name, isBot }, text, cursor, at) {
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
function mentionAt(text, cursor) {
  const typed = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u.exec(text.slice(0, cursor))?.[1];
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed };
}
