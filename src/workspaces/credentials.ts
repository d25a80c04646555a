import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { DecryptionError, type Encryption } from '../access/access.ts';
import { nameById } from '../api/project-ids.ts';
import { DAY_MS } from '../durations.ts';
import { claimOnce, releaseClaim } from '../engine/once-claim.ts';
import { escapeText, sanitizeLine } from '../slack/blocks.ts';
import type { Message } from '../slack/message.ts';
import type { ProjectException } from './known-projects.ts';
import type { WorkspaceTables } from './tables.ts';

/** A connection to a service: the address and the token. It is stored as a credential. */
export interface Connection {
  url: string;
  token: string;
}

/** A stored connection, for a whole workspace or for one project. */
export interface Credential extends Connection {
  /** Opaque. A replacement has a new id. */
  id: string;
  /** The project's id, and its name when it was connected. */
  project?: { id: string; name: string };
  connectedBy: string;
  connectedAt: Date;
}

export interface StoredServices {
  /** The workspace's credential comes before those of its projects. */
  credentials: readonly Credential[];
  /** The marks of known services, by their endpoint keys. */
  services: ReadonlyMap<string, string>;
  exceptions: readonly ProjectException[];
}

/** The credentials of all workspaces. They are stored encrypted, bound to the workspace and the project. */
export type Credentials = ReturnType<typeof createCredentials>;

interface CredentialOptions {
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  /** Called for a credential that can't be decrypted. */
  onUnusable(fields: { table: 'credential'; workspace: string; err: unknown }): void;
}

/** The encrypted JSON. `name`: the project's name. */
const storedConnection = z.object({ url: z.string(), token: z.string(), name: z.string().optional() });

