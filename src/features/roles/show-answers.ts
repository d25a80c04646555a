import { type AccessRequest, findAccessRequest, isRole } from '../../access/access.ts';
import type { Call } from '../../handlers/call.ts';
import { section } from '../../slack/blocks.ts';
import { disableParsing } from '../../slack/message.ts';
import { readProjectNames, renderProjectSuffix, renderRole, renderRoleHolder } from './role-text.ts';

/** Replaces each answered request by its answer, in the messages of all owners who were asked. */
export async function showAnswers(call: Call, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { context, actor, client, log, reference } = call;
  const projectNames = await readProjectNames(call);
  for (const id of ids) {
    const request = await findAccessRequest(context.db, { workspace: actor.workspace, id, now: call.now() });
    const text = request && renderAnswer(request, projectNames);
    if (text === undefined) continue;
    for (const message of request?.messages ?? [])
      try {
        await client.chat.update({ ...message, ...disableParsing({ text, blocks: [section(text)] }) });
      } catch (error) {
        log.warn({ reference, err: error }, 'could not show the answer to a role request');
      }
  }
}

/** Undefined if the request has no answer yet. */
export function renderAnswer(
  { person, role, project, answer, answeredBy }: AccessRequest,
  projectNames: ReadonlyMap<string, string>,
): string | undefined {
  const suffix = renderProjectSuffix(project === '' ? undefined : (projectNames.get(project) ?? project));
  if (answer === 'no' && isRole(role))
    return `<@${answeredBy}> declined <@${person}>’s request for the ${renderRole(role)} role${suffix}.`;
  return isRole(answer)
    ? `<@${answeredBy}> made <@${person}> ${renderRoleHolder(answer)}${suffix}.`
    : undefined;
}
