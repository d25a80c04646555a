import { escapeText } from '../blocks/returned-text.ts';
import { getDeliveryError } from '../deliver/app-connection.ts';
import type { Channel, Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findPersonByName, isDirect } from '../state/directory.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import { listCommands } from './available-commands.ts';
import { archiveChannel } from './change-channel.ts';
import { joinChannel, leaveChannel } from './membership.ts';
import { buildCommandFields } from './payload-parts.ts';
import { respond } from './respond.ts';

interface BuiltInCall {
  site: Site;
  person: string;
  channel: Channel;
  /** The person or app named after the command. */
  named: Person | undefined;
}

/** Runs the command. Returns the notice for the person if it failed. */
type BuiltInCommand = (call: BuiltInCall) => string | undefined;

const NOBODY = 'Nobody of that name is in this workspace. Name a person or an app: /invite @name';

const invite: BuiltInCommand = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot invite anybody into a direct message.';
  if (!named || named.deactivated === true) return NOBODY;
  if (joinChannel(site, channel, named.id, person)) return undefined;
  return `@${named.name} is already in #${channel.name}.`;
};

const remove: BuiltInCommand = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot remove anybody from a direct message.';
  if (!named) return NOBODY;
  return leaveChannel(site, channel, named.id, person)
    ? undefined
    : `@${named.name} is not in #${channel.name}.`;
};

const archive: BuiltInCommand = ({ site, person, channel }) => {
  if (isDirect(channel)) return 'A direct message cannot be archived.';
  if (channel.name === 'general') return 'You cannot archive the general channel.';
  archiveChannel(site, channel, person);
  return undefined;
};

/** Slack's own commands. Apps aren't notified of them. */
const BUILT_IN_COMMANDS: ReadonlyMap<string, BuiltInCommand> = new Map([
  ['/invite', invite],
  ['/remove', remove],
  ['/kick', remove],
  ['/archive', archive],
]);

/** Runs a command of Slack's own. Returns false if there is none of this name. */
function runBuiltIn(site: Site, person: string, channel: Channel, command: string, text: string): boolean {
  const run = BUILT_IN_COMMANDS.get(command);
  if (!run) return false;
  const [name = ''] = text.trim().split(/\s+/);
  const named = name === '' ? undefined : findPersonByName(site, name);
  const problem = run({ site, person, channel, named });
  if (problem !== undefined) {
    site.audience.sendTo([person], { type: 'notice', channel: channel.id, text: problem });
  }
  return true;
}

/**
 * The time that a command waits for the app to connect. Slack fails with `dispatch_failed` at once if no socket is open.
 * Here the app often starts together with the workspace, so the first command of an open page would fail. The app sees
 * no difference: its three seconds and the trigger_id begin when the command is sent.
 */
const CONNECTION_WAIT_MS = 2_000;

function showFailure(site: Site, person: string, channel: Channel, command: string, error: string): void {
  site.audience.sendTo([person], {
    type: 'notice',
    channel: channel.id,
    text: `${command} failed with the error "${error}"`,
  });
}

/** Sends a typed `/command …` to the app, and shows its response, or the notice that Slack shows if it failed. */
export async function runCommand(site: Site, person: string, channel: Channel, typed: string): Promise<void> {
  const [, command = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(typed.trim()) ?? [];
  if (runBuiltIn(site, person, channel, command, text)) return;
  if (!listCommands(site, person).some((entry) => entry.command === command)) {
    site.audience.sendTo([person], {
      type: 'notice',
      channel: channel.id,
      text: `${command} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`,
    });
    return;
  }
  await site.connection.ready(CONNECTION_WAIT_MS);
  const payload = {
    ...buildCommandFields(site, person, channel),
    command,
    text: escapeText(text),
    response_url: makeResponseUrl(site, { channel: channel.id, person }),
    trigger_id: site.triggers.make(person),
  };
  const answer = await site.connection.deliver(
    { kind: 'slash_commands', label: typed.trim() },
    { type: 'slash_commands', payload, acceptsResponse: true },
  );
  const error = getDeliveryError(answer);
  if (error !== undefined) showFailure(site, person, channel, command, error);
  if (answer.kind !== 'acknowledged' || answer.payload === undefined) return;
  try {
    respond(site, { channel: channel.id, person }, answer.payload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showFailure(site, person, channel, command, error.code);
  }
}