export function createCredentials({ db, encryption, onUnusable }: CredentialOptions) {
  const decryptCredential = (row: CredentialRow): Credential[] => {
    const { id, workspace, project, connected_by: connectedBy, connected_at: connectedAt } = row;
    try {
      const { name, ...connection } = storedConnection.parse(
        JSON.parse(encryption.decrypt(row.connection, workspace, project)),
      );
      const projectFields =
        project === '' ? {} : { project: { ...nameById(project), ...(name !== undefined && { name }) } };
      return [{ id, ...connection, ...projectFields, connectedBy, connectedAt }];
    } catch (err) {
      if (!(err instanceof DecryptionError)) throw err;
      onUnusable({ table: 'credential', workspace, err });
      return [];
    }
  };
  return {
    /** Reads everything about a workspace's services in one statement, because requests wait for it. */
    async load(workspace: string): Promise<StoredServices> {
      const { rows } = await sql<LoadedRow>`
        select credential.*, known.* from (
          select coalesce((
            select jsonb_object_agg(endpoint, service) from known_service where workspace = ${workspace}
          ), '{}') as services, coalesce((
            select jsonb_agg(jsonb_build_object(
              'service', service, 'project', project, 'isMissing', missing_since is not null,
              'askedAt', asked_at, 'remade', remade
            ) order by service, project)
            from known_project where workspace = ${workspace} and (missing_since is not null or remade > 0)
          ), '[]') as exceptions
        ) known left join credential on credential.workspace = ${workspace}
        order by credential.project`.execute(db);
      const [first] = rows;
      return {
        credentials: rows.flatMap((row) => (row.id === null ? [] : decryptCredential(row))),
        services: new Map(Object.entries(first?.services ?? {})),
        exceptions: first?.exceptions ?? [],
      };
    },
    /** Replaces the credential of the same project. */
    async save(workspace: string, { url, token, project, connectedBy, connectedAt }: Omit<Credential, 'id'>) {
      const projectId = project?.id ?? '';
      const connection = JSON.stringify({ url, token, name: project?.name });
      await saveCredential(db, {
        id: randomUUID(),
        workspace,
        project: projectId,
        connection: encryption.encrypt(connection, workspace, projectId),
        connected_by: connectedBy,
        connected_at: connectedAt,
      });
    },
    /** Returns false if the credential no longer exists, or belongs to another workspace. */
    async remove(workspace: string, id: string): Promise<boolean> {
      const result = await db
        .deleteFrom('credential')
        .where(({ and }) => and({ id, workspace }))
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

type CredentialRow = Selectable<WorkspaceTables['credential']>;

/** A workspace without a credential has one row, without its columns. */
type LoadedRow = (CredentialRow | { id: null }) & {
  services: Record<string, string>;
  exceptions: readonly ProjectException[];
};

/** Whether a workspace, or a project of it, has a service of its own. */
export async function hasCredential(db: Kysely<WorkspaceTables>, workspace: string): Promise<boolean> {
  const query = db.selectFrom('credential').select('id').where('workspace', '=', workspace).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function saveCredential(db: Kysely<WorkspaceTables>, row: CredentialRow): Promise<void> {
  const { workspace: _workspace, project: _project, ...values } = row;
  await db
    .insertInto('credential')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}

/** The token of a project or, without `project`, of the workspace. */
export interface ServiceToken {
  workspace: string;
  project?: Credential['project'];
}

/** Minimum interval between two notifications about the same token, however many calls fail. */
const MIN_INTERVAL_MS = DAY_MS;

// Names in `once_claim`.
const MISSING_PERMISSIONS = 'refused-rights';
const buildPausedName = (project = '') => `refused-and-paused.${project}`;
const buildRefusedName = (project: Credential['project']) => `refused.${project?.id ?? ''}`;

/** Notifies the owners about refused tokens, because owners can replace a token. */
export function createRefusedTokenNotifications(options: {
  db: Kysely<WorkspaceTables>;
  notifyOwners(workspace: string, message: Message): Promise<void>;
}) {
  const { db, notifyOwners } = options;
  /** Sends a message unless its first name is claimed. Claims the others too, for what the message also announces. */
  async function notifyOnce(workspace: string, names: readonly string[], message: Message): Promise<void> {
    const claim = (name = '') => claimOnce(db, { workspace, name, retentionMs: MIN_INTERVAL_MS });
    const [first, ...others] = names;
    if (!(await claim(first))) return;
    try {
      for (const name of others) await claim(name);
      await notifyOwners(workspace, message);
    } catch (error) {
      // A name that stays claimed only delays the next notification, so the first error counts.
      for (const name of names) await releaseClaim(db, { workspace, name }).catch(() => undefined);
      throw error;
    }
  }
  return {
    /** Notifies the owners that the service refuses a token, and that submissions are paused therefore. */
    notifyRefused({ workspace, project }: ServiceToken): Promise<void> {
      const tokenText = project
        ? `the token of ${escapeText(sanitizeLine(project.name))}`
        : 'the access token of this workspace';
      return notifyOnce(workspace, [buildRefusedName(project), buildPausedName(project?.id)], {
        text: `The scheduling service refuses ${tokenText}. Posts stay saved. Replace it with \`/upnext connect\`.`,
      });
    },
    /**
     * Notifies the owners that submissions are paused. `refusedTokenProject` is the id of the project whose token was
     * refused, or '' for the workspace's token. It is undefined if a token was accepted but lacks a permission. All
     * tokens without a permission share one notification, so that owners don't get one for each.
     */
    notifyPaused(workspace: string, message: Message, refusedTokenProject?: string): Promise<void> {
      const name =
        refusedTokenProject === undefined ? MISSING_PERMISSIONS : buildPausedName(refusedTokenProject);
      return notifyOnce(workspace, [name], message);
    },
    /** Called after a token was replaced. If the service refuses the new token too, the owners are notified again. */
    async reset({ workspace, project }: ServiceToken): Promise<void> {
      for (const name of [buildRefusedName(project), buildPausedName(project?.id), MISSING_PERMISSIONS]) {
        await releaseClaim(db, { workspace, name });
      }
    },
  };
}
