import { type AddressFault, type AddressRules, parseServiceAddress } from '../api/address-rules.ts';
import { type AddressGuard, type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import type { Connection } from './credentials.ts';

export interface ConnectOptions {
  addressRules: ServiceAddressRules;
  limits?: Pick<ApiClientOptions, 'maxCallMs' | 'maxConnectMs'> | undefined;
  onCall?: ApiClientOptions['onCall'] | undefined;
}

/** Rules for the service addresses that people may enter in Slack, with the DNS lookup and the CA for TLS. */
export interface ServiceAddressRules extends AddressRules, Pick<AddressGuard, 'lookup' | 'ca'> {}

/** Parses service addresses that people enter in Slack, and creates clients for them. */
export interface ServiceAddresses {
  parseAddress(address: string): { url: string } | { fault: AddressFault };
  /** The caller closes the client. All clients of a workspace share its limit of concurrent reads. */
  createClient(connection: Connection, workspace?: string): ApiClient;
}

export function createServiceAddresses({ addressRules, limits, onCall }: ConnectOptions): ServiceAddresses {
  const { allowPrivate, lookup, ca } = addressRules;
  const guard = { allowPrivate, lookup, ca };
  const parseAddress = (address: string) => parseServiceAddress(address, addressRules);
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
