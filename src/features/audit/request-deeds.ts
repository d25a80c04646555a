import type { Deed } from '../../access/access.ts';
import type { Feature } from '../../handlers/feature.ts';

/** Lists the deeds of all requests to the features, for `findRequestDeed`. */
export function listDeeds(features: readonly Feature[]): ReadonlyMap<string, Deed> {
  return new Map(features.flatMap(listFeatureDeeds).map(([action, deed]) => [toRequestKey(action), deed]));
}

function listFeatureDeeds({ name, commands, open, ...feature }: Feature): [action: string, deed: Deed][] {
  const { views = {}, actions = {}, options = {}, shortcuts = {}, events = {} } = feature;
  const handlers = { view: views, action: actions, options, shortcut: shortcuts, event: events };
  return [
    ...commands.map(({ name: command, deed }): [string, Deed] => [`${name} command ${command}`, deed]),
    ...(open ? [[`${name} open`, open.deed] as [string, Deed]] : []),
    ...Object.entries(handlers).flatMap(([surface, byId]) =>
      Object.entries(byId).map(([id, { deed }]): [string, Deed] => [`${name} ${surface} ${id}`, deed]),
    ),
  ];
}

/** Finds the deed of a request to a feature. Undefined if this version doesn't have the request. */
export function findRequestDeed(deeds: ReadonlyMap<string, Deed>, action: string): Deed | undefined {
  return deeds.get(toRequestKey(action));
}

/** Removes the numbers of buttons that exist several times, and the feature of an action, options or shortcut. */
function toRequestKey(action: string): string {
  return action.replace(/[.-]?\d+$/, '').replace(/^\S+ (?=(?:action|options|shortcut) )/, '');
}
