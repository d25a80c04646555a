import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import { findHalt } from '../../delivery/permit.ts';
import { readProfile } from '../../forms/form-context.ts';
import { addMissingProjects, type ProjectList } from '../../posts/project.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { findZones } from '../../preferences/zones.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { APP_NAME } from '../../slack/name.ts';
import { listBotScopes } from '../../slack/scopes.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { zoneName } from '../../when/when.ts';
import type { StatusLine } from './status-message.ts';

const INVITE = `Type \`/invite @${APP_NAME}\` here.`;

/** Checks that the bot is a member of the channel. A bot that isn't can answer commands, but can't share posts. */
export async function checkChannel({ client, channel }: Call): Promise<StatusLine> {
  if (channel === undefined || channel.startsWith('D')) {
    return { mark: 'fine', text: 'We are in a direct message: what I say here you alone see.' };
  }
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (info?.is_archived) {
      return { mark: 'wrong', text: 'This channel is archived: nothing can be shared in it.' };
    }
    if (info?.is_member) return { mark: 'fine', text: 'I am in this channel.' };
    return { mark: 'wrong', text: `I am not in this channel, so nothing can be shared in it. ${INVITE}` };
  } catch (error) {
    const code = getSlackErrorCode(error);
    // Slack responds with these codes for a private channel that the bot wasn't invited to.
    if (code === 'channel_not_found' || code === 'not_in_channel') {
      const text = `I am not in this private channel, so nothing can be shared in it. ${INVITE}`;
      return { mark: 'wrong', text };
    }
    const text = `Slack did not say whether I am in this channel (${code ?? 'no answer'}).`;
    return { mark: 'unknown', text };
  }
}

/** Checks that the app was granted every scope of its manifest. */
export async function checkScopes({ client, catalogue }: Call): Promise<StatusLine> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    const grantedScopes = metadata?.scopes;
    if (!grantedScopes) return { mark: 'unknown', text: 'Slack did not say which rights I have.' };
    const missingScopes = Object.keys(listBotScopes(catalogue)).filter(
      (scope) => !grantedScopes.includes(scope),
    );
    if (missingScopes.length === 0)
      return { mark: 'fine', text: 'I have all the rights that I need in Slack.' };
    const names = missingScopes.map((scope) => `\`${scope}\``).join(', ');
    return {
      mark: 'wrong',
      text: `I lack rights in Slack: ${names}. Whoever set up ${APP_NAME} puts today's \`manifest.yml\` into the app's settings and installs it again.`,
    };
  } catch (error) {
    const code = getSlackErrorCode(error) ?? 'no answer';
    return { mark: 'unknown', text: `Slack did not say which rights I have (${code}).` };
  }
}

const MAX_NAME_LENGTH = 60;
const MAX_NAMED_PROJECTS = 10;

