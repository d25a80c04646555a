import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { CannotOpen, type Encryption } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';
import { type CredentialRow, credentialsOf, removeCredential, saveCredential } from './sql/credentials.ts';

/** Where a service is, and the token that it takes. */
export interface Connection {
  url: string;
  token: string;
}

/** What a workspace has connected: for all of it, or for one project. */
export interface Credential extends Connection {
  /** Opaque, and another one each time that it is replaced. */
  id: string;
  /** The project's id in the service, and its name when it was connected. */
  project?: { id: string; name: string };
  connectedBy: string;
  connectedAt: Date;
}

/** Kept sealed, bound to their workspace and project. */
export interface Credentials {
  /** The workspace's own first. */
  of(workspace: string): Promise<readonly Credential[]>;
  /** In the place of the one for the same project. */
  keep(workspace: string, credential: Omit<Credential, 'id'>): Promise<void>;
  /** False where it is another workspace's, or gone. */
  remove(workspace: string, id: string): Promise<boolean>;
}

interface CredentialOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** One cannot be used: the key that it was sealed with is missing. */
  onUnusable(facts: { table: 'credential'; workspace: string; err: unknown }): void;
}

const kept = z.object({ url: z.string(), token: z.string(), name: z.string().optional() });

export function createCredentials({ db, encryption, onUnusable }: CredentialOptions): Credentials {
  const read = (row: CredentialRow): Credential[] => {
    const { id, workspace, project, connected_by: connectedBy, connected_at: connectedAt } = row;
    try {
      const { name, ...at } = kept.parse(JSON.parse(encryption.open(row.connection, workspace, project)));
      const about = project === '' ? {} : { project: { id: project, name: name ?? project } };
      return [{ id, ...at, ...about, connectedBy, connectedAt }];
    } catch (err) {
      if (!(err instanceof CannotOpen)) throw err;
      onUnusable({ table: 'credential', workspace, err });
      return [];
    }
  };
  return {
    of: async (workspace) => (await credentialsOf(db, workspace)).flatMap(read),
    async keep(workspace, { url, token, project, connectedBy, connectedAt }) {
      const at = project?.id ?? '';
      await saveCredential(db, {
        id: randomUUID(),
        workspace,
        project: at,
        connection: encryption.seal(JSON.stringify({ url, token, name: project?.name }), workspace, at),
        connected_by: connectedBy,
        connected_at: connectedAt,
      });
    },
    remove: (workspace, id) => removeCredential(db, { id, workspace }),
  };
}
