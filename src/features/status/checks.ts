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

/** Checks that the bot is a member of the channel. Without membership, Upnext can't share posts in the channel. */
export async function checkChannel({ client, channel }: Call): Promise<StatusLine> {
  if (channel === undefined || channel.startsWith('D')) {
    return { result: 'fine', text: 'We are in a direct message: what I say here you alone see.' };
  }
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (info?.is_archived) {
      return { result: 'wrong', text: 'This channel is archived: nothing can be shared in it.' };
    }
    if (info?.is_member) return { result: 'fine', text: 'I am in this channel.' };
    return { result: 'wrong', text: `I am not in this channel, so nothing can be shared in it. ${INVITE}` };
  } catch (error) {
    const code = getSlackErrorCode(error);
    // Slack responds with these codes for a private channel that the bot wasn't invited to.
    if (code === 'channel_not_found' || code === 'not_in_channel') {
      const text = `I am not in this private channel, so nothing can be shared in it. ${INVITE}`;
      return { result: 'wrong', text };
    }
    const text = `Slack did not say whether I am in this channel (${code ?? 'no answer'}).`;
    return { result: 'unknown', text };
  }
}

/** Checks that the app was granted every scope of its manifest. */
export async function checkScopes({ client, catalogue }: Call): Promise<StatusLine> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    const grantedScopes = metadata?.scopes;
    if (!grantedScopes) return { result: 'unknown', text: 'Slack did not say which rights I have.' };
    const missingScopes = Object.keys(listBotScopes(catalogue)).filter(
      (scope) => !grantedScopes.includes(scope),
    );
    if (missingScopes.length === 0)
      return { result: 'fine', text: 'I have all the rights that I need in Slack.' };
    const names = missingScopes.map((scope) => `\`${scope}\``).join(', ');
    return {
      result: 'wrong',
      text: `I lack rights in Slack: ${names}. Whoever set up ${APP_NAME} puts today's \`manifest.yml\` into the app's settings and installs it again.`,
    };
  } catch (error) {
    const code = getSlackErrorCode(error) ?? 'no answer';
    return { result: 'unknown', text: `Slack did not say which rights I have (${code}).` };
  }
}

/** Maximum length of a project's name in a line. */
const MAX_NAME_LENGTH = 60;
const MAX_NAMED_PROJECTS = 10;

