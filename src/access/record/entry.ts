/** `allowed`: before the action. `done`: after it. `not-checked`: refused because Slack didn't describe the person. */
export const DECISIONS = ['allowed', 'done', 'refused', 'not-checked'] as const;
export type Decision = (typeof DECISIONS)[number];

/** An audit entry. It never contains what somebody wrote. */
export interface Entry {
  workspace: string;
  /** Slack's id of the person. */
  actor: string;
  /** The project's id in the service, if the action is about a project. */
  project?: string | undefined;
  /** e.g. `schedule-post view`, `roles give`. */
  action: string;
  /** The id of the object of the action. */
  target?: string | undefined;
  decision: Decision;
  /** The reference of the request, as in the log. */
  reference?: string | undefined;
}
