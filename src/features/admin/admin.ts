import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { escapeText, section } from '../../slack/blocks.ts';
import { findCommand, runLineButton } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';

/** The rare commands, in the order in which they are shown. They aren't listed anywhere else. */
export const RARE_COMMANDS = ['prompt', 'user', 'webhook', 'file'] as const;

/** `/upnext admin` has the rare commands: prompts, people in the service, webhooks and files. */
export const admin: Feature = {
  name: 'admin',
  commands: [
    {
      name: 'admin',
      aliases: ['more', 'advanced'],
      summary: 'What you rarely need, such as prompts',
      examples: { '/upnext admin': 'See what you can do.' },
      button: 'Admin',
      isReadOnly: true,
      deed: 'open the rare commands',
      run: (call) => call.reply(renderRareCommands(call)),
    },
  ],
  // Prompts are for contributors. The role of each command is checked when its button is pressed.
  role: 'contributor',
};

/** Lists the rare commands that the person may use, and that aren't switched off. */
function renderRareCommands({ catalogue, context }: Call): Message {
  const commands = RARE_COMMANDS.flatMap((name) => findCommand(catalogue, name) ?? []).filter(
    ({ name }) => name !== 'file' || context.allowFileDeletion,
  );
  return {
    text: commands.map(({ name, summary }) => `/upnext ${name}: ${summary}`).join('\n'),
    blocks: commands.map(({ name, summary, button: label }) => ({
      ...section(`\`/upnext ${name}\`  ${escapeText(summary)}`),
      accessory: runLineButton(label || 'Open', `/upnext ${name}`),
    })),
  };
}
