import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call } from '../../app/call.ts';
import { findSendingStop } from '../../delivery/permit.ts';
import { readProfile } from '../../forms/form-context.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { addMissingProjects, type ProjectList } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { findZones } from '../../preferences/zones.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { APP_NAME } from '../../slack/name.ts';
import { listOptionalScopes, listRequiredScopes } from '../../slack/scopes.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { zoneName } from '../../when/when.ts';
import type { StatusLine } from './status-message.ts';

const INVITE = `Type \`/invite @${APP_NAME}\` here.`;

/** Checks that the bot is a member of the channel. Without membership, Upnext can't share posts in the channel. */
export async function checkChannel({ client, channel }: Call): Promise<StatusLine> {
  if (channel === undefined || channel.startsWith('D')) {
    return { result: 'fine', text: 'This is a direct message. Only you see my answers.' };
  }
  try {
    const { channel: info } = await client.conversations.info({ channel });
    if (info?.is_archived) {
      return { result: 'wrong', text: 'This channel is archived, so nothing can be shared here.' };
    }
    if (info?.is_member) return { result: 'fine', text: 'I’m in this channel.' };
    return { result: 'wrong', text: `I’m not in this channel, so nothing can be shared here. ${INVITE}` };
  } catch (error) {
    const code = getSlackErrorCode(error);
    // Slack responds with these codes for a private channel that the bot wasn't invited to.
    if (code === 'channel_not_found' || code === 'not_in_channel') {
      const text = `I’m not in this private channel, so nothing can be shared here. ${INVITE}`;
      return { result: 'wrong', text };
    }
    const text = `I couldn’t check whether I’m in this channel (${code ?? 'no answer'}).`;
    return { result: 'unknown', text };
  }
}

/** Checks that the app was granted every required scope, and lists what it can't do without the optional ones. */
export async function checkScopes({ client, catalogue }: Call): Promise<StatusLine[]> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    const grantedScopes = metadata?.scopes;
    if (!grantedScopes) return [{ result: 'unknown', text: 'I couldn’t check my Slack permissions.' }];
    const missingScopes = Object.keys(listRequiredScopes(catalogue)).filter(
      (scope) => !grantedScopes.includes(scope),
    );
    const scopeNames = missingScopes.map((scope) => `\`${scope}\``).join(', ');
    return [
      missingScopes.length === 0
        ? { result: 'fine', text: 'Slack permissions OK.' }
        : {
            result: 'wrong',
            text: `I’m missing Slack permissions: ${scopeNames}. Update the app with today’s \`manifest.yml\` and install it again.`,
          },
      ...renderDeclinedScopes(catalogue, grantedScopes),
    ];
  } catch (error) {
    const code = getSlackErrorCode(error) ?? 'no answer';
    return [{ result: 'unknown', text: `I couldn’t check my Slack permissions (${code}).` }];
  }
}

/** Renders what the app can't do without the optional scopes that it wasn't granted. */
function renderDeclinedScopes(catalogue: Catalogue, grantedScopes: readonly string[]): StatusLine[] {
  const declinedScopes = Object.entries(listOptionalScopes(catalogue)).filter(
    ([scope]) => !grantedScopes.includes(scope),
  );
  const lines = declinedScopes.map(
    ([scope, { missingAbility }]): StatusLine => ({
      result: 'off',
      text: `I can’t ${missingAbility} without \`${scope}\`.`,
    }),
  );
  const hint: StatusLine = {
    result: 'off',
    text: 'These Slack permissions are optional. To allow them, install me again.',
  };
  return lines.length === 0 ? [] : [...lines, hint];
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
    ? 'It’s the practice service, so nothing is published.'
    : 'It’s the real one, so scheduled posts are published.';
  if (outcome.kind !== 'done') {
    return [
      { result: 'wrong', text: renderServiceFailure(outcome) },
      { result: 'unknown', text: 'Without it, I can’t tell this channel’s project.' },
    ];
  }
  const { items, isReadable, isTruncated } = addMissingProjects(outcome.data, boundIds, call);
  if (!isReadable) {
    return [{ result: 'wrong', text: 'The scheduling service answers, but I can’t read its projects.' }];
  }
  return [
    { result: 'fine', text: `Connected to the scheduling service. ${serviceKindText}` },
    ...(isTruncated ? [renderTruncation(outcome.data)] : []),
    renderBoundProjects({ items, isTruncated }, boundIds),
  ];
}

function renderTruncation({ items, unreadableCount }: Records<Project>): StatusLine {
  const count = items.length + unreadableCount;
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
    const missingText = missingCount > 0 ? ` ${missingCount} more no longer exist: \`/upnext use\`.` : '';
    return {
      result: missingCount > 0 ? 'wrong' : 'fine',
      text: `This channel follows ${escapeText(names.join(', '))}${hiddenText}.${missingText}`,
    };
  }
  const [onlyProject] = items;
  if (!onlyProject && !isTruncated)
    return { result: 'wrong', text: 'There’s no project yet. Create one in the scheduling service first.' };
  if (onlyProject && items.length === 1 && !isTruncated) {
    return {
      result: 'fine',
      text: `The only project is ${escapeText(clip(sanitizeLine(onlyProject.name), MAX_NAME_LENGTH))}.`,
    };
  }
  return {
    result: 'wrong',
    text: 'This channel doesn’t follow a project yet. Choose one with `/upnext use`.',
  };
}

/** Reports whether an operator has stopped all sending. Resolves with no lines if not. */
export async function checkSending({ context }: Call): Promise<StatusLine[]> {
  const stop = await findSendingStop(context.db);
  if (!stop) return [];
  const sinceText = stop.since.toISOString().slice(0, 16).replace('T', ' ');
  const reason = sanitizeLine(stop.reason);
  const reasonText = reason === '' ? '' : ` They say: ${escapeText(reason)}.`;
  const text = `An operator has stopped all sending since ${sinceText} (${zoneName('UTC')}).${reasonText} Your posts are saved and go out later.`;
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
    text: 'I don’t know your time zone. Set it in your Slack profile, or type it with the time (“9am Berlin”).',
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
    return [{ result: 'fine', text: 'This channel has no digest. Set one up with `/upnext digest`.' }];
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
            text: `${isOnePaused ? 'One digest' : `${pausedCount} digests`} of this channel ${isOnePaused ? 'is' : 'are'} paused. See why with \`/upnext digest\`.`,
          },
        ]
      : []),
  ];
}