/** Checks that the service accepts the token, and names the projects that the channel is about. */
export async function checkService(call: Call): Promise<StatusLine[]> {
  const { context, actor, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    listProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const kindText = context.isEmulated
    ? 'It is the practice service: nothing is published.'
    : 'It is the real one: what is scheduled is published.';
  if (outcome.kind !== 'done') {
    return [
      { mark: 'wrong', text: renderServiceFailure(outcome) },
      { mark: 'unknown', text: 'Which project this channel is about cannot be told without it.' },
    ];
  }
  const { items, shape, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (shape === 'unreadable') {
    return [{ mark: 'wrong', text: 'The scheduling service answers, but I cannot read its projects.' }];
  }
  return [
    { mark: 'fine', text: `The scheduling service answers and takes our access token. ${kindText}` },
    ...(isTruncated ? [renderTruncation(outcome.data)] : []),
    renderBoundProjects({ items, isTruncated }, boundIds),
  ];
}

function renderTruncation({ items, unreadable }: Records<Project>): StatusLine {
  const count = items.length + unreadable;
  return {
    mark: 'fine',
    text: `It has more than ${count} projects, and I can only read the first ${count}.`,
  };
}

function renderBoundProjects({ items, isTruncated }: ProjectList, boundIds: readonly string[]): StatusLine {
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const missingCount = boundIds.length - boundProjects.length;
  if (boundProjects.length > 0) {
    const hiddenCount = boundProjects.length - MAX_NAMED_PROJECTS;
    const names = boundProjects
      .slice(0, MAX_NAMED_PROJECTS)
      .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
    const moreText = hiddenCount > 0 ? ` and ${hiddenCount} more` : '';
    const missingText =
      missingCount > 0
        ? ` ${missingCount} more that were chosen are not there any more: \`/upnext use\`.`
        : '';
    return {
      mark: missingCount > 0 ? 'wrong' : 'fine',
      text: `This channel is about ${escapeText(names.join(', '))}${moreText}.${missingText}`,
    };
  }
  const [onlyProject] = items;
  if (!onlyProject && !isTruncated)
    return { mark: 'wrong', text: 'There is no project yet. Make one in the scheduling service first.' };
  if (onlyProject && items.length === 1 && !isTruncated) {
    return {
      mark: 'fine',
      text: `The only project is ${escapeText(clip(sanitizeLine(onlyProject.name), MAX_NAME_LENGTH))}.`,
    };
  }
  return { mark: 'wrong', text: 'No project is chosen for this channel. Type `/upnext use`.' };
}

/** Reports a halt of all sending by an operator. Resolves with no lines without a halt. */
export async function checkSending({ context }: Call): Promise<StatusLine[]> {
  const halt = await findHalt(context.db);
  if (!halt) return [];
  const since = halt.since.toISOString().slice(0, 16).replace('T', ' ');
  const reason = sanitizeLine(halt.reason);
  const reasonText = reason === '' ? '' : ` They say: ${escapeText(reason)}.`;
  const text = `Whoever runs this app has stopped all sending, since ${since} (${zoneName('UTC')}).${reasonText} What you submit is kept, and goes out when they let it.`;
  return [{ mark: 'wrong', text }];
}

/** Names the time zone of dates that people type in this channel without a zone. */
export async function checkZone(call: Call): Promise<StatusLine> {
  const { context, actor, channel } = call;
  const zones = await findZones(context.db, { workspace: actor.workspace, user: actor.user, channel });
  const zone = zones.channel ?? zones.person;
  if (zone !== undefined) {
    const source = zones.channel === undefined ? 'your own choice' : "this channel's";
    return { mark: 'fine', text: `Times are in ${zoneName(zone)}, ${source}.` };
  }
  const { actorZone } = await readProfile(call);
  if (actorZone !== undefined)
    return { mark: 'fine', text: `Times are in ${zoneName(actorZone)}, from your Slack profile.` };
  return {
    mark: 'wrong',
    text: 'Slack does not say your time zone: set it in your Slack profile, or write it with the time ("9am Berlin").',
  };
}

/** Reports the time of the next digest of this channel, and the number of its paused digests. */
export async function checkDigests({ context, actor, channel, now }: Call): Promise<StatusLine[]> {
  if (channel === undefined) return [];
  const { digests, unreadableCount } = await context.digests.list({
    workspace: actor.workspace,
    channel,
  });
  if (digests.length + unreadableCount === 0)
    return [{ mark: 'fine', text: 'No digest is set up for this channel: `/upnext digest` does that.' }];
  const [nextDigest] = digests
    .flatMap(({ nextSlot, zone }) => (nextSlot ? [{ at: nextSlot.instant, zone }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const pausedCount = digests.filter(({ state }) => state === 'paused').length;
  const isSingular = pausedCount === 1;
  return [
    ...(nextDigest
      ? [
          {
            mark: 'fine' as const,
            text: `The next digest comes ${escapeText(renderMoment(nextDigest.at, nextDigest.zone, now()))}.`,
          },
        ]
      : []),
    ...(pausedCount > 0
      ? [
          {
            mark: 'unknown' as const,
            text: `${isSingular ? 'One digest' : `${pausedCount} digests`} of this channel ${isSingular ? 'is' : 'are'} paused: \`/upnext digest\` says why.`,
          },
        ]
      : []),
  ];
}
