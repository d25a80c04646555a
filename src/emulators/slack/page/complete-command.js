/** @import { CommandEntry } from '../protocol.ts' */

/**
 * The commands to offer for what stands in the composer: while its first word begins with "/" and is not finished.
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
 * The command that the text begins with, its name finished: its usage hint can be shown.
 * @param {string} text
 * @param {readonly CommandEntry[]} commands
 * @returns {CommandEntry | undefined}
 */
export function commandIn(text, commands) {
  const name = /^(\/\S+)\s/.exec(text)?.[1];
  return commands.find((entry) => entry.command === name);
}
