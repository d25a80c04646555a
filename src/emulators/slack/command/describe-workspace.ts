import type { ManifestGap } from '../coverage/manifest-gaps.ts';
import type { Workspace } from '../workspace.ts';

/** What the command prints at its start: the page, what an app needs to connect, and what the manifest asks in vain. */
export function describeWorkspace(
  workspace: Workspace,
  { manifest, delivery }: { manifest: string; delivery: 'socket' | 'http' },
): string {
  const connection =
    delivery === 'http'
      ? `SLACK_SIGNING_SECRET=${workspace.signingSecret}`
      : `SLACK_APP_TOKEN=${workspace.appToken}`;
  const lines = [
    `The practice workspace is at ${workspace.pageUrl}. To connect an app to it, set:`,
    '',
    `  SLACK_API_URL=${workspace.apiUrl}`,
    `  SLACK_BOT_TOKEN=${workspace.botToken}`,
    `  ${connection}`,
    '',
    ...workspace.otherApps.flatMap(({ name, botToken, boltOptions, signingSecret, appToken }) => [
      `For ${name}, set:`,
      '',
      `  SLACK_API_URL=${workspace.apiUrl}`,
      `  SLACK_BOT_TOKEN=${botToken}`,
      boltOptions.socketMode ? `  SLACK_APP_TOKEN=${appToken}` : `  SLACK_SIGNING_SECRET=${signingSecret}`,
      '',
    ]),
    `Tests in any language act in it over HTTP: ${workspace.controlUrl}/openapi.json`,
    ...describeGaps(manifest, workspace.manifestGaps),
    ...workspace.otherApps.flatMap(({ name, manifestGaps }) =>
      describeGaps(`${name}’s manifest`, manifestGaps),
    ),
  ];
  return lines.join('\n');
}

/** One line for what Slack has and the workspace doesn't, and one for what Slack doesn't know. */
function describeGaps(manifest: string, gaps: readonly ManifestGap[]): string[] {
  const list = (reason: ManifestGap['reason']) =>
    gaps.filter((gap) => gap.reason === reason).map(({ kind, name }) => `${kind} ${name}`);
  const [missing, unknown] = [list('unsupported'), list('unknown to Slack')];
  return [
    ...(missing.length > 0
      ? [`${manifest} asks for what this workspace doesn't have: ${missing.join(', ')}.`]
      : []),
    ...(unknown.length > 0 ? [`${manifest} asks for what Slack doesn't know: ${unknown.join(', ')}.`] : []),
  ];
}
