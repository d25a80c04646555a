import { type RawBuilder, sql } from 'kysely';
import type { ApiClient } from '../api/client.ts';
import { parseProjectId } from '../api/project-ids.ts';
import { parseMark } from './known-projects.ts';

/**
 * Which connection a call is about to use, as this instance knows the connections of the workspace. Another instance may
 * have replaced one since, or have found that the project is gone, so the statement that commits the call compares it.
 */
interface UsedConnection {
  /** The id of the stored credential; '' for the service in the settings. */
  credential: string;
  /** Upnext's id of the project; '' for none. */
  project: string;
  service: string;
  serviceId: string;
  remade: number;
}

/** Undefined for a client without a connection, with which nothing can be sent. */
export function describeConnection(
  { credentialId }: Pick<ApiClient, 'credentialId'>,
  projectId: string | null,
): UsedConnection | undefined {
  if (credentialId === undefined) return undefined;
  const { service: mark, serviceId } = parseProjectId(projectId ?? '');
  return { credential: credentialId, project: projectId ?? '', serviceId, ...parseMark(mark) };
}

/**
 * SQL: whether a row of the workspace `t.workspace` would still use the connection in the JSON `v.via`. A project's own
 * connection comes before that of the workspace, and that before the service in the settings.
 */
export const IS_CONNECTION_CURRENT: RawBuilder<boolean> = sql`(
  v.via ->> 'credential' = coalesce(
    (select c.id from credential c where c.workspace = t.workspace and c.project = v.via ->> 'project'),
    (select c.id from credential c where c.workspace = t.workspace and c.project = ''), '')
  and not exists (select from known_project k where k.workspace = t.workspace
    and k.service = v.via ->> 'service' and k.project = v.via ->> 'serviceId'
    and (k.missing_since is not null or k.remade <> (v.via ->> 'remade')::integer)))`;
