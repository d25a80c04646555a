import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { disableParsing } from '../../slack/message.ts';
import { claimWelcome } from '../../workspaces/workspaces.ts';
import { classifySmallTalk, SMALL_TALK } from './small-talk.ts';
import {
  type Ability,
  BUTTON_LINES,
  renderGreeting,
  renderWelcome,
  START_PREFIX,
  THANKS_ANSWER,
} from './welcome-messages.ts';

/** Welcomes people once, and answers greetings and thanks. */
export const welcome: Feature = {
  name: 'welcome',
  commands: [
    {
      name: 'start',
      aliases: ['welcome', 'intro'],
      summary: 'What Upnext does, in three lines',
      usage: '',
      examples: { '/upnext start': 'Read the introduction again.' },
      phrases: SMALL_TALK,
      button: false,
      run: answer,
    },
  ],
  // People without a role learn how to get one. Each button runs a command, for which the role is checked separately.
  role: () => 'member',
  open: sendFirstWelcome,
  actions: Object.fromEntries(
    Object.entries(BUTTON_LINES).map(([name, line]) => [
      `${START_PREFIX}.${name}`,
      (call: ActionCall) => call.runLine(line),
    ]),
  ),
};

/** Answers `/upnext start`, greetings and thanks. The answer to a person's first greeting is the welcome. */
async function answer(call: CommandCall): Promise<void> {
  const smallTalk = classifySmallTalk(call.text);
  if (smallTalk === 'thanks') return call.reply(THANKS_ANSWER);
  const isFirst = await claimWelcome(call.context.db, call.actor);
  const ability = findAbility(call);
  const isDirect = call.channel?.startsWith('D') ?? false;
  await call.reply(
    smallTalk === 'greeting' && !isFirst
      ? renderGreeting(ability, isDirect)
      : renderWelcome(ability, isDirect),
  );
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
