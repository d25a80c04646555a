import type { Role } from '../../access/roles.ts';
import type { Catalogue, Feature } from '../../slack/feature.ts';
import { readCommand } from '../../slack/read-command.ts';
import type { Parts } from '../../submissions/parts.ts';
import { helpFor, helpList, noTopic } from './help-messages.ts';

/** What there is, from the catalogue. */
export const help: Feature<Parts, Role> = {
  name: 'help',
  commands: [
    {
      name: 'help',
      aliases: ['?', 'commands'],
      summary: 'What there is, and how to say it',
      usage: '[topic]',
      examples: ['/upnext help', '/upnext help schedule'],
      run: (call) => {
        const topic = readCommand(topicOf(call.words, call.catalogue), call.catalogue);
        if (topic.kind === 'none') return call.reply(helpList(call.catalogue));
        return call.reply(topic.kind === 'known' ? helpFor(topic.command) : noTopic(topic, call.catalogue));
      },
    },
  ],
  role: () => 'viewer',
};

/** `/upnext help /schedule-post` and `/upnext help /upnext use` are help on `schedule` and `use`. */
function topicOf(words: string, catalogue: Catalogue): string {
  const commands = catalogue.flatMap((feature) => feature.commands);
  const own = commands.find(({ ownCommand }) => ownCommand !== undefined && ownCommand === words);
  return own?.name ?? words.replace(/^\/(?:upnext\s+)?/, '');
}
