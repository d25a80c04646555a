import type { CommandEntry, ShortcutEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { personById } from '../state/directory.ts';

/** People of another workspace can press an app's buttons in a shared channel, but have no commands of it. */
export function commandsFor(site: Site, person: string): readonly CommandEntry[] {
  return personById(site, person)?.from ? [] : site.facts.commands;
}

/** Nor its shortcuts. */
export function shortcutsFor(site: Site, person: string): readonly ShortcutEntry[] {
  return personById(site, person)?.from ? [] : site.facts.shortcuts;
}
