import type { CommandEntry, ShortcutEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import type { StepFunction } from '../step-function.ts';

/** Only members of a workspace where the app is installed can use it, not people of a connected workspace. */
function canUseApp(site: Site, person: string): boolean {
  return site.state.app.absent !== true && !findPerson(site, person)?.from;
}

/**
 * The app's commands for this person. People of other workspaces have none, but can press buttons in shared channels.
 */
export function listCommands(site: Site, person: string): readonly CommandEntry[] {
  return canUseApp(site, person) ? site.manifest.commands : [];
}

/** The app's shortcuts for this person. People of other workspaces have none. */
export function listShortcuts(site: Site, person: string): readonly ShortcutEntry[] {
  return canUseApp(site, person) ? site.manifest.shortcuts : [];
}

/** The steps of the app for workflows. An app that isn't installed has none. */
export function listSteps({ state, manifest }: Site): readonly StepFunction[] {
  return state.app.absent === true ? [] : manifest.functions;
}
