import { OPTIONS_STATES, type OtherAppOptions, type WorkspaceOptions } from '../workspace-options.ts';
import { UsageProblem } from './command-problem.ts';
import { findManifest, readManifestFile } from './read-manifest-file.ts';

/** The options of the command, for `util.parseArgs`. */
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

interface CommandValues {
  manifest?: string;
  app: string[];
  'request-url'?: string;
  host?: string;
  limits: boolean;
  'options-state': string;
}

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
