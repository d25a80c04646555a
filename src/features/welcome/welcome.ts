import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { actions, section } from '../../slack/blocks.ts';
import { findCommand, runLineButton } from '../../slack/catalogue.ts';
import { disableParsing, INTRODUCTION, type Message } from '../../slack/message.ts';
import { claimWelcome, type InstalledData } from '../../workspaces/workspaces.ts';

/** The buttons with their commands. [Request access] is in the list of roles. */
const BUTTONS = {
  connect: { label: 'Connect a service', line: '/upnext connect' },
  roles: { label: 'Give roles', line: '/upnext roles' },
  access: { label: 'Request access', line: '/upnext roles' },
  schedule: { label: 'New post', line: '/schedule-post' },
  next: { label: 'What’s next', line: '/upnext next' },
  help: { label: 'Help', line: '/upnext help' },
} as const;

/** Sent to the person who has installed the app, and so owns it. */
const buildOwnerWelcome = (lines: readonly string[]) =>
  buildMessage(
    [
      ...lines,
      '*Connect* your scheduling service, so that I can schedule posts.',
      '*Let your team in*: give them roles, and type `/upnext use` in a channel to choose its project.',
    ],
    ['connect', 'roles'],
  );

const INSTALLER_WELCOME = buildOwnerWelcome(['Upnext is installed, and you’re its first Owner.']);

const INSTALLED_AFTER_REMOVAL = buildOwnerWelcome([
  'Upnext is installed again, and you’re its first Owner.',
  'Its removal deleted roles, the connection to your scheduling service, and posts that the service didn’t have yet. Those won’t go out. Digests are paused.',
]);

const INSTALLED_AGAIN = buildMessage(
  ['Upnext is installed again. Roles and posts stay as they were.'],
  ['help'],
);

export function renderInstallerWelcome(data: InstalledData): Message {
  return { none: INSTALLER_WELCOME, deleted: INSTALLED_AFTER_REMOVAL, kept: INSTALLED_AGAIN }[data];
}

/** Renders the welcome for a person's first contact with the app, in a direct message: the most that they may do. */
function renderWelcome({ catalogue }: Call): Message {
  const askForNext = 'Ask me “what’s next?” here, or type `/upnext` in a channel.';
  if (findCommand(catalogue, 'schedule'))
    return buildMessage(
      [
        INTRODUCTION,
        'Type `/schedule-post` anywhere, with a time as you’d say it: “tomorrow 9am”.',
        askForNext,
      ],
      ['schedule', 'help'],
    );
  if (findCommand(catalogue, 'next'))
    return buildMessage(
      [INTRODUCTION, askForNext, 'Type `/upnext posts` for a project’s posts.'],
      ['next', 'help'],
    );
  return buildMessage(
    [INTRODUCTION, 'You don’t have a role here yet.', 'Ask for one, and I’ll tell the Owners.'],
    ['access'],
  );
}

function buildMessage(lines: readonly string[], buttons: readonly (keyof typeof BUTTONS)[]): Message {
  const elements = buttons.map((name, index) =>
    runLineButton(
      BUTTONS[name].label,
      BUTTONS[name].line,
      index,
      index === 0 && name !== 'help' ? 'primary' : undefined,
    ),
  );
  return { text: lines.join(' '), blocks: [...lines.map((line) => section(line)), actions(...elements)] };
}

export const welcome: Feature = {
  name: 'welcome',
  commands: [],
  // People without a role learn how to get one.
  role: 'member',
  open: { deed: 'open the welcome message', run: sendFirstWelcome },
};

/** Sends the welcome by direct message when a person opens Messages, unless the person was welcomed before. */
async function sendFirstWelcome(call: Call): Promise<void> {
  const { context, actor, client } = call;
  if (!(await claimWelcome(context.db, actor))) return;
  await client.chat.postMessage({ channel: actor.user, ...disableParsing(renderWelcome(call)) });
}
