import type { ActionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';

/** What an owner does first, each with the command that does it. Those that there are not are left out. */
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

/** The steps that begin with a press; the others are typed in the channel that they are about. */
const PRESSED: Readonly<Record<string, string>> = { connect: 'Connect the service', roles: 'Give roles' };

const START = 'welcome.start';

/** The buttons of the message to who installed the app. */
export const welcome: Feature = {
  name: 'welcome',
  commands: [],
  // Each press types a command, which is asked for its own.
  role: () => 'viewer',
  actions: Object.fromEntries(
    Object.keys(PRESSED).map((command) => [
      `${START}.${command}`,
      (call: ActionCall) => call.runLine(`/upnext ${command}`),
    ]),
  ),
};

/** To who installed the app: what comes next. */
export function welcomeMessage(catalogue: Catalogue): Message {
  const there = new Set(catalogue.flatMap(({ commands }) => commands.map(({ name }) => name)));
  const steps = STEPS.filter(({ command }) => there.has(command));
  const lines = steps.map(({ text }, index) => `${index + 1}.  ${text}`);
  const buttons = steps.flatMap(({ command }) => {
    const label = PRESSED[command];
    return label === undefined ? [] : [button(label, `${START}.${command}`)];
  });
  const text = 'Upnext is installed, and you are its first owner.';
  return {
    text: `${text} ${lines.join(' ')}`,
    blocks: [section(text), section(lines.join('\n')), ...(buttons.length > 0 ? [actions(...buttons)] : [])],
  };
}
