import { existsSync, readFileSync } from 'node:fs';
import type { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { bundleScript } from '../http/page-files.ts';
import type { ManifestGap } from '../rules/manifest-gaps.ts';
import { startWorkspace } from '../start-workspace.ts';
import type { OtherApp, Workspace } from '../workspace.ts';
import { OPTIONS_STATES, type OtherAppOptions, type WorkspaceOptions } from '../workspace-options.ts';

/** The reason why the workspace can't start. The command prints its message. */
export class CommandProblem extends Error {}

/** An invalid option. The command also prints the usage. */
export class UsageProblem extends CommandProblem {}

/** Common names of manifests: JSON in the Slack CLI and Slack's samples, and YAML in many apps. */
const DEFAULT_FILES = ['manifest.yml', 'manifest.yaml', 'manifest.json'];

export function findManifest(): string {
  const found = DEFAULT_FILES.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new CommandProblem(`There is no ${DEFAULT_FILES.join(', ')} here: name your app's with --manifest`);
}

/** `option` is the command line option with the path, for error messages. */
function readManifestFile(path: string, option = '--manifest'): object {
  const manifest = parseFile(path, option);
  if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest;
  throw new CommandProblem(
    `${option} ${path} is not an app manifest, which has display_information, features and so on`,
  );
}

function parseFile(path: string, option: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/:?\n/);
    throw new CommandProblem(`${option} ${path} cannot be read: ${reason}`, { cause: error });
  }
}

export const COMMAND_OPTIONS = {
  manifest: { type: 'string' },
  app: { type: 'string', multiple: true, default: [] as string[] },
  'request-url': { type: 'string' },
  host: { type: 'string' },
  limits: { type: 'boolean', default: false },
  'options-state': { type: 'string', default: 'stale' },
} as const;

export const OPTIONS_USAGE = `\
  --manifest FILE         the app's manifest, YAML or JSON; defaults to manifest.yml, .yaml or .json
  --app FILE[=URL]        a further app's manifest; with a URL, the app gets requests over HTTP; can be repeated
  --request-url URL       sends requests over HTTP to this address; defaults to Socket Mode
  --host ADDRESS          listens on this address, such as 0.0.0.0 in a container, and prints an address with a
                          token; defaults to loopback
  --limits                enforces Slack's rate limits
  --options-state STATE   the form's values in requests for menu options: stale (default), missing or current`;

type CommandValues = ReturnType<typeof parseArgs<{ options: typeof COMMAND_OPTIONS }>>['values'];

function requireAddress(option: string, address: string): void {
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return;
  throw new UsageProblem(
    `${option} must be the address of the app, such as http://127.0.0.1:3000/slack/events`,
  );
}

function readFurtherApp(option: string): OtherAppOptions {
  const [, path = option, url] = /^(.*?)=(.*)$/.exec(option) ?? [];
  if (url !== undefined) requireAddress(`--app ${path}=URL: the URL`, url);
  return {
    manifest: readManifestFile(path, '--app'),
    delivery: url === undefined ? { kind: 'socket' } : { kind: 'http', url },
  };
}

/** Throws a UsageProblem for an invalid option, and a CommandProblem without a manifest. */
export function readCommandOptions(
  values: CommandValues,
): Pick<WorkspaceOptions, 'host' | 'otherApps' | 'limits' | 'optionsState'> &
  Required<Pick<WorkspaceOptions, 'delivery'>> & { manifest: string } {
  const requestUrl = values['request-url'];
  if (requestUrl !== undefined) requireAddress('--request-url', requestUrl);
  const optionsState = OPTIONS_STATES.find((state) => state === values['options-state']);
  if (!optionsState) throw new UsageProblem(`--options-state must be one of ${OPTIONS_STATES.join(', ')}`);
  return {
    manifest: values.manifest ?? findManifest(),
    delivery: requestUrl === undefined ? { kind: 'socket' } : { kind: 'http', url: requestUrl },
    ...(values.host !== undefined && { host: values.host }),
    otherApps: values.app.map(readFurtherApp),
    limits: values.limits,
    optionsState,
  };
}

