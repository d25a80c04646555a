/** The person who is acting: the ids of their Slack workspace and their Slack user. */
export interface Actor {
  workspace: string;
  user: string;
}
