import { OPTIONS_STATES, type WorkspaceOptions } from '../workspace-options.ts';
import { UsageProblem } from './command-problem.ts';
import { findManifest } from './read-manifest.ts';

/** The options of the command, for `util.parseArgs`. */
export const COMMAND_OPTIONS = {
  manifest: { type: 'string' },
  'request-url': { type: 'string' },
  host: { type: 'string' },
  limits: { type: 'boolean', default: false },
  'options-state': { type: 'string', default: 'stale' },
  record: { type: 'string' },
  replay: { type: 'string' },
} as const;

export const OPTIONS_USAGE = `\
  --manifest FILE         the app's manifest, YAML or JSON; defaults to manifest.yml, .yaml or .json
  --request-url URL       sends requests over HTTP to this address; defaults to Socket Mode
  --host ADDRESS          listens there, such as 0.0.0.0 in a container, and prints an address with a token;
                          defaults to this machine only
  --limits                enforces Slack's rate limits
  --options-state STATE   the form's values in requests for menu options: stale (default), missing or current
  --record FILE           records what people do and what the app makes of it
  --replay FILE           does what people did in a recording, reports what the app does differently, and ends;
                          stored messages stay as they are`;

interface CommandValues {
  manifest?: string;
  'request-url'?: string;
  host?: string;
  limits: boolean;
  'options-state': string;
  record?: string;
  replay?: string;
}

/** Throws a UsageProblem that names the wrong option, or a CommandProblem without a manifest. */
export function readCommandOptions(
  values: CommandValues,
): Pick<WorkspaceOptions, 'host' | 'keepsState' | 'limits' | 'optionsState'> &
  Required<Pick<WorkspaceOptions, 'delivery'>> & { manifest: string } {
  const requestUrl = values['request-url'];
  if (requestUrl !== undefined && !/^https?:$/.test(URL.parse(requestUrl)?.protocol ?? '')) {
    throw new UsageProblem(
      '--request-url must be the address of the app, such as http://127.0.0.1:3000/slack/events',
    );
  }
  const optionsState = OPTIONS_STATES.find((state) => state === values['options-state']);
  if (!optionsState) throw new UsageProblem(`--options-state must be one of ${OPTIONS_STATES.join(', ')}`);
  return {
    manifest: values.manifest ?? findManifest(),
    delivery: requestUrl === undefined ? { kind: 'socket' } : { kind: 'http', url: requestUrl },
    ...(values.host !== undefined && { host: values.host }),
    limits: values.limits,
    optionsState,
    ...(values.replay !== undefined && { keepsState: false }),
  };
}
