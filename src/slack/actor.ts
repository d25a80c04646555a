/** Who is acting: the ids of their Slack workspace and of themselves. */
export interface Actor {
  workspace: string;
  user: string;
}
