import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import type { Message } from '../../slack/message.ts';
import { encodeExample, RUN_EXAMPLE_ACTION } from './help-messages.ts';
import { LIST_ACTION } from './offers.ts';

const GREETING =
  /^(?:hello|hi|hey|hiya|good (?:morning|afternoon|evening)|hola|hallo)(?: there| upnext)?[\s!.,?👋]*$/iu;
const THANKS =
  /^(?:thanks?|thank you|thx|ty|cheers|much appreciated)(?: you| so much| very much| a lot| upnext)*[\s!.,🙏]*$/iu;

/** Matches greetings and thanks. They are answered briefly, without the list of all commands. */
export const SMALL_TALK = new RegExp(`${GREETING.source}|${THANKS.source}`, 'iu');

/** Answers a greeting or thanks. Undefined for all other text. */
export function answerSmallTalk(text: string, catalogue: Catalogue): Message | undefined {
  if (THANKS.test(text)) return buildAnswer("You're welcome!", []);
  if (!GREETING.test(text)) return undefined;
  const canAskForNext = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'next'));
  return buildAnswer(
    "Hi! I'm Upnext. Ask me what's next, or type `/schedule-post` to schedule a post.",
    canAskForNext
      ? [button("What's next", RUN_EXAMPLE_ACTION, encodeExample({ name: 'next' }, 0), 'primary')]
      : [],
  );
}

function buildAnswer(text: string, buttons: ReturnType<typeof button>[]): Message {
  return { text, blocks: [section(text), actions(...buttons, button('Help', LIST_ACTION))] };
}
