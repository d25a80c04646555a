import { z } from 'zod';
import { createLookupCache } from '../cache/cache.ts';
import { findInteractionWorkspace } from '../slack/actor.ts';
import {
  decryptTokens,
  encryptTokens,
  type RefreshOptions,
  RefreshRefused,
  refreshTokenIfNeeded,
  type Tokens,
} from './refresh-tokens.ts';
import {
  deleteRevokedTokens,
  type EndDeliveries,
  forgetInstallation,
  forgetWorkspace,
} from './sql/forget-workspace.ts';
import {
  findInstallation,
  findInstallationOfWorkspace,
  type InstallationRow,
  listWorkspaces,
  saveInstallation,
  saveInstalledWorkspace,
} from './sql/installations.ts';
import { clearRevocations } from './sql/uninstalled-workspaces.ts';

export interface Installation {
  /** A workspace (`T…`), or a whole organisation (`E…`). */
  id: string;
  name: string;
  /** Slack's id of the app's bot user. */
  botUser: string;
  /** Slack's id of the person who installed the app. */
  installedBy: string;
  installedAt: Date;
  token: string;
}

interface InstallationOptions extends Omit<RefreshOptions, 'unsavedTokens'> {
  endDeliveries: EndDeliveries;
  /**
   * Called for an installation that can't be used. `isRefreshRefused`: Slack permanently refuses the refresh token,
   * which is reported once. Otherwise the encryption key is missing, or the refresh failed temporarily.
   */
  onUnusable(fields: { table: 'installation'; id: string; isRefreshRefused: boolean; err: unknown }): void;
}

/** `unknown`: the lookup failed, and a later lookup may succeed. Undefined: the app isn't installed. */
type InstallationLookup = Installation | 'unknown' | undefined;

/** The stored installations, cached, with valid tokens. */
export type Installations = ReturnType<typeof createInstallations>;

/** The deletions after an uninstallation. Each returns the affected workspaces and can be repeated. */
export type InstallationRemoval = Pick<
  Installations,
  'remove' | 'removeWorkspaces' | 'restoreAccess' | 'deleteTokens'
>;

/** How long an installation is cached. A removal by another instance takes effect within this time. */
const MAX_AGE_MS = 10_000;

