import type { Site } from '../site.ts';
import { getHolder } from './organisations.ts';

/** What the app was given here: at its installation, else what its manifest asks for. Undefined: it asks for nothing. */
export function findGrantedScopes(site: Site): readonly string[] | undefined {
  const holder = getHolder(site);
  const grant = site.slack.grants.findLast((entry) => entry.kind === 'bot' && entry.holder === holder);
  return grant?.scopes ?? site.manifest.scopes;
}

/** Any one of these is enough; a manifest that lists no scopes is asked for none. */
export function hasAnyScope(site: Site, needed: readonly string[]): boolean {
  const scopes = findGrantedScopes(site);
  return !scopes || needed.length === 0 || needed.some((scope) => scopes.includes(scope));
}

/** The app has this very scope. One whose manifest lists no scopes has none of those that only add a right. */
export function hasScope(site: Site, scope: string): boolean {
  return findGrantedScopes(site)?.includes(scope) ?? false;
}
