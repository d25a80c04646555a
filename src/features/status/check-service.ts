import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import { haltOf } from '../../delivery/halt.ts';
import { type Listed, addUnreadProjects } from '../../posts/project.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import { serviceFailureText } from '../../slack/service-trouble.ts';
import { zoneName } from '../../when/when.ts';
import type { Line } from './status-message.ts';

const NAME = 60;
const MAX_NAMED = 10;

/** Whether the service takes the token, and which of its projects the channel is about. */
export async function checkService(call: Call): Promise<Line[]> {
  const { context, who, channel } = call;
  const [outcome, bound] = await Promise.all([
    listProjects(context.api),
    boundProjects(context.db, { workspace: who.workspace, channel }),
  ]);
  const kind = context.practice
    ? 'It is the practice service: nothing is published.'
    : 'It is the real one: what is scheduled is published.';
  if (outcome.kind !== 'done') {
    return [
      { mark: 'wrong', text: serviceFailureText(outcome) },
      { mark: 'unknown', text: 'Which project this channel is about cannot be told without it.' },
    ];
  }
  const { items, shape, isTruncated } = addUnreadProjects(outcome.data, bound, call);
  if (shape === 'unreadable') {
    return [{ mark: 'wrong', text: 'The scheduling service answers, but I cannot read its projects.' }];
  }
  return [
    { mark: 'fine', text: `The scheduling service answers and takes our access token. ${kind}` },
    ...(isTruncated ? [manyLine(outcome.data)] : []),
    projectLine({ items, isTruncated }, bound),
  ];
}

function manyLine({ items, unreadable }: Records<Project>): Line {
  const count = items.length + unreadable;
  return {
    mark: 'fine',
    text: `It has more than ${count} projects, and I can only read the first ${count}.`,
  };
}

function projectLine({ items, isTruncated }: Listed, bound: readonly string[]): Line {
  const chosen = bound.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const gone = bound.length - chosen.length;
  if (chosen.length > 0) {
    const rest = chosen.length - MAX_NAMED;
    const names = chosen.slice(0, MAX_NAMED).map((project) => clip(sanitizeLine(project.name), NAME));
    const more = rest > 0 ? ` and ${rest} more` : '';
    const lost = gone > 0 ? ` ${gone} more that were chosen are not there any more: \`/upnext use\`.` : '';
    return {
      mark: gone > 0 ? 'wrong' : 'fine',
      text: `This channel is about ${escapeText(names.join(', '))}${more}.${lost}`,
    };
  }
  const [only] = items;
  if (!only && !isTruncated)
    return { mark: 'wrong', text: 'There is no project yet. Make one in the scheduling service first.' };
  if (only && items.length === 1 && !isTruncated) {
    return { mark: 'fine', text: `The only project is ${escapeText(clip(sanitizeLine(only.name), NAME))}.` };
  }
  return { mark: 'wrong', text: 'No project is chosen for this channel. Type `/upnext use`.' };
}

/** Nothing where all goes out as usual; whoever runs the app can stop everything. */
export async function checkSending({ context }: Call): Promise<Line[]> {
  const halt = await haltOf(context.db);
  if (!halt) return [];
  const since = halt.since.toISOString().slice(0, 16).replace('T', ' ');
  const why = sanitizeLine(halt.why);
  const reason = why === '' ? '' : ` They say: ${escapeText(why)}.`;
  const text = `Whoever runs this app has stopped all sending, since ${since} (${zoneName('UTC')}).${reason} What you submit is kept, and goes out when they let it.`;
  return [{ mark: 'wrong', text }];
}
