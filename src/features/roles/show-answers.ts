import { type AccessRequest, findAccessRequest, isRole } from '../../access/access.ts';
import type { Call } from '../../handlers/call.ts';
import { mapLimited } from '../../promises.ts';
import { section } from '../../slack/blocks.ts';
import { disableParsing } from '../../slack/message.ts';
import { readProjectNames, renderProjectSuffix, renderRole, renderRoleHolder } from './role-text.ts';

/**
 * Replaces each answered request by its answer, in the messages of all owners who were asked. A failure is logged: the
 * answer counts already. `given`: where the role applies, if that isn't where it was requested.
 */
export async function showAnswers(
  call: Call,
  ids: readonly string[],
  given: { project?: string } = {},
): Promise<void> {
  const { context, actor, client, log, reference } = call;
  const warn = (error: unknown) =>
    log.warn({ reference, err: error }, 'could not show the answer to a role request');
  const show = async (id: string) => {
    const request = await findAccessRequest(context.db, { workspace: actor.workspace, id, now: call.now() });
    const text = request && renderAnswer({ ...request, ...given }, await readProjectNames(call));
    if (text === undefined) return;
    const content = disableParsing({ text, blocks: [section(text)] });
    await mapLimited(request?.messages ?? [], (message) =>
      client.chat.update({ ...message, ...content }).catch(warn),
    );
  };
  for (const id of ids) await show(id).catch(warn);
}

/** Undefined if the request has no answer yet. */
export function renderAnswer(
  { person, role, project, answer, answeredBy }: AccessRequest,
  projectNames: ReadonlyMap<string, string>,
): string | undefined {
  const scope = answer === 'owner' ? '' : project;
  const suffix = renderProjectSuffix(scope === '' ? undefined : (projectNames.get(scope) ?? scope));
  if (answer === 'no' && isRole(role))
    return `<@${answeredBy}> declined <@${person}>’s request for the ${renderRole(role)} role${suffix}.`;
  return isRole(answer)
    ? `<@${answeredBy}> made <@${person}> ${renderRoleHolder(answer)}${suffix}.`
    : undefined;
}
