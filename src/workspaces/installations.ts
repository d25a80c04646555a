import { createLookupCache } from '../cache/cache.ts';
import {
  decryptTokens,
  encryptTokens,
  type RefreshOptions,
  RefreshRefused,
  type Tokens,
  withFreshToken,
} from './refresh-tokens.ts';
import { forgetInstallation, forgetWorkspace, revokeTokens } from './sql/forget-workspace.ts';
import {
  firstInstallation,
  type InstallationRow,
  installationOfWorkspace,
  saveInstallation,
  saveInstalledWorkspace,
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

/** The workspace and organisation of a request from Slack. */
export interface RequestOrigin {
  workspace: string | undefined;
  organisation: string | undefined;
  /** Slack sent it for an installation of the whole organisation. */
  orgWide: boolean;
}

interface InstallationOptions extends Omit<RefreshOptions, 'unsaved'> {
  /**
   * Called for an installation that can't be used. `isOver`: Slack refuses its refresh token for good. Otherwise its
   * encryption key is missing, or refreshing its token failed this time.
   */
  onUnusable(facts: { table: 'installation'; id: string; isOver: boolean; err: unknown }): void;
}

/** `unknown`: the lookup failed, and a later one may succeed. Undefined: the app isn't installed. */
type InstallationLookup = Installation | 'unknown' | undefined;

/** The stored installations, cached, with fresh tokens. */
export interface Installations extends InstallationRemoval {
  /** Replaces an earlier installation with the same id. */
  save(installation: Omit<Installation, 'token'>, tokens: Tokens): Promise<void>;
  find(from: RequestOrigin): Promise<InstallationLookup>;
  /** The installation that covers a workspace from which a request has come. */
  of(workspace: string): Promise<InstallationLookup>;
}

/** Removals when the app leaves. Each returns the affected workspaces and can be repeated. */
export interface InstallationRemoval {
  /** Deletes an installation and the data of its workspaces, unless it is newer than `before`. */
  remove(id: string, before: Date): Promise<readonly string[]>;
  /** Deletes the data of some of an organisation's workspaces. */
  removeFrom(id: string, workspaces: readonly string[]): Promise<readonly string[]>;
  /**
   * Deletes the tokens, pauses the digests and keeps everything else, unless the installation is newer than `before`.
   */
  revoke(id: string, before: Date): Promise<readonly string[]>;
}

/** How long a cached installation is used; a removal by another instance takes effect within this time. */
const MAX_AGE_MS = 10_000;

export function createInstallations(given: InstallationOptions): Installations {
  const options = { ...given, unsaved: new Map() };
  const { db, encryption, now } = options;
  const aging = { maxAgeMs: MAX_AGE_MS, now: () => now().getTime() };
  // Only found installations are cached: the next request may find a missing one.
  const installations = createLookupCache<InstallationLookup>({
    ...aging,
    ageOf: (found) => (found === undefined || found === 'unknown' ? 0 : undefined),
  });
  // These expire too, because another instance may store that the app has left.
  const savedWorkspaces = createLookupCache<void>(aging);
  const clearCaches = () => {
    installations.clear();
    savedWorkspaces.clear();
  };

  const lookUp = (key: string, query: () => Promise<InstallationRow | undefined>) =>
    installations.get(key, async () => {
      const row = await query();
      return row && readInstallation(options, row);
    });

  const saveWorkspace = (workspace: string, installation: string) =>
    savedWorkspaces.get(`${workspace} ${installation}`, () =>
      saveInstalledWorkspace(db, { workspace, installation }),
    );

  return {
    async save(installation, tokens) {
      const { id, name, botUser, installedBy, installedAt } = installation;
      await saveInstallation(db, {
        id,
        name,
        tokens: encryptTokens(encryption, id, tokens),
        expires_at: tokens.expiresAt ?? null,
        bot_user: botUser,
        installed_by: installedBy,
        installed_at: installedAt,
      });
      if (id.startsWith('T')) await saveInstalledWorkspace(db, { workspace: id, installation: id });
      clearCaches();
    },
    async find({ workspace, organisation, orgWide }) {
      const ids = [...(orgWide ? [] : [workspace]), organisation].filter((id) => id !== undefined);
      const found = await lookUp(ids.join(' '), () => firstInstallation(db, ids));
      if (found && found !== 'unknown' && workspace?.startsWith('T'))
        await saveWorkspace(workspace, found.id);
      return found;
    },
    of: (workspace) => lookUp(`of ${workspace}`, () => installationOfWorkspace(db, workspace)),
    async remove(id, before) {
      const row = await firstInstallation(db, [id]);
      if (row && row.installed_at > before) return [];
      const workspaces = await forgetInstallation(db, id, now());
      clearCaches();
      return workspaces;
    },
    async revoke(id, before) {
      const row = await firstInstallation(db, [id]);
      if (row && row.installed_at > before) return [];
      const workspaces = await workspacesOf(db, id);
      await revokeTokens(db, id, { workspaces, at: now() });
      clearCaches();
      return workspaces;
    },
    async removeFrom(id, workspaces) {
      const affected = (await workspacesOf(db, id)).filter((workspace) => workspaces.includes(workspace));
      for (const workspace of affected) await forgetWorkspace(db, workspace, now());
      clearCaches();
      return affected;
    },
  };
}

/** The installation with a fresh token; undefined if Slack refuses to refresh it for good. */
async function readInstallation(
  options: InstallationOptions & RefreshOptions,
  row: InstallationRow,
): Promise<InstallationLookup> {
  try {
    const fresh = await withFreshToken(options, row);
    return {
      id: fresh.id,
      name: fresh.name,
      botUser: fresh.bot_user,
      installedBy: fresh.installed_by,
      installedAt: fresh.installed_at,
      token: decryptTokens(options.encryption, fresh).bot,
    };
  } catch (err) {
    const isOver = err instanceof RefreshRefused;
    options.onUnusable({ table: 'installation', id: row.id, isOver, err });
    return isOver ? undefined : 'unknown';
  }
}
