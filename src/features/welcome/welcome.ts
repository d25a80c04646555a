import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { disableParsing } from '../../slack/message.ts';
import { claimWelcome } from '../../workspaces/workspaces.ts';
import { type Ability, BUTTON_LINES, renderWelcome, START_PREFIX } from './welcome-messages.ts';

/** Welcomes people once, and whenever they ask for it or say hello. */
export const welcome: Feature = {
  name: 'welcome',
  commands: [
    {
      name: 'start',
      aliases: ['welcome', 'intro', 'hello', 'hi'],
      summary: 'What Upnext does, in three lines',
      usage: '',
      examples: { '/upnext start': 'Read the introduction again.' },
      button: false,
      deed: 'open the welcome message',
      run: answer,
    },
  ],
  // People without a role learn how to get one. Each button runs a command, for which the role is checked separately.
  role: 'member',
  open: { deed: 'open the welcome message', run: sendFirstWelcome },
  actions: Object.fromEntries(
    Object.entries(BUTTON_LINES).map(([name, line]) => [
      `${START_PREFIX}.${name}`,
      { deed: 'use a button of the welcome message', run: (call: ActionCall) => call.runLine(line) },
    ]),
  ),
};

/** Answers with the welcome, which opening Messages then doesn't send again. */
async function answer(call: CommandCall): Promise<void> {
  await claimWelcome(call.context.db, call.actor);
  await call.reply(renderWelcome(findAbility(call), call.channel?.startsWith('D') ?? false));
}

/** Sends the welcome by direct message when a person opens Messages, unless the person was welcomed before. */
async function sendFirstWelcome(call: Call): Promise<void> {
  const { context, actor, client } = call;
  if (!(await claimWelcome(context.db, actor))) return;
  await client.chat.postMessage({
    channel: actor.user,
    ...disableParsing(renderWelcome(findAbility(call), true)),
  });
}

function findAbility({ catalogue }: Call): Ability {
  const commandNames = catalogue.flatMap(({ commands }) => commands.map(({ name }) => name));
  if (commandNames.includes('schedule')) return 'schedule';
  return commandNames.includes('next') ? 'view' : 'nothing';
}
