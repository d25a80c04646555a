import { type AddressFault, type AddressRules, readServiceAddress } from '../api/address-rules.ts';
import { type AddressGuard, type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import { createUnavailableClient } from '../api/no-client.ts';
import type { Connection } from './credentials.ts';

export interface ConnectOptions {
  access: ServiceAccess;
  limits?: Pick<ApiClientOptions, 'callMs' | 'connectMs'> | undefined;
  onCall?: ApiClientOptions['onCall'] | undefined;
}

/** What may be connected from Slack, and how it is looked at. */
export interface ServiceAccess extends AddressRules, Pick<AddressGuard, 'lookup' | 'ca'> {}

/** What people give in Slack as the address of their service. */
export interface ServiceAddresses {
  read(address: string): { url: string } | { fault: AddressFault };
  /** The caller closes it. All of a workspace's share its part of what is read at once. */
  clientFor(connection: Connection, workspace?: string): ApiClient;
}

export function serviceAddresses({ access, limits, onCall }: ConnectOptions): ServiceAddresses {
  const guard = { allowPrivate: access.allowPrivate, lookup: access.lookup, ca: access.ca };
  const read = (address: string) => readServiceAddress(address, access);
  return {
    read,
    clientFor({ url, token }, workspace) {
      // It was allowed when it was kept; the settings may say otherwise by now.
      const now = read(url);
      if ('fault' in now) return createUnavailableClient('address-not-allowed');
      return createApiClient({
        baseUrl: now.url,
        token,
        guard,
        share: workspace,
        ...limits,
        ...(onCall && { onCall }),
      });
    },
  };
}
