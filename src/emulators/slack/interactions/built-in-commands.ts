import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPersonByName, isDirect } from '../state/directory.ts';
import { archive } from './channel-life.ts';
import { join, leave } from './membership.ts';

interface Typed {
  site: Site;
  person: string;
  channel: Channel;
  /** Whoever is named after the command. */
  named: Person | undefined;
}

/** What Slack says to the person when it cannot be done; undefined when it was. */
type BuiltIn = (typed: Typed) => string | undefined;

const NOBODY = 'Nobody of that name is in this workspace. Name a person or an app: /invite @name';

const invite: BuiltIn = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot invite anybody into a direct message.';
  if (!named || named.deactivated === true) return NOBODY;
  if (join(site, channel, named.id, person)) return undefined;
  return `@${named.name} is already in #${channel.name}.`;
};

const remove: BuiltIn = ({ site, person, channel, named }) => {
  if (isDirect(channel)) return 'You cannot remove anybody from a direct message.';
  if (!named) return NOBODY;
  return leave(site, channel, named.id, person) ? undefined : `@${named.name} is not in #${channel.name}.`;
};

const close: BuiltIn = ({ site, person, channel }) => {
  if (isDirect(channel)) return 'A direct message cannot be archived.';
  if (channel.name === 'general') return 'You cannot archive the general channel.';
  archive(site, channel, person);
  return undefined;
};

/** Slack's own commands that a person needs here; no app hears of them. */
const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map([
  ['/invite', invite],
  ['/remove', remove],
  ['/kick', remove],
  ['/archive', close],
]);

/** False where the command is not Slack's own. */
export function runBuiltIn(
  site: Site,
  person: string,
  channel: Channel,
  command: string,
  text: string,
): boolean {
  const run = BUILT_IN.get(command);
  if (!run) return false;
  const [name = ''] = text.trim().split(/\s+/);
  const named = name === '' ? undefined : findPersonByName(site, name);
  const trouble = run({ site, person, channel, named });
  if (trouble !== undefined) {
    site.audience.sendTo([person], { type: 'notice', channel: channel.id, text: trouble });
  }
  return true;
}
