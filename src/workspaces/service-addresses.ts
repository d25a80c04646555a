import { type AddressFault, type AddressRules, parseServiceAddress } from '../api/address-rules.ts';
import { type AddressGuard, type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import type { Connection } from './credentials.ts';

export interface ConnectOptions {
  access: ServiceAccess;
  limits?: Pick<ApiClientOptions, 'maxCallMs' | 'maxConnectMs'> | undefined;
  onCall?: ApiClientOptions['onCall'] | undefined;
}

/** Which service addresses people may connect in Slack, and how they are resolved and verified. */
export interface ServiceAccess extends AddressRules, Pick<AddressGuard, 'lookup' | 'ca'> {}

/** The service addresses that people enter in Slack. */
export interface ServiceAddresses {
  parseAddress(address: string): { url: string } | { fault: AddressFault };
  /** The caller closes the client. All clients of a workspace share its limit of concurrent reads. */
  createClient(connection: Connection, workspace?: string): ApiClient;
}

export function createServiceAddresses({ access, limits, onCall }: ConnectOptions): ServiceAddresses {
  const guard = { allowPrivate: access.allowPrivate, lookup: access.lookup, ca: access.ca };
  const parseAddress = (address: string) => parseServiceAddress(address, access);
  return {
    parseAddress,
    createClient({ url, token }, workspace) {
      // Check the address again, because the settings may have changed since it was stored.
      const parsed = parseAddress(url);
      if ('fault' in parsed) return createUnavailableClient('address-not-allowed');
      return createApiClient({
        baseUrl: parsed.url,
        token,
        guard,
        quotaKey: workspace,
        ...limits,
        ...(onCall && { onCall }),
      });
    },
  };
}
