import type { NamedAction } from './deeds.ts';

/**
 * `allowed` is recorded before the action, and `done` after it. `not-checked`: refused because the lookup of the person
 * in Slack failed.
 */
export const DECISIONS = ['allowed', 'done', 'refused', 'not-checked'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The ways in which a person sends a request to a feature. */
type Surface = 'command' | 'view' | 'shortcut' | 'action' | 'options' | 'event';

/** A named action, a submission by its kind, or a request by its feature, its surface and Slack's id. */
export type AuditAction =
  | NamedAction
  | `send ${string}`
  | `${string} ${Surface} ${string}`
  | `${string} open`;

/** An audit entry. It never contains text that a person wrote. */
export interface AuditEntry {
  workspace: string;
  /** Slack's id of the person. `slack` if Slack did not report who it was. */
  actor: string;
  /** The project's id in the service, if the action is about a project. */
  project?: string | undefined;
  /** For example `schedule-post view schedule-post` or `roles give`. */
  action: AuditAction;
  /**
   * The object that the action changes or reads. `<id>` of a submission, `person|group <id> [role]`, `members [role]`,
   * `channel <id> [zone]`, the changes of a policy, or a host.
   */
  target?: string | undefined;
  decision: Decision;
  /** The reference of the request, as in the log. */
  reference?: string | undefined;
  /** When it happened. Defaults to the time at which the entry is added. */
  at?: Date | undefined;
}