/** Checks that the scheduling service accepts the token, and reports the projects that the channel is about. */
export async function checkService(call: Call): Promise<StatusLine[]> {
  const { context, actor, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    listProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const serviceKindText = context.isEmulated
    ? 'It is the practice service: nothing is published.'
    : 'It is the real one: what is scheduled is published.';
  if (outcome.kind !== 'done') {
    return [
      { result: 'wrong', text: renderServiceFailure(outcome) },
      { result: 'unknown', text: 'Which project this channel is about cannot be told without it.' },
    ];
  }
  const { items, shape, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (shape === 'unreadable') {
    return [{ result: 'wrong', text: 'The scheduling service answers, but I cannot read its projects.' }];
  }
  return [
    { result: 'fine', text: `The scheduling service answers and takes our access token. ${serviceKindText}` },
    ...(isTruncated ? [renderTruncation(outcome.data)] : []),
    renderBoundProjects({ items, isTruncated }, boundIds),
  ];
}

function renderTruncation({ items, unreadable }: Records<Project>): StatusLine {
  const count = items.length + unreadable;
  return {
    result: 'fine',
    text: `It has more than ${count} projects, and I can only read the first ${count}.`,
  };
}

/** Renders the projects that the channel is about. Without any, asks to choose one unless there is only one project. */
function renderBoundProjects({ items, isTruncated }: ProjectList, boundIds: readonly string[]): StatusLine {
  const boundProjects = boundIds.flatMap((id) => items.find((project) => project.id === id) ?? []);
  const missingCount = boundIds.length - boundProjects.length;
  if (boundProjects.length > 0) {
    const hiddenCount = boundProjects.length - MAX_NAMED_PROJECTS;
    const names = boundProjects
      .slice(0, MAX_NAMED_PROJECTS)
      .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
    const hiddenText = hiddenCount > 0 ? ` and ${hiddenCount} more` : '';
    const missingText =
      missingCount > 0
        ? ` ${missingCount} more that were chosen are not there any more: \`/upnext use\`.`
        : '';
    return {
      result: missingCount > 0 ? 'wrong' : 'fine',
      text: `This channel is about ${escapeText(names.join(', '))}${hiddenText}.${missingText}`,
    };
  }
  const [onlyProject] = items;
  if (!onlyProject && !isTruncated)
    return { result: 'wrong', text: 'There is no project yet. Make one in the scheduling service first.' };
  if (onlyProject && items.length === 1 && !isTruncated) {
    return {
      result: 'fine',
      text: `The only project is ${escapeText(clip(sanitizeLine(onlyProject.name), MAX_NAME_LENGTH))}.`,
    };
  }
  return { result: 'wrong', text: 'No project is chosen for this channel. Type `/upnext use`.' };
}

/** Reports whether an operator has halted all sending. Resolves with no lines if not. */
export async function checkSending({ context }: Call): Promise<StatusLine[]> {
  const halt = await findHalt(context.db);
  if (!halt) return [];
  const sinceText = halt.since.toISOString().slice(0, 16).replace('T', ' ');
  const reason = sanitizeLine(halt.reason);
  const reasonText = reason === '' ? '' : ` They say: ${escapeText(reason)}.`;
  const text = `Whoever runs this app has stopped all sending, since ${sinceText} (${zoneName('UTC')}).${reasonText} What you submit is kept, and goes out when they let it.`;
  return [{ result: 'wrong', text }];
}

/** Reports the time zone of dates in this channel for which people type no zone. */
export async function checkZone(call: Call): Promise<StatusLine> {
  const { context, actor, channel } = call;
  const zones = await findZones(context.db, { workspace: actor.workspace, user: actor.user, channel });
  const zone = zones.channel ?? zones.person;
  if (zone !== undefined) {
    const source = zones.channel === undefined ? 'your own choice' : "this channel's";
    return { result: 'fine', text: `Times are in ${zoneName(zone)}, ${source}.` };
  }
  const { actorZone } = await readProfile(call);
  if (actorZone !== undefined)
    return { result: 'fine', text: `Times are in ${zoneName(actorZone)}, from your Slack profile.` };
  return {
    result: 'wrong',
    text: 'Slack does not say your time zone: set it in your Slack profile, or write it with the time ("9am Berlin").',
  };
}

/** Reports when the next digest of this channel is sent, and how many digests are paused. */
export async function checkDigests({ context, actor, channel, now }: Call): Promise<StatusLine[]> {
  if (channel === undefined) return [];
  const { digests, unreadableCount } = await context.digests.list({
    workspace: actor.workspace,
    channel,
  });
  if (digests.length + unreadableCount === 0)
    return [{ result: 'fine', text: 'No digest is set up for this channel: `/upnext digest` does that.' }];
  const [nextDigest] = digests
    .flatMap(({ nextSlot, zone }) => (nextSlot ? [{ instant: nextSlot.instant, zone }] : []))
    .sort((one, other) => one.instant.getTime() - other.instant.getTime());
  const pausedCount = digests.filter(({ state }) => state === 'paused').length;
  const isOnePaused = pausedCount === 1;
  return [
    ...(nextDigest
      ? [
          {
            result: 'fine' as const,
            text: `The next digest comes ${escapeText(renderMoment(nextDigest.instant, nextDigest.zone, now()))}.`,
          },
        ]
      : []),
    ...(pausedCount > 0
      ? [
          {
            result: 'unknown' as const,
            text: `${isOnePaused ? 'One digest' : `${pausedCount} digests`} of this channel ${isOnePaused ? 'is' : 'are'} paused: \`/upnext digest\` says why.`,
          },
        ]
      : []),
  ];
}
