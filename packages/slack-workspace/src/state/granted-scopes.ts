import type { Site } from '../site.ts';
import { getHolder } from './organisations.ts';

/** The app's scopes in this workspace: those of its installation, or of its manifest. Undefined if it lists none. */
export function findGrantedScopes(site: Site): readonly string[] | undefined {
  const holder = getHolder(site);
  const grant = site.slack.grants.findLast((entry) => entry.kind === 'bot' && entry.holder === holder);
  return grant?.scopes ?? site.manifest.scopes;
}

/** Whether the app has one of these scopes. An app whose manifest lists no scopes needs none. */
export function hasAnyScope(site: Site, needed: readonly string[]): boolean {
  const scopes = findGrantedScopes(site);
  return !scopes || needed.length === 0 || needed.some((scope) => scopes.includes(scope));
}

/** Whether the app was granted this scope. An app whose manifest lists no scopes doesn't have it. */
export function hasScope(site: Site, scope: string): boolean {
  return findGrantedScopes(site)?.includes(scope) ?? false;
}
