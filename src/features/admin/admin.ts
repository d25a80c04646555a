import type { Call } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { escapeText, section } from '../../slack/blocks.ts';
import { runLineButton } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';

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

/** Lists the commands that aren't listed anywhere else, if the person may use them and they aren't switched off. */
function renderRareCommands({ catalogue, context }: Call): Message {
  const commands = catalogue
    .flatMap((feature) => feature.commands)
    .filter(({ name, isListed }) => isListed === false && (name !== 'file' || context.allowFileDeletion));
  return {
    text: commands.map(({ name, summary }) => `/upnext ${name}: ${summary}`).join('\n'),
    blocks: commands.map(({ name, summary, button: label }) => ({
      ...section(`\`/upnext ${name}\`  ${escapeText(summary)}`),
      accessory: runLineButton(label || 'Open', `/upnext ${name}`),
    })),
  };
}
