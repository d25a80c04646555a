import type { RequiredRole, Role } from '../../access/access.ts';
import type { Feature, RequestedAction } from '../../handlers/feature.ts';

/** The lowest role that may send the request. */
export function getRequiredRole(feature: Feature, requested: RequestedAction): RequiredRole {
  const role = findRequestedHandler(feature, requested)?.role ?? feature.role;
  return typeof role === 'function' ? role({ text: '', values: {}, ...requested }) : role;
}

/** The role that a refusal names and offers to request. Undefined if it is the required role. */
export function findRoleToRequest(feature: Feature, requested: RequestedAction): Role | undefined {
  const role = findRequestedHandler(feature, requested)?.roleToRequest;
  return typeof role === 'function' ? role({ text: '', values: {}, ...requested }) : role;
}

function findRequestedHandler(feature: Feature, requested: RequestedAction) {
  switch (requested.surface) {
    case 'command':
      return feature.commands.find(({ name }) => name === requested.command);
    case 'open':
      return feature.open;
    case 'view':
      return feature.views?.[requested.id];
    case 'action':
      return feature.actions?.[requested.id];
    case 'options':
      return feature.options?.[requested.id];
    case 'shortcut':
      return feature.shortcuts?.[requested.id];
    case 'event':
      return feature.events?.[requested.id];
  }
}
