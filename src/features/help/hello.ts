import { z } from 'zod';
import type { Call, EventCall } from '../../app/call.ts';
import { isFirst } from '../../delivery/done-once.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { inert, type Message } from '../../slack/message.ts';
import { LIST, OFFERED_USE } from './offers.ts';

const joined = z.object({ user: z.string(), channel: z.string() });

/** Somebody has come into a channel: where it is the bot itself, it says what it can do there, once. */
export async function sayHello(call: EventCall): Promise<void> {
  const { data } = joined.safeParse(call.event.about);
  if (!data || data.user !== call.bot) return;
  const { context, who, now, client } = call;
  const name = `hello.${data.channel}`;
  if (!(await isFirst(context.db, { workspace: who.workspace, name, now: now() }))) return;
  await client.chat.postMessage({ channel: data.channel, ...inert(hello(call.catalogue)) });
}

function hello(catalogue: Catalogue): Message {
  const names = catalogue.flatMap(({ commands }) => commands.map(({ name }) => name));
  const posts = names.includes('posts') ? ' `/upnext posts` all of them,' : '';
  const text = `Hello! I am Upnext. Type \`/upnext use\` to choose the project that this channel is about; then \`/upnext\` shows its next post,${posts} and \`/schedule-post\` schedules one.`;
  const more = 'What I answer is seen by you alone, until you press Share. In threads, write `@Upnext next`.';
  return {
    text,
    blocks: [
      section(`${text}\n${more}`),
      actions(button('Choose the project', OFFERED_USE), button('What there is', LIST)),
    ],
  };
}

/** [Choose the project] */
export async function chooseProjects(call: Call): Promise<void> {
  await call.type('/upnext use');
}
