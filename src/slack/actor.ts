/** The ids of the Slack workspace and the Slack user of the person who is acting. */
export interface Actor {
  workspace: string;
  user: string;
}

/** Whether a Slack id is that of a person. */
export function isPersonId(id: string): boolean {
  return /^[UW][A-Z0-9]+$/.test(id);
}

/** The ids of workspaces in a press, form, search or shortcut. Slack sends null for the team in some organisations. */
interface InteractionTeams {
  team?: { id?: string | undefined } | null | undefined;
  user?: { team_id?: string | undefined } | undefined;
  view?: { app_installed_team_id?: string | undefined } | undefined;
}

/**
 * Finds the workspace that an interaction belongs to. A view belongs to the workspace in which the app is installed, even
 * if the actor is from another workspace. If the app is installed in a whole organisation, the view names the
 * organisation (E…), and the interaction belongs to its `team`, or else to the actor's workspace.
 */
export function findInteractionWorkspace({ team, user, view }: InteractionTeams): string | undefined {
  const installedTeam = view?.app_installed_team_id;
  return (installedTeam?.startsWith('T') && installedTeam) || team?.id || user?.team_id;
}

/** Whether the body of a request is that of an event. Slack sends only events again. */
export function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'event' in body;
}
