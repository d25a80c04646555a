import { type AddressFault, type AddressRules, parseServiceAddress } from '../api/address-rules.ts';
import { type AddressGuard, type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import type { Connection } from './credentials.ts';

export interface ConnectOptions {
  access: ServiceAccess;
  limits?: Pick<ApiClientOptions, 'maxCallMs' | 'maxConnectMs'> | undefined;
  onCall?: ApiClientOptions['onCall'] | undefined;
}

/** Which addresses may be connected from Slack, and how they are resolved and verified. */
export interface ServiceAccess extends AddressRules, Pick<AddressGuard, 'lookup' | 'ca'> {}

/** The service addresses that people enter in Slack. */
export interface ServiceAddresses {
  read(address: string): { url: string } | { fault: AddressFault };
  /** The caller closes the client. All clients of a workspace share its limit of concurrent reads. */
  clientFor(connection: Connection, workspace?: string): ApiClient;
}

export function createServiceAddresses({ access, limits, onCall }: ConnectOptions): ServiceAddresses {
  const guard = { allowPrivate: access.allowPrivate, lookup: access.lookup, ca: access.ca };
  const read = (address: string) => parseServiceAddress(address, access);
  return {
    read,
    clientFor({ url, token }, workspace) {
      // The settings may have changed since the address was stored.
      const allowed = read(url);
      if ('fault' in allowed) return createUnavailableClient('address-not-allowed');
      return createApiClient({
        baseUrl: allowed.url,
        token,
        guard,
        quotaKey: workspace,
        ...limits,
        ...(onCall && { onCall }),
      });
    },
  };
}
