import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

/** Prefix of the action ids of the buttons. The rest of the id is the name of the command that the button runs. */
export const START_PREFIX = 'welcome.start';

const BUTTON_LABELS = {
  connect: 'Connect a service',
  roles: 'Give roles',
  access: 'Request access',
  schedule: 'New post',
  next: 'What’s next',
  help: 'Help',
} as const;

/** The buttons' commands. [Request access] is in the list of roles. */
export const BUTTON_LINES: Readonly<Record<keyof typeof BUTTON_LABELS, string>> = {
  connect: '/upnext connect',
  roles: '/upnext roles',
  access: '/upnext roles',
  schedule: '/schedule-post',
  next: '/upnext next',
  help: '/upnext help',
};
type ButtonName = keyof typeof BUTTON_LABELS;

/** Sent to the person who has installed the app. */
export const INSTALLER_WELCOME = buildMessage(
  [
    'Upnext is installed, and you’re its first Owner.',
    '*Connect* your scheduling service, so that I can schedule posts.',
    '*Let your team in*: give them roles, and type `/upnext use` in a channel to choose its project.',
  ],
  ['connect', 'roles'],
);

const INTRODUCTION = 'Hi! I’m Upnext, and I schedule your team’s social posts.';

/** The most that a person may do. 'nothing' for people without a role. */
export type Ability = 'nothing' | 'view' | 'schedule';

/** Renders the welcome for a person's first contact with the app. `isDirect`: it is read in a direct message. */
export function renderWelcome(ability: Ability, isDirect: boolean): Message {
  if (ability === 'nothing')
    return buildMessage(
      [INTRODUCTION, 'You don’t have a role here yet.', 'Ask for one, and I’ll tell the Owners.'],
      ['access'],
    );
  const askForNext = isDirect
    ? 'Ask me “what’s next?” here, or type `/upnext` in a channel.'
    : 'Type `/upnext` to see the next post, or DM me “what’s next?”.';
  if (ability === 'view')
    return buildMessage(
      [INTRODUCTION, askForNext, 'Type `/upnext posts` for a project’s posts.'],
      ['next', 'help'],
    );
  return buildMessage(
    [
      INTRODUCTION,
      'Type `/schedule-post` anywhere, with a time as you’d say it: “tomorrow 9am”.',
      askForNext,
    ],
    ['schedule', 'help'],
  );
}

function buildMessage(lines: readonly string[], buttons: readonly ButtonName[]): Message {
  const elements = buttons.map((name, index) =>
    button(
      BUTTON_LABELS[name],
      `${START_PREFIX}.${name}`,
      undefined,
      index === 0 && name !== 'help' ? 'primary' : undefined,
    ),
  );
  return { text: lines.join(' '), blocks: [...lines.map((line) => section(line)), actions(...elements)] };
}
