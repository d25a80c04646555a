import type { ActionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';

/** A new owner's first steps. The message omits a step whose command isn't in the catalogue. */
const STEPS = [
  { command: 'connect', text: '*Connect* your scheduling service.' },
  {
    command: 'use',
    text: '*Choose* a channel’s project: `/invite @Upnext`, then `/upnext use`.',
  },
  { command: 'roles', text: '*Let others in*: only you have a role so far.' },
  {
    command: 'digest',
    text: '*Set up a digest* with `/upnext digest` in a channel.',
  },
] as const;

/** Button labels by command. The other steps have no button, because their commands are typed in a channel. */
const BUTTON_LABELS: Readonly<Record<string, string>> = {
  connect: 'Connect the service',
  roles: 'Give roles',
};

const START_PREFIX = 'welcome.start';

/** Handles the buttons of the message to the person who installed the app. */
export const welcome: Feature = {
  name: 'welcome',
  commands: [],
  // Each button runs a command, for which the role is checked separately.
  role: () => 'viewer',
  actions: Object.fromEntries(
    Object.keys(BUTTON_LABELS).map((command) => [
      `${START_PREFIX}.${command}`,
      (call: ActionCall) => call.runLine(`/upnext ${command}`),
    ]),
  ),
};

/** Renders the first steps for the person who installed the app. */
export function renderWelcomeMessage(catalogue: Catalogue): Message {
  const availableCommands = new Set(catalogue.flatMap(({ commands }) => commands.map(({ name }) => name)));
  const steps = STEPS.filter(({ command }) => availableCommands.has(command));
  const lines = steps.map(({ text }, index) => `${index + 1}.  ${text}`);
  const buttons = steps.flatMap(({ command }) => {
    const label = BUTTON_LABELS[command];
    return label === undefined ? [] : [button(label, `${START_PREFIX}.${command}`)];
  });
  const text = 'Upnext is installed, and you’re its first Owner.';
  return {
    text: `${text} ${lines.join(' ')}`,
    blocks: [section(text), section(lines.join('\n')), ...(buttons.length > 0 ? [actions(...buttons)] : [])],
  };
}