export function createInstallations(installationOptions: InstallationOptions) {
  const options = { ...installationOptions, unsavedTokens: new Map(), refusedTokens: new Map() };
  const { db, encryption, now, endDeliveries } = options;
  const cacheOptions = { maxAgeMs: MAX_AGE_MS, now: () => now().getTime() };
  // Failed and empty lookups aren't cached, because the app may be installed before the next request.
  const installations = createLookupCache<InstallationLookup>({
    ...cacheOptions,
    maxAgeOf: (found) => (found === undefined || found === 'unknown' ? 0 : undefined),
  });
  // Entries expire, because another instance may record that the app has left a workspace.
  const savedWorkspaces = createLookupCache<void>(cacheOptions);
  const clearCaches = () => {
    installations.clear();
    savedWorkspaces.clear();
  };

  const lookUp = (key: string, query: () => Promise<InstallationRow | undefined>) =>
    installations.get(key, async () => {
      const row = await query();
      return row && readInstallation(options, row);
    });

  return {
    /** Replaces an earlier installation with the same id. */
    async save({ id, name, botUser, installedBy, installedAt }: Omit<Installation, 'token'>, tokens: Tokens) {
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
    async find({ workspace, organisation, isOrgWide }: RequestOrigin) {
      const ids = [...(isOrgWide ? [] : [workspace]), organisation].filter((id) => id !== undefined);
      const found = await lookUp(ids.join(' '), () => findInstallation(db, ids));
      if (found && found !== 'unknown' && workspace?.startsWith('T'))
        await savedWorkspaces.get(`${workspace} ${found.id}`, () =>
          saveInstalledWorkspace(db, { workspace, installation: found.id }),
        );
      return found;
    },
    /** The installation that covers a workspace. Finds only workspaces from which a request has come. */
    findForWorkspace: (workspace: string) =>
      lookUp(`workspace ${workspace}`, () => findInstallationOfWorkspace(db, workspace)),
    /** Deletes an installation and the data of its workspaces, unless it was made after `uninstalledAt`. */
    async remove(id: string, uninstalledAt: Date): Promise<readonly string[]> {
      const workspaces = await forgetInstallation(db, id, now(), endDeliveries, uninstalledAt);
      clearCaches();
      return workspaces;
    },
    /** Deletes the tokens and pauses the digests, unless the app was installed since `uninstalledAt`. All data stay. */
    async deleteTokens(id: string, uninstalledAt: Date): Promise<readonly string[]> {
      const workspaces = await deleteRevokedTokens(db, id, { now: now(), uninstalledAt });
      clearCaches();
      return workspaces;
    },
    /** Records that workspaces of an organisation have the app again since `grantedAt`. No workspace is affected. */
    async restoreAccess(workspaces: readonly string[], grantedAt: Date): Promise<readonly string[]> {
      await clearRevocations(db, workspaces, grantedAt);
      clearCaches();
      return [];
    },
    /** Deletes the data of workspaces of the organisation `id`, unless they have the app again since `revokedAt`. */
    async removeWorkspaces(
      id: string,
      workspaces: readonly string[],
      revokedAt: Date,
    ): Promise<readonly string[]> {
      const covered = await listWorkspaces(db, id, revokedAt);
      const affected = covered.filter((workspace) => workspaces.includes(workspace));
      for (const workspace of affected) await forgetWorkspace(db, workspace, now(), endDeliveries);
      clearCaches();
      return affected;
    },
  };
}

/** The installation with a valid token; undefined if Slack permanently refuses to refresh the token. */
async function readInstallation(
  options: InstallationOptions & RefreshOptions & { refusedTokens: Map<string, string> },
  row: InstallationRow,
): Promise<InstallationLookup> {
  const { refusedTokens } = options;
  try {
    const refreshed = await refreshTokenIfNeeded(options, row);
    return {
      id: refreshed.id,
      name: refreshed.name,
      botUser: refreshed.bot_user,
      installedBy: refreshed.installed_by,
      installedAt: refreshed.installed_at,
      token: decryptTokens(options.encryption, refreshed).bot,
    };
  } catch (err) {
    const isRefreshRefused = err instanceof RefreshRefused;
    // Every request looks the installation up.
    if (!isRefreshRefused || refusedTokens.get(row.id) !== row.tokens)
      options.onUnusable({ table: 'installation', id: row.id, isRefreshRefused, err });
    if (isRefreshRefused) refusedTokens.set(row.id, row.tokens);
    return isRefreshRefused ? undefined : 'unknown';
  }
}

export interface RequestOrigin {
  workspace: string | undefined;
  organisation: string | undefined;
  /** Whether the request is for an organisation-wide installation. */
  isOrgWide: boolean;
}

/** An optional text. A value of another type counts as absent. */
const optionalText = z.string().optional().catch(undefined);

const originFields = z.object({
  // Events and commands. Slack sends the flag of a command as text.
  team_id: optionalText,
  enterprise_id: optionalText,
  is_enterprise_install: z
    .union([z.boolean(), z.string()])
    .transform((flag) => flag === true || flag === 'true')
    .optional()
    .catch(undefined),
  event: z.unknown().optional(),
  command: z.unknown().optional(),
  // In a channel that two workspaces share, `team_id` may be the other workspace.
  authorizations: z
    .array(
      z.object({
        team_id: optionalText,
        enterprise_id: optionalText,
        is_enterprise_install: z.boolean().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  // Presses, forms, searches and shortcuts. `team` is null if the app is installed in a whole organisation.
  team: z.object({ id: optionalText, enterprise_id: optionalText }).optional().catch(undefined),
  enterprise: z.object({ id: optionalText }).optional().catch(undefined),
  user: z.object({ team_id: optionalText }).optional().catch(undefined),
  view: z.object({ app_installed_team_id: optionalText }).optional().catch(undefined),
});

/** Reads where a request comes from. Unreadable fields count as absent. */
export function readOrigin(body: unknown): RequestOrigin {
  const fields = originFields.safeParse(body).data ?? {};
  const { authorizations: [authorization] = [], is_enterprise_install: isOrgWide = false } = fields;
  if (fields.event !== undefined && authorization) {
    return {
      workspace: authorization.team_id ?? fields.team_id,
      organisation: authorization.enterprise_id,
      isOrgWide: authorization.is_enterprise_install ?? false,
    };
  }
  if (fields.event !== undefined || fields.command !== undefined)
    return { workspace: fields.team_id, organisation: fields.enterprise_id, isOrgWide };
  return {
    workspace: findInteractionWorkspace(fields),
    organisation: fields.enterprise?.id ?? fields.team?.enterprise_id,
    isOrgWide,
  };
}
