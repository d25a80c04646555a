/** The ids of the Slack workspace and the Slack user of the person who is acting. */
export interface Actor {
  workspace: string;
  user: string;
}