/** Returns the output at the start: addresses, the settings of each app's connection, and unsupported parts of manifests. */
export function describeWorkspace(
  workspace: Workspace,
  { manifest, delivery }: { manifest: string; delivery: 'socket' | 'http' },
): string {
  const describeSettings = ({ botToken, boltOptions, signingSecret, appToken }: Workspace | OtherApp) => [
    '',
    `  SLACK_API_URL=${workspace.apiUrl}`,
    `  SLACK_BOT_TOKEN=${botToken}`,
    boltOptions.socketMode ? `  SLACK_APP_TOKEN=${appToken}` : `  SLACK_SIGNING_SECRET=${signingSecret}`,
    '',
  ];
  const lines = [
    `The practice workspace is at ${workspace.pageUrl}. To connect an app to it, set:`,
    ...describeSettings(workspace),
    'In Bolt for JavaScript, the app also needs the address of the Web API:',
    '',
    delivery === 'http'
      ? '  new App({ token, signingSecret, clientOptions: { slackApiUrl: process.env.SLACK_API_URL } })'
      : '  new App({ token, appToken, socketMode: true, clientOptions: { slackApiUrl: process.env.SLACK_API_URL } })',
    '',
    ...workspace.otherApps.flatMap((app) => [`For ${app.name}, set:`, ...describeSettings(app)]),
    `For tests in other languages, use the control API: ${workspace.controlUrl}/openapi.json`,
    ...describeGaps(manifest, workspace.manifestGaps),
    ...workspace.otherApps.flatMap(({ name, manifestGaps }) =>
      describeGaps(`${name}’s manifest`, manifestGaps),
    ),
  ];
  return lines.join('\n');
}

function describeGaps(manifest: string, gaps: readonly ManifestGap[]): string[] {
  const list = (reason: ManifestGap['reason']) =>
    gaps.filter((gap) => gap.reason === reason).map(({ kind, name }) => `${kind} ${name}`);
  const [missing, unknown] = [list('unsupported'), list('unknown to Slack')];
  return [
    missing.length > 0 && `${manifest} has parts that this workspace doesn't support: ${missing.join(', ')}.`,
    unknown.length > 0 && `${manifest} has parts that Slack doesn't know: ${unknown.join(', ')}.`,
  ].filter((line) => line !== false);
}

/** The names of settings in error messages. */
type SettingNames = Record<'port' | 'folder', string>;

/** The page's script is bundled this long after the start, before a person opens the page, but not while apps connect. */
const BUNDLING_DELAY_MS = 500;

/** Starts a workspace with the manifest at this path. Throws a CommandProblem that says what to change. */
export async function startFromManifest(
  path: string,
  options: Omit<WorkspaceOptions, 'manifest'>,
  names: SettingNames,
): Promise<Workspace> {
  const manifest = readManifestFile(path);
  try {
    const workspace = await startWorkspace({ ...options, manifest });
    // If it fails, so does the request for the script, which reports the reason.
    setTimeout(() => void bundleScript().catch(() => undefined), BUNDLING_DELAY_MS).unref();
    return workspace;
  } catch (error) {
    throw new CommandProblem(explain(error, path, options, names), { cause: error });
  }
}

function explain(
  error: unknown,
  manifest: string,
  { host, port }: Omit<WorkspaceOptions, 'manifest'>,
  names: SettingNames,
): string {
  if (!(error instanceof Error)) return `${names.folder}: ${String(error)}`;
  const code = 'code' in error ? String(error.code) : '';
  if (host !== undefined && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `--host ${host} is not an address of this machine (${code})`;
  if (code === 'EADDRINUSE')
    return `${names.port} ${port} is in use by another program: stop that program, or choose another port`;
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `${names.port} ${port} is a privileged port: choose a port from 1024 up`;
  if (error.name === 'InvalidManifestError') return `--manifest ${manifest}: ${error.message}`;
  return `${names.folder}: ${error.message}`;
}
