import { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import { listProjects } from '../api/projects.ts';
import type { BotSchema } from '../app/schema.ts';
import {
  DEFAULT_POLICY,
  listPolicies,
  SUGGESTED_LEAD_MINUTES,
  savePolicy,
} from '../preferences/project-policy.ts';

/** The project of the practice service whose posts are held, so that people can try it. */
const HOLDING_PROJECT = 'Night Market Books';

/**
 * Makes one practice project hold its posts, unless somebody has set its policy. Both Slack and the service must be
 * built in.
 */
export async function createPracticePolicy(
  db: Kysely<BotSchema>,
  api: ApiClient,
  slack: { botToken: string; apiUrl?: string | undefined },
  now: Date,
): Promise<void> {
  const client = new WebClient(slack.botToken, { ...(slack.apiUrl && { slackApiUrl: slack.apiUrl }) });
  const [{ team_id: workspace }, outcome] = await Promise.all([client.auth.test(), listProjects(api)]);
  const projects = outcome.kind === 'done' ? outcome.data.items : [];
  const project = projects.find(({ name }) => name === HOLDING_PROJECT);
  if (workspace === undefined || !project || (await listPolicies(db, workspace)).has(project.id)) return;
  const policy = { ...DEFAULT_POLICY, leadMinutes: SUGGESTED_LEAD_MINUTES };
  const change = { changedBy: '', changedAt: now };
  await savePolicy(db, { workspace, project: project.id }, policy, change);
}
