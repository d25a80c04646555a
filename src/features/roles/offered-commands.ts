import type { RequiredRole } from '../../access/access.ts';
import { includesRole, type Role } from '../../access/access.ts';
import type { Attempt } from '../../app/feature.ts';
import type { Catalogue } from '../../slack/catalogue.ts';

/** The part of a feature that permission checks use. */
export type Features = readonly (Catalogue[number] & {
  role(attempt: Attempt): RequiredRole;
  roleToRequest?(attempt: Attempt): Role;
  actions?: Readonly<Record<string, unknown>>;
})[];

/** Returns the commands and buttons that Upnext offers to people with this role. */
export type OfferLookup = (role: Role | undefined) => {
  catalogue: Catalogue;
  mayPress(actionId: string): boolean;
};

export function createOfferLookup(features: Features): OfferLookup {
  const offersByRole = new Map<Role | undefined, ReturnType<OfferLookup>>();
  const featuresByAction = new Map(
    features.flatMap((feature) => Object.keys(feature.actions ?? {}).map((id) => [id, feature] as const)),
  );
  return (role) => {
    const cachedOffer = offersByRole.get(role);
    if (cachedOffer) return cachedOffer;
    const catalogue = features.map((feature) => ({
      ...feature,
      commands: feature.commands.filter(({ name: command }) =>
        includesRole(role, feature.role({ surface: 'command', command, text: '' })),
      ),
    }));
    const mayPress = (id: string) => {
      const feature = featuresByAction.get(id);
      return !feature || includesRole(role, feature.role({ surface: 'action', id }));
    };
    const offer = { catalogue, mayPress };
    offersByRole.set(role, offer);
    return offer;
  };
}
