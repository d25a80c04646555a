import { createLookupCache } from '../cache/cache.ts';
import {
  openTokens,
  type RefreshOptions,
  RefreshRefused,
  refreshed,
  sealTokens,
  type Tokens,
} from './refresh-tokens.ts';
import { forgetInstallation, forgetWorkspace, revokeTokens } from './sql/forget-workspace.ts';
import {
  type InstallationRow,
  installationIn,
  installationOf,
  rememberWorkspace,
  saveInstallation,
  workspacesOf,
} from './sql/installations.ts';

/** The app in a workspace (`T…`), or in a whole organisation (`E…`). */
export interface Installation {
  id: string;
  name: string;
  /** The app's own user there. */
  botUser: string;
  /** The person who installed it. */
  installedBy: string;
  installedAt: Date;
  token: string;
}

/** Where a request of Slack's comes from. */
export interface From {
  workspace: string | undefined;
  organisation: string | undefined;
  /** It comes by the installation of the whole organisation. */
  orgWide: boolean;
}

interface InstallationOptions extends Omit<RefreshOptions, 'unsaved'> {
  /**
   * An installation cannot be used. `isOver`: Slack takes its refresh token no more. Otherwise its key is missing, or the
   * next token could not be had just now.
   */
  onUnusable(facts: { table: 'installation'; id: string; isOver: boolean; err: unknown }): void;
}

/** `unknown`: it could not be found out, and a later look may tell. Undefined where the app is not installed. */
type Found = Installation | 'unknown' | undefined;

/** Where the app is installed, and with which tokens. */
export interface Installations extends Leaving {
  keep(installation: Omit<Installation, 'token'>, tokens: Tokens): Promise<void>;
  find(from: From): Promise<Found>;
  /** By which the app is in a workspace that it has heard of. */
  of(workspace: string): Promise<Found>;
}

/** What leaving takes away. Each answers the workspaces that it was done in, and can be repeated. */
export interface Leaving {
  /** Deletes an installation with all that must go with it. One that is newer than `before` stays. */
  remove(id: string, before: Date): Promise<readonly string[]>;
  /** The same for some of an organisation's workspaces. */
  removeFrom(id: string, workspaces: readonly string[]): Promise<readonly string[]>;
  /** Deletes the tokens and pauses the digests; what people wrote stays. One that is newer than `before` stays. */
  revoke(id: string, before: Date): Promise<readonly string[]>;
}

/** So long a found installation is used without looking again; what is removed elsewhere is used no longer than this. */
const MAX_AGE_MS = 10_000;

export function createInstallations(given: InstallationOptions): Installations {
  const options = { ...given, unsaved: new Map() };
  const { db, encryption, now } = options;
  const aging = { maxAgeMs: MAX_AGE_MS, now: () => now().getTime() };
  // What is not there yet, or not known, may be at the next request.
  const installations = createLookupCache<Found>({
    ...aging,
    ageOf: (found) => (found === undefined || found === 'unknown' ? 0 : undefined),
  });
  // Known for a while only: another instance may have noted meanwhile that the app has left.
  const remembered = createLookupCache<void>(aging);
  const forget = () => {
    installations.clear();
    remembered.clear();
  };

  const cached = (key: string, look: () => Promise<InstallationRow | undefined>) =>
    installations.get(key, async () => {
      const row = await look();
      return row && usable(options, row);
    });

  const remember = (workspace: string, installation: string) =>
    remembered.get(`${workspace} ${installation}`, () => rememberWorkspace(db, { workspace, installation }));

  return {
    async keep(installation, tokens) {
      const { id, name, botUser, installedBy, installedAt } = installation;
      await saveInstallation(db, {
        id,
        name,
        tokens: sealTokens(encryption, id, tokens),
        expires_at: tokens.expiresAt ?? null,
        bot_user: botUser,
        installed_by: installedBy,
        installed_at: installedAt,
      });
      if (id.startsWith('T')) await rememberWorkspace(db, { workspace: id, installation: id });
      forget();
    },
    async find({ workspace, organisation, orgWide }) {
      const ids = [...(orgWide ? [] : [workspace]), organisation].filter((id) => id !== undefined);
      const found = await cached(ids.join(' '), () => installationOf(db, ids));
      if (found && found !== 'unknown' && workspace?.startsWith('T')) await remember(workspace, found.id);
      return found;
    },
    of: (workspace) => cached(`of ${workspace}`, () => installationIn(db, workspace)),
    async remove(id, before) {
      const row = await installationOf(db, [id]);
      if (row && row.installed_at > before) return [];
      const workspaces = await forgetInstallation(db, id, now());
      forget();
      return workspaces;
    },
    async revoke(id, before) {
      const row = await installationOf(db, [id]);
      if (row && row.installed_at > before) return [];
      const workspaces = await workspacesOf(db, id);
      await revokeTokens(db, id, { workspaces, at: now() });
      forget();
      return workspaces;
    },
    async removeFrom(id, workspaces) {
      const gone = (await workspacesOf(db, id)).filter((workspace) => workspaces.includes(workspace));
      for (const workspace of gone) await forgetWorkspace(db, workspace, now());
      forget();
      return gone;
    },
  };
}

/** With a token that is good for a while; undefined where Slack gives it none any more. */
async function usable(options: InstallationOptions & RefreshOptions, row: InstallationRow): Promise<Found> {
  try {
    const fresh = await refreshed(options, row);
    return {
      id: fresh.id,
      name: fresh.name,
      botUser: fresh.bot_user,
      installedBy: fresh.installed_by,
      installedAt: fresh.installed_at,
      token: openTokens(options.encryption, fresh).bot,
    };
  } catch (err) {
    const isOver = err instanceof RefreshRefused;
    options.onUnusable({ table: 'installation', id: row.id, isOver, err });
    return isOver ? undefined : 'unknown';
  }
}
