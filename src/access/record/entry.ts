/** How it was decided: allowed before it was done, done, or refused; `not-checked`: Slack did not say who asks. */
export const DECISIONS = ['allowed', 'done', 'refused', 'not-checked'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What is recorded of a decision; never what somebody wrote. */
export interface Entry {
  workspace: string;
  /** Slack's id of the person. */
  who: string;
  /** The project's id in the service, where it is about one. */
  project?: string | undefined;
  /** e.g. `schedule-post view`, `roles give`. */
  action: string;
  /** What it was done to: an id. */
  target?: string | undefined;
  decision: Decision;
  /** The request that it came from, as in the log. */
  reference?: string | undefined;
}
