import type { CommandEntry, ShortcutEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';

/** The app is installed here, and they are from here. */
function has(site: Site, person: string): boolean {
  return site.state.app.absent !== true && !findPerson(site, person)?.from;
}

/** People of another workspace can press an app's buttons in a shared channel, but have no commands of it. */
export function commandsFor(site: Site, person: string): readonly CommandEntry[] {
  return has(site, person) ? site.manifest.commands : [];
}

/** Nor its shortcuts. */
export function shortcutsFor(site: Site, person: string): readonly ShortcutEntry[] {
  return has(site, person) ? site.manifest.shortcuts : [];
}
