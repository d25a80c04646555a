/** @import { CommandEntry } from '../protocol.ts' */

/**
 * The commands to offer while the composer's first word begins with "/" and is unfinished.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry[]}
 */
export function commandsFor(text, commands) {
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
export function commandIn(text, commands) {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((entry) => entry.command === name);
}
