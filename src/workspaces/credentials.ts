import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { DecryptionError, type Encryption } from '../access/access.ts';
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
  /** The project's id in the service, and its name when it was connected. */
  project?: { id: string; name: string };
  connectedBy: string;
  connectedAt: Date;
}

/** The credentials of all workspaces. They are stored encrypted, bound to the workspace and the project. */
export interface Credentials {
  /** The workspace's credential comes before those of its projects. */
  list(workspace: string): Promise<readonly Credential[]>;
  /** Replaces the credential of the same project. */
  save(workspace: string, credential: Omit<Credential, 'id'>): Promise<void>;
  /** Returns false if the credential no longer exists, or belongs to another workspace. */
  remove(workspace: string, id: string): Promise<boolean>;
}

interface CredentialOptions {
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  /** Called for a credential that can't be decrypted. */
  onUnusable(fields: { table: 'credential'; workspace: string; err: unknown }): void;
}

/** The encrypted JSON. `name`: the project's name. */
const storedConnection = z.object({ url: z.string(), token: z.string(), name: z.string().optional() });

export function createCredentials({ db, encryption, onUnusable }: CredentialOptions): Credentials {
  const decryptCredential = (row: CredentialRow): Credential[] => {
    const { id, workspace, project, connected_by: connectedBy, connected_at: connectedAt } = row;
    try {
      const { name, ...connection } = storedConnection.parse(
        JSON.parse(encryption.decrypt(row.connection, workspace, project)),
      );
      const projectFields = project === '' ? {} : { project: { id: project, name: name ?? project } };
      return [{ id, ...connection, ...projectFields, connectedBy, connectedAt }];
    } catch (err) {
      if (!(err instanceof DecryptionError)) throw err;
      onUnusable({ table: 'credential', workspace, err });
      return [];
    }
  };
  return {
    list: async (workspace) => (await listCredentials(db, workspace)).flatMap(decryptCredential),
    async save(workspace, { url, token, project, connectedBy, connectedAt }) {
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
    remove: (workspace, id) => removeCredential(db, { id, workspace }),
  };
}

type CredentialRow = Selectable<WorkspaceTables['credential']>;

/** Replaces the credential of the same workspace and project. */
export async function saveCredential(db: Kysely<WorkspaceTables>, row: CredentialRow): Promise<void> {
  const { workspace: _workspace, project: _project, ...values } = row;
  await db
    .insertInto('credential')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}

/** The workspace's credential (project '') comes first. */
async function listCredentials(db: Kysely<WorkspaceTables>, workspace: string): Promise<CredentialRow[]> {
  return db
    .selectFrom('credential')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('project')
    .execute();
}

/** Returns false if the credential no longer exists, or belongs to another workspace. */
async function removeCredential(
  db: Kysely<WorkspaceTables>,
  { id, workspace }: Pick<CredentialRow, 'id' | 'workspace'>,
): Promise<boolean> {
  const result = await db
    .deleteFrom('credential')
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
