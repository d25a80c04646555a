import type { ManifestGap } from '../rules/manifest-gaps.ts';
import type { Workspace } from '../workspace.ts';

/** Returns the output at the start: addresses, the settings of each app's connection, and unsupported parts of manifests. */
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
    `For tests in other languages, use the control API: ${workspace.controlUrl}/openapi.json`,
    ...describeGaps(manifest, workspace.manifestGaps),
    ...workspace.otherApps.flatMap(({ name, manifestGaps }) =>
      describeGaps(`${name}’s manifest`, manifestGaps),
    ),
  ];
  return lines.join('\n');
}

/** Lists unsupported parts of a manifest, and those unknown to Slack. */
function describeGaps(manifest: string, gaps: readonly ManifestGap[]): string[] {
  const list = (reason: ManifestGap['reason']) =>
    gaps.filter((gap) => gap.reason === reason).map(({ kind, name }) => `${kind} ${name}`);
  const [missing, unknown] = [list('unsupported'), list('unknown to Slack')];
  return [
    ...(missing.length > 0
      ? [`${manifest} has parts that this workspace doesn't support: ${missing.join(', ')}.`]
      : []),
    ...(unknown.length > 0 ? [`${manifest} has parts that Slack doesn't know: ${unknown.join(', ')}.`] : []),
  ];
}
