import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPersonByName, isDirect } from '../state/directory.ts';
import { archiveChannel } from './change-channel.ts';
import { joinChannel, leaveChannel } from './membership.ts';

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
export function runBuiltIn(
  site: Site,
  person: string,
  channel: Channel,
  command: string,
  text: string,
): boolean {
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
