/**
 * `allowed` is recorded before the action, and `done` after it. `not-checked`: refused because the lookup of the person
 * in Slack failed.
 */
export const DECISIONS = ['allowed', 'done', 'refused', 'not-checked'] as const;
export type Decision = (typeof DECISIONS)[number];

/** An audit entry. It never contains text that a person wrote. */
export interface AuditEntry {
  workspace: string;
  /** Slack's id of the person. `slack` if Slack did not report who it was. */
  actor: string;
  /** The project's id in the service, if the action is about a project. */
  project?: string | undefined;
  /** For example `schedule-post view` or `roles give`. */
  action: string;
  /** The id of the object that the action changes or reads. */
  target?: string | undefined;
  decision: Decision;
  /** The reference of the request, as in the log. */
  reference?: string | undefined;
}
