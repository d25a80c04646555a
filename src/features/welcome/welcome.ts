import type { ActionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';

/** A new owner's first steps, each with its command. Steps whose command isn't in the catalogue are left out. */
const STEPS = [
  { command: 'connect', text: '*Connect* the scheduling service, with its address and a token.' },
  {
    command: 'use',
    text: '*Choose* what a channel is about: `/invite @Upnext` to it, then type `/upnext use` there.',
  },
  { command: 'roles', text: '*Let others in*: until somebody has a role, it is you alone.' },
  {
    command: 'digest',
    text: '*Set up a digest*: type `/upnext digest` in a channel, and it is told each morning.',
  },
] as const;

/** Steps with a button. The commands of the other steps are typed in the channel they are about. */
const BUTTON_LABELS: Readonly<Record<string, string>> = {
  connect: 'Connect the service',
  roles: 'Give roles',
};

const START = 'welcome.start';

/** The buttons of the message to the person who installed the app. */
export const welcome: Feature = {
  name: 'welcome',
  commands: [],
  // Each button runs a command, whose own role is checked then.
  role: () => 'viewer',
  actions: Object.fromEntries(
    Object.keys(BUTTON_LABELS).map((command) => [
      `${START}.${command}`,
      (call: ActionCall) => call.runLine(`/upnext ${command}`),
    ]),
  ),
};

/** The message to the person who installed the app: what to do next. */
export function welcomeMessage(catalogue: Catalogue): Message {
  const available = new Set(catalogue.flatMap(({ commands }) => commands.map(({ name }) => name)));
  const steps = STEPS.filter(({ command }) => available.has(command));
  const lines = steps.map(({ text }, index) => `${index + 1}.  ${text}`);
  const buttons = steps.flatMap(({ command }) => {
    const label = BUTTON_LABELS[command];
    return label === undefined ? [] : [button(label, `${START}.${command}`)];
  });
  const text = 'Upnext is installed, and you are its first owner.';
  return {
    text: `${text} ${lines.join(' ')}`,
    blocks: [section(text), section(lines.join('\n')), ...(buttons.length > 0 ? [actions(...buttons)] : [])],
  };
}
